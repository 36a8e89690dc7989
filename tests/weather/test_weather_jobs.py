"""The weather's orchestrator and worker: jobs out, runs reported, one failure costs itself."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from fakes import VirtualClock, lambda_event
from fakes.worlds import WeatherWorld

from uring.changes.jobs import Orchestrator, Ticks
from uring.contracts import Job
from uring.errors import FetchFailed, Unavailable
from uring.weather.gateway.collect import CollectedReports
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.plan import Intervals, products
from uring.weather.product import Product

START = datetime(2026, 3, 2, 1, 1, tzinfo=UTC)
AIRPORTS = ("RKAA", "RKBB", "RKCC")
NONE = {"airport_name": None, "warnings": []}


class World(WeatherWorld):
    """Orchestrator, queue and worker.

    Attributes:
        refuse: how many runs a service refuses.
        bug: whether a run meets one.
    """

    def __init__(self) -> None:
        super().__init__(VirtualClock(START), airports=AIRPORTS)
        self.refuse, self.bug = 0, False
        intervals = Intervals(metar_minutes=10, taf_minutes=30, warning_minutes=5)
        self.orchestrator = Orchestrator(
            "weather",
            lambda: products(intervals),
            self.work_queue,
            self.telemetry,
            ticks=Ticks(5),
        )

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        collected = super().collect(product, airports, now)
        if self.bug:
            raise ZeroDivisionError
        self.refuse -= 1
        if self.refuse >= 0:
            raise Unavailable("busy")
        return collected

    def jobs(self) -> list[tuple[str, int]]:
        jobs = [Job.parse(message.body) for message in self.work.messages]
        return [(job.source, job.interval_minutes) for job in jobs]


class TestTick:
    def test_what_is_due_is_sent_and_what_is_urgent_first(self) -> None:
        world = World()
        for minute in (1, 31):
            assert world.orchestrator.tick(START.replace(minute=minute)) == 3
            assert world.jobs() == [("warning", 5), ("metar", 10), ("taf", 30)]
            groups = {message.group for message in world.work.messages}
            assert groups == {"warning", "metar", "taf"}
            world.work.messages.clear()

    @pytest.mark.parametrize(
        ("minute", "due"),
        [
            (1, ["warning", "metar", "taf"]),
            (6, ["warning"]),
            (11, ["warning", "metar"]),
            (26, ["warning"]),
            (31, ["warning", "metar", "taf"]),
        ],
    )
    def test_each_product_has_an_interval_of_its_own(self, minute: int, due: list[str]) -> None:
        world = World()
        world.orchestrator.tick(START.replace(minute=minute))
        assert [product for product, _ in world.jobs()] == due

    def test_a_tick_delivered_twice_makes_no_job_more(self) -> None:
        world = World()
        world.orchestrator.tick(START)
        world.orchestrator.tick(START)
        assert len(world.jobs()) == 3

    def test_a_refused_job_does_not_stop_the_others_and_fails_the_tick(self) -> None:
        world = World()
        world.work_queue.refuses = lambda job: job.group == "metar"
        with pytest.raises(Unavailable, match="refused 1 of 3 jobs"):
            world.orchestrator.tick(START)
        assert [product for product, _ in world.jobs()] == ["warning", "taf"]


class TestBatch:
    def test_airports_that_failed_alike_are_one_line(self) -> None:
        world = World()
        world.collected = CollectedReports(
            {},
            {
                "RKAA": FetchFailed("timeout", "x"),
                "RKBB": FetchFailed("timeout", "x"),
                "RKCC": ReportRefused("future", "y"),
            },
            {},
            ("odd",),
            7,
        )
        world.orchestrator.tick(START.replace(minute=6))
        assert world.poll() == {"batchItemFailures": []}
        names = {"family": "weather", "source": "warning"}
        assert world.telemetry.warnings == [
            ("airports_failed", {**names, "airports": ["RKAA", "RKBB"], "reason": "timeout: x"}),
            ("airports_failed", {**names, "airports": ["RKCC"], "reason": "future: y"}),
            ("odd_answer", {**names, "reason": "odd"}),
        ]
        assert world.telemetry.named("failed") == [{**names, "reason": "timeout", "detail": "x"}]
        (checked,) = world.telemetry.named("checked")
        assert checked == {
            **names,
            "outcome": "failed",
            "reason": "timeout",
            "failed": 3,
            "answered": 0,
            "overdue": 0,
            "older": 0,
            "pushes": 0,
            "recovered": 0,
            "http_requests": 7,
        }
        assert world.telemetry.counts == {
            "Checks": 1,
            "ChecksFailed": 1,
            "SourcesFailing": 1,
            "PartsFailing": 3,
        }

    def test_15_a_job_that_waited_behind_a_long_run_is_skipped_with_a_warning(self) -> None:
        world = World()
        world.orchestrator.tick(START)
        world.clock.advance(301)
        assert world.poll() == {"batchItemFailures": []}
        (line,) = world.telemetry.named("dropped")
        assert ("dropped", line) in world.telemetry.warnings
        assert (line["source"], line["reason"]) == ("warning", "overdue")
        assert "scheduled 301 s ago" in line["detail"]
        assert world.telemetry.counts["ChecksDropped"] == 1
        # 16: the others have intervals of their own.
        assert world.asked == ["metar", "taf"]

    def test_what_changed_is_told_airport_by_airport(self) -> None:
        world = World()
        world.reports = dict.fromkeys(AIRPORTS, NONE)
        world.orchestrator.tick(START.replace(minute=6))
        world.poll()
        lines = [line["difference"] for line in world.telemetry.named("report_changed")]
        assert lines == [f"{icao}: first report" for icao in AIRPORTS]

    def test_a_run_that_a_service_refused_is_tried_again_within_its_interval(self) -> None:
        """The queue's own time-out is longer than that: the job would come back too old."""
        world = World()
        world.refuse = 2
        world.orchestrator.tick(START.replace(minute=6))
        for _ in range(2):
            assert len(world.poll()["batchItemFailures"]) == 1
            assert not world.work.receive(10)
            world.clock.advance(100)
        assert world.poll() == {"batchItemFailures": []}
        assert len(world.telemetry.named("checked")) == 1
        failed = [
            (line["source"], line["reason"]) for line in world.telemetry.named("check_failed")
        ]
        assert failed == [("warning", "busy")] * 2
        assert world.telemetry.counts["SourcesFailing"] == 3
        assert not world.dead.messages

    @pytest.mark.parametrize(("minutes", "seconds"), [(5, 100), (10, 200), (30, 300)])
    def test_a_refused_run_comes_back_after_a_third_of_its_interval(
        self, minutes: int, seconds: int
    ) -> None:
        """After five minutes at most."""
        world = World()
        world.refuse = 1
        world.work_queue.dispatch([world.job("taf", interval_minutes=minutes)])
        assert len(world.poll()["batchItemFailures"]) == 1
        world.clock.advance(seconds - 1)
        assert not world.work.receive(10)
        world.clock.advance(1)
        assert world.poll() == {"batchItemFailures": []}
        assert len(world.telemetry.named("checked")) == 1

    def test_a_bug_is_a_failed_run_that_is_tried_again(self) -> None:
        """Not one that waits in silence until it is too old."""
        world = World()
        world.bug = True
        world.orchestrator.tick(START.replace(minute=6))
        assert len(world.poll()["batchItemFailures"]) == 1
        (line,) = world.telemetry.named("check_failed")
        assert (line["error"], line["trace"]) == ("ZeroDivisionError", True)
        assert world.telemetry.counts["SourcesFailing"] == 1
        world.clock.advance(100)
        world.bug = False
        assert world.poll() == {"batchItemFailures": []}

    def test_a_run_without_most_of_the_airports_has_failed(self) -> None:
        world = World()
        world.reports = {"RKAA": NONE}
        world.orchestrator.tick(START.replace(minute=6))
        world.poll()
        assert world.telemetry.counts["SourcesFailing"] == 1
        world.reports = {"RKAA": NONE, "RKBB": NONE}
        world.orchestrator.tick(START.replace(minute=11))
        world.poll()
        assert world.telemetry.counts["SourcesFailing"] == 1

    def test_products_of_one_batch_are_asked_one_after_the_other(self) -> None:
        world = World()
        world.orchestrator.tick(START)
        world.poll()
        assert world.asked == ["warning", "metar", "taf"]

    def test_a_job_that_is_none_goes_to_the_dead_letters_and_the_others_run(self) -> None:
        world = World()
        world.work.send("nobody", "x", "{")
        world.work.send("notices", "y", world.job("metar").body().replace('"metar"', '"cs"'))
        world.orchestrator.tick(START)
        assert world.poll() == {"batchItemFailures": []}
        assert world.asked == ["warning", "metar", "taf"]
        dead, other = world.dead.messages
        assert dead.body == "{"
        assert "'cs' is not one of metar, taf, warning" in other.attributes["reason"]

    def test_without_the_time_for_a_run_its_job_is_given_back(self) -> None:
        world = World()
        world.orchestrator.tick(START)
        seconds = world.checker.family.seconds
        event = lambda_event(world.work.receive(10))
        answer = world.worker.run(event, time_left=lambda: seconds - 1)
        assert len(answer["batchItemFailures"]) == 3
        assert world.asked == []


def test_a_job_s_name_is_its_product_and_minute() -> None:
    job = Job(family="weather", scheduled_at=START, source="taf", interval_minutes=30)
    assert (job.group, job.job_id) == ("taf", "taf.20260302T0101")
    later = job.model_copy(update={"scheduled_at": START + timedelta(minutes=30)})
    assert later.job_id != job.job_id
