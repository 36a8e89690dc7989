"""The refused page of a source is kept for people: bounded, private, and never in the way."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import Notice, page_of
from fakes.worlds import NoticeWorld

from uring.changes.history.refused import (
    MOST_CHARACTERS,
    MOST_ROWS,
    RefusedAnswer,
    RefusedAnswers,
    RefusedRow,
)
from uring.errors import FetchFailed, Misconfigured, Unavailable

KEY = "processing/refused/notices/cs.json"
NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
BELL = "\x1b[31m\x07</script><script>alert(1)</script>"


def started() -> NoticeWorld:
    world = NoticeWorld()
    world.show(*(Notice(str(number), f"공지 {number}") for number in range(400, 412)))
    world.check()
    return world


def shared(world: NoticeWorld) -> None:
    """Twelve rows, of which four have the id 400."""
    ids = ["400", "400", "400", "400", *map(str, range(404, 412))]
    world.show(*(Notice(key, f"공지 {number}") for number, key in enumerate(ids, start=400)))


def kept(world: NoticeWorld) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(world.bucket.bodies()[KEY])
    return document


def test_the_page_is_kept_with_the_reason_at_each_row() -> None:
    world = started()
    world.clock.advance(600)
    shared(world)
    check = world.check()
    assert check.reason == "same_ids"
    page = kept(world)
    assert (page["reason"], page["at"]) == ("same_ids", "2026-03-02T01:10:00Z")
    assert "3 of 12 rows share an id" in page["detail"]
    assert [row["index"] for row in page["rows"] if row["why"]] == [2, 3, 4]
    assert page["rows"][1]["why"] == "shares the id '400' with row 1"
    assert "공지 400" in page["text"]


def test_a_row_that_cannot_be_read_says_why() -> None:
    world = started()
    world.clock.advance(600)
    world.site = '<table class="board"><tr class="row"><td>?</td></tr></table>'
    world.check()
    (row,) = kept(world)["rows"]
    assert row["why"].startswith("id:")


def test_a_failure_without_an_answer_keeps_no_page() -> None:
    world = started()
    world.clock.advance(600)
    world.site = FetchFailed("too_big", "50 MB")
    assert world.check().outcome == "failed"
    assert KEY not in world.bucket.bodies()


def test_hostile_bytes_are_kept_as_text() -> None:
    world = started()
    world.clock.advance(600)
    world.site = f"<p>{BELL}\x00"
    assert world.check().outcome == "suspect"
    assert "<script>alert(1)</script>" in kept(world)["text"]


def test_half_a_pair_of_utf_16_is_no_error() -> None:
    world = started()
    answer = RefusedAnswer("no_rows", "x", "https://a.example", "", 1, "\ud800", ())
    RefusedAnswers(world.bucket).keep("notices", "cs", answer, NOW)
    assert kept(world)["text"] == "?"


def test_an_answer_of_fifty_megabytes_is_kept_within_its_bound() -> None:
    rows = tuple(RefusedRow(number, "x" * 9_000, "y" * 9_000, "", "z") for number in range(5_000))
    answer = RefusedAnswer(
        "no_rows", "x" * 90_000, "u" * 90_000, "t" * 900, 1, "가" * 50_000_000, rows
    )
    page = answer.document("notices", "cs", NOW)
    assert (len(page["text"]), page["is_cut"]) == (MOST_CHARACTERS, True)
    assert (len(page["rows"]), page["rows_total"]) == (MOST_ROWS, 5_000)
    assert len(json.dumps(page, ensure_ascii=False).encode()) < 1_000_000


@pytest.mark.parametrize("error", [Unavailable("no answer"), Misconfigured("no permission")])
def test_a_place_that_refuses_costs_the_page_alone(error: Exception) -> None:
    world = started()
    world.clock.advance(600)
    shared(world)

    def refuse(*_: object) -> None:
        raise error

    world.bucket.write = refuse  # type: ignore[method-assign, assignment]
    check = world.check()
    assert (check.outcome, world.state.health.reason) == ("suspect", "same_ids")
    assert [line.name for line in check.lines] == ["refused_not_kept"]


def test_the_next_refused_page_takes_its_place() -> None:
    world = started()
    world.clock.advance(600)
    shared(world)
    world.check()
    world.clock.advance(600)
    world.site = page_of([])
    world.check()
    assert kept(world)["reason"] == "no_rows"
