"""Runs of the products: the document's twenty checks by number, and death at every step.

Those that are about pure comparison are in test_product.py: 3, 4, 13, 19, 20.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from fakes import Died
from fakes.worlds import WeatherWorld

from uring.changes.check import Check
from uring.clock import timestamp
from uring.errors import CorruptState, Unavailable
from uring.push.payload import MAX_BYTES, compose, size
from uring.weather.product import Product, canonical_hash

AIRPORTS = ("RKAA", "RKBB", "RKCC")
STATE = "state/weather/metar.json"


def metar(hour: int, kind: str = "METAR") -> dict[str, Any]:
    when = f"2026-03-02T{hour:02}:00:00Z"
    header = {"report_type": kind, "report_status": "NORMAL", "observation_time": when}
    return {"header": {**header, "issue_time": when}, "raw": f"{kind} {hour}"}


def taf(hour: int, status: str = "NORMAL") -> dict[str, Any]:
    issued = f"2026-03-02T{hour:02}:00:00Z"
    return {
        "header": {"report_status": status, "issued": issued, "valid_start": issued},
        "raw": f"TAF {hour}",
    }


def warned(*kinds: str) -> dict[str, Any]:
    warnings = [
        {
            "issued": "2026-03-02T00:30:00Z",
            "wrng_type": kind,
            "wrng_type_key": f"TYPE{kind}",
            "valid_start": "2026-03-02T01:00:00Z",
            "valid_end": "2026-03-03T01:00:00Z",
            "raw_message": "WRNG",
        }
        for kind in kinds
    ]
    return {"airport_name": "x", "warnings": warnings}


class Dying:
    """Objects and outlet whose k-th call dies, before it takes effect or after."""

    def __init__(self, inner: Any, world: "World") -> None:
        self._inner, self._world = inner, world

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call = getattr(self._inner, name)

        def dying(*arguments: Any, **more: Any) -> Any:
            self._world.calls += 1
            at, after = self._world.die
            mine = self._world.calls == at
            if mine and not after:
                raise Died
            result = call(*arguments, **more)
            if name == "list":
                result = iter([*result])
            if mine:
                raise Died
            return result

        return dying


class World(WeatherWorld):
    """The engine over fakes, built anew for each run; ``die`` is the call at which a run does."""

    def __init__(self) -> None:
        self.calls, self.die = 0, (0, False)
        super().__init__(
            airports=AIRPORTS,
            objects=lambda objects: Dying(objects, self),
            outlet=lambda outlet: Dying(outlet, self),
        )
        self.reports = {icao: metar(1) for icao in AIRPORTS}

    def run(self, product: Product = "metar", *, age: float = 0) -> Check:
        self.restart()
        self.calls = 0
        try:
            return self.check(product, age=age)
        finally:
            self.clock.advance(600)

    def files(self, product: str = "metar") -> list[str]:
        names = [key.rpartition("/")[2] for key in self.bucket.bodies() if f"/{product}/" in key]
        return [name for name in names if name not in {"latest.json", "day.json"}]

    def days(self) -> dict[str, bytes]:
        bodies = self.bucket.bodies().items()
        return {key: body for key, body in bodies if key.endswith("/day.json")}

    def latest(self, product: str = "metar") -> Any:
        return self.document(f"data/{product}/latest.json")

    def pushed(self) -> list[tuple[str, str]]:
        return [(change.topic, change.kind) for change in self.messages()]


def lines(check: Check, name: str) -> list[Any]:
    return [line.fields for line in check.lines if line.name == name]


class TestEnded:
    def test_a_warning_listed_past_its_end_is_neither_counted_nor_pushed(self) -> None:
        world = World()
        world.reports = dict.fromkeys(AIRPORTS, warned())
        world.run("warning")
        over = warned("1")
        over["warnings"][0]["valid_end"] = "2026-03-02T01:05:00Z"
        world.reports = {**world.reports, "RKAA": over}
        assert world.run("warning").outcome == "unchanged"
        assert world.latest("warning")["total_count"] == 0
        assert world.pushed() == []

    def test_one_that_ends_while_it_is_listed_leaves_in_silence(self) -> None:
        world = World()
        listed = warned("1", "2")
        listed["warnings"][0]["valid_end"] = "2026-03-02T01:15:00Z"
        world.reports = dict.fromkeys(AIRPORTS, listed)
        outcomes = [world.run("warning").outcome for _ in range(4)]
        assert outcomes == ["baseline", "unchanged", "changed", "unchanged"]
        latest = world.latest("warning")
        assert latest["total_count"] == 3
        assert {each["wrng_type"] for each in latest["airports"]["RKBB"]["warnings"]} == {"2"}
        assert world.pushed() == []


class TestOverdue:
    """METARs of 01:00, runs from 01:00 on, ten minutes apart; due at 02:30."""

    def test_the_mark_rewrites_the_file_once_and_a_newer_report_takes_it_away(self) -> None:
        world = World()
        checks = [world.run() for _ in range(9)]
        before = world.latest()
        assert checks[-1].fields["overdue"] == 0
        check = world.run()
        after = world.latest()
        assert (check.outcome, check.fields["overdue"], check.fields["answered"]) == (
            "unchanged",
            3,
            3,
        )
        assert (check.failing, check.is_failing) == (0, False)
        assert after["airports"]["RKAA"] == {
            **before["airports"]["RKAA"],
            "_overdue": True,
            "_overdue_since": "2026-03-02T02:30:00Z",
        }
        assert after["seq"] > before["seq"]
        assert after["fetched_at"] == before["fetched_at"]
        world.run()
        assert world.latest() == after
        assert len(world.files()) == 1
        world.reports = {icao: metar(2) for icao in AIRPORTS}
        world.run()
        assert not any("_overdue" in each for each in world.latest()["airports"].values())
        assert world.state_of("metar").health.troubles == {}

    def test_a_failed_call_comes_first_and_has_its_own_time(self) -> None:
        world = World()
        for _ in range(11):
            world.run()
        reports = world.reports
        world.reports = {icao: reports[icao] for icao in AIRPORTS[1:]}
        failed = timestamp(world.clock())
        world.run()
        health = world.state_of("metar").health
        assert {icao: (it.reason, it.since) for icao, it in health.troubles.items()} == {
            "RKAA": ("timeout", failed),
            "RKBB": ("overdue", "2026-03-02T02:30:00Z"),
            "RKCC": ("overdue", "2026-03-02T02:30:00Z"),
        }
        assert (health.status, health.failing) == ("ok", 3)
        shown = world.latest()["airports"]["RKAA"]
        assert (shown["_stale_since"], shown["_overdue_since"]) == (failed, "2026-03-02T02:30:00Z")
        world.reports = reports
        world.run()
        trouble = world.state_of("metar").health.troubles["RKAA"]
        assert (trouble.reason, trouble.since) == ("overdue", "2026-03-02T02:30:00Z")
        assert "_stale" not in world.latest()["airports"]["RKAA"]

    def test_a_state_of_the_release_before_learns_from_its_next_run(self) -> None:
        world = World()
        world.run()
        before = world.bucket.get(STATE)
        assert before is not None
        stored = json.loads(before.body)
        del stored["rhythms"]
        body = json.dumps(stored).encode()
        world.bucket.put(STATE, body, if_match=before.etag, content_type="application/json")
        world.run()
        assert world.state_of("metar").rhythms["RKAA"].routine == ("2026-03-02T01:00:00Z",)
        assert len(world.files()) == 1


class TestTheDocument:
    def test_1_the_first_run_collects_and_stores_everything(self) -> None:
        world = World()
        assert world.run().outcome == "baseline"
        assert world.files() == ["METAR_20260302T010000Z.json"]
        assert list(world.latest()["airports"]) == [*AIRPORTS]
        assert world.pushed() == []

    @pytest.mark.parametrize("product", ["metar", "taf", "warning"])
    def test_2_5_7_nothing_new_makes_no_file(self, product: Product) -> None:
        world = World()
        reports = {"metar": metar(1), "taf": taf(0), "warning": warned("1")}
        world.reports = dict.fromkeys(AIRPORTS, reports[product])
        world.run(product)
        stored = world.stored(product)
        assert world.run(product).outcome == "unchanged"
        assert world.stored(product) == stored

    def test_3_one_airport_makes_a_new_file_of_all(self) -> None:
        world = World()
        world.run()
        world.reports["RKBB"] = metar(2)
        run = world.run()
        difference = "RKBB: observed 2026-03-02T01:00:00Z → 2026-03-02T02:00:00Z METAR NORMAL"
        assert lines(run, "report_changed") == [{"difference": difference}]
        assert len(world.files()) == 2
        assert world.latest()["airports"] == {**dict.fromkeys(AIRPORTS, metar(1)), "RKBB": metar(2)}

    def test_6_an_amended_taf_is_stored_and_pushed(self) -> None:
        world = World()
        world.reports = dict.fromkeys(AIRPORTS, taf(0))
        world.run("taf")
        world.reports["RKAA"] = taf(2, "AMENDMENT")
        assert world.run("taf").outcome == "changed"
        assert world.pushed() == [("RKAA", "taf_amended")]

    def test_8_a_warning_added_and_lifted_is_a_file_each(self) -> None:
        world = World()
        world.reports = dict.fromkeys(AIRPORTS, warned())
        world.run("warning")
        world.reports["RKAA"] = warned("1")
        world.run("warning")
        assert world.latest("warning")["total_count"] == 1
        world.reports["RKAA"] = warned()
        # Where none is left at all, the second answer decides.
        assert world.run("warning").outcome == "unchanged"
        world.run("warning")
        assert len(world.files("warning")) == 3
        assert world.pushed() == [("RKAA", "warning_raised"), ("RKAA", "warning_lifted")]

    def test_9_10_11_the_eleventh_file_removes_the_oldest_and_latest_stays(self) -> None:
        world = World()
        for hour in range(11):
            world.reports["RKAA"] = metar(hour)
            world.run()
        assert len(world.files()) == 10
        assert "METAR_20260302T010000Z.json" not in world.files()
        newest = world.bucket.body(f"data/metar/{world.files()[-1]}")
        assert world.bucket.body("data/metar/latest.json") == newest

    def test_12_one_airport_that_fails_is_filled_and_marked(self) -> None:
        world = World()
        world.run()
        del world.reports["RKAA"]
        world.reports["RKBB"] = metar(2)
        run = world.run()
        assert lines(run, "airports_failed") == [
            {"airports": ["RKAA"], "reason": "timeout: no answer"}
        ]
        airports = world.latest()["airports"]
        assert airports["RKAA"]["_stale"]
        assert "_stale" not in airports["RKBB"]

    def test_13_a_failure_alone_makes_no_file_and_marks_who_is_stale(self) -> None:
        world = World()
        world.run()
        del world.reports["RKAA"]
        before, files = world.latest(), world.files()
        since = timestamp(world.clock())
        assert [world.run().outcome for _ in range(3)] == ["unchanged"] * 3
        marks = {"_stale": True, "_stale_since": since}
        assert world.files() == files
        assert world.latest()["airports"] == before["airports"] | {"RKAA": metar(1) | marks}
        assert world.latest()["fetched_at"] == before["fetched_at"]
        assert world.state_of("metar").hash == canonical_hash(before["airports"])
        world.reports["RKAA"] = metar(1)
        assert world.run().outcome == "unchanged"
        assert world.files() == files
        assert world.latest()["airports"] == before["airports"]

    def test_14_all_that_fails_makes_no_file_and_no_push(self) -> None:
        world = World()
        world.run()
        world.reports = {}
        files = world.files()
        run = world.run()
        assert (run.outcome, run.reason, run.fields["failed"]) == ("failed", "timeout", 3)
        assert (world.files(), world.pushed()) == (files, [])
        assert all(report["_stale"] for report in world.latest()["airports"].values())

    def test_14_all_that_fails_at_first_is_no_baseline(self) -> None:
        world = World()
        world.reports = {}
        assert world.run().outcome == "failed"
        assert list(world.bucket.bodies()) == [STATE]
        world.reports = {icao: metar(1) for icao in AIRPORTS}
        assert world.run().outcome == "baseline"
        assert world.pushed() == []

    def test_15_a_run_that_took_too_long_costs_the_next(self) -> None:
        world = World()
        assert world.run(age=601).outcome == "dropped"
        assert world.asked == []
        assert world.run(age=599).outcome == "baseline"

    def test_16_products_are_independent(self) -> None:
        """A group of the queue each, a state each."""
        world = World()
        world.run("metar")
        world.bucket.plant(STATE, b"{")
        with pytest.raises(CorruptState, match=r"restore an earlier version"):
            world.run("metar")
        world.reports = dict.fromkeys(AIRPORTS, taf(0))
        assert world.run("taf").outcome == "baseline"
        assert world.bucket.body(STATE) == b"{"

    def test_18_a_new_process_goes_on_from_what_is_stored(self) -> None:
        """Every run here builds all anew: nothing is kept in memory."""
        world = World()
        world.run()
        assert world.run().outcome == "unchanged"


def test_the_second_answer_without_any_warning_lifts_all() -> None:
    """One of them alone is what a gateway says that lost its data."""
    world = World()
    for shown in (warned(), warned("1")):
        world.reports = dict.fromkeys(AIRPORTS, shown)
        world.run("warning")
    before = world.latest("warning")
    world.reports = dict.fromkeys(AIRPORTS, warned())
    run = world.run("warning")
    assert run.outcome == "unchanged"
    assert "the next answer decides" in lines(run, "odd_answer")[0]["reason"]
    assert world.latest("warning") == before
    # A failure between the two, or a list with one, and it begins anew.
    for between in ({}, {**world.reports, "RKBB": warned("1")}):
        empty, world.reports = world.reports, between
        world.run("warning")
        world.reports = empty
        assert world.run("warning").outcome == "unchanged"
        assert world.latest("warning")["total_count"] > 0
    assert world.run("warning").outcome == "changed"
    assert world.latest("warning")["total_count"] == 0
    lifted = [topic for topic, kind in world.pushed() if kind == "warning_lifted"]
    assert sorted(lifted) == [*AIRPORTS]


def test_a_stale_mark_says_since_when_until_the_first_answer() -> None:
    """Whatever else changes meanwhile: an outage's age is the age of its first failure."""
    world = World()
    world.run()
    since = timestamp(world.clock())
    del world.reports["RKAA"]
    for hour in (1, 2, 2, 3):
        world.reports["RKBB"] = metar(hour)
        world.run()
        assert world.latest()["airports"]["RKAA"]["_stale_since"] == since
    world.reports["RKAA"] = metar(1)
    world.run()
    assert "_stale" not in world.latest()["airports"]["RKAA"]


def test_an_answer_that_goes_back_in_time_changes_nothing() -> None:
    world = World()
    world.reports = dict.fromkeys(AIRPORTS, metar(2))
    world.run()
    world.reports["RKAA"] = metar(1)
    run = world.run()
    assert (run.outcome, run.fields["older"]) == ("unchanged", 1)
    (line,) = lines(run, "report_older")
    assert line["icao"] == "RKAA"


def test_what_the_queue_refuses_stays_and_is_sent_by_the_next_run() -> None:
    world = World()
    world.run()
    world.reports["RKAA"] = metar(2, "SPECI")
    world.outlet.refuses = lambda _: True
    with pytest.raises(Unavailable, match="refused 1 of 1 changes of metar"):
        world.run()
    world.outlet.refuses = lambda _: False
    assert world.run().outcome == "unchanged"
    assert world.pushed() == [("RKAA", "speci")]


def test_a_warning_too_long_for_a_push_leaves_out_its_text_and_nothing_else() -> None:
    world = World()
    world.reports = dict.fromkeys(AIRPORTS, warned())
    world.run("warning")
    raised = warned("1")
    raised["warnings"][0]["raw_message"] = "저시정 경보" * 300
    world.reports["RKAA"] = raised
    world.run("warning")
    (change,) = world.messages()
    data = compose(change).data
    assert size(data) <= MAX_BYTES
    assert change.content.keys() - data.keys() == {"raw"}
    assert data["until"] == "2026-03-03T01:00:00Z"


def _story(die: tuple[int, bool] | None) -> tuple[World, int]:
    """Twelve changes, two of them pushed; the last run may die, then two more follow."""
    world = World()
    for hour in range(1, 11):
        world.reports["RKBB"] = metar(hour)
        world.run()
    world.reports["RKAA"] = metar(11, "SPECI")
    world.reports["RKCC"] = metar(11, "SPECI")
    world.die = die or (0, False)
    with suppress(Died):
        world.run()
    calls, world.die = world.calls, (0, False)
    world.run()
    world.run()
    return world, calls


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_death_at_every_step_is_made_good_by_the_next_run(*, after: bool) -> None:
    well, calls = _story(None)
    assert calls > 8
    for at in range(1, calls + 1):
        world, _ = _story((at, after))
        assert world.latest()["airports"] == well.latest()["airports"], at
        assert world.days() == well.days(), at
        # What is sent twice has one event id, and the notifier's ledger pushes it once.
        told = list(dict.fromkeys(world.pushed()))
        assert told == [("RKAA", "speci"), ("RKCC", "speci")], at
        assert len(world.files()) == 10, at
        newest = world.bucket.body(f"data/metar/{max(world.files())}")
        assert world.bucket.body("data/metar/latest.json") == newest, at
        state = world.state_of("metar")
        assert state.is_published, at
        assert state.outbox == (), at


def test_a_new_order_of_the_settings_is_seen_at_once_without_a_file_or_a_push() -> None:
    world = World()
    world.run()
    before, files = world.latest(), world.files()
    world.airports = AIRPORTS[::-1]
    assert world.run().outcome == "unchanged"
    after = world.latest()
    assert [*after["airports"]] == [*AIRPORTS[::-1]]
    assert after["airports"] == before["airports"]
    assert after["seq"] > before["seq"]
    assert (world.files(), world.pushed()) == (files, [])
    world.run()
    assert world.latest() == after
