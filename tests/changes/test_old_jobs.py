"""A job that is older than what was read since reads nothing, whoever sent it round again."""

from typing import Any

import pytest
from fakes import ENTRY, Notice, page_of
from fakes.worlds import NoticeWorld, WeatherWorld

from uring.changes.check import Check
from uring.contracts import Job
from uring.errors import FetchFailed, Unavailable

WRONG = {**ENTRY, "fields": {**ENTRY["fields"], "title": "td.date"}}


class Daily(NoticeWorld):
    """A department that is checked once a day."""

    def daily(self, **entry: Any) -> Job:
        return self.job("cs", interval_minutes=1440, entry={**ENTRY, **entry})

    def titles(self) -> list[str]:
        return [item["title"] for item in self.document("data/cs/latest.json")["items"]]


def redriven(world: Daily, letter: Job) -> Check:
    asked = len(world.fetcher.requests)
    before = world.bucket.bodies()
    check = world.checker.check(letter)
    assert (check.outcome, check.reason) == ("dropped", "superseded")
    assert len(world.fetcher.requests) == asked
    assert world.bucket.bodies() == before
    return check


@pytest.mark.parametrize("minutes", [1, 59, 61, 1000])
def test_a_dead_letter_with_an_old_entry_does_not_overwrite_a_newer_reading(minutes: int) -> None:
    world = Daily()
    letter = world.daily(fields=WRONG["fields"])
    world.clock.advance(minutes=5)
    world.checker.check(world.daily())
    right = world.titles()
    world.clock.advance(minutes=minutes)
    check = redriven(world, letter)
    assert "the newer result is kept" in check.detail
    assert world.titles() == right == ["둘", "하나"]


def test_nor_does_one_whose_entry_is_as_it_was() -> None:
    world = Daily()
    letter = world.daily()
    world.clock.advance(minutes=5)
    world.checker.check(world.daily())
    redriven(world, letter)


def test_a_dead_letter_that_nothing_was_read_after_is_run() -> None:
    """The cause is gone, and the next job is a day away."""
    world = Daily()
    letter = world.daily()
    world.clock.advance(minutes=5)
    world.site = FetchFailed("timeout", "no answer")
    world.checker.check(world.daily())
    world.site = page_of([Notice("1", "하나")])
    assert world.checker.check(letter).outcome == "baseline"


def test_a_job_that_comes_back_after_its_commit_publishes_what_is_left_and_asks_nobody() -> None:
    world = Daily()
    world.checker.check(world.daily())
    world.clock.advance(days=1)
    job = world.daily()
    world.clock.advance(5)
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.outlet.refuses = lambda _: True
    with pytest.raises(Unavailable):
        world.checker.check(job)
    world.outlet.refuses = lambda _: False
    world.clock.advance(200)
    asked = len(world.fetcher.requests)
    check = world.checker.check(job)
    assert [event.id for event in check.recovered] == ["3"]
    assert (check.reason, len(world.fetcher.requests)) == ("superseded", asked)
    assert world.pushes() == [("3", "new")]


def test_a_run_of_the_weather_that_comes_back_asks_nobody_again() -> None:
    world = WeatherWorld()
    world.reports = {"RKSI": {"header": {"observation_time": "2026-03-02T01:00:00Z"}, "raw": None}}
    job = world.job("metar")
    world.clock.advance(5)
    assert world.checker.check(job).outcome == "baseline"
    assert world.checker.check(job).reason == "superseded"
    assert world.asked == ["metar"]
