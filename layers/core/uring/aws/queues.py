"""SQS FIFO: jobs and changes out, failed records back."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from uring.aws.errors import translated
from uring.changes.ports import Sendable
from uring.changes.retry import Backoff
from uring.contracts import ChangePublished, Job
from uring.errors import Permanent, Unavailable, UringError
from uring.runtime.batches import RENEWALS, BatchRecord
from uring.runtime.telemetry import Telemetry

BATCH: Final = 10
# Of all bodies in one call: SQS takes 256 KiB, attributes included.
BATCH_BYTES: Final = 250_000
# Those that XML 1.0 refuses: by those that it allows, a start would take a hundredth longer.
_REFUSED: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
LONGEST_VISIBILITY_SECONDS: Final = 43_200


@dataclass(frozen=True, slots=True)
class _Entry:
    """A message to send; its group keeps the order, its name dedups for five minutes."""

    group: str
    name: str
    body: str


def _send(client: Any, queue_url: str, entries: Sequence[_Entry]) -> list[_Entry]:
    """Send up to ten entries in one call; return those that were accepted."""
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
    """Yield the entries in order, as many at once as fit into one call."""
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
    """Return text without the characters that SQS refuses a message for."""
    return _REFUSED.sub("\ufffd", text)


class SqsWorkQueue:
    """A queue of jobs, a group per department (N2) or product (W8).

    Args:
        senders: batches that are under way at once. Ten thousand jobs are a thousand, which one
            after the other would wait for a quarter of a minute.
    """

    def __init__(self, client: Any, queue_url: str, *, senders: int = 4) -> None:
        self._client = client
        self._url = queue_url
        self._pool = ThreadPoolExecutor(senders, thread_name_prefix="send")

    def dispatch(self, jobs: Sequence[Job]) -> int:
        """Enqueue each job; return how many were refused. A refusal does not stop the others.

        Raises:
            Unavailable: no answer; the same jobs may be sent again.
            Misconfigured: no such queue, or no permission.
        """
        batches = [*_batches(_Entry(job.group, job.job_id, job.body()) for job in jobs)]
        # One batch has nothing to wait beside.
        in_turn = map if len(batches) == 1 else self._pool.map
        return sum(in_turn(self._refused, batches))

    def _refused(self, batch: list[_Entry]) -> int:
        return len(batch) - len(_send(self._client, self._url, batch))


class FifoQueue:
    """A queue of messages without any order between them, see `uring.changes.ports.Sends`.

    Args:
        senders: batches that are under way at once.
    """

    def __init__(self, client: Any, queue_url: str, *, backoff: Backoff, senders: int = 8) -> None:
        self._client = client
        self._url = queue_url
        self._backoff = backoff
        self._pool = ThreadPoolExecutor(senders, thread_name_prefix="send")

    def send(self, messages: Sequence[Sendable]) -> None:
        """See `Sends.send`."""
        batches = [*_batches(_Entry(each.group, each.name, each.body()) for each in messages)]
        # One batch has nothing to wait beside.
        in_turn = map if len(batches) == 1 else self._pool.map
        refused = sum(in_turn(self._send, batches))
        if refused:
            raise Unavailable(f"sqs:SendMessage {self._url}: refused {refused} messages")

    def _send(self, batch: list[_Entry]) -> int:
        """Send a batch, and what was refused of it again; return how many were to the end."""
        for _ in self._backoff.attempts():
            taken = _send(self._client, self._url, batch)
            batch = [entry for entry in batch if entry not in taken]
            if not batch:
                break
        return len(batch)


class NotifyQueue:
    """The queue of changes, a group per topic, deduplicated by event id (N9).

    SQS may refuse any entry of a batch and take those behind it, so no two of a group are in one
    call. More than twenty changes of a department are one digest: there are few.
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
                    # To the end: every group's first goes before any group's second.
                    waiting[entry.group] = group
        return frozenset(accepted)


class SqsSourceQueue:
    """The queue that a batch came from, and its dead-letter queue.

    Args:
        queue_url: None where records are never deferred; the queue's own time-out applies.
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
        """See `SourceQueue.reject`; the reason travels as the attribute ``reason``.

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

    def renew(self, record: BatchRecord) -> None:
        """See `SourceQueue.renew`.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such queue, or no permission.
        """
        with translated(f"sqs:SendMessage {self._url}"):
            self._client.send_message(
                QueueUrl=self._url,
                MessageBody=record.body,
                MessageGroupId=record.group,
                # A repeat within five minutes is no second copy.
                MessageDeduplicationId=f"renewed-{record.message_id}",
                MessageAttributes={
                    RENEWALS: {"DataType": "Number", "StringValue": str(record.renewals + 1)}
                },
            )
