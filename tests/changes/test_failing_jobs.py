"""What fails by exception is seen, whatever the interval: a count, a dead letter, a source down."""

from collections.abc import Callable
from typing import Any

import pytest
from fakes import ENTRY, MemoryQueue
from fakes.worlds import NoticeWorld, WeatherWorld

from uring.errors import Contended, Misconfigured, Unavailable, WriteConflict

OUTAGES = [Unavailable("s3 is away"), Contended("s3 answered 409"), WriteConflict("no answer")]
ERRORS = [Misconfigured("AccessDenied"), ZeroDivisionError("a bug")]
each_outage = pytest.mark.parametrize("error", OUTAGES, ids=lambda error: type(error).__name__)
each_error = pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
DAY_MINUTES = 1440


class World(NoticeWorld):
    """A department whose checks may fail, and whose queue is the template's."""

    def __init__(self) -> None:
        super().__init__()
        self.error: Exception | None = None
        self.work = MemoryQueue(self.clock, max_receive_count=20, dead_letters=self.dead)
        self.restart()
        get = self.bucket.get

        def failing(key: str) -> Any:
            if self.error is not None:
                raise self.error
            return get(key)

        self.bucket.get = failing  # type: ignore[method-assign]

    def minutes(self, number: int, interval: int) -> None:
        """Let time pass, a job every interval."""
        for minute in range(number):
            if minute % interval == 0:
                entry = {**ENTRY, "interval_minutes": interval}
                job = self.job("cs", interval_minutes=interval, entry=entry)
                self.work_queue.dispatch([job])
            self.poll()
            self.clock.advance(60)


@each_error
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "known"])
@pytest.mark.parametrize("interval", [10, 20, 60, 120, DAY_MINUTES])
def test_each_job_of_a_source_that_fails_becomes_a_dead_letter(
    interval: int, error: Exception, *, is_new: bool
) -> None:
    """The alarm rings for every interval; a job was dropped as overdue, which is a success."""
    world = World()
    if not is_new:
        world.check()
        world.clock.advance(600)
    world.error = error
    world.minutes(DAY_MINUTES, interval)
    world.error = None
    assert len(world.dead.messages) == DAY_MINUTES // interval
    assert world.telemetry.named("dropped") == []
    for letter in world.dead.messages:
        reason = letter.attributes.get("reason", "")
        # Those of a long interval are moved by the queue, after twenty receives.
        assert interval > 100 or (type(error).__name__ in reason and str(error) in reason)


@each_outage
@pytest.mark.parametrize("interval", [10, 20, 60, 120, DAY_MINUTES])
def test_a_job_that_an_outage_used_up_is_no_dead_letter_but_counted(
    interval: int, error: Exception
) -> None:
    """Nobody can do anything about it, and the next job is due."""
    world = World()
    world.check()
    world.clock.advance(600)
    world.error = error
    world.minutes(DAY_MINUTES + 10, interval)
    assert world.dead.messages == []
    assert len(world.telemetry.named("dropped")) >= DAY_MINUTES // interval
    assert world.telemetry.counts["ChecksInOutage"] == len(world.telemetry.named("dropped"))
    world.error = None
    world.minutes(2 * interval, interval)
    assert world.telemetry.counts["ChecksUnchanged"]
    assert world.dead.messages == []


def test_a_daily_job_is_tried_again_soon_after_a_short_outage() -> None:
    world = World()
    world.error = Unavailable("s3 is away")
    world.minutes(12, DAY_MINUTES)
    world.error = None
    for _ in range(10):
        world.clock.advance(60)
        world.poll()
    assert world.telemetry.counts["ChecksBaseline"] == 1


@each_error
def test_a_failure_that_passes_is_no_dead_letter_and_is_counted(error: Exception) -> None:
    world = World()
    world.error = error
    world.minutes(5, 10)
    world.error = None
    world.clock.advance(300)
    world.poll()
    assert world.dead.messages == []
    assert world.telemetry.counts["RecordsFailed"] == 2
    assert world.telemetry.counts["ChecksBaseline"] == 1


@pytest.mark.parametrize("product", ["warning", "metar", "taf"])
def test_a_product_s_job_that_fails_becomes_one_too(product: str) -> None:
    """Five minutes have three tries, at 0, 100 and 200 seconds; thirty have six."""
    world = WeatherWorld()
    world.work = MemoryQueue(world.clock, max_receive_count=20, dead_letters=world.dead)
    world.restart()
    world.bucket.get = _raising(Misconfigured("AccessDenied"))  # type: ignore[method-assign]
    interval = {"warning": 5, "metar": 10, "taf": 30}[product]
    world.work_queue.dispatch([world.job(product, interval_minutes=interval)])
    for _ in range(interval * 6):
        world.poll()
        world.clock.advance(10)
    (letter,) = world.dead.messages
    assert letter.group == product
    assert world.telemetry.counts["RecordsFailed"] == (6 if product == "taf" else 3)


def _raising(error: Exception) -> Callable[[str], Any]:
    def get(_: str) -> Any:
        raise error

    return get
