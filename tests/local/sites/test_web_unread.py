"""A healthy robots.txt that a busy machine does not read in time, as the worker tells of it."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from fakes.seeds import SeedWorld, record

from uring.errors import FetchFailed
from uring_local.sites.stage.simulation import World
from uring_local.sites.web.expected import Found
from uring_local.sites.web.judge.results import unread
from uring_local.sites.web.simulation import OPENED, SeedSimulation
from uring_local.stack.event_log import EventLog

ROBOTS = b"User-agent: *\nDisallow:\n"
SILENCE = FetchFailed("timeout", "the answer was not complete in time")
CUT = FetchFailed("cut", "the answer is incomplete")


def worked(
    robots: FetchFailed | bytes, plain: FetchFailed | bytes, tries: int, kind: str = "plain"
) -> Any:
    """A domain of a kind, what was expected, and what is, after its first tries ended like this."""
    simulation = SeedSimulation(World(7, date(2026, 3, 2), domains=200))
    with simulation:
        simulation.advance(1, OPENED)
        _, expected = simulation._days[1]  # noqa: SLF001 - what the day's judge takes
        name = next(name for name, (each, _) in expected.items() if each.robots == kind)
        world = SeedWorld()
        world.put([record(f"https://{name}/")])
        world.orchestrate()
        world.read_files()
        world.web.put(name, robots)
        world.web.answers[f"http://{name}/robots.txt"] = plain
        for _ in range(tries):
            world.collect()
            world.clock.advance(hours=1)
        world.web.put(name, ROBOTS)
        world.collect()
        log = EventLog("seeds")
        for told, fields in world.telemetry.events:
            log.put(told, fields)
        for event in log.take():
            simulation.observe(event)
    late = simulation._late.get(1, set())  # noqa: SLF001
    found = unread(expected, late, {name: world.metadata(name)})
    return name, expected, found


def test_a_domain_that_answered_at_a_later_try_is_due_as_ever_and_counts() -> None:
    name, expected, found = worked(SILENCE, SILENCE, 1)
    assert found == {name: expected[name]}


def test_of_one_that_answered_at_its_next_place_all_is_due_there() -> None:
    name, expected, found = worked(SILENCE, ROBOTS, 1)
    domain, findings = expected[name]
    there = findings.sitemap_url.replace("https://", "http://")
    assert found == {name: (domain, replace(findings, sitemap_url=there))}


@pytest.mark.parametrize("kind", ["plain", "error"])
def test_of_a_domain_that_was_never_read_nothing_else_is_due(kind: str) -> None:
    name, _, found = worked(SILENCE, SILENCE, 3, kind)
    _, findings = found.pop(name)
    assert findings == Found("unreachable_network", 0)
    assert not found


def test_one_that_is_as_slow_as_it_should_be_is_none() -> None:
    assert worked(SILENCE, SILENCE, 3, "drip")[2] == {}


@pytest.mark.parametrize(("robots", "tries"), [(CUT, 1), (CUT, 3), (ROBOTS, 1)])
def test_any_other_end_of_a_try_is_the_applications(
    robots: FetchFailed | bytes, tries: int
) -> None:
    assert worked(robots, robots, tries)[2] == {}
