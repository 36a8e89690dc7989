"""A worker's death costs a source its time-out and half a minute, and none of its runs (N15)."""

from collections.abc import Callable
from typing import Any

import pytest
from expanded import Stack, read_template
from fakes import ENTRY, Died, MemoryQueue, Notice
from fakes.worlds import FamilyWorld, NoticeWorld, WeatherWorld

from uring.contracts import Job

QUEUES = Stack(read_template(), WeatherKeySecret="example").of_type("AWS::SQS::Queue")
STEP_SECONDS = 10


def queued(world: FamilyWorld[Any], queue: str) -> None:
    """Give the world the template's work queue."""
    world.work = MemoryQueue(
        world.clock,
        visibility_seconds=QUEUES[queue]["VisibilityTimeout"],
        max_receive_count=QUEUES[queue]["RedrivePolicy"]["maxReceiveCount"],
        dead_letters=world.dead,
    )
    world.restart()


def seconds_until(
    world: FamilyWorld[Any], job: Callable[[], Job], interval: int, done: Callable[[], bool]
) -> int:
    """Tick and poll, whoever dies, until it is done; return how long that took."""
    for step in range(3 * interval // STEP_SECONDS):
        if step * STEP_SECONDS % interval == 0:
            world.work_queue.dispatch([job()])
        try:
            world.poll()
        except Died:
            world.restart()
        if done():
            return step * STEP_SECONDS
        world.clock.advance(STEP_SECONDS)
    pytest.fail("never")


def dying(call: Callable[..., Any], times: int = 1) -> Callable[..., Any]:
    """Return the call, whose process dies the first few times."""
    left = [None] * times

    def die(*args: Any, **more: Any) -> Any:
        if left:
            left.pop()
            raise Died
        return call(*args, **more)

    return die


def products(product: str) -> WeatherWorld:
    """A product, and what the gateway says of it."""
    world = WeatherWorld()
    header = {"report_type": "METAR", "observation_time": "2026-03-02T01:00:00Z"}
    fair = {"airport_name": "x", "warnings": []}
    report = fair if product == "warning" else {"header": header, "raw": None}
    world.reports = dict.fromkeys(world.airports, report)
    queued(world, "WeatherQueue")
    return world


@pytest.mark.parametrize(("product", "minutes"), [("warning", 5), ("metar", 10), ("taf", 30)])
@pytest.mark.parametrize("where", ["asking", "announcing"])
def test_a_product_is_run_again_within_its_interval(product: str, minutes: int, where: str) -> None:
    """Eighteen minutes before: the warnings missed three runs, and what was committed was late."""
    world = products(product)
    if where == "asking":
        world.collect = dying(world.collect)  # type: ignore[method-assign]
    else:
        world.bucket.put = dying(world.bucket.put)  # type: ignore[method-assign]
    took = seconds_until(
        world,
        lambda: world.job(product, interval_minutes=minutes),
        minutes * 60,
        lambda: f"data/{product}/latest.json" in world.bucket.bodies(),
    )
    assert took == 210 < minutes * 60
    assert world.telemetry.named("dropped") == []


def test_a_product_that_dies_twice_is_run_by_the_next_tick_s_job_at_the_latest() -> None:
    world = products("warning")
    world.collect = dying(world.collect, times=2)  # type: ignore[method-assign]
    took = seconds_until(
        world,
        lambda: world.job("warning", interval_minutes=5),
        300,
        lambda: "data/warning/latest.json" in world.bucket.bodies(),
    )
    assert took <= 2 * 210
    assert len(world.telemetry.named("dropped")) <= 1


def test_a_push_that_was_committed_and_not_sent_is_late_by_a_minute_and_a_half() -> None:
    world = NoticeWorld()
    world.check()
    world.clock.advance(600)
    queued(world, "NoticeQueue")
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.outlet.send = dying(world.outlet.send)  # type: ignore[method-assign]
    took = seconds_until(
        world, lambda: world.job("cs", entry=ENTRY), 600, lambda: bool(world.pushes())
    )
    assert took == 90
