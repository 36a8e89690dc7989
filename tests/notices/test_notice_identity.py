"""A notice is known by its id, and confirmed by title and date: renewed ids, whole turnovers."""

from dataclasses import replace

import pytest
from fakes import Notice
from fakes.worlds import NoticeWorld

LETTERS = "가나다라마바사아자차카타"
PAGE = [
    Notice(str(1200 - 3 * place), f"{letter} 공지 안내", date=f"2026-02-{24 - place:02}")
    for place, letter in enumerate(LETTERS)
]
WORDS = [replace(notice, id=f"a-{notice.id}") for notice in PAGE]

FRESH = [
    Notice(str(7000 + place), f"{letter} 신규", date=f"2026-03-{1 + place // 8:02}")
    for place, letter in enumerate(reversed(LETTERS))
]
OTHERS = [
    Notice(f"n{place}", f"{letter} 어느 글", date="2025-08-01")
    for place, letter in enumerate(LETTERS)
]
NAMES = [
    Notice(name, f"{name} 이야기", date="")
    for name in ("apple", "banana", "cherry", "dog", "egg", "fox")
]


def begun(*page: Notice) -> NoticeWorld:
    world = NoticeWorld()
    world.show(*page)
    world.check()
    return world


def seen(world: NoticeWorld, *page: Notice) -> tuple[str, list[tuple[str, str]]]:
    """The outcome of the next check, or its reason, and what it pushes."""
    world.notify.messages.clear()
    world.clock.advance(600)
    world.show(*page)
    check = world.check()
    return check.reason or check.outcome, world.pushes()


def renewed(page: list[Notice], form: str = "{}-neu") -> list[Notice]:
    return [replace(notice, id=form.format(notice.id)) for notice in page]


class TestRenumbered:
    @pytest.mark.parametrize(("page", "form"), [(PAGE, "9{}"), (PAGE, "{}-neu"), (WORDS, "b{}")])
    def test_titles_and_days_under_other_ids_are_the_same_notices(
        self, page: list[Notice], form: str
    ) -> None:
        world = begun(*page)
        assert seen(world, *renewed(page, form)) == ("changed", [])
        known, state = page[0].id, world.state
        assert state.known[form.format(known)].revision == 2
        assert state.known[form.format(known)].first_seen == state.known[known].first_seen
        assert world.hot == [form.format(notice.id) for notice in page]
        lines = world.bucket.body("data/cs/archive/202603.jsonl").splitlines()
        assert b'"kind":"renamed"' in lines[-1]
        assert b'"renamed_from"' in lines[-1]

    def test_half_a_page_too_and_what_is_new_beside_it_is_news(self) -> None:
        world = begun(*PAGE)
        fresh = Notice("2000", "새 공지", date="2026-02-26")
        page = [fresh, *renewed(PAGE[:6]), *PAGE[6:]]
        assert seen(world, *page) == ("changed", [("2000", "new")])

    def test_an_edit_after_it_counts_on(self) -> None:
        world = begun(*PAGE)
        page = renewed(PAGE)
        seen(world, *page)
        page[3] = replace(page[3], title="고친 공지 안내")
        assert seen(world, *page) == ("changed", [(page[3].id, "edited")])

    def test_an_old_id_names_another_notice_from_then_on(self) -> None:
        world = begun(*PAGE)
        page = renewed(PAGE)
        seen(world, *page)
        other = Notice(PAGE[0].id, "전혀 다른 공지", date="2026-02-27")
        assert seen(world, other, *page) == ("changed", [(other.id, "new")])

    def test_so_does_one_that_had_left_the_page_before(self) -> None:
        world = begun(*PAGE)
        fresh = Notice("1300", "새 공지", date="2026-02-25")
        seen(world, fresh, *PAGE[:11])
        page = renewed([fresh, *PAGE[:11]])
        seen(world, *page)
        other = Notice(PAGE[11].id, "전혀 다른 공지", date="2026-02-27")
        assert seen(world, other, *page) == ("changed", [(other.id, "new")])

    @pytest.mark.parametrize(("count", "checks", "pushes"), [(3, 3, 0), (3, 200, 3), (2, 3, 2)])
    def test_several_that_were_hidden_for_hours_come_back_under_other_ids(
        self, count: int, checks: int, pushes: int
    ) -> None:
        """After a day, and one or two of them, they are posted again, which is news."""
        world = begun(*PAGE)
        own = [Notice(str(1300 + n), f"{LETTERS[n]} 모집", date="2026-03-01") for n in range(count)]
        assert len(seen(world, *own, *PAGE)[1]) == count
        page = [Notice("1400", "새 공지", date="2026-03-01"), *PAGE]
        for _ in range(checks):
            seen(world, *page)
        assert len(seen(world, page[0], *renewed(own, "6{}"), *PAGE)[1]) == pushes

    def test_the_first_of_a_day_that_slid_off_are_no_hidden_ones(self) -> None:
        """The list shows a day alone: titles that recur on it are posted again."""
        world = begun(*PAGE)
        day = [Notice(str(1300 + n), f"{n} 공지", date="2026-03-01") for n in range(20)]
        daily = [replace(each, title=f"{LETTERS[n]} 모집") for n, each in enumerate(day[:3])]
        seen(world, *daily, *PAGE[:9])
        seen(world, *day[3:15])
        assert len(seen(world, *renewed(daily, "6{}"), *day[3:12])[1]) == 3

    def test_one_that_is_deleted_and_posted_again_is_news(self) -> None:
        world = begun(*PAGE)
        again = replace(PAGE[0], id="1300")
        assert seen(world, again, *PAGE[1:]) == ("changed", [("1300", "new")])

    def test_ids_that_are_new_at_every_check_close_the_board(self) -> None:
        world = begun(*PAGE)
        words = [seen(world, *renewed(PAGE, f"{{}}-{turn}"))[0] for turn in range(5)]
        assert words == ["changed"] * 3 + ["ids_gone"] * 2
        assert "fields.id" in world.check().detail or world.state.health.status == "suspect"


class TestTurnover:
    @pytest.mark.parametrize("form", ["{}", "a-{}", "9f{}e"])
    def test_days_as_new_as_the_newest_are_news_whatever_the_ids(self, form: str) -> None:
        world = begun(*WORDS)
        page = renewed(FRESH, form)
        outcome, pushed = seen(world, *page)
        assert outcome == "changed"
        assert pushed == [(notice.id, "new") for notice in reversed(page)]
        assert seen(world, *page)[1] == []

    def test_lower_numbers_with_newer_days_are_news(self) -> None:
        world = begun(*PAGE)
        page = [replace(notice, id=str(place)) for place, notice in enumerate(FRESH)]
        assert len(seen(world, *page)[1]) == 12

    def test_higher_numbers_with_older_days_are_not_believed(self) -> None:
        world = begun(*PAGE)
        page = [replace(notice, date="2025-05-05") for notice in FRESH]
        assert seen(world, *page) == ("ids_gone", [])

    def test_a_few_older_ones_among_them_are_no_news(self) -> None:
        world = begun(*WORDS)
        page = [*FRESH[:10], *(replace(each, date="2025-05-05") for each in FRESH[10:])]
        assert len(seen(world, *page)[1]) == 10

    def test_a_day_to_come_on_the_last_page_is_no_measure(self) -> None:
        world = begun(replace(WORDS[0], date="2026-12-24"), *WORDS[1:])
        assert len(seen(world, *FRESH)[1]) == 12

    def test_one_day_for_all_proves_nothing(self) -> None:
        world = begun(*(replace(notice, date="2026-03-01") for notice in WORDS))
        page = [replace(notice, date="2026-03-01") for notice in renewed(FRESH, "b-{}")]
        assert seen(world, *page) == ("ids_gone", [])

    def test_a_flood_of_them_is_one_push(self) -> None:
        world = begun(*WORDS)
        page = [Notice(f"z{n}", f"새 글 {n}", date="2026-03-01") for n in range(25)]
        assert len(seen(world, *page)[1]) == 1


class TestDecided:
    """In between the operator decides; what came meanwhile is not lost."""

    LATER = Notice("n99", "그 뒤의 글", date="2026-03-01")

    def doubted(self) -> NoticeWorld:
        world = begun(*PAGE)
        assert seen(world, *OTHERS) == ("ids_gone", [])
        assert seen(world, self.LATER, *OTHERS)[1] == []
        return world

    def decide(self, world: NoticeWorld, word: str) -> None:
        state = world.state
        health = state.health.model_copy(update={"retry_at": None})
        body = state.replace(decision=word, health=health).to_json()
        world.bucket.plant("state/notices/cs.json", body)

    def test_the_same_notices_are_adopted_and_the_later_one_is_pushed(self) -> None:
        world = self.doubted()
        self.decide(world, "same")
        assert seen(world, self.LATER, *OTHERS) == ("changed", [("n99", "new")])
        assert (world.state.decision, world.state.doubt) == ("", None)
        assert seen(world, self.LATER, *OTHERS) == ("unchanged", [])

    def test_new_ones_are_all_pushed(self) -> None:
        world = self.doubted()
        self.decide(world, "new")
        outcome, pushed = seen(world, self.LATER, *OTHERS)
        assert (outcome, len(pushed)) == ("changed", 13)

    def test_a_page_that_is_itself_again_uses_no_decision(self) -> None:
        world = self.doubted()
        self.decide(world, "same")
        fresh = Notice("1300", "새 공지", date="2026-03-01")
        assert seen(world, fresh, *PAGE) == ("changed", [("1300", "new")])
        assert (world.state.decision, world.state.doubt) == ("", None)

    def test_a_doubt_that_has_ended_is_forgotten(self) -> None:
        world = self.doubted()
        assert seen(world, *PAGE)[1] == []
        assert world.state.doubt is None


def test_an_all_pinned_board_announces_nothing_that_moves_up() -> None:
    page = [replace(notice, is_pinned=True) for notice in PAGE]
    world = begun(*page[:8])
    assert seen(world, *page[:3], *page[4:9])[1] == []
    fresh = Notice("1300", "새 공지", is_pinned=True, date="2026-02-26")
    assert seen(world, fresh, *page[:3], *page[4:9])[1] == [("1300", "new")]


class TestAscendingWithoutEvidence:
    def world(self) -> NoticeWorld:
        world = NoticeWorld()
        self.look(world, *NAMES)
        return world

    def look(self, world: NoticeWorld, *page: Notice) -> list[tuple[str, str]]:
        world.notify.messages.clear()
        world.clock.advance(600)
        world.show(*page)
        fields = {"id": {"attribute": "data-no"}, "title": "td.subject a", "link": "td.subject a"}
        world.check(fields=fields)
        return world.pushes()

    def test_the_newest_stands_last(self) -> None:
        world = self.world()
        page = [*NAMES, Notice("goat", "goat 이야기", date="")]
        assert self.look(world, *page) == [("goat", "new")]
        assert world.state.came == "bottom"
        page = [*page[1:], Notice("hen", "hen 이야기", date="")]
        assert self.look(world, *page) == [("hen", "new")]

    def test_where_new_ones_came_on_top_the_last_is_old(self) -> None:
        world = self.world()
        page = [Notice("ant", "ant 이야기", date=""), *NAMES]
        assert self.look(world, *page) == [("ant", "new")]
        old = Notice("goat", "goat 이야기", date="")
        assert self.look(world, *page[:2], *page[3:], old) == []

    def test_what_nothing_made_room_for_is_news_all_the_same(self) -> None:
        """A list by the alphabet grows at both ends."""
        world = self.world()
        page = [Notice("ant", "ant 이야기", date=""), *NAMES]
        self.look(world, *page)
        for name in ("goat", "hen", "ibex"):
            page = [*page, Notice(name, f"{name} 이야기", date="")]
            assert self.look(world, *page) == [(name, "new")]


class TestRecurringTitles:
    """Menus and lists of things that are found share titles; that is no renumbering."""

    def test_menus_that_are_renewed_weekly_are_news_each_week(self) -> None:
        def menus(week: int) -> list[Notice]:
            return [
                Notice(f"{week}{name}", f"{name} 식단", date=f"2026-03-{week * 7 + 1:02}")
                for name in ("학생", "교직원", "기숙사")
            ]

        world = begun(*menus(0), *PAGE[:9])
        for week in (1, 2, 3):
            assert len(seen(world, *menus(week), *PAGE[:9])[1]) == 3

    def test_the_same_titles_on_the_same_day_are_news_where_the_first_slid_off(self) -> None:
        first = [Notice(f"a{n}", f"우산 {n}", date="2026-02-24") for n in range(3)]
        world = begun(*PAGE[:9], *first)
        again = [replace(notice, id=f"b{place}") for place, notice in enumerate(first)]
        assert len(seen(world, *again, *PAGE[:9])[1]) == 3

    def test_one_of_three_twins_was_deleted_before_all_were_renumbered(self) -> None:
        twins = [Notice(f"t{n}", "휴강 안내", date="2026-02-24") for n in range(3)]
        world = begun(*twins, *PAGE)
        assert seen(world, *renewed([*twins[:2], *PAGE])) == ("changed", [])


def test_known_titles_under_other_ids_and_days_are_in_between() -> None:
    world = begun(*PAGE)
    page = [replace(notice, date="2026-03-02") for notice in renewed(PAGE)]
    assert seen(world, *page) == ("ids_gone", [])


def test_a_list_that_would_have_been_there_before_is_another_one() -> None:
    world = begun(*PAGE)
    page = [replace(notice, date="2026-02-26") for notice in FRESH]
    assert seen(world, *page) == ("ids_gone", [])


def test_an_id_that_rotates_alone_is_pushed_once() -> None:
    world = begun(*PAGE)
    pushed = [len(seen(world, replace(PAGE[0], id=f"r{turn}"), *PAGE[1:])[1]) for turn in range(5)]
    assert pushed == [1, 0, 0, 0, 0]


def test_half_renumbered_and_back_is_silent() -> None:
    world = begun(*PAGE)
    half = [*renewed(PAGE[:6]), *PAGE[6:]]
    assert [seen(world, *page)[1] for page in (half, PAGE, half)] == [[], [], []]


def test_ids_that_rotated_are_decided_with_one_word() -> None:
    world = begun(*PAGE)
    for turn in range(5):
        seen(world, *renewed(PAGE, f"{{}}-{turn}"))
    state = world.state
    health = state.health.model_copy(update={"retry_at": None})
    body = state.replace(decision="same", health=health).to_json()
    world.bucket.plant("state/notices/cs.json", body)
    assert seen(world, *renewed(PAGE, "{}-9"))[1] == []
