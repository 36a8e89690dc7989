"""The campus under a rhythm in a run: its ticks, its judge, its options."""

import json
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, cast

import pytest
import urllib3

from uring.sources.rhythm import RhythmName
from uring_local.cli import main
from uring_local.fcm.journal import Delivery
from uring_local.run.launch import PARAMETERS, TEMPLATE, chosen_families
from uring_local.run.options import Options
from uring_local.sites.campus import Campus, JournalEntry
from uring_local.sites.campus.rhythm import BUSY_HOURS, Timetable, delay, is_tick, time_of
from uring_local.sites.campus.simulation import RhythmSimulation
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import World
from uring_local.sites.stage.verdict import Verdict
from uring_local.template.template import load

PERIOD = timedelta(minutes=10)
STEPS_A_DAY = 720


class Nothing(Published):
    """The data of functions that never ran."""

    def __init__(self) -> None:
        pass

    def latest(self, _: str) -> dict[str, Any]:
        return {}

    def archive(self, _: str) -> list[dict[str, Any]]:
        return []


NOTHING = Nothing()


def campus(rhythm: RhythmName = "sooner") -> RhythmSimulation:
    return RhythmSimulation(World(7, date(2026, 3, 5), rhythm=rhythm))


def played(site: RhythmSimulation, ticks: int, *, asks: bool = True, late: int = 0) -> Verdict:
    """The verdict after some ticks; all boards are asked in each, and pushes come ticks later."""
    (sitemap,) = site.objects.values()
    entries = json.loads(sitemap)["sources"] if asks else []
    deliveries: list[Delivery] = []
    waiting: list[list[JournalEntry]] = [[] for _ in range(late)]
    with site:
        heard = 0
        for tick in range(1, ticks + 1):
            at = site.time_of(tick, PERIOD)
            site.advance(tick, at)
            for entry in entries:
                urllib3.request("GET", entry["url"], retries=False)
            journal = cast("Campus", site.site).journal
            waiting.append(journal[heard:])
            deliveries += [push(entry) for entry in waiting.pop(0) if entry.pushed]
            heard = len(journal)
            site.inspect(at, NOTHING)
        return site.judge(NOTHING, deliveries, ())


def push(entry: JournalEntry) -> Delivery:
    """The push of a journal's entry, now."""
    revision = str(entry.revision)
    data = {"dept": entry.department, "id": entry.notice_id, "revision": revision}
    key = f"{entry.department} {entry.notice_id} {revision}"
    return Delivery(key, entry.department, data, datetime.now(UTC), 1, "ok")


@pytest.mark.parametrize(
    "options",
    [
        ["--rhythm", "sooner"],
        ["--rhythm", "uniform", "--family", "weather"],
        ["--rhythm", "thrifty", "--family", "notices", "--config", "sitemap.json"],
    ],
    ids=["all", "weather", "real sources"],
)
def test_a_rhythm_is_for_the_campus(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["run", "--in-process", "--ticks", "1", *options])
    said = capsys.readouterr().err
    assert "--rhythm is for the campus: give --family notices and no --config" in said


def test_a_rhythm_has_a_stack_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its days are simulated, and fit no other data."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    asked = Options(family="notices", rhythm="sooner", in_process=True)
    assert chosen_families(asked) == (["notices"], None)


@pytest.mark.parametrize("rhythm", ["uniform", "sooner", "thrifty"])
def test_the_ticks_are_those_of_the_templates_schedules(rhythm: RhythmName) -> None:
    template = load(TEMPLATE, PARAMETERS, "uring")
    assert template.conditions.values["BusyHours"] == BUSY_HOURS
    always, busy = (each.expression for each in template.functions["NoticeOrchestrator"].schedules)
    assert always == "cron(5/10 * * * ? *)"
    odd = {int(each) for each in cast("Any", busy)["Fn::Sub"][5:].split(" ")[0].split(",")}
    for step in range(1, STEPS_A_DAY + 1):
        at = time_of(step)
        is_busy = rhythm != "uniform" and at.hour in {23, *range(11)} and at.minute in odd
        assert is_tick(rhythm, at) == (is_busy or at.minute % 10 == 5)


@pytest.mark.parametrize(("rhythm", "ticks"), [("uniform", 144), ("sooner", 432), ("thrifty", 432)])
def test_a_day_has_its_ticks(rhythm: RhythmName, ticks: int) -> None:
    table = Timetable(rhythm)
    assert table.step(ticks + 1) - table.step(1) == STEPS_A_DAY


def test_the_time_between_ticks_follows_the_schedules() -> None:
    """From five past seven: ten minutes, then two from eight on."""
    with campus() as site:
        times = [site.time_of(tick, PERIOD) for tick in range(9)]
    minutes = [(at - before).seconds // 60 for before, at in pairwise(times)]
    assert minutes == [10, 10, 10, 10, 10, 10, 6, 2]


def test_a_delay_counts_from_the_middle_between_two_steps() -> None:
    assert delay(3, time_of(3)) == 1
    assert delay(3, time_of(5)) == 5


def test_a_board_that_is_never_asked_is_a_fault() -> None:
    """What nobody asks for is not expected, so nothing could be lost."""
    silent = played(campus("uniform"), 7, asks=False)
    assert sum("not asked for 64 minutes" in each for each in silent.wrong) == 14
    asked = played(campus("uniform"), 7)
    assert not any("not asked" in each for each in asked.wrong)
    assert asked.figures["most_checks_in_a_tick"] == 14


def test_a_run_without_a_notice_has_no_delay() -> None:
    """Offices open at nine."""
    assert played(campus("uniform"), 5).figures["delay_minutes"] == {}


def test_a_delay_ends_in_the_tick_in_which_the_push_came() -> None:
    at_once, late = (played(campus("uniform"), 18, late=ticks) for ticks in (0, 2))
    assert (at_once.lost, at_once.doubled) == ([], [])
    assert 3 < at_once.figures["delay_minutes"]["mean"] < 7
    assert at_once.figures["delay_minutes"]["p95"] == 9
    assert late.figures["delay_minutes"]["p95"] == 29
