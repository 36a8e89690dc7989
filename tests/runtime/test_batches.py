"""Batches of SQS FIFO records: a failure costs its own group, and nothing overtakes (N2)."""

import os
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fakes import MemoryQueue, MemorySourceQueue, RecordingTelemetry, VirtualClock, lambda_event

from uring.errors import (
    MalformedMessage,
    Misconfigured,
    NewerRelease,
    Permanent,
    Retryable,
    Unavailable,
    WriteConflict,
)
from uring.runtime.batches import BatchRecord, BatchRunner, Deferred, Postponed

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

    def handle(self, record: BatchRecord) -> None:
        self.handled.append(record.body)
        if record.body in self.trouble:
            raise self.trouble[record.body]

    def failures(self, needs: float = 10, most_receives: int = 0) -> set[str]:
        runner = BatchRunner(self.handle, self.returns, self.telemetry, most_receives=most_receives)
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

    def meet(_: BatchRecord) -> None:
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

    def note(_: BatchRecord) -> None:
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

    def refuse(record: BatchRecord, error: Permanent) -> None:
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

    def refuse(record: BatchRecord, error: Permanent) -> None:
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


class UnorderedWorld(World):
    """A queue of three receives whose groups have no order."""

    def __init__(self, *bodies: str, time_left: Callable[[], float] = lambda: HOUR) -> None:
        super().__init__(time_left=time_left)
        self.began = 0
        self.queue = MemoryQueue(self.clock, max_receive_count=3, dead_letters=self.dead)
        self.returns = MemorySourceQueue(self.queue, self.dead)
        for body in bodies:
            self.queue.send(body[0], body, body)

    def run(self, minutes: int) -> None:
        """Let Lambda ask every minute."""
        for _ in range(minutes):
            # A copy is there at once.
            while received := self.queue.receive():
                self.received, self.began = received, len(self.handled)
                failed = self.failures(most_receives=3)
                for message in received:
                    if message.body not in failed:
                        self.queue.delete(message.receipt_handle)
            self.clock.advance(minutes=1)

    @property
    def letters(self) -> list[str]:
        return sorted(message.body for message in self.dead.messages)


@pytest.mark.parametrize(
    "error", [Unavailable("x"), Misconfigured("x"), WriteConflict("x"), NewerRelease("x")]
)
def test_an_outage_uses_up_no_receives_where_a_group_has_no_order(error: Exception) -> None:
    """Three receives last for three minutes; these for a day, or weeks of a newer release."""
    world = UnorderedWorld("a1", "a2", "b1")
    world.trouble = {"a1": error, "b1": error}
    world.run(minutes=20 * 60)
    assert not world.letters
    world.trouble.clear()
    world.run(minutes=6 * 60)
    assert not world.letters
    assert not world.queue.messages
    assert {"a1", "a2", "b1"} == set(world.handled)


def test_an_outage_of_a_week_makes_dead_letters() -> None:
    world = UnorderedWorld("a1")
    world.trouble["a1"] = Unavailable("x")
    world.run(minutes=7 * 24 * 60)
    assert world.letters == ["a1"]
    assert len(world.handled) < 300


@pytest.mark.parametrize("error", [ZeroDivisionError("bug"), Retryable("of the message")])
def test_a_message_at_fault_has_three_receives_and_its_followers_go_on(error: Exception) -> None:
    world = UnorderedWorld("a1", "a2")
    world.trouble["a1"] = error
    world.run(minutes=60)
    assert world.letters == ["a1"]
    assert world.handled.count("a1") == 3
    assert world.handled.count("a2") == 1
    assert not world.queue.messages


def test_want_of_time_makes_no_dead_letters() -> None:
    """A domain of ten partitions: two fit into an invocation, the others are given back."""
    world = UnorderedWorld(*(f"a{number}" for number in range(10)))
    world.time_left = lambda: HOUR if len(world.handled) < world.began + 2 else 0
    world.run(minutes=60)
    assert not world.letters
    assert sorted(world.handled) == [f"a{number}" for number in range(10)]


def test_a_copy_that_is_refused_leaves_the_record_on_its_queue() -> None:
    world = UnorderedWorld("a1")
    world.trouble["a1"] = Unavailable("x")

    def refuse(_: BatchRecord, **__: bool) -> None:
        raise Unavailable("sqs")

    renew, world.returns.renew = world.returns.renew, refuse
    world.run(minutes=2)
    world.returns.renew = renew
    world.trouble.clear()
    world.run(minutes=5)
    assert not world.letters
    assert not world.queue.messages


def test_a_number_of_copies_that_is_none_counts_as_none() -> None:
    world = World()
    world.queue.send("a", "a1", "a1", {"renewals": "9" * 5_000})
    (record,) = lambda_event(world.queue.receive())["Records"]
    assert BatchRecord.from_event(record).renewals == 0


class Queue:
    """A queue that one handler takes batches from, until nothing is visible."""

    def __init__(self, *bodies: str) -> None:
        self.world = World(*bodies)
        self.world.received = []
        for message in self.world.queue.messages:
            message.receive_count, message.visible_at = 0, None
        self.tries: list[tuple[str, int, int]] = []
        self.paused, self.is_down = set(bodies), True

    def handle(self, record: BatchRecord) -> None:
        if record.body in self.paused:
            raise Postponed("paused", seconds=1_800)
        self.tries.append((record.body, record.receive_count, record.renewals))
        if self.is_down:
            raise Deferred("no answer", seconds=900)

    def drain(self, most: int = 10) -> int:
        """Return the batches that were received."""
        world = self.world
        for batches in range(most):
            received = world.queue.receive()
            if not received:
                return batches
            runner = BatchRunner(self.handle, world.returns, world.telemetry, most_receives=3)
            answer = runner.run(lambda_event(received), time_left=lambda: HOUR, needs=10)
            kept = {each["itemIdentifier"] for each in answer["batchItemFailures"]}
            for message in received:
                if message.message_id not in kept:
                    world.queue.delete(message.receipt_handle)
        raise AssertionError("copies follow each other without an end")


def test_a_record_that_waits_for_weeks_uses_up_no_try_and_does_not_grow_old() -> None:
    queue = Queue("a1")
    for _ in range(2_000):
        queue.drain()
        queue.world.clock.advance(900)
    (message,) = queue.world.queue.messages
    assert queue.world.clock() - message.sent_at <= timedelta(hours=1)
    assert not queue.world.dead.messages
    queue.paused = set()
    for _ in range(8):
        queue.world.clock.advance(900)
        queue.drain()
    tries = [count for _, count, _ in queue.tries]
    assert tries[:3] in ([1, 2, 3], [1, 1, 2])
    assert queue.tries[0][2] == 0


def test_a_record_that_waits_holds_up_no_other_of_its_group() -> None:
    queue = Queue("a1", "a2", "a3")
    queue.paused, queue.is_down = {"a1", "a3"}, False
    queue.drain()
    assert [body for body, _, _ in queue.tries] == ["a2"]
    queue.paused = set()
    queue.world.clock.advance(1_800)
    queue.drain()
    assert {body for body, _, _ in queue.tries} == {"a1", "a2", "a3"}


def test_a_record_whose_copy_is_refused_waits_itself() -> None:
    queue = Queue("a1")

    def refuse(_: BatchRecord, **__: bool) -> None:
        raise Unavailable("sqs")

    queue.world.returns.renew = refuse
    queue.drain()
    assert [message.receive_count for message in queue.world.queue.messages] == [1]
    assert queue.world.receivable_after(1_799) == []
    assert queue.world.receivable_after(1) == ["a1"]
