"""A sample of `make replay`: no false push, no missed change, whatever the weather."""

import pytest
from weather import MISCHIEF, Replay

TICKS = 130


@pytest.fixture(scope="module", params=[1, 2])
def replay(request: pytest.FixtureRequest) -> Replay:
    played = Replay(request.param)
    for tick in range(1, TICKS + 1):
        played.tick(tick)
    played.campus.stop()
    return played


def test_nothing_is_pushed_without_reason_and_nothing_missed(replay: Replay) -> None:
    assert [text for line in replay.lines.values() for text in (*line.false, *line.missed)] == []
    assert replay.differences() == []


def test_it_met_every_weather(replay: Replay) -> None:
    assert replay.lines.keys() == {*MISCHIEF, "fair", "redesign", "adopted"}
    assert sum(line.expected for line in replay.lines.values()) > 300
    assert {"new", "edited", "pinned", "unpinned"} <= replay.journal.keys()


def test_what_hides_a_page_is_seen_through(replay: Replay) -> None:
    for weather in ("empty", "login", "challenge", "damaged", "short"):
        assert replay.lines[weather].outcomes.keys() == {"suspect"}
    assert replay.lines["shuffled"].outcomes["suspect"] == 0
    assert replay.lines["adopted"].outcomes.keys() == {"changed"}
