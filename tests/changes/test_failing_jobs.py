"""What fails by exception is seen, whatever the interval: a count, a dead letter, a source down."""

from collections.abc import Callable
from typing import Any

import pytest
from fakes import ENTRY, MemoryQueue
from fakes.worlds import NoticeWorld, WeatherWorld

from uring.errors import Misconfigured, Unavailable

ERRORS = [Unavailable("s3 is away"), Misconfigured("AccessDenied"), ZeroDivisionError("a bug")]
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
def test_a_product_s_job_too(product: str) -> None:
    """Five minutes have three tries, at 0, 100 and 200 seconds; thirty have six."""
    world = WeatherWorld()
    world.work = MemoryQueue(world.clock, max_receive_count=20, dead_letters=world.dead)
    world.restart()
    world.bucket.get = _raising(Unavailable("s3 is away"))  # type: ignore[method-assign]
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
