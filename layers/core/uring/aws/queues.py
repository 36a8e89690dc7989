"""SQS FIFO queues: send jobs and changes, return failed records."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from uring.aws.errors import translated
from uring.changes.ports import Sendable
from uring.changes.retry import Backoff
from uring.contracts import ChangePublished, Job
from uring.errors import Permanent, Unavailable, UringError
from uring.runtime.batches import RENEWALS, WAITS, BatchRecord
from uring.runtime.telemetry import Telemetry

BATCH: Final = 10
# The limit for all bodies in one call: SQS takes 256 KiB, with attributes.
BATCH_BYTES: Final = 250_000
# The characters that XML 1.0 forbids; a pattern of the allowed ones makes a start 1 % slower.
_REFUSED: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DEPTHS: Final = (
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
)
LONGEST_VISIBILITY_SECONDS: Final = 43_200


@dataclass(frozen=True, slots=True)
class _Entry:
    """A message to send; a group keeps its order, a name is deduplicated for five minutes."""

    group: str
    name: str
    body: str


def _send(client: Any, queue_url: str, entries: Sequence[_Entry]) -> list[_Entry]:
    """Send up to ten entries in one call; return the accepted ones."""
    with translated(f"sqs:SendMessage {queue_url}"):
        answer = client.send_message_batch(
            QueueUrl=queue_url,
            Entries=[
                {
                    "Id": str(position),
                    "MessageBody": entry.body,
                    "MessageGroupId": entry.group,
                    "MessageDeduplicationId": entry.name,
                }
                for position, entry in enumerate(entries)
            ],
        )
    return [entries[int(sent["Id"])] for sent in answer.get("Successful", [])]


def _batches(entries: Iterable[_Entry]) -> Iterator[list[_Entry]]:
    """Yield the entries in order, in batches that fit into one call."""
    batch, size = list[_Entry](), 0
    for entry in entries:
        own = len(entry.body.encode())
        if batch and (len(batch) == BATCH or size + own > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += own
    if batch:
        yield batch


def _sendable(text: str) -> str:
    """Return a text with U+FFFD for each character that SQS refuses."""
    return _REFUSED.sub("\ufffd", text)


class SqsWorkQueue:
    """A queue of jobs, a group for each department (N2) or product (W8).

    Args:
        senders: the number of batches sent at once. Ten thousand jobs are a thousand batches,
            which would take a quarter of a minute one after the other.
    """

    def __init__(self, client: Any, queue_url: str, *, senders: int = 4) -> None:
        self._client = client
        self._url = queue_url
        self._pool = ThreadPoolExecutor(senders, thread_name_prefix="send")

    def dispatch(self, jobs: Sequence[Job]) -> int:
        """Send the jobs; return the number of refused ones. A refusal does not stop the others.

        Raises:
            Unavailable: no answer; the same jobs may be sent again.
            Misconfigured: no such queue, or no permission.
        """
        batches = [*_batches(_Entry(job.group, job.job_id, job.body()) for job in jobs)]
        # A single batch needs no other thread.
        in_turn = map if len(batches) == 1 else self._pool.map
        return sum(in_turn(self._refused, batches))

    def _refused(self, batch: list[_Entry]) -> int:
        return len(batch) - len(_send(self._client, self._url, batch))


class FifoQueue:
    """A queue of messages without order between them, see `uring.changes.ports.Sends`.

    Args:
        senders: the number of batches sent at once.
    """

    def __init__(self, client: Any, queue_url: str, *, backoff: Backoff, senders: int = 8) -> None:
        self._client = client
        self._url = queue_url
        self._backoff = backoff
        self._pool = ThreadPoolExecutor(senders, thread_name_prefix="send")

    def send(self, messages: Sequence[Sendable]) -> None:
        """See `Sends.send`."""
        batches = [*_batches(_Entry(each.group, each.name, each.body()) for each in messages)]
        # A single batch needs no other thread.
        in_turn = map if len(batches) == 1 else self._pool.map
        refused = sum(in_turn(self._send, batches))
        if refused:
            raise Unavailable(f"sqs:SendMessage {self._url}: refused {refused} messages")

    def _send(self, batch: list[_Entry]) -> int:
        """Send a batch, and again what was refused; return the number refused in the last try."""
        for _ in self._backoff.attempts():
            taken = _send(self._client, self._url, batch)
            batch = [entry for entry in batch if entry not in taken]
            if not batch:
                break
        return len(batch)


def queue_depth(client: Any, queue_url: str) -> int:
    """Return the number of a queue's messages, those in flight and delayed included.

    SQS counts approximately, up to a minute late.

    Raises:
        Unavailable: no answer.
        Misconfigured: no such queue, or no permission.
    """
    with translated(f"sqs:GetQueueAttributes {queue_url}"):
        answer = client.get_queue_attributes(QueueUrl=queue_url, AttributeNames=[*_DEPTHS])
    return sum(int(answer.get("Attributes", {}).get(name, 0)) for name in _DEPTHS)


class PulledQueue:
    """A FIFO queue that a function reads itself, see `uring.seeds.domains.refill.Pulls`.

    Args:
        seconds: that an empty queue is waited for; with none, SQS may overlook messages.
    """

    def __init__(self, client: Any, queue_url: str, *, seconds: int = 1) -> None:
        self._client = client
        self._url = queue_url
        self._seconds = seconds

    def receive(self, most: int) -> list[dict[str, Any]]:
        """See `Pulls.receive`."""
        with translated(f"sqs:ReceiveMessage {self._url}"):
            answer = self._client.receive_message(
                QueueUrl=self._url,
                MaxNumberOfMessages=min(most, BATCH),
                WaitTimeSeconds=self._seconds,
                AttributeNames=["ApproximateReceiveCount", "MessageGroupId"],
                MessageAttributeNames=["All"],
            )
        return [lambda_record(message) for message in answer.get("Messages", [])]

    def delete(self, records: Sequence[Mapping[str, Any]]) -> None:
        """See `Pulls.delete`."""
        entries = [
            {"Id": str(position), "ReceiptHandle": record["receiptHandle"]}
            for position, record in enumerate(records)
        ]
        with translated(f"sqs:DeleteMessage {self._url}"):
            self._client.delete_message_batch(QueueUrl=self._url, Entries=entries)


def lambda_record(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message that was received with all its attributes as Lambda hands it over."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {
            name: {"stringValue": value.get("StringValue", ""), "dataType": value["DataType"]}
            for name, value in message.get("MessageAttributes", {}).items()
        },
    }


class NotifyQueue:
    """The queue of changes, a group for each topic, deduplicated by event id (N9).

    SQS may refuse any entry of a batch and accept later ones, so a call has at most one entry of a
    group. There are few calls: more than twenty changes of a department are one digest.
    """

    def __init__(self, client: Any, queue_url: str) -> None:
        self._client = client
        self._url = queue_url

    def send(self, changes: Sequence[ChangePublished]) -> frozenset[str]:
        """See `uring.changes.ports.Outlet.send`."""
        waiting: dict[str, deque[_Entry]] = {}
        for change in changes:
            entry = _Entry(change.group, change.event_id, change.body())
            waiting.setdefault(entry.group, deque()).append(entry)
        accepted: set[str] = set()
        while waiting:
            batch = [group[0] for group in islice(waiting.values(), BATCH)]
            taken = _send(self._client, self._url, batch)
            accepted.update(entry.name for entry in taken)
            for entry in batch:
                group = waiting.pop(entry.group)
                group.popleft()
                if entry in taken and group:
                    # To the end: the first entry of every group is sent before any second one.
                    waiting[entry.group] = group
        return frozenset(accepted)


class SqsSourceQueue:
    """The queue that a batch comes from, and its dead-letter queue.

    Args:
        queue_url: None if records are never deferred; the queue's own time-out applies.
    """

    def __init__(
        self, client: Any, *, queue_url: str | None, dead_letter_url: str, telemetry: Telemetry
    ) -> None:
        self._client = client
        self._url = queue_url
        self._dead_letter_url = dead_letter_url
        self._telemetry = telemetry

    def defer(self, records: Sequence[BatchRecord], seconds: int) -> None:
        """See `SourceQueue.defer`. If it fails, the queue's own time-out applies."""
        if self._url is None:
            return
        for start in range(0, len(records), BATCH):
            chunk = records[start : start + BATCH]
            try:
                with translated(f"sqs:ChangeMessageVisibility {self._url}"):
                    answer = self._client.change_message_visibility_batch(
                        QueueUrl=self._url,
                        Entries=[
                            {
                                "Id": str(position),
                                "ReceiptHandle": record.receipt_handle,
                                "VisibilityTimeout": min(seconds, LONGEST_VISIBILITY_SECONDS),
                            }
                            for position, record in enumerate(chunk)
                        ],
                    )
                failed = answer.get("Failed", [])
            except UringError as error:
                failed = [{"Message": str(error)}]
            if failed:
                self._telemetry.problem("defer_failed", reason=failed[0].get("Message", ""))

    def reject(self, record: BatchRecord, error: Permanent) -> None:
        """See `SourceQueue.reject`; the attribute ``reason`` has the error.

        Raises:
            Unavailable: no answer; the record must not be acknowledged.
        """
        with translated(f"sqs:SendMessage {self._dead_letter_url}"):
            self._client.send_message(
                QueueUrl=self._dead_letter_url,
                MessageBody=record.body,
                MessageGroupId=record.group,
                MessageDeduplicationId=record.message_id,
                MessageAttributes={
                    "reason": {"DataType": "String", "StringValue": _sendable(str(error))[:1000]}
                },
            )

    def renew(self, record: BatchRecord, *, waits: bool = False) -> None:
        """See `SourceQueue.renew`.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such queue, or no permission.
        """
        numbers = {RENEWALS: record.renewals + 1}
        if waits:
            numbers = {RENEWALS: record.renewals, WAITS: 1}
        with translated(f"sqs:SendMessage {self._url}"):
            self._client.send_message(
                QueueUrl=self._url,
                MessageBody=record.body,
                MessageGroupId=record.group,
                # A repeat within five minutes does not make a second copy.
                MessageDeduplicationId=f"renewed-{record.message_id}",
                MessageAttributes={
                    name: {"DataType": "Number", "StringValue": str(number)}
                    for name, number in numbers.items()
                },
            )
