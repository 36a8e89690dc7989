"""The weather's orchestrator and worker: jobs out, runs reported, one failure costs itself."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes import (
    MemoryObjects,
    MemoryOutlet,
    MemoryQueue,
    MemoryReturns,
    MemoryWorkQueue,
    RecordingTelemetry,
    VirtualClock,
    lambda_event,
)

from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.contracts import CollectWeather
from uring.errors import Unavailable
from uring.weather.collect import WeatherCollector
from uring.weather.gateway.collect import Collected
from uring.weather.orchestrate import WeatherOrchestrator
from uring.weather.publisher import WeatherPublisher
from uring.weather.state import WeatherState
from uring.weather.worker import SECONDS_PER_RUN, WeatherWorker

START = datetime(2026, 3, 2, 1, 1, tzinfo=UTC)
AIRPORTS = ("RKAA", "RKBB", "RKCC")


class World:
    """Orchestrator, queue and worker; the gateway answers what `answers` holds."""

    def __init__(self) -> None:
        self.clock = VirtualClock(START)
        self.queue, self.dead, self.notify = (MemoryQueue(self.clock) for _ in range(3))
        self.work = MemoryWorkQueue(self.queue)
        self.telemetry = RecordingTelemetry()
        self.objects = MemoryObjects(self.clock)
        self.answers = Collected({}, dict.fromkeys(AIRPORTS, "timeout: no answer"))
        self.asked: list[str] = []
        self.refuse = 0
        self.bug = False
        self.orchestrator = WeatherOrchestrator(
            self.work,
            self.telemetry,
            intervals={"warning": 5, "metar": 10, "taf": 30},
            tick_minutes=5,
        )
        backoff = Backoff(self.clock.sleep)
        register = StateRegister(
            self.objects, "weather", WeatherState, clock=self.clock, backoff=backoff
        )
        self.worker = WeatherWorker(
            WeatherCollector(
                self,
                WeatherPublisher(
                    self.objects, MemoryOutlet(self.notify), register, backoff=backoff
                ),
                airports=AIRPORTS,
                push_kinds=(),
                clock=self.clock,
                backoff=backoff,
            ),
            MemoryReturns(self.queue, self.dead),
            self.telemetry,
        )

    def collect(self, product: str, airports: Sequence[str], now: datetime) -> Collected:
        del airports, now
        self.asked.append(product)
        if self.bug:
            raise ZeroDivisionError
        self.refuse -= 1
        if self.refuse >= 0:
            raise Unavailable("busy")
        return self.answers

    def jobs(self) -> list[tuple[str, int]]:
        jobs = [CollectWeather.parse(message.body) for message in self.queue.messages]
        return [(job.product, job.interval_minutes) for job in jobs]

    def batch(self, *, time_left: float = 1000.0) -> dict[str, Any]:
        event = lambda_event(self.queue.receive(10))
        return self.worker.run(event, time_left=lambda: time_left)


class TestTick:
    def test_what_is_due_is_sent_and_what_is_urgent_first(self) -> None:
        world = World()
        assert world.orchestrator.tick(START) == 3
        assert world.jobs() == [("warning", 5), ("metar", 10), ("taf", 30)]
        assert {message.group for message in world.queue.messages} == {"warning", "metar", "taf"}

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
        world.work.refuses = lambda job: job.group == "metar"
        with pytest.raises(Unavailable, match="refused 1 of 3 jobs"):
            world.orchestrator.tick(START)
        assert [product for product, _ in world.jobs()] == ["warning", "taf"]


class TestBatch:
    def test_airports_that_failed_alike_are_one_line(self) -> None:
        world = World()
        world.answers = Collected(
            {}, {"RKAA": "timeout: x", "RKBB": "timeout: x", "RKCC": "future: y"}, {}, ("odd",), 7
        )
        world.orchestrator.tick(START.replace(minute=6))
        assert world.batch() == {"batchItemFailures": []}
        assert world.telemetry.warnings == [
            (
                "airports_failed",
                {"product": "warning", "airports": ["RKAA", "RKBB"], "reason": "timeout: x"},
            ),
            (
                "airports_failed",
                {"product": "warning", "airports": ["RKCC"], "reason": "future: y"},
            ),
            ("odd_answer", {"product": "warning", "reason": "odd"}),
        ]
        (checked,) = world.telemetry.named("checked")
        assert checked == {
            "product": "warning",
            "outcome": "failed",
            "failed": 3,
            "older": 0,
            "pushes": 0,
            "http_requests": 7,
        }
        assert world.telemetry.counts == {
            "Runs": 1,
            "RunsFailed": 1,
            "RunsSkipped": 0,
            "AirportsFailed": 3,
        }

    def test_15_a_job_that_waited_behind_a_long_run_is_skipped_with_a_warning(self) -> None:
        world = World()
        world.orchestrator.tick(START)
        world.clock.advance(301)
        assert world.batch() == {"batchItemFailures": []}
        (line,) = world.telemetry.named("run_skipped")
        assert world.telemetry.warnings
        assert line["product"] == "warning"
        assert world.telemetry.counts["RunsSkipped"] == 1
        # 16: the others have intervals of their own.
        assert world.asked == ["metar", "taf"]

    def test_what_changed_is_told_airport_by_airport(self) -> None:
        world = World()
        none = {"airport_name": None, "warnings": []}
        world.answers = Collected(dict.fromkeys(AIRPORTS, none), {})
        world.orchestrator.tick(START.replace(minute=6))
        world.batch()
        lines = [line["difference"] for line in world.telemetry.named("changed")]
        assert lines == [f"{icao}: first report" for icao in AIRPORTS]

    def test_a_run_that_a_service_refused_is_tried_again_within_its_interval(self) -> None:
        """The queue's own time-out is longer than that: the job would come back too old."""
        world = World()
        world.refuse = 2
        world.orchestrator.tick(START.replace(minute=6))
        for _ in range(2):
            assert len(world.batch()["batchItemFailures"]) == 1
            assert not world.queue.receive(10)
            world.clock.advance(100)
        assert world.batch() == {"batchItemFailures": []}
        assert len(world.telemetry.named("checked")) == 1
        assert [line["reason"] for line in world.telemetry.named("run_failed")] == ["busy"] * 2
        assert world.telemetry.counts["RunsFailed"] == 3
        assert not world.dead.messages

    def test_a_bug_is_a_failed_run_that_is_tried_again(self) -> None:
        """Not one that waits in silence until it is too old."""
        world = World()
        world.bug = True
        world.orchestrator.tick(START.replace(minute=6))
        assert len(world.batch()["batchItemFailures"]) == 1
        (line,) = world.telemetry.named("run_failed")
        assert (line["error"], line["trace"]) == ("ZeroDivisionError", True)
        assert world.telemetry.counts["RunsFailed"] == 1
        world.clock.advance(100)
        world.bug = False
        assert world.batch() == {"batchItemFailures": []}

    def test_a_run_without_most_of_the_airports_has_failed(self) -> None:
        world = World()
        none = {"airport_name": None, "warnings": []}
        world.answers = Collected({"RKAA": none}, {"RKBB": "x", "RKCC": "x"})
        world.orchestrator.tick(START.replace(minute=6))
        world.batch()
        assert world.telemetry.counts["RunsFailed"] == 1
        world.answers = Collected({"RKAA": none, "RKBB": none}, {"RKCC": "x"})
        world.orchestrator.tick(START.replace(minute=11))
        world.batch()
        assert world.telemetry.counts["RunsFailed"] == 1

    def test_products_of_one_batch_are_asked_one_after_the_other(self) -> None:
        world = World()
        world.orchestrator.tick(START)
        world.batch()
        assert world.asked == ["warning", "metar", "taf"]

    def test_a_job_that_is_none_goes_to_the_dead_letters_and_the_others_run(self) -> None:
        world = World()
        world.queue.send("nobody", "x", "{")
        world.orchestrator.tick(START)
        assert world.batch() == {"batchItemFailures": []}
        assert world.asked == ["warning", "metar", "taf"]
        (dead,) = world.dead.messages
        assert dead.body == "{"

    def test_without_the_time_for_a_run_its_job_is_given_back(self) -> None:
        world = World()
        world.orchestrator.tick(START)
        answer = world.batch(time_left=SECONDS_PER_RUN - 1)
        assert len(answer["batchItemFailures"]) == 3
        assert world.asked == []


def test_a_job_s_name_is_its_product_and_minute() -> None:
    job = CollectWeather(scheduled_at=START, product="taf", interval_minutes=30)
    assert (job.group, job.job_id) == ("taf", "taf.20260302T0101")
    later = CollectWeather(
        scheduled_at=START + timedelta(minutes=30), product="taf", interval_minutes=30
    )
    assert later.job_id != job.job_id
