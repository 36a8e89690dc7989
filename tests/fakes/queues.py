"""An SQS FIFO queue in virtual time."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

DEDUP_WINDOW = timedelta(minutes=5)
MOST_PER_RECEIVE = 10


class StaleHandle(Exception):
    """The receipt handle is of an earlier receive, or its visibility time-out is over."""


@dataclass(slots=True)
class Message:
    """A message in the queue."""

    message_id: str
    group: str
    dedup_id: str
    body: str
    sent_at: datetime
    attributes: dict[str, str] = field(default_factory=dict)
    receive_count: int = 0
    receipt_handle: str = ""
    visible_at: datetime | None = None


class MemoryQueue:
    """What AWS documents of a FIFO queue, and nothing else.

    A deduplication id is remembered for five minutes from when it was accepted, delivered and
    deleted or not. A group with a message in flight delivers nothing. A message that was received
    ``max_receive_count`` times moves to the dead-letter queue instead of being received once more,
    and its group goes on. A handle works until its visibility time-out ends.

    A message that is older than the retention is deleted, and nothing tells of it.

    Args:
        scope: of the deduplication, ``messageGroup`` or ``queue``.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        *,
        visibility_seconds: int = 90,
        max_receive_count: int = 5,
        dead_letters: "MemoryQueue | None" = None,
        scope: str = "messageGroup",
        retention: timedelta = timedelta.max,
        ticks: "count[int] | None" = None,
    ) -> None:
        self.clock = clock
        self.messages: list[Message] = []
        self.accepted: list[tuple[int, Message]] = []
        self.dead_letters = dead_letters
        self._retention = retention
        self._visibility = timedelta(seconds=visibility_seconds)
        self._max_receive_count = max_receive_count
        self._by_group = scope == "messageGroup"
        self._remembered: dict[tuple[str, str], datetime] = {}
        self._numbers = count(1)
        self._ticks = ticks or count(1)
        self._lock = threading.Lock()

    def send(
        self, group: str, dedup_id: str, body: str, attributes: dict[str, str] | None = None
    ) -> bool:
        """Enqueue; False when it is a repeat, which SQS accepts and never delivers."""
        with self._lock:
            now = self.clock()
            scope = (group if self._by_group else "", dedup_id)
            known = self._remembered.get(scope)
            if known is not None and now - known < DEDUP_WINDOW:
                return False
            self._remembered[scope] = now
            number = next(self._numbers)
            message = Message(f"m{number}", group, dedup_id, body, now, attributes or {})
            self.messages.append(message)
            self.accepted.append((next(self._ticks), message))
            return True

    def receive(self, limit: int = MOST_PER_RECEIVE) -> list[Message]:
        """Up to ten messages, each group's in order, none of a group that has one in flight."""
        with self._lock:
            now = self.clock()
            self._expire()
            blocked = {m.group for m in self.messages if m.visible_at and m.visible_at > now}
            received: list[Message] = []
            for message in list(self.messages):
                if len(received) == limit:
                    break
                if message.group in blocked:
                    continue
                if message.receive_count >= self._max_receive_count:
                    self._give_up(message)
                    continue
                message.receive_count += 1
                message.receipt_handle = f"{message.message_id}/{message.receive_count}"
                message.visible_at = now + self._visibility
                received.append(message)
            return received

    def depth(self) -> int:
        """The number of messages, those in flight included."""
        with self._lock:
            self._expire()
            return len(self.messages)

    def _expire(self) -> None:
        now = self.clock()
        self.messages = [each for each in self.messages if now - each.sent_at < self._retention]

    def delete(self, handle: str) -> None:
        """Acknowledge. Raises StaleHandle."""
        with self._lock:
            self.messages.remove(self._in_flight(handle))

    def change_visibility(self, handle: str, seconds: int) -> None:
        """Make it visible again after ``seconds``. Raises StaleHandle."""
        with self._lock:
            self._in_flight(handle).visible_at = self.clock() + timedelta(seconds=seconds)

    def _in_flight(self, handle: str) -> Message:
        for message in self.messages:
            if message.receipt_handle == handle:
                if message.visible_at is None or message.visible_at <= self.clock():
                    break
                return message
        raise StaleHandle(handle)

    def _give_up(self, message: Message) -> None:
        self.messages.remove(message)
        if self.dead_letters is not None:
            self.dead_letters.send(
                message.group, message.dedup_id, message.body, message.attributes
            )


def lambda_event(messages: Sequence[Message]) -> dict[str, Any]:
    """What Lambda makes of a receive."""
    return {
        "Records": [
            {
                "messageId": message.message_id,
                "receiptHandle": message.receipt_handle,
                "body": message.body,
                "attributes": {
                    "ApproximateReceiveCount": str(message.receive_count),
                    "MessageGroupId": message.group,
                    "MessageDeduplicationId": message.dedup_id,
                },
                "messageAttributes": {
                    name: {"stringValue": value, "dataType": "String"}
                    for name, value in message.attributes.items()
                },
                "eventSource": "aws:sqs",
            }
            for message in messages
        ]
    }
