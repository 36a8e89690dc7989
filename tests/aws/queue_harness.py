"""A work or notify queue with its dead-letter queue, on the fake and on implementations of SQS."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import (
    ENTRY,
    MemoryOutlet,
    MemoryPulls,
    MemoryQueue,
    MemorySourceQueue,
    MemoryWorkQueue,
    RecordingTelemetry,
    StaleHandle,
    VirtualClock,
    lambda_event,
)

from uring.aws.queues import NotifyQueue, PulledQueue, SqsSourceQueue, SqsWorkQueue
from uring.changes import jobs
from uring.changes.ports import Outlet
from uring.contracts import ChangePublished, Job
from uring.runtime.batches import BatchRecord, SourceQueue
from uring.seeds.domains.refill import Pulls

WHEN = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
VISIBILITY_SECONDS = 90
MAX_RECEIVE_COUNT = 3


class QueueHarness(ABC):
    """The ports over one queue, and what Lambda's poller does with it."""

    outlet: Outlet
    work: jobs.WorkQueue
    returns: SourceQueue
    pulls: Pulls

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock

    @abstractmethod
    def receive(self) -> list[BatchRecord]:
        """As Lambda delivers a batch."""

    @abstractmethod
    def delete(self, record: BatchRecord) -> bool:
        """Acknowledge; whether the queue agreed."""

    @abstractmethod
    def dead_letters(self) -> list[tuple[str, str, str]]:
        """Group, body, reason."""

    def drain(self) -> list[BatchRecord]:
        """Receive and acknowledge until nothing comes."""
        everything: list[BatchRecord] = []
        while batch := self.receive():
            everything += batch
            for record in batch:
                self.delete(record)
        return everything


class MemoryHarness(QueueHarness):
    """Over `fakes.MemoryQueue`."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(clock)
        self._dead = MemoryQueue(clock)
        self._queue = MemoryQueue(
            clock,
            visibility_seconds=VISIBILITY_SECONDS,
            max_receive_count=MAX_RECEIVE_COUNT,
            dead_letters=self._dead,
        )
        self.outlet = MemoryOutlet(self._queue)
        self.work = MemoryWorkQueue(self._queue)
        self.returns = MemorySourceQueue(self._queue, self._dead)
        self.pulls = MemoryPulls(self._queue)

    def receive(self) -> list[BatchRecord]:
        return [BatchRecord.from_event(r) for r in lambda_event(self._queue.receive())["Records"]]

    def delete(self, record: BatchRecord) -> bool:
        try:
            self._queue.delete(record.receipt_handle)
        except StaleHandle:
            return False
        return True

    def dead_letters(self) -> list[tuple[str, str, str]]:
        return [(m.group, m.body, m.attributes.get("reason", "")) for m in self._dead.messages]


class NoVirtualTime(VirtualClock):
    """The clock of a server that keeps its own time: a case that moves it is skipped."""

    def advance(self, seconds: float = 0, **more: float) -> datetime:
        pytest.skip(f"needs virtual time: {seconds} s {more or ''}")


class SqsHarness(QueueHarness):
    """Over the adapters and a client."""

    def __init__(self, clock: VirtualClock, client: Any, name: str) -> None:
        super().__init__(clock)
        self._client = client
        self._dead = self._create(f"{name}-dead.fifo", {})
        arn = self._client.get_queue_attributes(QueueUrl=self._dead, AttributeNames=["QueueArn"])[
            "Attributes"
        ]["QueueArn"]
        redrive = f'{{"deadLetterTargetArn":"{arn}","maxReceiveCount":{MAX_RECEIVE_COUNT}}}'
        self._url = self._create(
            f"{name}.fifo",
            {
                "VisibilityTimeout": str(VISIBILITY_SECONDS),
                "RedrivePolicy": redrive,
                "DeduplicationScope": "messageGroup",
                "FifoThroughputLimit": "perMessageGroupId",
            },
        )
        self.telemetry = RecordingTelemetry()
        self.outlet = NotifyQueue(self._client, self._url)
        self.work = SqsWorkQueue(self._client, self._url)
        self.returns = SqsSourceQueue(
            self._client,
            queue_url=self._url,
            dead_letter_url=self._dead,
            telemetry=self.telemetry,
        )
        self.pulls = PulledQueue(self._client, self._url, seconds=0)

    def receive(self) -> list[BatchRecord]:
        return [BatchRecord.from_event(_as_lambda(m)) for m in self._receive(self._url)]

    def delete(self, record: BatchRecord) -> bool:
        try:
            self._client.delete_message(QueueUrl=self._url, ReceiptHandle=record.receipt_handle)
        except self._client.exceptions.ReceiptHandleIsInvalid:
            return False
        return True

    def dead_letters(self) -> list[tuple[str, str, str]]:
        return [
            (
                message["Attributes"]["MessageGroupId"],
                message["Body"],
                message.get("MessageAttributes", {}).get("reason", {}).get("StringValue", ""),
            )
            for message in self._receive(self._dead)
        ]

    def _create(self, name: str, attributes: dict[str, str]) -> str:
        answer = self._client.create_queue(
            QueueName=name, Attributes={"FifoQueue": "true", **attributes}
        )
        return str(answer["QueueUrl"])

    def _receive(self, url: str) -> Sequence[dict[str, Any]]:
        answer = self._client.receive_message(
            QueueUrl=url,
            MaxNumberOfMessages=10,
            WaitTimeSeconds=0,
            MessageSystemAttributeNames=["All"],
            MessageAttributeNames=["All"],
        )
        messages: Sequence[dict[str, Any]] = answer.get("Messages", [])
        return messages


def _as_lambda(message: dict[str, Any]) -> dict[str, Any]:
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {
            name: {"stringValue": value["StringValue"], "dataType": value["DataType"]}
            for name, value in message.get("MessageAttributes", {}).items()
        },
    }


def change(number: int, source: str = "cs", event_id: str | None = None) -> ChangePublished:
    return ChangePublished(
        event_id=event_id or f"{number:040x}",
        family="notices",
        source=source,
        topic=source,
        kind="new",
        id=str(number),
        revision=1,
        detected_at="2026-03-02T01:00:00Z",
        content={"title": f"공지 {number}", "date": None, "category": None, "link": "https://x/"},
    )


def job(source: str, minute: int = 0) -> Job:
    return Job(
        family="notices",
        source=source,
        scheduled_at=WHEN.replace(minute=minute),
        interval_minutes=10,
        entry={**ENTRY, "id": source},
    )
