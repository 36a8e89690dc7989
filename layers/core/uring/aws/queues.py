"""SQS FIFO: jobs and changes out, failed records back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from uring.aws.errors import translated
from uring.contracts import ChangePublished, Job
from uring.errors import Permanent, UringError
from uring.runtime.batches import Record
from uring.runtime.telemetry import Telemetry

BATCH: Final = 10
_REFUSED: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LONGEST_VISIBILITY_SECONDS: Final = 43_200


@dataclass(frozen=True, slots=True)
class _Entry:
    """A message to send; its group keeps the order, its name dedups for five minutes."""

    group: str
    name: str
    body: str


def _send(client: Any, queue_url: str, entries: Sequence[_Entry]) -> set[str]:
    """Send in order, ten a call, up to the first call with a refusal; the names accepted."""
    accepted: set[str] = set()
    for start in range(0, len(entries), BATCH):
        chunk = entries[start : start + BATCH]
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
                    for position, entry in enumerate(chunk)
                ],
            )
        accepted.update(chunk[int(sent["Id"])].name for sent in answer.get("Successful", []))
        if answer.get("Failed"):
            break
    return accepted


def _sendable(text: str) -> str:
    """Return text without the characters that SQS refuses a message for."""
    return _REFUSED.sub("\ufffd", text)


class WorkQueue:
    """A queue of jobs, a group per department (N2) or product (W8)."""

    def __init__(self, client: Any, queue_url: str) -> None:
        self._client = client
        self._url = queue_url

    def dispatch(self, jobs: Sequence[Job]) -> int:
        """Enqueue each job; how many were refused. A refusal does not stop the others.

        Raises:
            Unavailable: no answer; the same jobs may be sent again.
            Misconfigured: no such queue, or no permission.
        """
        refused = 0
        for start in range(0, len(jobs), BATCH):
            chunk = jobs[start : start + BATCH]
            entries = [_Entry(job.group, job.job_id, job.body()) for job in chunk]
            accepted = _send(self._client, self._url, entries)
            refused += len(chunk) - len(accepted)
        return refused


class NotifyQueue:
    """The queue of changes, a group per source, deduplicated by event id (N9)."""

    def __init__(self, client: Any, queue_url: str) -> None:
        self._client = client
        self._url = queue_url

    def send(self, changes: Sequence[ChangePublished]) -> frozenset[str]:
        """See `uring.changes.ports.Outlet.send`."""
        entries = [_Entry(change.source, change.event_id, change.body()) for change in changes]
        accepted = _send(self._client, self._url, entries)
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

    def defer(self, records: Sequence[Record], seconds: int) -> None:
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

    def reject(self, record: Record, error: Permanent) -> None:
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
