"""Pushes of one topic keep their order, and those of another wait for none of them (N9)."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from fakes import (
    MemoryLedger,
    MemoryOutlet,
    MemoryQueue,
    MemorySourceQueue,
    RecordingTelemetry,
    VirtualClock,
    lambda_event,
)

from uring.contracts import ChangePublished
from uring.functions.families import named
from uring.push.notifier import Notifier
from uring.push.payload import Push
from uring.push.ports import RetryLater, SendResult, Sent


class Fcm:
    """Answers 429 to some topics."""

    def __init__(self, refused: Sequence[str]) -> None:
        self.refused = set(refused)
        self.accepted: list[tuple[str, str]] = []

    def send(self, push: Push) -> SendResult:
        if push.topic in self.refused:
            return RetryLater("HTTP 429", after_seconds=60, cause="quota")
        self.accepted.append((push.topic, push.data["id"]))
        return Sent("projects/p/messages/1")


class World:
    """The notify queue with the changes of one source, and the notifier."""

    def __init__(self, source: str, *changes: tuple[str, str], refused: Sequence[str] = ()) -> None:
        self.clock = VirtualClock()
        self.dead = MemoryQueue(self.clock)
        self.queue = MemoryQueue(self.clock, max_receive_count=50, dead_letters=self.dead)
        self.fcm = Fcm(refused)
        self.notifier = Notifier(
            MemoryLedger(),
            self.fcm,
            MemorySourceQueue(self.queue, self.dead),
            RecordingTelemetry(),
            named,
            clock=self.clock,
            sent_kept_for=timedelta(days=40),
        )
        MemoryOutlet(self.queue).send(
            [
                ChangePublished(
                    event_id=f"{number:040x}",
                    family="weather",
                    source=source,
                    topic=topic,
                    kind="speci",
                    id=record,
                    revision=1,
                    detected_at="2026-03-02T01:00:00Z",
                    content={"title": record},
                )
                for number, (topic, record) in enumerate(changes)
            ]
        )

    def push(self) -> list[tuple[str, str]]:
        while batch := self.queue.receive():
            answer = self.notifier.run(lambda_event(batch), time_left=lambda: 57)
            failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
            for message in batch:
                if message.message_id not in failed:
                    self.queue.delete(message.receipt_handle)
        return sorted(self.fcm.accepted)


AIRPORTS = [("RKSI", "a"), ("RKSS", "b"), ("RKSI", "c"), ("RKPC", "d"), ("RKSS", "e")]


@pytest.mark.parametrize("hours", [0, 10, 12])
def test_a_refused_airport_holds_back_no_other(hours: int) -> None:
    """However long it is refused: receives of another topic are not burnt either."""
    world = World("metar", *AIRPORTS, refused=["RKSI"])
    others = [("RKPC", "d"), ("RKSS", "b"), ("RKSS", "e")]
    assert world.push() == others
    for _ in range(hours * 4):
        world.clock.advance(minutes=20)
        assert world.push() == others
    assert {message.group for message in world.dead.messages} <= {"RKSI"}


def test_two_products_of_one_airport_keep_one_order() -> None:
    """Devices hear of an airport by one topic, whatever the product."""
    world = World("metar", ("RKSI", "a"), refused=["RKSI"])
    taf = World("taf", ("RKSI", "b"))
    for message in taf.queue.messages:
        world.queue.send(message.group, "taf", message.body)
    assert world.push() == []
    world.fcm.refused.clear()
    world.clock.advance(minutes=20)
    world.push()
    assert world.fcm.accepted == [("RKSI", "a"), ("RKSI", "b")]


def test_a_departments_pushes_keep_their_order_behind_a_refusal() -> None:
    world = World("cs", ("cs", "1"), ("cs", "2"), ("cs", "3"), refused=["cs"])
    assert world.push() == []
    world.fcm.refused.clear()
    world.clock.advance(minutes=20)
    world.push()
    assert world.fcm.accepted == [("cs", "1"), ("cs", "2"), ("cs", "3")]


def test_what_an_older_release_queued_by_source_is_pushed_beside_it_and_once() -> None:
    """The ledger knows an event by its source, record and revision, not by its group."""
    world = World("metar", ("RKSI", "a"))
    (message,) = world.queue.messages
    world.queue.send("metar", "older", message.body)
    assert world.push() == [("RKSI", "a")]
    world.clock.advance(minutes=20)
    assert world.push() == [("RKSI", "a")]
    assert world.queue.messages == []
