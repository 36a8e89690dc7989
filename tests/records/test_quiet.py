"""One change of a site in all its records is recorded and no news; so is a link that moved."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import ClassVar

import pytest
from fakes import Notice, page_of
from fakes.worlds import NoticeWorld

from uring.changes.state import Health
from uring.records.apply import PushPolicy, Seen, apply
from uring.records.diff import diff
from uring.records.model import Known, Observation, RecordState, Revision
from uring.records.quiet import quiet_edits

STAMP = "2026-03-01T00:00:00Z"
UNIFORM = {"link", "date"}


def record(number: int, **content: str) -> Observation:
    fields = {
        "title": f"글 {number}",
        "date": "2026-03-01",
        "link": f"http://x/{number}",
        **content,
    }
    return Observation(str(number), str(sorted(fields.items())), fields)


def quiet(
    now: Mapping[int, Mapping[str, str]],
    *,
    count: int = 10,
    hot: int = 30,
    rewritten: Mapping[str, str] | None = None,
) -> set[str]:
    before = [record(number) for number in range(count)]
    known = {each.id: Known(each.hash, 1, False, STAMP, STAMP) for each in before}
    page = [record(number, **now.get(number, {})) for number in range(count)]
    shown = [
        Revision(id=each.id, revision=1, hash=each.hash, first_seen=STAMP, content=each.content)
        for each in before[:hot]
    ]
    edits = diff(known, page)
    found = quiet_edits(
        edits, shown, count, alone={"link"}, uniform=UNIFORM, rewritten=rewritten or {}
    )
    return {*found.ids}


def all_of(count: int, **content: str) -> dict[int, dict[str, str]]:
    return {
        number: {name: f"{text}{number}" for name, text in content.items()}
        for number in range(count)
    }


ALL = {str(number) for number in range(10)}


class TestRewritten:
    """Of a record that was not in the list when the site wrote a field in another way."""

    SINCE: ClassVar = {"date": "2026-03-01T00:10:00Z"}

    def test_that_field_is_no_news_when_it_comes_back(self) -> None:
        assert quiet({3: {"date": "2026-02-28"}}, rewritten=self.SINCE) == {"3"}

    def test_another_one_is(self) -> None:
        assert quiet({3: {"date": "2026-02-28", "title": "다른 글"}}, rewritten=self.SINCE) == set()
        assert quiet({3: {"title": "다른 글"}}, rewritten=self.SINCE) == set()

    def test_of_what_nobody_remembers_nothing_can_be_told(self) -> None:
        assert quiet({3: {"title": "다른 글"}}, rewritten=self.SINCE, hot=0) == {"3"}

    def test_what_was_seen_since_is_news(self) -> None:
        assert quiet({3: {"date": "2026-02-28"}}, rewritten={"date": STAMP}) == set()


class TestUniform:
    def test_a_field_that_changes_in_all_is_the_sites(self) -> None:
        assert quiet(all_of(10, date="2026-02-0")) == ALL

    def test_in_nearly_all_it_is_too(self) -> None:
        assert quiet(all_of(8, date="2026-02-0")) == {str(number) for number in range(8)}

    def test_in_half_of_them_it_is_news(self) -> None:
        assert quiet(all_of(5, date="2026-02-0")) == set()

    def test_of_few_it_is_news(self) -> None:
        assert quiet(all_of(4, date="2026-02-0"), count=4) == set()

    def test_titles_are_news_however_many(self) -> None:
        assert quiet(all_of(10, title="새 글 ")) == set()

    def test_who_changes_in_more_is_news_among_them(self) -> None:
        now = all_of(10, date="2026-02-0")
        now[3] = {"date": "2026-02-03", "title": "고침"}
        assert quiet(now) == ALL - {"3"}

    def test_what_nobody_remembers_goes_with_its_fellows(self) -> None:
        assert quiet(all_of(10, date="2026-02-0"), hot=6) == ALL


class TestAlone:
    def test_a_link_alone_is_never_news(self) -> None:
        assert quiet({4: {"link": "https://y/4"}}) == {"4"}

    def test_with_a_title_it_is(self) -> None:
        assert quiet({4: {"link": "https://y/4", "title": "고침"}}) == set()

    def test_what_nobody_remembers_is_news(self) -> None:
        assert quiet({8: {"link": "https://y/8"}}, hot=6) == set()


def test_what_has_the_id_of_another_lists_record_is_news_among_them() -> None:
    """To the diff it is an edit that nobody remembers the content of."""
    now = datetime(2026, 3, 2, tzinfo=UTC)
    own, foreign = [record(number) for number in range(8)], [record(8), record(9)]
    known = {each.id: Known(each.hash, 1, False, STAMP, "2026-03-01T12:00:00Z") for each in own}
    known |= {each.id: Known(each.hash, 1, False, STAMP, STAMP) for each in foreign}
    state = RecordState(
        source="cs",
        health=Health(since=STAMP),
        baseline_at=STAMP,
        moved_at="2026-03-01T12:00:00Z",
        known=known,
        hot=tuple(
            Revision(id=each.id, revision=1, hash=each.hash, first_seen=STAMP, content=each.content)
            for each in own
        ),
    )
    page = [record(9, title="새 글"), record(8, title="새 글도")]
    page += [record(number, date="2026-02-28") for number in range(8)]
    policy = PushPolicy(push=frozenset({"new", "edited"}), uniform=frozenset(UNIFORM))
    applied = apply(state, Seen(page), policy, now)
    assert applied is not None
    assert {event.id for event in applied.state.outbox if event.push} == {"8", "9"}


@pytest.mark.parametrize(
    "other",
    [
        "https://cs.example.ac.kr/view?no=",
        "http://www.example.ac.kr/view?no=",
        "http://cs.example.ac.kr/view?menu=7&no=",
    ],
)
def test_a_site_that_writes_its_links_otherwise_pushes_nothing(other: str) -> None:
    world = NoticeWorld()
    page = [Notice(str(number), f"글 {number}") for number in range(15, 0, -1)]

    def check(link: str, *notices: Notice) -> list[tuple[str, str, bool]]:
        world.site = page_of(notices).replace("view?no=", link)
        world.clock.advance(600)
        return [(each.id, each.kind, each.push) for each in world.check().events]

    check("http://cs.example.ac.kr/view?no=", *page)
    events = check(other, Notice("16", "새 글"), *page)
    assert [event for event in events if event[2]] == [("16", "new", True)]
    assert [kind for _, kind, _ in events].count("edited") == 15
