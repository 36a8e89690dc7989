"""A queue of messages without order: what is refused is sent again, and no empty batch ever."""

from dataclasses import dataclass
from typing import Any

import pytest

from uring.aws.queues import FifoQueue
from uring.changes.retry import ATTEMPTS, Backoff
from uring.errors import Unavailable


@dataclass(frozen=True)
class Parcel:
    """Implements `uring.changes.ports.Sendable`."""

    name: str

    @property
    def group(self) -> str:
        return self.name

    def body(self) -> str:
        return self.name


class Sqs:
    """SQS as it answers: so many refusals of a name; it refuses a call without entries."""

    def __init__(self, **refusals: int) -> None:
        self.refusals = refusals
        self.calls: list[list[str]] = []

    def send_message_batch(self, *, QueueUrl: str, Entries: list[Any]) -> dict[str, Any]:  # noqa: N803
        del QueueUrl
        assert Entries, "AWS.SimpleQueueService.EmptyBatchRequest"
        self.calls.append([entry["MessageBody"] for entry in Entries])
        taken = []
        for entry in Entries:
            if self.refusals.get(entry["MessageBody"], 0) > 0:
                self.refusals[entry["MessageBody"]] -= 1
            else:
                taken.append({"Id": entry["Id"]})
        return {"Successful": taken}


def send(sqs: Sqs, *names: str) -> None:
    FifoQueue(sqs, "queue", backoff=Backoff(lambda _: None)).send([Parcel(name) for name in names])


def test_a_batch_that_was_taken_is_one_call() -> None:
    sqs = Sqs()
    send(sqs, "a", "b")
    assert sqs.calls == [["a", "b"]]


def test_what_was_refused_alone_is_sent_again() -> None:
    sqs = Sqs(b=2)
    send(sqs, "a", "b", "c")
    assert sqs.calls == [["a", "b", "c"], ["b"], ["b"]]


def test_what_stays_refused_is_said() -> None:
    with pytest.raises(Unavailable, match="refused 1 messages"):
        send(Sqs(b=ATTEMPTS), "a", "b")
