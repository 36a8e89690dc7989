"""A list that a dying site cut in the middle is not believed, however many pages (N17)."""

import json
from typing import Any

import pytest
from fakes import ENTRY, Notice, page_of
from fakes.worlds import NoticeWorld

from uring.notices.source import Source
from uring_local.entries.notices import NOTICE_ENTRIES

PAGE = page_of([Notice(str(number), f"글 {number}") for number in range(12, 0, -1)])
PAGED = {"paging": {"parameter": "page", "most": 3}}


def cut(rows: int) -> str:
    """The page's beginning, up to the middle of the row behind these."""
    return PAGE[: PAGE.index(f'data-no="{12 - rows}"')]


@pytest.mark.parametrize("entry", [{}, PAGED], ids=["one page", "further pages"])
@pytest.mark.parametrize("rows", [1, 3, 5])
def test_a_list_that_lost_more_than_half_is_suspect(entry: dict[str, Any], rows: int) -> None:
    world = NoticeWorld()
    world.site = PAGE
    world.check(**entry)
    world.clock.advance(600)
    world.site = cut(rows)
    check = world.check(**entry)
    assert (check.outcome, check.reason) == ("suspect", "too_few_rows")
    world.check(**entry, epoch=2)
    assert world.state.listed == rows, "the operator says that it is so"


def test_a_release_before_did_not_tell_the_number_and_the_next_change_does() -> None:
    world = NoticeWorld()
    world.site = PAGE
    world.check()
    document = world.document("state/notices/cs.json")
    del document["listed"]
    world.bucket.plant("state/notices/cs.json", json.dumps(document).encode())
    world.clock.advance(600)
    world.site = PAGE.replace("글 12", "글 12, 고침")
    assert world.check().outcome == "changed"
    assert world.state.listed == 12


def test_the_comparison_of_two_pages_judges_as_the_worker_does() -> None:
    source = Source.model_validate({**ENTRY, **PAGED})
    comparison = NOTICE_ENTRIES.compare(source, PAGE.encode(), cut(3).encode())
    assert comparison.suspect is not None
    assert comparison.suspect.reason == "too_few_rows"
