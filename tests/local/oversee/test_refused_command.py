"""`uring refused`: the refused page beside what was read before, whatever bytes it has."""

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
KEY = "processing/refused/notices/cs.json"


@pytest.fixture
def board(deployed_s3: Any) -> NoticeWorld:
    """The department cs, whose page has one id for four of twelve rows by now."""
    world = NoticeWorld(
        VirtualClock(datetime.now(UTC)), objects=lambda _: VersionedBucket(deployed_s3, BUCKET)
    )
    world.show(*(Notice(str(number), f"공지 {number}") for number in range(400, 412)))
    world.check()
    return world


def refuse(world: NoticeWorld) -> None:
    world.clock.advance(600)
    ids = ["400"] * 4 + [str(number) for number in range(404, 412)]
    world.show(*(Notice(key, f"공지 {number}") for number, key in enumerate(ids, start=400)))
    assert world.check().reason == "same_ids"


def test_the_rows_are_marked_beside_what_was_read_before(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    refuse(board)
    assert main(["refused", "cs", *STACK]) == 0
    out = capsys.readouterr().out
    assert "same_ids" in out
    assert "12 rows, 3 with something wrong" in out
    assert "shares the id '400' with row 1" in out
    assert main(["refused", "cs", *STACK, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["read_before"]["401"] == "공지 401"
    assert [row["index"] for row in said["rows"] if row["why"]] == [2, 3, 4]


@pytest.mark.usefixtures("board")
def test_a_board_without_a_refused_page_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["refused", "cs", *STACK]) == 1
    assert "no page of cs was refused" in capsys.readouterr().out


def test_hostile_bytes_are_shown_by_their_codes(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    board.clock.advance(600)
    board.site = "<p>\x1b[2J\x07[bold]<script>alert(1)</script>\u202e"
    assert board.check().outcome == "suspect"
    for more in ((), ("--text",)):
        assert main(["refused", "cs", *STACK, *more]) == 0
        out = capsys.readouterr().out
        assert "\x1b[2J" not in out
        assert "\x07" not in out
        assert "\u202e" not in out
    assert "<script>alert(1)</script>" in out


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"at": 7}'])
def test_a_damaged_page_is_named(
    deployed_s3: Any, body: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    deployed_s3.put_object(Bucket=BUCKET, Key=KEY, Body=body)
    assert main(["refused", "cs", *STACK]) == 1
    assert f"{KEY} cannot be read" in capsys.readouterr().err
