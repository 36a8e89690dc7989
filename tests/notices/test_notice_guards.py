"""What is not believed beside what was known (N17): each with its nearest innocent page."""

from collections.abc import Sequence

import pytest

from uring.changes.state import Health
from uring.errors import SuspectPage
from uring.notices.guards import judge_change
from uring.notices.item import NoticeItem
from uring.records.model import Known, RecordState, Revision
from uring.sources.entry import Expectations

STAMP = "2026-03-02T01:00:00Z"
EARLIER = "2026-03-01T01:00:00Z"


def item(number: int | str, title: str = "", date: str = "2026-03-01") -> NoticeItem:
    return NoticeItem(
        str(number), title or f"{number}번 공지", date, None, f"https://x.kr/{number}", False
    )


def state_of(items: Sequence[NoticeItem], *gone: NoticeItem) -> RecordState:
    """After a page with these items; the others had left it before."""
    known = {each.id: Known(each.hash, 1, False, EARLIER, STAMP) for each in items}
    known |= {each.id: Known(each.hash, 1, False, EARLIER, EARLIER) for each in gone}
    hot = tuple(
        Revision(
            id=each.id,
            revision=1,
            hash=each.hash,
            is_marked=False,
            first_seen=EARLIER,
            content={"title": each.title, "date": each.date},
        )
        for each in (*items, *gone)
    )
    return RecordState(
        source="cs",
        baseline_at=EARLIER,
        known=known,
        hot=hot,
        health=Health(since=STAMP),
    )


def judged(state: RecordState, items: Sequence[NoticeItem]) -> None:
    judge_change(Expectations(), state, items, state.known)


def refused_change(state: RecordState, items: Sequence[NoticeItem]) -> str:
    with pytest.raises(SuspectPage) as caught:
        judged(state, items)
    return caught.value.reason


TEN = [item(number) for number in range(10, 0, -1)]


class TestBesideWhatWasThere:
    def test_a_page_as_before_and_one_with_news_are_believed(self) -> None:
        state = state_of(TEN)
        judged(state, TEN)
        judged(state, [item(12), item(11), *TEN[:8]])

    def test_almost_all_ids_gone(self) -> None:
        state = state_of(TEN)
        others = [item(f"b{number}") for number in range(10)]
        assert refused_change(state, others) == "ids_gone"
        judged(state, [*others[:9], TEN[0]])

    def test_numbers_that_go_on_are_a_flood_of_news(self) -> None:
        state = state_of(TEN)
        judge_change(
            Expectations(), state, [item(number) for number in range(30, 20, -1)], state.known
        )
        lower = [item(number) for number in range(30, 21, -1)] + [item(0)]
        assert refused_change(state, lower) == "ids_gone"

    def test_ids_that_left_long_ago_are_known(self) -> None:
        old = [item(f"old{number}") for number in range(10)]
        state = state_of(TEN, *old)
        judged(state, old)

    def test_display_numbers_move_with_every_new_notice(self) -> None:
        state = state_of([item(n, f"글 {n}") for n in range(10, 0, -1)])
        shifted = [item(n, f"글 {n + 1}") for n in range(10, 0, -1)]
        assert refused_change(state, shifted) == "ids_reused"

    def test_other_titles_with_other_dates_under_the_same_ids(self) -> None:
        state = state_of(TEN)
        reused = [item(n, f"다른 글 {n}", "2026-04-01") for n in range(10, 4, -1)]
        assert refused_change(state, [*reused, *TEN[6:]]) == "ids_reused"

    def test_many_edits_of_titles_alone_are_edits(self) -> None:
        state = state_of(TEN)
        judge_change(
            Expectations(),
            state,
            [item(n, f"{n}번 공지 [마감]") for n in range(10, 0, -1)],
            state.known,
        )

    def test_two_notices_that_swap_their_titles_are_edits(self) -> None:
        state = state_of(TEN)
        judge_change(
            Expectations(),
            state,
            [item(10, "9번 공지"), item(9, "10번 공지"), *TEN[2:]],
            state.known,
        )
