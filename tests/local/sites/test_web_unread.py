"""A healthy robots.txt that a busy machine does not read in time, as the worker tells of it."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from fakes.seeds import SeedWorld, record
from web_reader import journal_of, shown_of

from uring.errors import FetchFailed
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import World
from uring_local.sites.web.expected import Found, find
from uring_local.sites.web.journal import Asked
from uring_local.sites.web.judge.letters import DOMAINS, FILES
from uring_local.sites.web.judge.results import unread
from uring_local.sites.web.simulation import OPENED, SeedSimulation
from uring_local.stack.application import Letter
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
        late = simulation._site.journal.late.get(1, ())  # noqa: SLF001
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


def judged(
    monkeypatch: pytest.MonkeyPatch, *names: str, asks: int = 0, silent: int = 0
) -> tuple[list[str], Any]:
    """Domains of these kinds were late: asked so much more, the first ones never read."""
    with SeedSimulation(World(7, date(2026, 3, 2), domains=200)) as simulation:
        simulation.advance(1, OPENED)
        files, expected = simulation._days[1]  # noqa: SLF001 - what the day's judge takes
        journal = simulation._site.journal  # noqa: SLF001
        late = [each for each, (domain, _) in expected.items() if domain.robots in names]
        due = dict(expected)
        for name in late[:silent]:
            drip = replace(expected[name][0], robots="drip")
            due[name] = drip, find(drip)
        shown = shown_of(files, due)
        for each in journal_of(expected, 1).asked:
            journal.ask(each)
        for name in late:
            journal.note(day=1, late=name)
            for _ in range(asks):
                journal.ask(Asked(1, name, name, "/robots.txt", 1, beside=1))
        for name in late[:silent]:
            shown.metadata[name]["robots"]["reason"] = "timeout"  # type: ignore[index]
        monkeypatch.setattr("uring_local.sites.web.simulation.read_partition", lambda *_: shown)
        verdict = simulation.judge(Published(None, "", letters=letters_due(files, due)), [], ())
    return late, verdict


def letters_due(files: Any, due: Any) -> Any:
    """The letters of a day: of its silent domains, and of its files without records."""
    domains = [
        Letter(
            json.dumps({"registrable_domain": name, "source_file_path": path}),
            {"reason": f"{name}: {found.outcome}: gone"},
        )
        for name, (_, found) in due.items()
        if not found.is_reachable
        for path in files.domains[name]
    ]
    failed = [
        Letter(json.dumps({"file_path": files.path(file)}), {})
        for file in files.files
        if file.status == "failed"
    ]
    queues = {DOMAINS: (len(domains), domains), FILES: (len(failed), failed)}
    return queues.__getitem__


def test_one_that_was_read_at_a_later_try_is_judged_but_may_be_asked_more_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A redirect to itself is asked six times, at two places, at three tries."""
    late, verdict = judged(monkeypatch, "looping", asks=2 * 3 * 6 - 1)
    assert verdict.problems == []
    assert "not_read_in_time" not in verdict.figures
    _, verdict = judged(monkeypatch, "looping", asks=2 * 3 * 6 * 9)
    assert len(verdict.wrong) == len(late) > 0


def test_those_that_were_never_read_are_counted_and_many_are_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, verdict = judged(monkeypatch, "plain", silent=3)
    assert verdict.problems == []
    assert verdict.figures["not_read_in_time"] == 3
    _, verdict = judged(monkeypatch, "plain", silent=4)
    (fault,) = verdict.wrong
    assert fault.startswith("4 of 200 checks did not read a healthy page in time")
