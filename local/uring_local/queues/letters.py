"""Dead letters: received, read, and put back.

To look at a letter is to receive it and make it visible again: SQS has no other way. It returns at
most ten of a group before one of them is deleted, so later ones stay unseen.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from uring.aws.errors import translated
from uring.errors import UringError
from uring.runtime.batches import RENEWALS
from uring_local.queues.pairs import Queue

BATCH: Final = 10
REASON: Final = "reason"
# Long enough to send ten letters; if this process dies they come back after it.
_HELD_SECONDS: Final = 120
# Any wait at all asks every server of the queue, which makes an empty response reliable.
WAIT_SECONDS: Final = 1


@dataclass(frozen=True, slots=True)
class ReceivedLetter:
    """A dead letter, as received.

    Args:
        id: the message's id; it stays the same while the letter is in this queue.
        group: its message group.
        deduplication: the deduplication id that it was sent with.
        receives: the number of receives, those in its source queue included.
        sent_at: the time when it entered its queue.
        reason: why it can never succeed, if a worker rejected it; else empty.
        attributes: the other attributes, in SQS's form, without the number of renewals.
    """

    id: str
    group: str
    deduplication: str
    body: str
    receives: int
    sent_at: datetime
    reason: str
    receipt: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


class LetterBox:
    """The letters of one dead-letter queue.

    Every method may raise Unavailable or Misconfigured.
    """

    def __init__(self, client: Any, queue: Queue) -> None:
        self.queue = queue
        self._client = client

    def receive(self, most: int = BATCH) -> list[ReceivedLetter]:
        """Return up to ten letters, oldest of each group first; empty if none can be received."""
        with translated(f"sqs:ReceiveMessage {self.queue.name}"):
            answer = self._client.receive_message(
                QueueUrl=self.queue.url,
                MaxNumberOfMessages=min(most, BATCH),
                VisibilityTimeout=_HELD_SECONDS,
                WaitTimeSeconds=WAIT_SECONDS,
                AttributeNames=["All"],
                MessageAttributeNames=["All"],
            )
        return [_letter(message) for message in answer.get("Messages", [])]

    def put_back(self, letters: Sequence[ReceivedLetter]) -> None:
        """Make letters visible at once; if that fails they become visible by themselves, soon."""
        for start in range(0, len(letters), BATCH):
            entries = [
                {"Id": str(number), "ReceiptHandle": letter.receipt, "VisibilityTimeout": 0}
                for number, letter in enumerate(letters[start : start + BATCH])
            ]
            with suppress(UringError), translated(f"sqs:ChangeMessageVisibility {self.queue.name}"):
                self._client.change_message_visibility_batch(
                    QueueUrl=self.queue.url, Entries=entries
                )

    def delete(self, letters: Sequence[ReceivedLetter]) -> list[ReceivedLetter]:
        """Delete up to ten letters; return the letters that could not be deleted."""
        with translated(f"sqs:DeleteMessage {self.queue.name}"):
            answer = self._client.delete_message_batch(
                QueueUrl=self.queue.url,
                Entries=[
                    {"Id": str(number), "ReceiptHandle": letter.receipt}
                    for number, letter in enumerate(letters)
                ],
            )
        return [letters[int(each["Id"])] for each in answer.get("Failed", [])]

    @contextmanager
    def held(self) -> Iterator[list[ReceivedLetter]]:
        """Yield a list whose letters are put back at the end, after an error too."""
        letters: list[ReceivedLetter] = []
        try:
            yield letters
        finally:
            self.put_back(letters)

    def peek(self, limit: int) -> list[ReceivedLetter]:
        """Return at most ``limit`` letters and leave them in the queue."""
        with self.held() as letters:
            seen: set[str] = set()
            while len(letters) < limit:
                received = self.receive(limit - len(letters))
                # Letters that were held too long come again.
                new = [letter for letter in received if letter.id not in seen]
                if not new:
                    break
                letters.extend(new)
                seen |= {letter.id for letter in new}
            return [*letters]


def _letter(message: Mapping[str, Any]) -> ReceivedLetter:
    attributes = message["Attributes"]
    further = dict(message.get("MessageAttributes", {}))
    reason = further.pop(REASON, {}).get("StringValue", "")
    # A redriven letter has all its tries again.
    further.pop(RENEWALS, None)
    return ReceivedLetter(
        id=message["MessageId"],
        group=attributes["MessageGroupId"],
        deduplication=attributes["MessageDeduplicationId"],
        body=message["Body"],
        receives=int(attributes["ApproximateReceiveCount"]),
        sent_at=datetime.fromtimestamp(int(attributes["SentTimestamp"]) / 1000, UTC),
        reason=reason,
        receipt=message["ReceiptHandle"],
        attributes=further,
    )
