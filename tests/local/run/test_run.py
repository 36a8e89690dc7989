"""A run of several families: which, on what, in which order, and what is left to see of it."""

import json
import os
import threading
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import boto3
import pytest
import urllib3
from rich.console import Console

from uring_local.cli import main
from uring_local.run.launch import PARAMETERS, TEMPLATE, chosen_families, environment
from uring_local.run.options import Options
from uring_local.run.run import FamilyRun, play
from uring_local.run.view import BAD, PlainView, Scene
from uring_local.sites.campus import Campus
from uring_local.sites.campus.simulation import CampusSimulation, RealNotices
from uring_local.sites.registry.real import RealRegistries
from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.simulations import SIMULATIONS
from uring_local.sites.stage.simulation import World
from uring_local.stack.event_log import EventLog
from uring_local.stack.stack import at, used_services
from uring_local.template.template import load

STACK = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}


@pytest.fixture(autouse=True)
def no_aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)


def options(family: str | None = None, config: Path | None = None) -> Options:
    return Options(family=family, in_process=True, config=config, ticks=1, as_json=True)


@pytest.mark.parametrize(
    ("asked", "variables", "families", "is_named"),
    [
        (options(), {}, [name for name in SIMULATIONS if name != "documents"], False),
        (options(), STACK, ["notices"], True),
        (options("notices", config=Path("sitemap.json")), {}, ["notices"], False),
        # Real registries are on the real clock.
        (options("regulations", config=Path("r.json")), STACK, ["regulations"], True),
        (options("notices"), STACK, ["notices"], True),
        # Simulated days fit no other data.
        (options("weather"), STACK, ["weather"], False),
        (options("regulations"), STACK, ["regulations"], True),
        # Those of the seeds go on after a kill where their stack stays up.
        (options("seeds"), STACK, ["seeds"], True),
        (options("seeds"), {}, ["seeds"], False),
        (options("documents"), STACK, ["documents"], True),
    ],
)
def test_all_families_run_unless_their_data_would_not_fit(
    asked: Options,
    variables: dict[str, str],
    families: list[str],
    is_named: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    chosen, endpoint = chosen_families(asked)
    assert (chosen, endpoint is not None) == (families, is_named)


def test_no_address_of_the_users_wins_over_the_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a single service does at boto3: the run would write to another stack."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")
    monkeypatch.setenv("AWS_PROFILE", "mine")
    stack = at("http://127.0.0.1:4566").environment
    with environment(stack):
        assert {name: value for name, value in os.environ.items() if name.startswith("AWS_")} == (
            dict(stack)
        )
        urls = [boto3.client(name).meta.endpoint_url for name in used_services(in_process=False)]
        assert set(urls) == {stack["AWS_ENDPOINT_URL"]}
    assert os.environ["AWS_ENDPOINT_URL_S3"] == "http://127.0.0.1:9"
    assert os.environ["AWS_PROFILE"] == "mine"


def test_a_resumed_campus_stands_at_its_tick_before_any_function_is_there() -> None:
    """Jobs that a killed run has left would meet lists that are not there yet."""
    with CampusSimulation(World(7, date(2026, 3, 2), tick=3)) as campus:
        source = campus_sources(campus)[0]
        answer = urllib3.request("GET", source["url"], retries=False)
        assert answer.status == 200
        assert campus.advance(3, datetime.now(UTC)) == len(campus.sources)


def test_a_tick_that_comes_again_has_no_trouble_and_the_judge_knows() -> None:
    """A source that failed at one tick three times would be left alone for the ticks after it."""
    world = World(2, date(2026, 3, 2), tick=6)
    troubled = "nurisol_law"
    with CampusSimulation(world) as first, CampusSimulation(replace(world, repeated=(6,))) as again:
        sites = [site for site in (first.site, again.site) if isinstance(site, Campus)]
        assert [[*site.troubles] for site in sites] == [[troubled], []]
        unseen, seen = ({*site.expected()[troubled].pushes} for site in sites)
        assert seen - unseen == {("517", 1)}
        again.advance(9, datetime.now(UTC))
        assert sites[1].troubles


def campus_sources(campus: CampusSimulation) -> Any:
    (sitemap,) = campus.objects.values()
    return json.loads(sitemap)["sources"]


def test_a_source_counts_as_due_by_its_own_interval() -> None:
    with CampusSimulation(World(7, date(2026, 3, 2), tick=1)) as campus:
        often, seldom = campus_sources(campus)[:2]
    sitemap = {"sources": [often, {**seldom, "interval_minutes": 60}]}
    real = RealNotices(json.dumps(sitemap).encode())
    hour = datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert [real.advance(1, hour.replace(minute=minute)) for minute in (7, 17, 57)] == [2, 1, 1]


class Script:
    """A family's run that notes what is asked of it."""

    def __init__(self, name: str, ticks: int, notes: list[str], *, well: bool = True) -> None:
        self._name = name
        self._left = ticks
        self._notes = notes
        self._well = well

    @property
    def goes_on(self) -> bool:
        return self._left > 0

    @property
    def next_tick(self) -> int:
        return 1

    def begin(self) -> None:
        self._notes.append(f"{self._name} begins")

    def tick(self) -> None:
        self._left -= 1
        self._notes.append(f"{self._name} ticks")

    def conclude(self) -> dict[str, Any]:
        self._notes.append(f"{self._name} ends")
        names = ("ticks", "checked", "changed", "expected", "pushed", *BAD, "expected_dead_letters")
        return {"family": self._name, **dict.fromkeys(names, 0), "wrong": int(not self._well)}


def played(*runs: Script, stop: threading.Event | None = None) -> bool:
    view = PlainView(Console(file=StringIO()), Scene([], "", ""))
    return play(cast("list[FamilyRun]", runs), view, stop or threading.Event(), 0.0)


def test_families_go_side_by_side_and_each_is_judged() -> None:
    notes: list[str] = []
    assert not played(Script("a", 2, notes, well=False), Script("b", 3, notes))
    assert notes == [
        *("a begins", "b begins"),
        *("a ticks", "b ticks", "a ticks", "b ticks", "b ticks"),
        *("a ends", "b ends"),
    ]
    assert played(Script("a", 1, []), Script("b", 1, []))


@pytest.mark.parametrize(
    ("unexpected", "expected", "said"),
    [(0, 17, "17 expected  all well"), (0, 0, "0  all well"), (2, 17, "2 unexpected  see above")],
)
def test_the_verdict_tells_expected_dead_letters_from_others(
    unexpected: int, expected: int, said: str
) -> None:
    """A zero beside seventeen waiting letters contradicts what was seen."""
    paper = StringIO()
    console = Console(file=paper, width=80)
    names = ("checked", "changed", "expected", "pushed", *BAD)
    letters = {"dead_lettered": unexpected, "expected_dead_letters": expected}
    summary = {"family": "regulations", **dict.fromkeys(names, 238), **letters}
    summary |= dict.fromkeys(("lost", "doubled", "wrong"), 0)
    PlainView(console, Scene([], "", "")).verdicts([summary])
    head, row = paper.getvalue().split("\n", 3)[1:3]
    assert "dead letters" in head
    assert " ".join(row.split()).endswith(" ".join(said.split()))


def test_who_stops_a_run_before_its_first_tick_has_touched_nothing() -> None:
    notes: list[str] = []
    stop = threading.Event()
    stop.set()
    assert played(Script("a", 1, notes), stop=stop)
    assert notes == []


@pytest.mark.parametrize(
    ("text", "said"), [('{"sources": [', "the sitemap is not JSON: line 1"), (None, "no such file")]
)
def test_a_sitemap_that_cannot_be_read_is_named_before_anything_starts(
    text: str | None,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("uring_local.run.launch.MiniStack", None)
    file = tmp_path / "sitemap.json"
    if text is not None:
        file.write_text(text)
    assert main(["run", "--in-process", "--config", str(file)]) == 1
    assert f"uring: {file}: " in (told := capsys.readouterr().err)
    assert said in told


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        ((), '{"watches": []}', "is the list of watches: name one of notices or regulations"),
        (("--family", "regulations"), '{"sources": []}', '"registries"'),
    ],
)
def test_a_list_that_cannot_be_run_is_refused(
    words: tuple[str, ...],
    text: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "list.json"
    file.write_text(text)
    assert main(["run", *words, "--config", str(file)]) == 1
    assert said in capsys.readouterr().err


def test_a_day_of_registries_of_ones_own_lasts_a_day() -> None:
    """Simulated days pass in minutes; a real site is not asked for its list every ten minutes."""
    body = json.dumps({"registries": []}).encode()
    for simulation, minutes in (
        (RealRegistries(body), 1_440),
        (RegistrySimulation(World(7, date(2026, 3, 2))), 10),
    ):
        run = FamilyRun.__new__(FamilyRun)
        run.__dict__.update(_simulation=simulation, _next=1)
        run.__dict__["_application"] = SimpleNamespace(period=timedelta(days=1))
        with simulation:
            assert run.wait == timedelta(minutes=minutes)


def test_a_message_that_is_put_off_reaches_the_judge_and_is_no_progress() -> None:
    """One that is put off for ever would keep its tick waiting."""
    seen: list[str] = []
    log, run = EventLog("seeds"), FamilyRun.__new__(FamilyRun)
    simulation = SimpleNamespace(observe=lambda event: seen.append(event["reason"]))
    application = SimpleNamespace(poll=lambda: None)
    run.__dict__.update(_log=log, _simulation=simulation, _application=application)
    run.__dict__.update(_figures={}, _counts=Counter())
    log.put("deferred", {"group": "a.com", "reason": "a.com: no turn"})
    run.look()
    assert seen == ["a.com: no turn"]
    assert run.__dict__["_counts"].total() == 0


def test_the_queues_of_a_family_each_have_their_dead_letters() -> None:
    """Names follow one rule, whatever the queue is called."""
    resources = SIMULATIONS["seeds"].resources
    assert resources.live == ("SeedQueue", "DomainQueue", "SeedWatchQueue", "NotifyQueue")
    assert resources.dead == (
        "SeedDeadLetterQueue",
        "DomainDeadLetterQueue",
        "SeedWatchDeadLetterQueue",
        "NotifyDeadLetterQueue",
    )
    template = load(TEMPLATE, PARAMETERS, "uring")
    for simulation in SIMULATIONS.values():
        names = {*simulation.resources.live, *simulation.resources.dead}
        assert names < template.document["Resources"].keys()
        assert {*simulation.resources.functions} < template.functions.keys()
