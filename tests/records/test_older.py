"""A list that moves up shows old notices for the first time: they are no news (N5, N6)."""

import pytest
from fakes import Notice
from fakes.worlds import NoticeWorld

from uring.records.model import Observation
from uring.records.older import came_at, moved_up


def item(number: str, date: str | None = None, *, is_marked: bool = False) -> Observation:
    return Observation(number, "hash", {"title": f"글 {number}", "date": date}, is_marked)


def items(*numbers: int, day: str | None) -> list[Observation]:
    return [item(str(number), day and day.format(number)) for number in numbers]


KNOWN = {str(number) for number in range(5, 10)}


@pytest.mark.parametrize("day", ["2026-03-{:02}", None])
class TestNormal:
    def test_below_all_that_is_known_it_is_old(self, day: str | None) -> None:
        assert moved_up(items(9, 7, 6, 5, 4, 3, day=day), KNOWN) == {"4", "3"}

    def test_above_or_between_it_is_news(self, day: str | None) -> None:
        assert moved_up(items(10, 9, 8, 4, 7, 6, 5, day=day), KNOWN) == set()

    def test_in_a_list_with_the_newest_last_it_is_news(self, day: str | None) -> None:
        assert moved_up(items(5, 6, 7, 8, 9, 10, day=day), KNOWN) == set()

    def test_of_a_page_with_nothing_known_all_is_news(self, day: str | None) -> None:
        assert moved_up(items(29, 28, 27, day=day), KNOWN) == set()


class TestMarkedBefore:
    """A known one that had a pin stands anywhere: what lies above it was not seen."""

    def test_what_stands_between_it_and_the_others_is_old(self) -> None:
        rows = items(9, 8, 7, 6, 4, 3, 2, day="2026-03-{:02}")
        known = {"9", "8", "7", "6", "2"}
        assert moved_up(rows, known) == set()
        assert moved_up(rows, known, marked={"2"}) == {"4", "3"}

    def test_where_only_such_are_known_nothing_can_be_told(self) -> None:
        assert moved_up(items(9, 4, 2, day=None), {"2"}, marked={"2"}) == set()


class TestWithoutOrder:
    ROWS = (7, 9, 5, 3, 8, 6)

    def test_older_by_number_and_date_it_is_old(self) -> None:
        assert moved_up(items(*self.ROWS, day="2026-03-{:02}"), KNOWN) == {"3"}

    def test_in_a_short_list_each_row_counts_for_the_order(self) -> None:
        """Without the second one the others are in order, and the last would count as old."""
        assert moved_up(items(9, 5, 8, 7, 4, day=None), {"9", "5", "8", "7"}) == set()

    def test_by_one_of_them_it_is_news(self) -> None:
        rows = items(*self.ROWS, day="2026-03-{:02}")
        rows[3] = item("3", "2026-03-20")
        assert moved_up(rows, KNOWN) == set()
        assert moved_up(items(*self.ROWS, day=None), KNOWN) == set()


class TestIdsThatAreNoNumbers:
    def rows(self, *days: int) -> list[Observation]:
        return [item(f"k{place}", f"2026-03-{day:02}") for place, day in enumerate(days)]

    def test_of_the_same_day_as_the_last_it_is_old(self) -> None:
        assert moved_up(self.rows(9, 8, 7, 7), {"k0", "k1", "k2"}) == {"k3"}

    def test_newer_than_all_it_is_news_even_at_the_bottom(self) -> None:
        assert moved_up(self.rows(9, 8, 7, 10), {"k0", "k1", "k2"}) == set()

    def test_with_the_newest_last_one_of_the_last_day_is_news(self) -> None:
        assert moved_up(self.rows(7, 8, 9, 9), {"k0", "k1", "k2"}) == set()

    def moved(self, names: str, before: str, came: str = "") -> str:
        """The moved-up records of a list of one-letter ids; all of ``before`` are known."""
        records = [item(name) for name in names]
        return "".join(sorted(moved_up(records, set(before), (), before, came)))

    def test_without_dates_one_more_at_the_end_is_news(self) -> None:
        """Nothing tells which end is the newer one; an old one needs room to move up."""
        assert self.moved("abc", before="ab") == ""
        assert self.moved("abcdefghij", before="abcde") == "fghij"

    def test_without_dates_it_is_old_where_one_above_it_made_room(self) -> None:
        assert self.moved("acd", before="abc") == "d"
        assert self.moved("abd", before="abc") == "d"

    def test_without_dates_it_is_news_where_the_list_moves_on_downwards(self) -> None:
        assert self.moved("bcd", before="abc") == ""
        assert self.moved("cde", before="abc") == ""

    def test_without_dates_the_end_where_new_ones_came_decides(self) -> None:
        assert self.moved("bcd", before="abc", came="top") == "d"
        assert self.moved("acd", before="abc", came="bottom") == ""
        assert self.moved("abc", before="ab", came="top") == ""

    def test_the_end_is_learned_where_one_end_alone_has_new_ones(self) -> None:
        def came(names: str) -> str:
            return came_at([item(name) for name in names], set("abc"), (), "abc")

        seen = {names: came(names) for names in ("xabc", "abcx", "xabcy", "axbc", "abc", "xyz")}
        assert {names: end for names, end in seen.items() if end} == {
            "xabc": "top",
            "abcx": "bottom",
        }
        assert came("bcx") == ""


class TestAllPinned:
    """A board that pins every notice is a list like any other."""

    def rows(self, *days: int) -> list[Observation]:
        return [item(f"{day}", f"2026-03-{day:02}", is_marked=True) for day in days]

    def test_one_that_moves_up_is_old(self) -> None:
        known = {"9", "8", "7"}
        assert moved_up(self.rows(9, 8, 6), known, marked=known) == {"6"}

    def test_a_new_one_on_top_is_news(self) -> None:
        known = {"9", "8", "7"}
        assert moved_up(self.rows(10, 9, 8), known, marked=known) == set()


class TestPinned:
    def pinned(self, number: str, day: str | None) -> frozenset[str]:
        rows = [item(str(key), f"2026-03-{key:02}") for key in (9, 8, 7)]
        return moved_up([item(number, day, is_marked=True), *rows], KNOWN)

    def test_an_old_one_is_no_news(self) -> None:
        assert self.pinned("2", "2025-01-02") == {"2"}
        assert self.pinned("guide", "2025-01-02") == {"guide"}

    def test_a_new_one_is(self) -> None:
        assert self.pinned("10", "2026-03-10") == set()
        assert self.pinned("guide", "2026-03-10") == set()

    def test_one_that_says_nothing_of_its_age_is(self) -> None:
        assert self.pinned("guide", None) == set()

    def test_a_new_number_with_an_old_date_is(self) -> None:
        assert self.pinned("10", "2025-01-02") == set()


@pytest.mark.parametrize("gone", [0, 2], ids=["the first", "in the middle"])
@pytest.mark.parametrize("how", ["deleted", "pinned"])
def test_who_leaves_page_1_pulls_nothing_into_the_news(gone: int, how: str) -> None:
    world = NoticeWorld()
    page = [Notice(str(number), f"글 {number}") for number in range(20, 10, -1)]
    world.show(*page)
    world.check()
    left = page.pop(gone)
    pulled = Notice("10", "글 10")
    first = [Notice(left.id, left.title, is_pinned=True)] if how == "pinned" else []
    world.show(*first, *page, pulled)
    check = world.check()
    kinds = {event.id: (event.kind, event.push) for event in check.events}
    assert kinds.pop("10") == ("baseline", False)
    assert kinds == ({left.id: ("pinned", False)} if how == "pinned" else {})
    assert world.messages() == []
    assert world.document("data/cs/latest.json")["items"][-1]["id"] == "10"
    world.show(*first, *page, Notice("10", "글 10, 고침"))
    assert [(each.id, each.kind) for each in world.check().events] == [("10", "edited")]
