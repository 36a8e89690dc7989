"""`uring decide`: one word of the operator opens a board in doubt, and nothing is lost."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import Notice, VirtualClock
from fakes.worlds import NoticeWorld

from uring_local.cli import main
from uring_local.operate.bucket import VersionedBucket

BUCKET = "uring-data"
STACK = ("--stack", "uring-here")
KNOWN = [
    Notice(str(number), f"글 {number}", date=f"2026-02-{number:02}") for number in range(9, 0, -1)
]
OTHERS = [Notice(f"n{number}", f"다른 글 {number}", date="2025-05-05") for number in range(9)]
LATER = Notice("n99", "그 뒤의 글", date="2026-03-01")


@pytest.fixture
def board(deployed_s3: Any) -> NoticeWorld:
    """The department cs, whose page shows other notices under other ids by now."""
    world = NoticeWorld(
        VirtualClock(datetime.now(UTC)), objects=lambda _: VersionedBucket(deployed_s3, BUCKET)
    )
    look(world, *KNOWN)
    for _ in range(3):
        look(world, *OTHERS)
    return world


def look(world: NoticeWorld, *page: Notice) -> str:
    world.clock.advance(600)
    world.show(*page)
    check = world.check()
    return check.reason or check.outcome


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_it_says_what_follows_and_stores_it_on_demand_alone(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    assert look(board, *OTHERS) == "ids_gone"
    assert main(["decide", "cs", "same", *STACK, "--json"]) == 1
    said = document(capsys)
    assert (said["doubt"], said["decision"], said["failures"]) == ("ids_gone", "same", 3)
    assert "without a push" in said["then"]
    assert "--yes" in said["next"]
    assert look(board, *OTHERS) == "ids_gone"


@pytest.mark.parametrize(("word", "pushed"), [("same", ["n99"]), ("new", None)])
def test_the_next_check_follows_it(board: NoticeWorld, word: str, pushed: list[str] | None) -> None:
    assert main(["decide", "cs", word, *STACK, "--yes"]) == 0
    assert look(board, LATER, *OTHERS) == "changed"
    told = [change.id for change in board.messages()]
    assert told == pushed if pushed else len(told) == 10


def test_a_board_without_a_doubt_has_nothing_to_decide(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    look(board, *KNOWN)
    look(board, *KNOWN)
    assert main(["decide", "cs", "new", *STACK, "--yes"]) == 1
    assert "no doubt to decide on" in capsys.readouterr().err
