"""The stage's queues and bucket as an operator and an event source mapping use them."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

import boto3
from expanded import PSEUDO

from uring.runtime.invocation import Function
from uring_local.stack.application import schedule_event
from uring_local.stack.inprocess import Context
from uring_local.stack.resources import Resources

REGION: Final = PSEUDO["AWS::Region"]
# As long as the longest time-out of a worker that is fed.
SECONDS: Final = 900.0

_MOST_BATCHES: Final = 40


class Stage(Protocol):
    """What exists around the functions."""

    @property
    def resources(self) -> Resources:
        """By logical id."""
        ...

    @property
    def sqs(self) -> Any:
        """The operator's client."""
        ...


class Dwindling(Context):
    """A context whose time is nearly over as soon as it was looked at once."""

    def __init__(self) -> None:
        super().__init__(SECONDS)
        self._looks = 0

    def get_remaining_time_in_millis(self) -> int:
        """Return plenty, and then ten seconds."""
        self._looks += 1
        return int(SECONDS * 1000) if self._looks == 1 else 10_000


def run_tick(function: Function, number: int) -> None:
    """Invoke an orchestrator for a tick of the hours to come."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    event = schedule_event(now + number * timedelta(minutes=10))
    function.handle(event, Context(SECONDS))


def put(stage: Stage, key: str, body: bytes) -> None:
    """Put an object into the bucket."""
    boto3.client("s3", region_name=REGION).put_object(
        Bucket=stage.resources.physical_ids["Bucket"], Key=key, Body=body
    )


def delete_states(stage: Stage, family: str) -> None:
    """Delete the states of a family, as a recursive removal does: their versions stay."""
    s3, bucket = boto3.client("s3", region_name=REGION), stage.resources.physical_ids["Bucket"]
    for listed in s3.list_objects_v2(Bucket=bucket, Prefix=f"state/{family}/").get("Contents", ()):
        s3.delete_object(Bucket=bucket, Key=listed["Key"])


def upload(stage: Stage, key: str, document: Mapping[str, Any]) -> None:
    """Put a document into the bucket."""
    put(stage, key, json.dumps(document).encode())


def feed(stage: Stage, queue: str, function: Function, *, most: int = 10) -> None:
    """Hand a function all that its queue has: what fails goes on as a copy, again and again."""
    for _ in range(_MOST_BATCHES):
        if not receive(stage, queue, function, most=most):
            return


def receive(
    stage: Stage,
    queue: str,
    function: Function,
    context: Callable[[], Context] = lambda: Context(SECONDS),
    *,
    most: int = 10,
) -> bool:
    """As the event source mapping does, with its own permissions, which are not the code's."""
    url = stage.resources.physical_ids[queue]
    messages = stage.sqs.receive_message(
        QueueUrl=url,
        MaxNumberOfMessages=most,
        MessageSystemAttributeNames=["All"],
        MessageAttributeNames=["All"],
    ).get("Messages", [])
    records = [
        {
            "messageId": message["MessageId"],
            "receiptHandle": message["ReceiptHandle"],
            "body": message["Body"],
            "attributes": message["Attributes"],
            "messageAttributes": {
                name: {"stringValue": value.get("StringValue"), "dataType": value["DataType"]}
                for name, value in message.get("MessageAttributes", {}).items()
            },
        }
        for message in messages
    ]
    if records:
        answer = function.handle({"Records": records}, context())
        failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
        for message in messages:
            if message["MessageId"] not in failed:
                stage.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return bool(records)


def short() -> Context:
    """Return a context with too little time for any work: records are given back."""
    return Context(10.0)
