"""`uring pause` and `uring resume`: a source is left alone, and nobody is woken for it."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes import Notice, VirtualClock
from fakes.watched_world import DOWN, Watched
from fakes.worlds import NoticeWorld

from uring.errors import Misconfigured
from uring.media import JSON
from uring_local.cli import main
from uring_local.operate.bucket import VersionedBucket
from uring_local.oversee.pause import until_of

BUCKET = "uring-data"
STACK = ("--stack", "uring-here")
NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
STATE = "state/notices/cs.json"


@pytest.fixture
def board(deployed_s3: Any) -> NoticeWorld:
    world = NoticeWorld(
        VirtualClock(datetime.now(UTC)), objects=lambda _: VersionedBucket(deployed_s3, BUCKET)
    )
    world.show(Notice("1", "하나"))
    world.check()
    return world


def ahead(**more: int) -> str:
    return (datetime.now(UTC) + timedelta(**more)).replace(microsecond=0).isoformat()


def said(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_paused_board_is_not_asked_until_it_is_resumed(
    board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pause", "cs", "--until", ahead(days=3), *STACK, "--json"]) == 0
    assert said(capsys)["paused_until"].endswith("Z")
    board.clock.advance(600)
    board.show(Notice("2", "둘"), Notice("1", "하나"))
    assert board.check().outcome == "waiting"
    assert main(["resume", "cs", *STACK, "--json"]) == 0
    assert said(capsys)["then"] == "it is asked at its next tick"
    board.clock.advance(600)
    assert board.check().outcome == "changed"


@pytest.mark.usefixtures("board")
def test_a_second_pause_replaces_the_first_and_a_second_end_is_no_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["pause", "cs", "--until", ahead(days=3), *STACK]) == 0
    assert main(["pause", "cs", "--until", ahead(days=9), *STACK]) == 0
    assert main(["resume", "cs", *STACK]) == 0
    capsys.readouterr()
    assert main(["resume", "cs", *STACK, "--json"]) == 0
    assert said(capsys)["then"] == "it was not paused"


def test_a_source_that_is_resumed_is_told_as_silent_only_if_it_is_silent_from_then_on(
    deployed_s3: Any,
) -> None:
    """Its last success is older than the pause: that is no news."""
    world = Watched("cs")
    world.clock.now = datetime.now(UTC) - timedelta(days=4)
    world.tick()
    paused(world, datetime.now(UTC) + timedelta(days=1))
    stored = VersionedBucket(deployed_s3, BUCKET)
    stored.write(STATE, world.bucket.body(STATE), JSON)
    assert main(["resume", "cs", *STACK]) == 0
    resumed = stored.get(STATE)
    assert resumed is not None
    world.bucket.plant(STATE, resumed.body)
    world.clock.now = datetime.now(UTC) + timedelta(minutes=1)
    assert (world.watch(), world.mail.lines) == ({"ok": 1}, [])
    assert "paused_until" not in world.index()["cs"]
    # Its heartbeat, and three hours.
    for _ in range(4):
        world.clock.advance(hours=1)
        assert (world.watch(), world.mail.lines) == ({"ok": 1}, [])
    for _ in range(24):
        world.clock.advance(hours=1)
        world.watch()
    assert "DOWN cs" in world.mail.lines[0]


@pytest.mark.usefixtures("board")
def test_a_source_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pause", "physics", "--until", ahead(days=3), *STACK]) == 1
    assert "state/notices/physics.json" in capsys.readouterr().err


def test_a_wrong_day_is_told_before_aws_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pause", "cs", "--until", "tomorrow", "--stack", "uring-nowhere"]) == 1
    assert "--until 'tomorrow' is not a day such as 2026-12-01" in capsys.readouterr().err


def test_a_day_begins_in_korea() -> None:
    assert until_of("2026-03-05", NOW) == datetime(2026, 3, 4, 15, tzinfo=UTC)
    assert until_of("2026-03-05T00:00+00:00", NOW) == datetime(2026, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2026-03-02", "not within the year"),
        ("2028-01-01", "not within the year"),
        ("0001-01-01", "not within the year"),
        ("9999-12-31T23:59:59-01:00", "not within the year"),
        ("2026-03-05T00:00", "has no zone"),
        ("tomorrow", "is not a day"),
        ("2026-02-31", "is not a day"),
        ("", "is not a day"),
    ],
)
def test_a_day_that_is_none_is_named_with_its_remedy(text: str, why: str) -> None:
    with pytest.raises(Misconfigured, match=why):
        until_of(text, NOW)


def paused(world: Watched, until: datetime) -> None:
    """Pause cs in a world with a monitor."""
    state = world.state
    health = state.health.model_copy(update={"paused_until": until.strftime("%Y-%m-%dT%H:%M:%SZ")})
    world.bucket.plant(STATE, state.replace(health=health).to_json())


class TestMonitor:
    def test_a_paused_source_is_not_told_as_silent_and_is_told_afterwards(self) -> None:
        world = Watched("cs")
        world.tick()
        paused(world, world.clock() + timedelta(days=5))
        world.clock.advance(days=4)
        assert world.watch() == {"ok": 1}
        assert world.mail.lines == []
        assert world.index()["cs"]["paused_until"] == "2026-03-07T01:15:00Z"
        assert world.document("data/cs/health.json")["paused_until"] == "2026-03-07T01:15:00Z"
        world.clock.advance(days=3)
        world.watch()
        world.clock.advance(hours=2)
        assert world.watch() == {"unchecked": 1}
        assert "paused_until" not in world.index()["cs"]
        assert "DOWN cs" in world.mail.lines[0]

    def test_a_pause_of_a_source_that_is_down_is_not_told_as_up_again(self) -> None:
        world = Watched("cs")
        world.tick()
        world.sites["cs"] = DOWN
        world.tick(3)
        world.watch()
        assert len(world.mail.lines) == 1
        paused(world, world.clock() + timedelta(days=5))
        world.watch()
        world.clock.advance(days=1)
        world.watch()
        assert len(world.mail.lines) == 1

    def test_a_source_that_is_paused_and_taken_out_does_no_harm(self) -> None:
        world = Watched("cs", "ee")
        world.tick()
        paused(world, world.clock() + timedelta(days=5))
        world.watch()
        world.ids = ("ee",)
        world.upload()
        world.clock.advance(600)
        assert world.watch() == {"ok": 1}
        assert [*world.index()] == ["ee"]
        world.ids = ("cs", "ee")
        world.upload()
        world.clock.advance(600)
        world.watch()
        assert world.index()["cs"]["paused_until"] == "2026-03-07T01:15:00Z"
