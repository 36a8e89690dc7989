"""A board's own noise is recorded at most, never pushed, and learned: flips, counters, tokens."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from fakes import Notice, page_of
from fakes.fetcher import ENTRY
from fakes.worlds import NoticeWorld

LETTERS = "가나다라마바사아자차카타"
PAGE = [
    Notice(str(1200 - 3 * place), f"{letter} 공지 안내", date=f"2026-02-{24 - place:02}")
    for place, letter in enumerate(LETTERS)
]

FIELDS = {**ENTRY["fields"], "category": {"select": "td.kind", "optional": True}}

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

    def see(self, page: Sequence[Notice], after: float = 600) -> list[tuple[str, str]]:
        """What the next check pushes, ``after`` so many seconds."""
        self.world.notify.messages.clear()
        self.world.clock.advance(after)
        self.world.site = page_of(page).replace("view?no=", self.link)
        self.world.check(fields=FIELDS)
        return self.world.pushes()

    def shown(self, key: str) -> str | None:
        """The published title of a notice."""
        return next(item.content["title"] for item in self.world.state.hot if item.id == key)

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

    @pytest.mark.parametrize("final", [OTHER, PAGE])
    @pytest.mark.parametrize(("flips", "checks"), [(4, 6), (40, 96), (400, 144)])
    def test_what_stays_is_shown(self, final: Sequence[Notice], flips: int, checks: int) -> None:
        """After an hour where it flapped shortly, after a day where it did for days.

        The heartbeat that is written meanwhile takes the page for none that was recorded.
        """
        board = Board()
        for page in (OTHER, PAGE) * (flips // 2):
            board.see(page)
        assert [board.see(final) for _ in range(checks + 1)] == [[]] * (checks + 1)
        assert board.shown(PAGE[0].id) == final[0].title

    def test_in_the_end_it_is_recorded_once_a_day(self) -> None:
        board = Board()
        lines = []
        for _ in range(6):
            before = board.lines
            for page in (OTHER, PAGE) * 72:
                board.see(page)
            lines.append((board.lines - before) // 4)
        assert lines[0] <= 7
        assert lines[2:] == [1] * 4

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

    def test_notices_that_come_back_after_a_new_form_are_no_rotation(self) -> None:
        board, new = Board(), [Notice(str(1300 + n), f"새 공지 {n}번째") for n in range(2)]
        board.see([new[0], *PAGE[:8]]), board.see([*new, *PAGE[:4]])
        board.link = "https://www.example.ac.kr/view?no="
        for length in (4, 6, 9):
            assert board.see([*new, *PAGE[:length]]) == []
        assert board.lines == 12 + 2 + 6 + 2 + 3
        assert board.world.state.noise == ()

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
    board.world.check(link_parameters=["no"], fields=FIELDS)
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


def test_numbers_that_are_beside_other_letters_each_time_stay_bounded() -> None:
    board = Board()
    for turn in range(30):
        words = [f"{LETTERS[turn % 12]}{letter} {turn}{turn}" for letter in LETTERS]
        board.see(titled(lambda place, _, w=words: f"{w[place]} 외 {' '.join(w[:5])}"))  # type: ignore[misc]
        board.see(titled(lambda place, _, w=words: f"{w[place]}0 외 {'0 '.join(w[:5])}"))  # type: ignore[misc]
    assert len(board.world.state.streaks) <= 30
    assert len(board.world.state.noise) <= 10


@pytest.mark.parametrize("badge", ["NEW {}", "[N] {}", "{} [NEW]", "{} New!", "새글 {}", "{} 🆕"])
def test_badges_come_and_go(badge: str) -> None:
    board = Board([replace(PAGE[0], title=badge.format(PAGE[0].title)), *PAGE[1:]])
    assert board.see(PAGE) == []


def rising(form: str, turn: int, page: Sequence[Notice] = PAGE) -> list[Notice]:
    """A page on which a third of the titles count at each turn; ``{t}`` is the title."""

    def title(place: int, text: str) -> str:
        steps = sum(step % 3 == place % 3 for step in range(turn))
        few = f" [{steps // 2}]" if steps > 1 else ""
        n, m = 12 + place * 31 + 7 * steps, 1 + place + steps // 2
        return form.format(t=f"{text[0] * 2} 공고", n=n, m=m, few=few)

    return titled(title, page)


class TestSeveralCounters:
    @pytest.mark.parametrize(
        "form",
        [
            "{t} [{m}] (조회 {n})",
            "{t} ({m}) · {n} views",
            "{t}{few} (조회 {n})",
            "[{m}] {t} 조회수 : {n} 댓글 {m}",
            "{t} (조회 {n}, 댓글 {m}, 추천 {m})",
            "{t} (댓글:{m}/조회:{n})",
        ],
    )
    def test_they_are_counters_from_the_first(self, form: str) -> None:
        board = Board(rising(form, 0))
        assert [board.see(rising(form, turn)) for turn in range(1, 10)] == [[]] * 9
        before = board.lines
        assert [board.see(rising(form, turn)) for turn in range(10, 22)] == [[]] * 12
        assert board.lines == before
        assert "titles count" in board.remarks()

    @pytest.mark.parametrize("form", ["{t} {n}", "{t}{n}", "{t} 열림 {n} 담음 {m}", "{t} ▶ {n}"])
    def test_a_number_without_a_word_is_learned_from_what_it_does(self, form: str) -> None:
        board = Board(rising(form, 0))
        pushed = [len(board.see(rising(form, turn))) for turn in range(1, 12)]
        assert sum(pushed) <= 2 * 12
        before = board.lines
        assert [board.see(rising(form, turn)) for turn in range(12, 24)] == [[]] * 12
        assert board.lines == before

    @pytest.mark.parametrize("form", ["{t} ({n}명)", "{t} 신청 {n}/800", "{t} {n}/{m}0"])
    def test_a_quantity_must_count_for_longer(self, form: str) -> None:
        """People edit a quantity, but not six times in a row."""
        board = Board(rising(form, 0))
        pushed = [len(board.see(rising(form, turn))) for turn in range(1, 40)]
        assert pushed[:12] == [4] * 12
        assert pushed[20:] == [0] * 19
        assert not any("{date}" in noise.part for noise in board.world.state.noise)

    def test_one_title_that_counts_alone_stops_too(self) -> None:
        def page(turn: int) -> list[Notice]:
            return [replace(PAGE[0], title=f"신청자 {9 + turn} (현재)"), *PAGE[1:]]

        board = Board(page(0))
        pushed = [kind for turn in range(1, 9) for _, kind in board.see(page(turn))]
        assert pushed == ["edited", "edited", "retracted"]
        before = board.lines
        assert [board.see(page(turn)) for turn in range(9, 21)] == [[]] * 12
        assert board.lines == before

    def test_a_counter_that_passes_the_numbers_of_years(self) -> None:
        counts = list(range(1995, 2007))

        def page() -> list[Notice]:
            return titled(lambda place, title: f"{title} (조회 {counts[place]})")

        board = Board(page())
        for turn in range(24):
            counts[turn % 12] += 9
            assert board.see(page()) == []

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("공모전 1차 [{n}]", "공모전 2차 [{n}]"),
            ("세미나 Room 301 [{n}]", "세미나 Room 305 [{n}]"),
            ("접수 (~3/5) [{n}]", "접수 (~3/9) [{n}]"),
            ("접수 마감 3.5 [{n}]", "접수 마감 3.9 [{n}]"),
            ("장학금 ￦500,000 [{n}]", "장학금 ￦700,000 [{n}]"),
            ("장학금 50만 [{n}]", "장학금 70만 [{n}]"),
            ("요강 (2025) [{n}]", "요강 (2026) [{n}]"),
            ("제12 강의실 [{n}]", "제14 강의실 [{n}]"),
            ("공고 [{n}]", "(수정) 공고 [{n}]"),
            ("공고 [{n}]", "[마감] 공고 [{n}]"),
        ],
    )
    @pytest.mark.parametrize("turns", [0, 8], ids=["before", "learned"])
    def test_another_number_beside_them_is_news(self, old: str, new: str, turns: int) -> None:
        """Once it is pushed with the counter, and once when the counter is learned."""

        def page(turn: int, title: str) -> list[Notice]:
            first = replace(PAGE[0], title=title.format(n=3 + turn))
            return [first, *rising("{t} [{n}]", turn, PAGE[1:])]

        board = Board(page(0, old))
        for turn in range(1, turns + 1):
            board.see(page(turn, old))
        assert board.see(page(turns + 1, new)) == [(PAGE[0].id, "edited")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("세미나 (Room 301)", "세미나 (Room 305)"),
        ("접수 (~3/5)", "접수 (~3/9)"),
        ("접수 (3.5)", "접수 (3.9)"),
        ("접수 ~ 3.5", "접수 ~ 3.9"),
        ("특강 B101", "특강 B102"),
        ("상금 $500", "상금 $700"),
        ("할인 30%", "할인 40%"),
        ("안내 v1.2", "안내 v1.3"),
    ],
)
def test_a_form_that_many_titles_show_makes_no_counter_of_what_one_says(old: str, new: str) -> None:
    page = titled(lambda place, _: f"{LETTERS[place]} {old}")
    board = Board(page)
    edited = [replace(each, title=each.title.replace(old, new)) for each in page[:3]]
    assert len(board.see([*edited, *page[3:]])) == 3


def ago(minutes: int) -> str:
    if minutes < 60:
        return f"{minutes}분 전"
    return f"{minutes // 60}시간 전" if minutes < 1440 else "어제"


class TestClocks:
    """Texts that only say how far a moment is; a text that names another moment is news."""

    @pytest.mark.parametrize("field", ["title", "category"])
    @pytest.mark.parametrize("rows", [1, 2, 12])
    def test_how_long_ago(self, field: str, rows: int) -> None:
        def page(turn: int) -> list[Notice]:
            texts = [ago(3 + 10 * turn + 25 * place) for place in range(rows)]
            if field == "category":
                new = [replace(PAGE[k], category=text) for k, text in enumerate(texts)]
            else:
                new = [
                    replace(PAGE[k], title=f"{PAGE[k].title} ({text})")
                    for k, text in enumerate(texts)
                ]
            return [*new, *PAGE[rows:]]

        board = Board(page(0))
        assert [board.see(page(turn)) for turn in range(1, 5)] == [[]] * 4
        before = board.lines
        assert [board.see(page(turn)) for turn in range(5, 160)] == [[]] * 155
        assert board.lines == before

    @pytest.mark.parametrize("texts", [("just now", "10 minutes ago", "an hour ago", "yesterday")])
    def test_in_words(self, texts: Sequence[str]) -> None:
        board = Board(titled(lambda _, title: f"{title} - {texts[0]}", PAGE[:1]) + PAGE[1:])
        for text, after in zip(texts[1:], (600, 3_000, 86_000), strict=True):
            page = titled(lambda _, title, t=text: f"{title} - {t}", PAGE[:1])  # type: ignore[misc]
            assert board.see([*page, *PAGE[1:]], after) == []

    @pytest.mark.parametrize(
        "form",
        [
            "[D-{n}] {t}",
            "{t} (D - {n})",
            "{t} 마감 {n}일 전",
            "{t} {n}일 남음",
            "{n} days left: {t}",
        ],
    )
    @pytest.mark.parametrize("rows", [1, 12])
    def test_a_countdown(self, form: str, rows: int) -> None:
        def page(day: int) -> list[Notice]:
            new = titled(lambda place, t: form.format(t=t, n=20 + place - day), PAGE[:rows])
            return [*new, *PAGE[rows:]]

        board = Board(page(0))
        assert [board.see(page(day), 86_400) for day in range(1, 5)] == [[]] * 4
        before = board.lines
        assert [board.see(page(day), 86_400) for day in range(5, 17)] == [[]] * 12
        assert board.lines == before

    def test_the_last_day_and_what_follows(self) -> None:
        """The end of a countdown is pushed: that the application is closed is news."""
        texts = ("D-2", "D-1", "D-DAY", "D+1", "마감")
        pages = [[replace(PAGE[0], title=f"[{text}] 접수"), *PAGE[1:]] for text in texts]
        board = Board(pages[0])
        pushed = [len(board.see(page, 86_400)) for page in pages[1:]]
        assert pushed == [0, 0, 0, 1]

    @pytest.mark.parametrize(("days", "rows"), [(1, 9), (6, 12)])
    def test_a_countdown_to_another_day_is_news(self, days: int, rows: int) -> None:
        """A deadline was extended, before the countdown is learned and after it."""

        def page(day: int, more: int = 0) -> list[Notice]:
            first = replace(PAGE[0], title=f"[D-{20 + more - day}] 접수")
            others = titled(lambda place, t: f"[D-{15 + place - day}] {t}", PAGE[1:rows])
            return [first, *others, *PAGE[rows:]]

        board = Board(page(0))
        for day in range(1, days):
            board.see(page(day), 86_400)
        assert board.see(page(days, 7), 86_400) == [(PAGE[0].id, "edited")]
        assert board.see(page(days + 1, 7), 86_400) == []

    def test_a_time_ago_that_begins_again_is_news_at_first(self) -> None:
        board = Board([replace(PAGE[0], title="접수 (5시간 전 수정)"), *PAGE[1:]])
        edited = [replace(PAGE[0], title="접수 (5분 전 수정)"), *PAGE[1:]]
        assert board.see(edited) == [(PAGE[0].id, "edited")]

    def test_its_date_in_the_end(self) -> None:
        board = Board([replace(PAGE[0], title="접수 (어제)"), *PAGE[1:]])
        day = f"{board.world.clock():%Y.%m.%d}"
        later = [replace(PAGE[0], title=f"접수 ({day})"), *PAGE[1:]]
        assert board.see(later, 86_400) == []

    def test_a_state_that_changes_once_is_news(self) -> None:
        board = Board(titled(lambda _, t: f"{t} 접수중"))
        closed = [replace(PAGE[0], title=f"{PAGE[0].title} 마감")]
        page = [*closed, *titled(lambda _, t: f"{t} 접수중", PAGE[1:])]
        assert board.see(page) == [(PAGE[0].id, "edited")]


class TestCategories:
    @pytest.mark.parametrize("form", ["공지({n})", "{n}건 공지", "공지 · 조회 {n}"])
    @pytest.mark.parametrize("rows", [4, 12])
    def test_a_counter(self, form: str, rows: int) -> None:
        def page(turn: int) -> list[Notice]:
            return [
                replace(each, category=form.format(n=40 + turn) if k < rows else "학사")
                for k, each in enumerate(PAGE)
            ]

        board = Board(page(0))
        assert sum(len(board.see(page(turn))) for turn in range(1, 6)) <= (
            rows * 2 if "건" in form else 0
        )
        before = board.lines
        assert [board.see(page(turn)) for turn in range(6, 18)] == [[]] * 12
        assert board.lines == before
        assert "categories count" in board.remarks()

    def test_another_one_is_news(self) -> None:
        page = [replace(each, category="공지(12)") for each in PAGE]
        board = Board(page)
        edited = [replace(page[0], category="학사(13)"), *page[1:]]
        assert board.see(edited) == [(PAGE[0].id, "edited")]


class TestTagsOfManyKinds:
    TAGS = ("[공지] {}", "[학사] {}", "◆ {}")

    @pytest.mark.parametrize(
        "tags", [TAGS, ("{} [공지]", "{} [학사]", "{} ★"), ("【긴급】{}", "(장학) {}", "[학사] {}")]
    )
    @pytest.mark.parametrize("rows", [8, 12])
    def test_they_are_the_sites_doing(self, tags: Sequence[str], rows: int) -> None:
        page = titled(lambda place, t: tags[place % 3].format(t), PAGE[:rows])
        board = Board()
        assert board.see([*page, *PAGE[rows:]]) == []
        assert board.see(PAGE) == []

    def test_in_a_third_of_the_titles_they_are_news(self) -> None:
        page = titled(lambda place, t: self.TAGS[place % 3].format(t), PAGE[:4])
        assert len(Board().see([*page, *PAGE[4:]])) == 4

    def test_another_title_among_them_is_news(self) -> None:
        page = titled(lambda place, t: self.TAGS[place % 3].format(t), PAGE[:8])
        other = replace(PAGE[8], title="[마감] 장소가 바뀜")
        assert Board().see([*page, other, *PAGE[9:]]) == [(other.id, "edited")]
