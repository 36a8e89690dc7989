"""The search index of a year: each record as the year left it, whatever its lines are (N8)."""

import json
from itertools import count
from typing import Any

from uring.records import search_index
from uring.records.search_index import MOST_BYTES, YearIndex


def line(number: int, title: str = "", **fields: Any) -> dict[str, Any]:
    """Return the line of a notice that was found on a day of March by its number."""
    seen = f"2026-03-{number % 28 + 1:02}T00:00:00Z"
    return {
        "event_id": f"{number:040x}",
        "kind": "new",
        "detected_at": seen,
        "id": str(number),
        "title": title or f"공지 {number}",
        "date": seen[:10],
        "category": "장학",
        "link": f"https://board.example/view?no={number}&mode=view",
        "revision": 1,
        "hash": "a" * 40,
        "first_seen": seen,
        **fields,
    }


def own_link(number: int) -> dict[str, Any]:
    """Return a line whose link no other one resembles."""
    return line(number, link=f"https://{number}.example/{number * 7}/a")


def made(*lines: Any, month: str = "202603") -> dict[str, Any]:
    """Return the index of one month."""
    index = YearIndex("cs", "2026", "202601")
    index.add(month, lines)
    found: dict[str, Any] = json.loads(index.body())
    return found


class TestRows:
    def test_each_record_has_one_row_the_newest_first(self) -> None:
        index = made(line(1), line(2))
        assert (index["ids"], index["titles"]) == (["2", "1"], ["공지 2", "공지 1"])
        assert index["dates"] == ["2026-03-03", "2026-03-02"]
        assert (index["version"], index["since"]) == (1, "202601")
        assert index["months"] == ["202603"]

    def test_an_edit_is_shown_whichever_line_comes_first(self) -> None:
        first, edit = line(1), line(1, "새 제목", revision=2)
        assert made(first, edit) == made(edit, first)
        assert (made(edit, first)["titles"], made(first, edit)["revisions"]) == (["새 제목"], [2])

    def test_a_record_that_was_forgotten_is_shown_as_it_came_back(self) -> None:
        again = line(1, "다시", first_seen="2026-03-20T00:00:00Z")
        assert made(again, line(1, "옛", revision=7))["titles"] == ["다시"]

    def test_a_deleted_record_is_named_as_gone(self) -> None:
        index = made(line(1), line(1, revision=2, hash=""))
        assert (index["ids"], index["gone"]) == ([], [["1", "2026-03-02T00:00:00Z", 2]])

    def test_a_retraction_keeps_the_row_and_says_so(self) -> None:
        index = made(line(1), line(1, revision=2, kind="retracted", retracted="all"))
        assert (index["ids"], index["retracted"]) == (["1"], {"1": "all"})

    def test_a_renamed_record_is_found_under_its_new_id_alone(self) -> None:
        at = "2026-03-20T00:00:00Z"
        index = made(line(1), line(9, renamed_from="1", detected_at=at))
        assert (index["ids"], index["renamed"]) == (["9"], [["1", at]])

    def test_another_record_may_have_the_former_id(self) -> None:
        at, later = "2026-03-20T00:00:00Z", "2026-03-21T00:00:00Z"
        other = line(1, "다른 글", detected_at=later, first_seen=later)
        index = made(line(1), line(9, renamed_from="1", detected_at=at), other)
        assert index["ids"] == ["1", "9"]


class TestLinks:
    def test_what_all_links_share_is_stored_once(self) -> None:
        index = made(line(1), line(2))
        assert index["link"] == ["https://board.example/view?no=", "&mode=view"]
        assert index["links"] == {}

    def test_another_link_is_stored_whole(self) -> None:
        other = "https://other.example/a"
        index = made(line(1), line(2), line(3, link=other), line(4, link=None))
        assert index["links"] == {"3": other, "4": None}

    def test_an_id_that_the_link_has_twice_still_gives_that_link(self) -> None:
        link = "https://board.example/1/a1b"
        index = made(line(1, link=link))
        assert "1".join(index["link"]) == link or index["links"]["1"] == link


class TestOddLines:
    def test_malformed_lines_cost_themselves_alone(self) -> None:
        odd: list[Any] = [
            {},
            line(2, id=""),
            line(3, id=7),
            line(4, revision=0),
            line(5, revision=True),
            line(6, id="\ud800"),
            line(1) | {"renamed_from": "7", "detected_at": "\ud800"},
        ]
        assert made(*odd, line(1))["ids"] == ["1"]

    def test_odd_values_become_plain_ones(self) -> None:
        odd = {"title": None, "date": 5, "category": [], "link": {}, "first_seen": None}
        index = made(line(1) | odd)
        assert (index["titles"], index["dates"], index["categories"]) == ([""], [None], [None])

    def test_half_a_character_in_a_title_stops_nothing(self) -> None:
        assert made(line(1, "a\ud800b"))["titles"] == ["a?b"]

    def test_a_title_of_ten_thousand_letters_is_cut(self) -> None:
        assert made(line(1, "가" * 10_000))["titles"] == ["가" * 500]

    def test_odd_letters_in_an_id_come_back_as_they_were(self) -> None:
        odd = '../"\\\n한 글?#%'
        assert made(line(1, id=odd))["ids"] == [odd]


class TestSize:
    def test_a_month_that_does_not_fit_is_named_as_left_to_the_archive(self) -> None:
        index = YearIndex("cs", "2026", "202601")
        index.add("202603", [line(1)])
        index.add("202602", [line(number, "가" * 500) for number in range(MOST_BYTES // 1_500)])
        index.add("202601", None)
        found = json.loads(index.body())
        assert (found["months"], found["ids"]) == (["202603"], ["1"])
        assert found["unindexed"] == ["202601", "202602"]

    def test_the_largest_index_is_about_as_large_as_it_says(self) -> None:
        index = YearIndex("cs", "2026", "202601")
        # Links of their own, as on a board with odd addresses.
        numbers = count(1)
        for month in range(1, 100):
            index.add(f"{month:06}", [own_link(next(numbers)) for _ in range(200)])
        assert 0.7 * MOST_BYTES < len(index.body()) <= 1.1 * MOST_BYTES

    def test_the_version_is_the_one_that_readers_know(self) -> None:
        assert search_index.VERSION == 1
