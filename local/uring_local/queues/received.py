"""Messages of SQS in the form that Lambda passes to a function, and the function's answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from uring.aws.queues import lambda_record


def event_of(messages: Sequence[Mapping[str, Any]], url: str) -> dict[str, Any]:
    """Return the event of a batch; the messages were received with all their attributes."""
    source = {"eventSource": "aws:sqs", "eventSourceARN": url}
    return {"Records": [lambda_record(message) | source for message in messages]}


def done(messages: Sequence[dict[str, Any]], answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the messages that a partial batch response does not report as failed.

    Raises:
        KeyError: it is not a partial batch response.
    """
    failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
    return [message for message in messages if message["MessageId"] not in failed]
