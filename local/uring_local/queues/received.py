"""Messages of SQS in the form that Lambda passes to a function, and the function's answer."""

from collections.abc import Mapping, Sequence
from typing import Any


def event_of(messages: Sequence[Mapping[str, Any]], url: str) -> dict[str, Any]:
    """Return the event of a batch; the messages were received with all their attributes."""
    return {"Records": [_record(message, url) for message in messages]}


def done(messages: Sequence[dict[str, Any]], answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the messages that a partial batch response does not report as failed.

    Raises:
        KeyError: it is not a partial batch response.
    """
    failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
    return [message for message in messages if message["MessageId"] not in failed]


def _record(message: Mapping[str, Any], url: str) -> dict[str, Any]:
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {
            name: {"stringValue": value.get("StringValue"), "dataType": value["DataType"]}
            for name, value in message.get("MessageAttributes", {}).items()
        },
        "eventSource": "aws:sqs",
        "eventSourceARN": url,
    }
