"""A sample of `make replay`: no false push, no missed change, whatever the weather."""

from collections.abc import Callable
from functools import cache

import pytest
from breakage import Story, redesign, reparse
from weather import FOLLOWED, MISCHIEF, SPELLS, UPHEAVALS, Replay

from uring.notices.place import VisitGoal

TICKS = 130
# The first tick of the year: 72 ticks begin at noon of its eve.
_MIDNIGHT = 73


@pytest.fixture(scope="module", params=[(1, True), (2, False)], ids=["new year", "march"])
def replay(request: pytest.FixtureRequest) -> Replay:
    seed, new_year = request.param
    played = Replay(seed, new_year=new_year)
    for tick in range(1, TICKS + 1):
        played.tick(tick)
    played.campus.stop()
    return played


def test_nothing_is_pushed_without_reason_and_nothing_missed(replay: Replay) -> None:
    assert [text for line in replay.lines.values() for text in (*line.false, *line.missed)] == []
    assert replay.differences() == []


def test_it_met_every_weather(replay: Replay) -> None:
    met = {*MISCHIEF, *FOLLOWED, *UPHEAVALS, *SPELLS, "fair", "adopted"}
    # A thousand ticks meet them all.
    assert replay.lines.keys() <= met
    assert len(met - replay.lines.keys()) <= 2
    assert sum(line.expected for line in replay.lines.values()) > 300
    assert {"new", "edited", "pinned", "unpinned"} <= replay.journal.keys()


def test_what_hides_a_page_is_seen_through(replay: Replay) -> None:
    for weather in ("empty", "login", "challenge", "damaged", "short", "half", "cut", "shared"):
        assert replay.lines[weather].outcomes.keys() == {"suspect"}
    assert replay.lines["shuffled"].outcomes["suspect"] == 0
    assert replay.lines["adopted"].outcomes.keys() <= {"changed", "unchanged"}


def test_new_year_moves_the_year_of_no_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dates are read as of today in one replay: what the others push is due to the first sight."""
    lasting, jumping = (Replay(1, mischief=False) for _ in range(2))
    for tick in range(1, _MIDNIGHT + 3):
        lasting.tick(tick)
        with monkeypatch.context() as patch:
            patch.setattr(VisitGoal, "first_seen", lambda *_: {})
            jumping.tick(tick)
    for replay in (lasting, jumping):
        replay.campus.stop()
    without = {each.id for each in lasting.campus.departments if each.lacks_years}
    dates = [entry for entry in lasting.campus.journal if entry.department in without]
    assert any(entry.tick < _MIDNIGHT and entry.date > "2027-01-01" for entry in dates)
    assert any(entry.tick >= _MIDNIGHT and entry.date < "2027" for entry in dates)
    assert any(entry.date < "2026-05" for entry in dates)
    assert {
        line for each in lasting.lines.values() for line in (*each.false, *each.missed)
    } == set()
    assert lasting.differences() == []
    assert {line.split("'")[1] for each in jumping.lines.values() for line in each.false} <= without
    assert any(each.false for each in jumping.lines.values())


@cache
def played(story: Callable[[int], Story]) -> Story:
    """The story of seed 3, told once."""
    return story(3)


@pytest.mark.parametrize("told", [redesign, reparse], ids=["redesign", "re-parse"])
def test_what_befalls_all_sources_at_once_pushes_nothing_by_itself(
    told: Callable[[int], Story],
) -> None:
    story = played(told)
    assert (story.false, story.missed, story.differences) == ([], [], [])


def test_every_broken_selector_is_told_once_and_its_recovery_once() -> None:
    story = played(redesign)
    assert [mail.splitlines()[0] for mail in story.mails] == [
        "uRing: 14 sources down, 0 up",
        "uRing: 0 sources down, 14 up",
    ]
    assert all("uring try" in line for line in story.mails[0].splitlines()[1:])
    words = [" ".join(sorted(outcomes)) for outcomes in story.outcomes[3:10]]
    assert words == [*["suspect"] * 3, "waiting", "suspect", "waiting", "changed"]


def test_a_new_reader_alarms_nobody() -> None:
    story = played(reparse)
    assert story.mails == []
    assert story.outcomes[3].keys() == {"unchanged"}
