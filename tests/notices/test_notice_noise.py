"""A board's own noise is recorded at most, never pushed, and learned: flips, counters, tokens."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from fakes import Notice, page_of
from fakes.worlds import NoticeWorld

LETTERS = "가나다라마바사아자차카타"
PAGE = [
    Notice(str(1200 - 3 * place), f"{letter} 공지 안내", date=f"2026-02-{24 - place:02}")
    for place, letter in enumerate(LETTERS)
]

OTHER = [
    *(replace(notice, title=notice.title.replace("안내", "Guide")) for notice in PAGE[:4]),
    *PAGE[4:],
]


class Board:
    """A board that is looked at every ten minutes.

    Attributes:
        link: what its links begin with.
    """

    def __init__(self, page: Sequence[Notice] = PAGE) -> None:
        self.world = NoticeWorld()
        self.link = "view?no="
        self.see(page)

    def see(self, page: Sequence[Notice]) -> list[tuple[str, str]]:
        """What the next check pushes."""
        self.world.notify.messages.clear()
        self.world.clock.advance(600)
        self.world.site = page_of(page).replace("view?no=", self.link)
        self.world.check()
        return self.world.pushes()

    @property
    def lines(self) -> int:
        """The number of lines in the archive."""
        return len(self.world.bucket.body("data/cs/archive/202603.jsonl").splitlines())

    def remarks(self) -> str:
        return " ".join(self.world.state.remarks)


def titled(form: Callable[[int, str], str], page: Sequence[Notice] = PAGE) -> list[Notice]:
    return [replace(notice, title=form(place, notice.title)) for place, notice in enumerate(page)]


class TestFlapping:
    """Two servers, or a guess at the language: content that was there before is no news."""

    def test_only_the_first_flip_is_pushed_and_soon_none_is_recorded(self) -> None:
        board = Board()
        assert len(board.see(OTHER)) == 4
        before = board.lines
        assert board.see(PAGE) == [(PAGE[0].id, "retracted")]
        assert [board.see(page) for page in (OTHER, PAGE) * 10] == [[]] * 20
        assert board.lines - before <= 4 * 4
        assert "return to earlier contents" in board.remarks()

    def test_the_first_flip_is_taken_back_by_one_message(self) -> None:
        board = Board()
        board.see(OTHER)
        pushed = [change.event_id for change in board.world.messages()]
        board.see(PAGE)
        [taken_back] = board.world.messages()
        assert {*str(taken_back.content["retracts"]).split()} == {*pushed}
        assert [item.retraction["retracted"] for item in board.world.state.hot[:4]] == ["all"] * 4
        assert [item.content["title"] for item in board.world.state.hot] == [
            notice.title for notice in PAGE
        ]

    def test_the_push_of_a_new_notice_stands(self) -> None:
        board = Board()
        new = Notice("1300", "하 공지 안내", date="2026-02-26")
        for page in ([new, *PAGE], [replace(new, title="하 공지 Guide"), *PAGE], [new, *PAGE]):
            pushes = board.see(page)
        assert pushes == [("1300", "retracted")]
        assert board.world.state.hot[0].retraction["retracted"] == "part"

    def test_an_edit_that_stood_for_a_day_is_not_taken_back(self) -> None:
        board = Board()
        board.see(OTHER)
        board.world.clock.advance(86_400)
        assert board.see(PAGE) == []

    def test_an_edit_that_was_never_pushed_is_not_taken_back(self) -> None:
        board = Board()
        board.see(titled(lambda _, title: f"[학사] {title}"))
        assert board.see(PAGE) == []

    def test_a_real_edit_among_them_is_news(self) -> None:
        board = Board()
        for page in (OTHER, PAGE) * 4:
            board.see(page)
        edited = [replace(PAGE[0], title="가 공지, 장소가 바뀜"), *OTHER[1:]]
        assert board.see(edited) == [(PAGE[0].id, "edited")]

    def test_it_is_recorded_once_a_day_so_what_stays_is_shown(self) -> None:
        board = Board()
        for page in (OTHER, PAGE) * 4:
            board.see(page)
        board.world.clock.advance(86_400)
        board.see(OTHER)
        assert board.world.state.hot[0].content["title"] == "가 공지 Guide"

    def test_three_contents_in_turn(self) -> None:
        third = titled(lambda _, title: title.replace("안내", "案内"))
        board = Board()
        board.see(OTHER), board.see([*third[:4], *PAGE[4:]])
        assert board.see(PAGE) == [(PAGE[0].id, "retracted")]
        assert [board.see(p) for p in (OTHER, [*third[:4], *PAGE[4:]], PAGE) * 3] == [[]] * 9

    def test_any_field(self) -> None:
        moved = [replace(PAGE[0], date="2026-02-25"), *PAGE[1:]]
        board = Board()
        assert board.see(moved) == [(PAGE[0].id, "edited")]
        assert board.see(PAGE) == [(PAGE[0].id, "retracted")]
        assert [board.see(page) for page in (moved, PAGE) * 3] == [[]] * 6

    def test_a_mistake_that_is_taken_back_is_shown_at_once(self) -> None:
        board = Board()
        board.see([replace(PAGE[0], title="잘못된 제목"), *PAGE[1:]])
        assert board.see(PAGE) == [(PAGE[0].id, "retracted")]
        assert board.world.state.hot[0].content["title"] == PAGE[0].title


@pytest.mark.parametrize(
    "form",
    [
        lambda _, title: f"[학사] {title}",
        lambda _, title: f"{title} - 누리솔대학교",
        lambda _, title: f"{title[:4]}…",
        lambda place, _: f"Notice no. {'abcdefghijkl'[place]}",
        lambda place, title: f"{title} ({place}명)",
    ],
    ids=["prefix", "suffix", "cut", "language", "count"],
)
def test_all_titles_at_once_are_recorded_and_told(form: Callable[[int, str], str]) -> None:
    board = Board()
    assert board.see(titled(form)) == []
    assert board.world.state.hot[0].content["title"] == titled(form)[0].title
    assert "titles changed at once" in board.remarks()
    assert board.see([replace(titled(form)[0], title="새 제목"), *titled(form)[1:]]) == [
        (PAGE[0].id, "edited")
    ]


def test_half_of_the_titles_with_the_same_addition_are_the_sites_doing() -> None:
    board = Board()
    assert board.see([*titled(lambda _, title: f"{title} 🔒", PAGE[:6]), *PAGE[6:]]) == []


def test_a_few_edits_at_once_are_news() -> None:
    board = Board()
    assert len(board.see([*titled(lambda _, title: f"{title} (마감)", PAGE[:3]), *PAGE[3:]])) == 3


class TestCounters:
    @pytest.mark.parametrize(
        "form", ["{title} [{n}]", "{title} ({n})", "(조회 {n}) {title}", "{title} 조회 {n}회"]
    )
    def test_they_stop_making_revisions_and_are_told(self, form: str) -> None:
        def page(turn: int) -> list[Notice]:
            return titled(lambda place, title: form.format(title=title, n=place + turn * 7))

        board = Board(page(0))
        assert [board.see(page(turn)) for turn in range(1, 4)] == [[]] * 3
        before = board.lines
        assert [board.see(page(turn)) for turn in range(4, 20)] == [[]] * 16
        assert board.lines == before
        assert "titles count" in board.remarks()
        assert "fields.title" in board.remarks()

    def test_new_and_edited_notices_are_news_as_ever(self) -> None:
        def page(turn: int, notices: Sequence[Notice]) -> list[Notice]:
            return titled(lambda place, title: f"{title} [{place + turn}]", notices)

        board = Board(page(0, PAGE))
        for turn in range(1, 6):
            board.see(page(turn, PAGE))
        edited = [replace(PAGE[0], title="가 공지, 장소가 바뀜"), *PAGE[1:]]
        assert board.see(page(7, edited)) == [(PAGE[0].id, "edited")]
        fresh = [Notice("1300", "새 공지", date="2026-02-25"), *edited]
        assert board.see(page(8, fresh)) == [("1300", "new")]
        assert board.see(page(9, fresh)) == []

    def test_one_that_counts_among_many_with_a_counter_is_no_news(self) -> None:
        page = titled(lambda place, title: f"{title} [{place}]")
        board = Board(page)
        assert (
            board.see([replace(page[2], title=f"{PAGE[2].title} [17]"), *page[:2], *page[3:]]) == []
        )

    def test_a_number_that_one_title_changes_is_news(self) -> None:
        board = Board([replace(PAGE[0], title="조교 3명 모집"), *PAGE[1:]])
        edited = [replace(PAGE[0], title="조교 5명 모집"), *PAGE[1:]]
        assert board.see(edited) == [(PAGE[0].id, "edited")]

    def test_a_badge_is_none(self) -> None:
        board = Board([replace(PAGE[0], title=f"{PAGE[0].title} N"), *PAGE[1:]])
        assert board.see(PAGE) == []


class TestRotatingLinks:
    @pytest.mark.parametrize(
        "form",
        [
            "view?p_auth={token}&no=",
            "view?_csrf={token}&ts={turn}&no=",
            "(S({token}))/view?no=",
            "{token}/{turn}/view?no=",
        ],
    )
    def test_they_stop_making_revisions_and_are_told(self, form: str) -> None:
        board = Board()
        for turn in range(1, 4):
            board.link = form.format(token=f"x{turn * 7919:x}", turn=turn)
            assert board.see(PAGE) == []
        before = board.lines
        for turn in range(4, 12):
            board.link = form.format(token=f"x{turn * 7919:x}", turn=turn)
            assert board.see(PAGE) == []
        assert board.lines == before
        assert before == 12 * 3
        assert "links change" in board.remarks()
        assert "link_parameters" in board.remarks()

    def test_a_new_form_of_all_links_now_and_then_is_recorded(self) -> None:
        board = Board()
        for turn, link in enumerate(("https://a.example/view?no=", "view?lang=ko&no=", "view?no=")):
            board.world.clock.advance(7_200)
            board.link = link
            assert board.see(PAGE) == []
            assert board.lines == 12 * (2 + turn)
        assert board.world.state.noise == ()

    def test_another_host_is_recorded_after_all(self) -> None:
        board = Board()
        for turn in range(1, 6):
            board.link = f"view?p_auth={turn}&no="
            board.see(PAGE)
        before = board.lines
        board.link = "https://www.example.ac.kr/view?p_auth=9&no="
        assert board.see(PAGE) == []
        assert board.lines == before + 12


def test_an_edited_entry_learns_again() -> None:
    board = Board()
    for turn in range(1, 6):
        board.link = f"view?p_auth={turn}&no="
        board.see(PAGE)
    assert board.world.state.noise
    board.world.check(link_parameters=["no"])
    assert board.world.state.noise == ()
    assert board.world.state.remarks == ()


def test_a_learned_token_costs_no_read_of_the_state() -> None:
    """The hint carries what is not compared."""
    board = Board()
    for turn in range(1, 6):
        board.link = f"view?p_auth={turn}&no="
        board.see(PAGE)
    recognition = board.world.state.recognition()
    assert recognition is not None
    assert recognition.known["noise"][0]["field"] == "link"


class TestContent:
    """Titles that people change, though they look like noise."""

    def test_a_deadline_a_year_and_an_ordinal_are_no_counters(self) -> None:
        for old, new in (("5일", "7일"), ("(2025)", "(2026)"), ("3차", "4차"), ("10:00", "11:00")):
            page = titled(lambda _, title, text=old: f"{title} {text}", PAGE[:3])  # type: ignore[misc]
            board = Board([*page, *PAGE[3:]])
            after = [replace(each, title=each.title.replace(old, new)) for each in page]
            assert len(board.see([*after, *PAGE[3:]])) == 3, old

    def test_menus_in_fixed_places_speak_from_the_second_day(self) -> None:
        def menus(day: int) -> list[Notice]:
            return titled(
                lambda place, _: f"{['국밥', '우동', '카레', '냉면'][(day + place) % 4]} {day}"
            )

        board = Board(menus(0))
        pushed = []
        for day in range(1, 4):
            board.world.clock.advance(86_400)
            pushed.append(len(board.see(menus(day))))
        assert pushed == [0, 12, 12]

    def test_a_learned_counter_hides_no_other_number(self) -> None:
        def page(turn: int, day: int) -> list[Notice]:
            counted = titled(lambda place, title: f"{title} 조회 {place + turn}", PAGE[:8])
            return [*counted, replace(PAGE[8], title=f"원서 접수 3월 {day}일까지"), *PAGE[9:]]

        board = Board(page(0, 5))
        for turn in range(1, 6):
            board.see(page(turn, 5))
        assert board.world.state.noise
        assert board.see(page(6, 9)) == [(PAGE[8].id, "edited")]


def test_one_counter_of_many_is_known_by_its_form_from_the_first() -> None:
    counts = list(range(10, 22))

    def page() -> list[Notice]:
        return titled(lambda place, title: f"{title} 조회 {counts[place]}회")

    board = Board(page())
    for turn in range(20):
        counts[turn % 12] += 1
        assert board.see(page()) == []


def test_a_token_and_a_counter_at_once_are_both_learned() -> None:
    board = Board()
    for turn in range(1, 8):
        board.link = f"view?tok=x{turn}&no="
        page = titled(lambda place, title, n=turn: f"{title} [{place + n}]")  # type: ignore[misc]
        assert board.see(page) == []
    lines = board.lines
    board.link = "view?tok=x9&no="
    assert board.see(titled(lambda place, title: f"{title} [{place + 30}]")) == []
    assert board.lines == lines


def test_names_of_parameters_that_are_new_each_time_stay_bounded() -> None:
    board = Board()
    for turn in range(40):
        board.link = f"view?{'x' * 160}{turn}=1&q{turn}=1&no="
        board.see(PAGE)
    assert len(board.world.state.noise) <= 10


@pytest.mark.parametrize("badge", ["NEW {}", "[N] {}", "{} [NEW]", "{} New!", "새글 {}", "{} 🆕"])
def test_badges_come_and_go(badge: str) -> None:
    board = Board([replace(PAGE[0], title=badge.format(PAGE[0].title)), *PAGE[1:]])
    assert board.see(PAGE) == []
