"""Batches of SQS FIFO records: a failure costs its own group, and nothing overtakes (N2)."""

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from fakes import MemoryQueue, MemorySourceQueue, RecordingTelemetry, VirtualClock, lambda_event

from uring.errors import MalformedMessage, NewerRelease, Permanent, Unavailable
from uring.runtime.batches import BatchRunner, Deferred, Record

HOUR = 3600.0


class World:
    """A queue with two groups, and a handler that does what its script says."""

    def __init__(self, *bodies: str, time_left: Callable[[], float] = lambda: HOUR) -> None:
        self.clock = VirtualClock()
        self.dead = MemoryQueue(self.clock)
        self.queue = MemoryQueue(self.clock, dead_letters=self.dead)
        self.telemetry = RecordingTelemetry()
        self.returns: Any = MemorySourceQueue(self.queue, self.dead)
        self.handled: list[str] = []
        self.trouble: dict[str, Exception] = {}
        self.time_left = time_left
        for body in bodies:
            self.queue.send(body[0], body, body)
        self.received = self.queue.receive()

    def handle(self, record: Record) -> None:
        self.handled.append(record.body)
        if record.body in self.trouble:
            raise self.trouble[record.body]

    def failures(self, needs: float = 10) -> set[str]:
        runner = BatchRunner(self.handle, self.returns, self.telemetry)
        answer = runner.run(lambda_event(self.received), time_left=self.time_left, needs=needs)
        names = {message.message_id: message.body for message in self.received}
        assert answer.keys() == {"batchItemFailures"}
        return {names[failure["itemIdentifier"]] for failure in answer["batchItemFailures"]}

    def receivable_after(self, seconds: float) -> list[str]:
        self.clock.advance(seconds)
        return [message.body for message in self.queue.receive()]


def test_all_well_fails_nothing() -> None:
    world = World("a1", "b1", "a2", "b2")
    assert world.failures() == set()
    assert sorted(world.handled) == ["a1", "a2", "b1", "b2"]


def test_a_group_is_handled_in_order() -> None:
    world = World(*(f"a{number}" for number in range(10)))
    world.failures()
    assert world.handled == [f"a{number}" for number in range(10)]


def test_a_failure_fails_the_rest_of_its_group_and_nothing_else() -> None:
    world = World("a1", "b1", "a2", "b2")
    world.trouble["a1"] = Unavailable("x")
    assert world.failures() == {"a1", "a2"}
    assert sorted(world.handled) == ["a1", "b1", "b2"], "a2 must not overtake, b's run once"


def test_a_batch_of_one_that_fails_is_an_answer_and_no_exception() -> None:
    world = World("a1")
    world.trouble["a1"] = Unavailable("x")
    assert world.failures() == {"a1"}


def test_groups_run_side_by_side() -> None:
    """Each waits for the other: one after the other would never end."""
    barrier = threading.Barrier(2, timeout=60)
    world = World("a1", "b1")

    def meet(_: Record) -> None:
        barrier.wait()

    runner = BatchRunner(meet, world.returns, world.telemetry)
    answer = runner.run(lambda_event(world.received), time_left=lambda: HOUR, needs=1)
    assert answer == {"batchItemFailures": []}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not let threads choose")
def test_all_groups_compute_on_one_core_and_the_caller_where_it_likes() -> None:
    allowed = os.sched_getaffinity(0)
    cores: list[set[int]] = []
    barrier = threading.Barrier(3, timeout=60)
    world = World("a1", "b1", "c1")

    def note(_: Record) -> None:
        barrier.wait()
        cores.append(os.sched_getaffinity(0))

    runner = BatchRunner(note, world.returns, world.telemetry)
    runner.run(lambda_event(world.received), time_left=lambda: HOUR, needs=1)
    assert cores == [cores[0]] * 3
    assert len(cores[0]) == 1
    assert cores[0] <= allowed
    assert os.sched_getaffinity(0) == allowed


def test_a_bug_costs_its_own_group_and_leaves_a_trace() -> None:
    world = World("a1", "b1")
    world.trouble["a1"] = ZeroDivisionError("bug")
    assert world.failures() == {"a1"}
    (problem,) = world.telemetry.named("record_failed")
    assert (problem["error"], problem["trace"]) == ("ZeroDivisionError", True)


def test_a_record_that_can_never_succeed_is_a_dead_letter_and_its_group_goes_on() -> None:
    world = World("a1", "a2")
    world.trouble["a1"] = MalformedMessage("field x; do y")
    assert world.failures() == set()
    assert world.handled == ["a1", "a2"]
    assert [(m.body, m.attributes["reason"]) for m in world.dead.messages] == [
        ("a1", "field x; do y")
    ]


def test_what_cannot_be_rejected_is_not_acknowledged() -> None:
    world = World("a1", "a2")
    world.trouble["a1"] = MalformedMessage("x")

    def refuse(record: Record, error: Permanent) -> None:
        del record, error
        raise Unavailable("dead-letter queue")

    world.returns.reject = refuse
    assert world.failures() == {"a1", "a2"}
    assert world.handled == ["a1"]


def test_a_deferral_is_for_the_whole_rest_of_its_group() -> None:
    """Were a2 visible before a1, a2 would be delivered first."""
    world = World("a1", "a2", "a3", "b1")
    world.trouble["a2"] = Deferred("not due", seconds=20)
    assert world.failures() == {"a2", "a3"}
    assert world.handled.count("a3") == 0
    for message in list(world.queue.messages):
        if message.body in ("a1", "b1"):
            world.queue.delete(message.receipt_handle)
    assert world.receivable_after(19) == []
    assert world.receivable_after(1) == ["a2", "a3"]


def test_out_of_time_gives_records_back_untouched_and_at_once() -> None:
    left = iter([100.0, 5.0])
    world = World("a1", "a2", "a3", time_left=lambda: next(left))
    assert world.failures(needs=10) == {"a2", "a3"}
    assert world.handled == ["a1"]
    world.queue.delete(world.received[0].receipt_handle)
    assert world.receivable_after(0) == ["a2", "a3"]


@pytest.mark.parametrize("error", [Unavailable("x"), ZeroDivisionError("bug")], ids=str)
def test_a_failure_comes_back_later_and_later(error: Exception) -> None:
    """The queue's own time-out is for a death: fifty receives would be over in an hour."""
    world = World("a1", "a2")
    world.trouble["a1"] = error
    for seconds in (60, 120, 240, 480, 900):
        assert world.failures() == {"a1", "a2"}
        assert world.receivable_after(seconds - 1) == []
        world.clock.advance(1)
        world.received = world.queue.receive()


@pytest.mark.parametrize(
    ("error", "count"),
    [
        (Unavailable("x"), 1),
        (ZeroDivisionError("bug"), 1),
        (MalformedMessage("x"), 1),
        (NewerRelease("x"), 1),
        (Deferred("not due", seconds=9), 0),
        (Deferred("a failed check", seconds=9, is_failure=True), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_record_that_fails_is_counted(error: Exception, count: int) -> None:
    """An alarm of its own: what comes back in time reaches no dead-letter queue."""
    world = World("a1", "b1")
    world.trouble["a1"] = error
    world.failures()
    assert world.telemetry.counts["RecordsFailed"] == count


def test_a_record_that_cannot_be_rejected_is_counted_as_well() -> None:
    world = World("a1")
    world.trouble["a1"] = MalformedMessage("x")

    def refuse(record: Record, error: Permanent) -> None:
        del record, error
        raise Unavailable("dead-letter queue")

    world.returns.reject = refuse
    world.failures()
    assert world.telemetry.counts == {"RecordsFailed": 1}


def test_the_report_names_the_record_and_the_reason() -> None:
    world = World("a1")
    world.trouble["a1"] = Unavailable("s3 is away")
    world.failures()
    (problem,) = world.telemetry.named("record_failed")
    assert problem == {
        "group": "a",
        "message_id": "m1",
        "receive_count": 1,
        "error": "Unavailable",
        "reason": "s3 is away",
        "trace": False,
    }


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"Records": None},
        {"Records": ["x"]},
        {"Records": [{}]},
        {"Records": [{"messageId": "1", "receiptHandle": "h", "body": "b", "attributes": {}}]},
        {
            "Records": [
                {
                    "messageId": "1",
                    "receiptHandle": "h",
                    "body": "b",
                    "attributes": {"MessageGroupId": "g", "ApproximateReceiveCount": "many"},
                }
            ]
        },
        [],
        None,
    ],
    ids=str,
)
def test_an_event_that_is_no_fifo_batch_is_refused_as_a_whole(event: Any) -> None:
    world = World()
    runner = BatchRunner(world.handle, world.returns, world.telemetry)
    with pytest.raises(MalformedMessage, match=r"not a batch of an SQS FIFO queue; events/"):
        runner.run(event, time_left=lambda: HOUR, needs=1)
