"""The campus site's seeded script and its judge: no server, no product."""

from collections import Counter
from datetime import date
from itertools import pairwise

import pytest

from uring_local.sites.campus import Campus, Expected, JournalEntry
from uring_local.sites.campus.departments import DEPARTMENTS
from uring_local.sites.campus.judge import Judge
from uring_local.sites.campus.model import Notice, Page
from uring_local.sites.campus.watched import Watched, written

SEEDS = range(1, 6)
TICKS = 32


def walk(seed: int, ticks: int, *, misbehave: bool = True) -> Campus:
    """A site at a tick, its port free again."""
    campus = Campus(seed, misbehave=misbehave)
    campus.stop()
    campus.advance(ticks)
    return campus


def pages(campus: Campus) -> dict[str, Page]:
    return {department.id: campus.page(department.id) for department in campus.departments}


def changes(campus: Campus) -> Counter[tuple[int, str]]:
    """Observed changes by tick and department, the baseline left out."""
    return Counter((e.tick, e.department) for e in campus.journal if e.kind != "baseline")


def test_there_are_twelve_departments_and_more_in_five_board_softwares() -> None:
    assert len({department.id for department in DEPARTMENTS}) == len(DEPARTMENTS) == 14
    styles = Counter(department.style for department in DEPARTMENTS)
    assert len(styles) == 5
    assert min(styles.values()) >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_replaying_the_ticks_gives_the_same_site_and_the_same_journal(seed: int) -> None:
    stepwise = Campus(seed)
    stepwise.stop()
    for tick in range(1, TICKS + 1):
        stepwise.advance(tick)
    at_once = walk(seed, TICKS)
    assert pages(stepwise) == pages(at_once)
    assert stepwise.journal == at_once.journal
    assert stepwise.expected() == at_once.expected()
    assert pages(walk(seed + 100, TICKS)) != pages(at_once)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_at_all_happens_on_a_calm_tick(seed: int) -> None:
    """Neither a change, nor trouble, nor the recovery from it."""
    campus = Campus(seed)
    campus.stop()
    before: dict[str, list[tuple[Notice, bool]]] = {}
    for tick in range(1, TICKS + 1):
        hidden = {name for name, trouble in campus.troubles.items() if trouble.hides}
        campus.advance(tick)
        rows = {name: list(page.rows()) for name, page in pages(campus).items()}
        if campus.calm(tick):
            assert rows == before
            assert not campus.troubles
            assert not hidden
        before = rows
    assert {tick for tick, _ in changes(campus) if campus.calm(tick)} == set()
    assert [tick for tick in range(13) if Campus.calm(tick)] == [4, 8, 12]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_ordinary_tick_changes_about_a_quarter_of_the_departments(seed: int) -> None:
    campus = walk(seed, TICKS, misbehave=False)
    busy = [tick for tick in range(2, TICKS + 1) if not campus.calm(tick)]
    counted = changes(campus)
    assert 0.15 < len(counted) / (len(busy) * len(DEPARTMENTS)) < 0.35
    assert max(counted.values()) <= 8
    assert {entry.kind for entry in campus.journal} == {
        "baseline", "new", "edited", "pinned", "unpinned",
    }  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_what_piles_up_during_trouble_stays_below_twenty_changes(seed: int) -> None:
    campus = walk(seed, TICKS)
    assert max(changes(campus).values()) < 20


def test_trouble_really_makes_changes_pile_up() -> None:
    """Otherwise the healthy and the troubled site would have the same journal."""
    piled = [
        seed for seed in SEEDS if walk(seed, 12).journal != walk(seed, 12, misbehave=False).journal
    ]
    assert len(piled) >= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_pages_are_full_and_ids_are_never_used_again(seed: int) -> None:
    campus = Campus(seed)
    campus.stop()
    first_titles: dict[tuple[str, str], str] = {}
    for tick in range(1, TICKS + 1):
        campus.advance(tick)
        for department in campus.departments:
            page = campus.page(department.id)
            assert len(page.normal) == department.rows >= 15
            assert len(written(page)) <= len(page.pinned) + len(page.normal)
            for notice, _ in page.rows():
                known = first_titles.setdefault((department.id, notice.id), notice.base_title)
                assert known == notice.base_title
    titles = Counter((department, title) for (department, _), title in first_titles.items())
    assert max(titles.values()) == 1, "no two notices of a department share a title"


def test_boards_that_repeat_pinned_rows_show_some_twice_and_one_has_more_than_thirty() -> None:
    campus = walk(7, 1)
    sizes = {}
    for department in campus.departments:
        page = campus.page(department.id)
        rows, items = len(list(page.rows())), len(written(page))
        assert (items < rows) == (department.style == "k2web")
        sizes[department.id] = items
    assert max(sizes.values()) > 30


def test_titles_need_cp949_and_escaping() -> None:
    titles = {
        notice.title
        for seed in SEEDS
        for page in pages(walk(seed, 1)).values()
        for notice, _ in page.rows()
    }
    for title in titles:
        title.encode("cp949")
    beyond = {char for title in titles for char in title if not _in_ks_x_1001(char)}
    assert beyond == {"똠", "펲"}
    assert {"&", "<", "'"} <= {char for title in titles for char in title}


def _in_ks_x_1001(char: str) -> bool:
    # Two bytes from A1 on; CP949 puts what it adds below.
    return all(byte < 0x80 or byte >= 0xA1 for byte in char.encode("cp949"))


def test_demanded_trouble_hides_a_tick_and_its_changes_come_later() -> None:
    healthy = walk(7, 12, misbehave=False)
    name, ticks = Counter(e.department for e in healthy.journal if 2 <= e.tick <= 3), range(2, 4)
    department = name.most_common(1)[0][0]
    campus = Campus(7, misbehave=False)
    campus.stop()
    campus.advance(2)
    campus.misbehave(department, "500", ticks=2)
    assert campus.troubles[department].kind == "500"
    campus.advance(3)
    assert not [e for e in campus.journal if e.department == department and e.tick in ticks]
    campus.advance(4)
    assert not campus.troubles
    late = [e for e in campus.journal if e.department == department and e.tick == 4]
    assert {e.notice_id for e in late} == {
        e.notice_id for e in healthy.journal if e.department == department and e.tick in ticks
    }
    others = [e for e in campus.journal if e.department != department]
    assert others == [e for e in healthy.journal if e.department != department and e.tick <= 4]


def test_trouble_from_the_start_delays_the_baseline() -> None:
    campus = Campus(7, misbehave=False)
    campus.stop()
    campus.misbehave("nurisol_cse", "empty", ticks=2)
    campus.advance(3)
    entries = [e for e in campus.journal if e.department == "nurisol_cse"]
    assert {(e.tick, e.kind, e.revision, e.pushed) for e in entries} == {(3, "baseline", 1, False)}
    assert campus.expected()["nurisol_cse"].archive_lines == len(entries)


def test_a_late_answer_hides_nothing() -> None:
    campus = Campus(7, misbehave=False)
    campus.stop()
    for department in campus.departments:
        campus.misbehave(department.id, "late", ticks=8, seconds=0.1)
    campus.advance(8)
    assert campus.journal == walk(7, 8, misbehave=False).journal


@pytest.mark.parametrize(
    ("department", "kind", "ticks", "complaint"),
    [
        ("nurisol_xyz", "500", 1, "nurisol_cse"),
        ("nurisol_cse", "explode", 1, "use one of"),
        ("nurisol_cse", "500", 0, "at least 1"),
    ],
)
def test_impossible_trouble_is_refused(
    department: str, kind: str, ticks: int, complaint: str
) -> None:
    campus = walk(7, 1)
    with pytest.raises(ValueError, match=complaint):
        campus.misbehave(department, kind, ticks)  # type: ignore[arg-type]


def test_the_site_does_not_go_back() -> None:
    campus = walk(7, 3)
    campus.advance(3)
    with pytest.raises(ValueError, match="new Campus with the same seed"):
        campus.advance(2)


# The judge, on pages written by hand.


def notice(number: int, marker: str = "", day: int = 1, category: str = "") -> Notice:
    return Notice(str(number), number, f"공지 {number}", date(2026, 3, day), category, 0, marker)


def observe(*seen: Page) -> tuple[list[JournalEntry], Expected]:
    """Judge these pages of one department, one a tick."""
    judge = Judge(["d"])
    for tick, page in enumerate(seen, start=1):
        judge.observe(tick, {"d": page})
    return judge.journal, judge.expected()["d"]


def page(normal: list[Notice], pinned: list[Notice] | None = None) -> Page:
    return Page(tuple(pinned or ()), tuple(normal), total=len(normal), tick=1, changed=1)


def told(journal: list[JournalEntry]) -> list[tuple[int, str, str, int, bool]]:
    return [(e.tick, e.notice_id, e.kind, e.revision, e.pushed) for e in journal if e.tick > 1]


ONE, TWO, THREE = notice(1), notice(2), notice(3)
BASE = page([TWO, ONE])


@pytest.mark.parametrize(
    ("then", "entries"),
    [
        (page([TWO, ONE]), []),
        (page([THREE, TWO]), [(2, "3", "new", 1, True)]),
        (page([notice(2, " (수정)"), ONE]), [(2, "2", "edited", 2, True)]),
        (page([notice(2, day=2), ONE]), [(2, "2", "edited", 2, True)]),
        (page([notice(2, category="학사"), ONE]), [(2, "2", "edited", 2, True)]),
        (page([TWO], [ONE]), [(2, "1", "pinned", 2, False)]),
        (page([TWO, ONE], [ONE]), [(2, "1", "pinned", 2, False)]),
        (page([TWO], [notice(1, " (마감)")]), [(2, "1", "edited", 2, True)]),
        (page([TWO], [THREE]), [(2, "3", "new", 1, True)]),
        (page([ONE]), []),
        (page([ONE, TWO]), []),
    ],
)
def test_the_judge_calls_changes_by_their_name(
    then: Page, entries: list[tuple[int, str, str, int, bool]]
) -> None:
    journal, expected = observe(BASE, then)
    assert told(journal) == entries
    assert expected.archive_lines == 2 + len(entries)
    assert expected.pushes == [(i, revision) for _, i, _, revision, pushed in entries if pushed]


def test_an_id_that_comes_back_is_compared_with_what_was_last_seen_of_it() -> None:
    gone = page([ONE])
    assert told(observe(BASE, gone, BASE)[0]) == []
    assert told(observe(BASE, gone, page([notice(2, " (수정)")]))[0]) == [
        (3, "2", "edited", 2, True)
    ]
    unpinned = observe(page([TWO], [ONE]), page([TWO]), page([TWO, ONE]))[0]
    assert told(unpinned) == [(3, "1", "unpinned", 2, False)]


def test_hot_holds_thirty_items_the_changed_ones_first_in_page_order() -> None:
    many = [notice(number) for number in range(40, 0, -1)]
    _, expected = observe(page(many))
    assert [item["id"] for item in expected.hot] == [n.id for n in many[:30]]
    changed = [notice(41), *many[:4], notice(36, " (수정)"), *many[5:-1], notice(1, " (마감)")]
    _, expected = observe(page(many), page(changed))
    assert [item["id"] for item in expected.hot[:4]] == ["41", "36", "1", "40"]
    assert [item["revision"] for item in expected.hot[:4]] == [1, 2, 2, 1]
    assert len(expected.hot) == 30
    assert expected.hot[2] == {
        "id": "1",
        "title": "공지 1 (마감)",
        "date": "2026-03-01",
        "category": None,
        "is_pinned": False,
        "revision": 2,
    }


def test_every_revision_of_a_notice_follows_the_one_before() -> None:
    campus = walk(3, 40)
    last: dict[tuple[str, str], JournalEntry] = {}
    for entry in campus.journal:
        before = last.get((entry.department, entry.notice_id))
        assert entry.revision == (before.revision + 1 if before else 1)
        assert entry.pushed == (entry.kind in {"new", "edited"})
        last[entry.department, entry.notice_id] = entry
    assert all(first.tick <= then.tick for first, then in pairwise(campus.journal))
    for department, expected in campus.expected().items():
        for item in expected.hot:
            entry = last[department, item["id"]]
            assert (item["title"], item["revision"]) == (entry.title, entry.revision)


@pytest.mark.parametrize(("ticks_a_day", "interval", "last"), [(144, 1, 33), (720, 2, 25)])
def test_the_judges_hours_and_intervals_follow_its_ticks(
    ticks_a_day: int, interval: int, last: int
) -> None:
    """A title that returns within six checks waits for an hour the third time."""
    watched = Watched(ticks_a_day=ticks_a_day, interval=lambda _: interval)
    entries = []
    for tick in range(1, 40):
        marker = " (수정)" if (tick - 1) // 8 % 2 else ""
        notice = Notice("1", 1, "학사 공지", date(2026, 3, 2), "", 0, marker)
        page = Page((), (notice,), total=1, tick=tick, changed=tick)
        entries += watched.observe(tick, "nurisol_cse", page)
    assert entries[-1].tick == last
