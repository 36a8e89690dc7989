"""What is not believed beside what was known (N17): each with its nearest innocent page."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import pytest

from uring.changes.state import Health
from uring.errors import SuspectPage
from uring.notices.guards import judge_ids, judge_letters
from uring.notices.identity import Identity, identify
from uring.notices.item import NoticeItem
from uring.notices.state import NoticeState
from uring.records.model import Known, Revision
from uring.sources.entry import Expectations
from uring.sources.rows import Row

STAMP = "2026-03-02T01:00:00Z"
NOW = datetime(2026, 3, 2, 2, tzinfo=UTC)
EARLIER = "2026-03-01T01:00:00Z"


def item(number: int | str, title: str = "", date: str = "2026-03-01") -> NoticeItem:
    return NoticeItem(
        str(number), title or f"{number}번 공지", date, None, f"https://x.kr/{number}", False
    )


def state_of(items: Sequence[NoticeItem], *gone: NoticeItem) -> NoticeState:
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
    return NoticeState(
        source="cs",
        baseline_at=EARLIER,
        known=known,
        hot=hot,
        health=Health(since=STAMP),
    )


def judged(state: NoticeState, items: Sequence[NoticeItem]) -> Identity:
    return identify(state, items, state.known, NOW, "Asia/Seoul")


def refused_change(state: NoticeState, items: Sequence[NoticeItem]) -> str:
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
        judged(state, [item(number) for number in range(30, 20, -1)])
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
        judged(state, [item(n, f"{n}번 공지 [마감]") for n in range(10, 0, -1)])

    def test_two_notices_that_swap_their_titles_are_edits(self) -> None:
        state = state_of(TEN)
        judged(state, [item(10, "9번 공지"), item(9, "10번 공지"), *TEN[2:]])


def rows(*pairs: tuple[str, str], pinned: Sequence[int] = ()) -> list[Row[NoticeItem]]:
    """The rows of a page: ids and titles."""
    return [
        Row(place, "", NoticeItem(key, title, None, None, "https://x.kr", place in pinned))
        for place, (key, title) in enumerate(pairs, start=1)
    ]


class TestOneIdForSeveral:
    """Whoever shares an id with another notice would never be heard of."""

    def refused(self, *pairs: tuple[str, str], pinned: Sequence[int] = ()) -> bool:
        try:
            judge_ids(rows(*pairs, pinned=pinned))
        except SuspectPage as trouble:
            return trouble.reason == "same_ids" and "fields.id" in trouble.detail
        return False

    def test_a_constant_for_all(self) -> None:
        assert self.refused(*(("notice", f"글 {number}") for number in range(6)))

    def test_sections_that_number_their_own(self) -> None:
        sections = [(str(number), f"{name} {number}") for name in "가나" for number in range(5)]
        assert self.refused(*sections)

    def test_two_for_each_of_two_ids(self) -> None:
        assert self.refused(("1", "가"), ("1", "나"), ("2", "다"), ("2", "라"), ("3", "마"))

    def test_a_copy_has_the_same_title_and_a_pinned_one_may_have_another(self) -> None:
        assert not self.refused(("1", "글"), ("2", "글 2"), ("1", "글"), ("2", "글 2"))
        assert not self.refused(
            ("1", "[공지] 글"), ("2", "[공지] 둘"), ("1", "글"), ("2", "둘"), pinned=(1, 2)
        )

    def test_one_stray_row_costs_no_page(self) -> None:
        assert not self.refused(("1", "글"), ("1", "글 (수정)"), ("2", "둘"))


@pytest.mark.parametrize(
    ("lost", "known", "is_refused"),
    [(2, 10, True), (2, 11, False), (3, 11, True), (1, 2, False), (11, 11, True)],
)
def test_a_page_is_refused_once_a_fifth_of_its_titles_lost_their_letters(
    lost: int, known: int, *, is_refused: bool
) -> None:
    before = [item(number, f"수강신청 안내 {number}") for number in range(known)]
    now = [item(number, "?????? ?? 1") for number in range(lost)] + before[lost:]
    judge = partial(judge_letters, Expectations(), state_of(before), now)
    if is_refused:
        with pytest.raises(SuspectPage, match=f"{lost} of {known} known titles lost their letters"):
            judge()
    else:
        judge()
