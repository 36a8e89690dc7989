"""The sample events, each with the functions whose trigger sends such an event."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uring_local.project import StackFailed
from uring_local.template.template import Template

# The stack that the samples name in their ARNs.
STACK_NAME = "uring-dev"


@dataclass(frozen=True)
class Sample:
    """A file of events/ and a function that it is for."""

    file: str
    function: str
    event: dict[str, Any]


def samples(directory: Path, template: Template) -> list[Sample]:
    """Every sample once for each function that gets such events, in order of the file names.

    Raises:
        StackFailed: a file that is no event, one that no trigger sends, or a trigger without one.
    """
    found = []
    for path in sorted(directory.iterdir()):
        try:
            event = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise StackFailed(f"{path.name}: is no JSON: {error}") from error
        names = [*_receivers(event, template)]
        if not names:
            raise StackFailed(
                f"{path.name}: no trigger in the template sends such an event; an SQS batch names "
                f"the queue of a stack {STACK_NAME}, a schedule's event its rule"
            )
        found += [Sample(path.name, name, event) for name in names]
    without = sorted(template.functions.keys() - {each.function for each in found})
    if without:
        raise StackFailed(f"{directory.name}/: has no sample event for {', '.join(without)}")
    return found


def batches(messages: Sequence[Mapping[str, Any]], queue_arn: str, size: int) -> list[Any]:
    """Messages as an event source mapping hands them to a function, at most ``size`` an event."""
    records = [
        {
            "messageId": message["MessageId"],
            "receiptHandle": message["ReceiptHandle"],
            "body": message["Body"],
            "attributes": message["Attributes"],
            "messageAttributes": message.get("MessageAttributes", {}),
            "md5OfBody": hashlib.md5(message["Body"].encode(), usedforsecurity=False).hexdigest(),
            "eventSource": "aws:sqs",
            "eventSourceARN": queue_arn,
            "awsRegion": queue_arn.split(":")[3],
        }
        for message in messages
    ]
    return [{"Records": records[at : at + size]} for at in range(0, len(records), size)]


def _receivers(event: Any, template: Template) -> Iterator[str]:
    match event:
        case {"Records": [{"eventSource": "aws:sqs", "eventSourceARN": str(arn)}, *_]}:
            yield from _fed_by(template, arn.rpartition(":")[2])
        case {"routeKey": str(route)}:
            yield from (name for name in template.functions if route in _routes(template, name))
        case {"key": str(), "formats": [*_]}:
            # Invoked by another function.
            yield from (name for name in template.functions if not _events(template, name))
        case {"Records": [{"eventSource": "aws:s3"}, *_]}:
            yield from (name for name in template.functions if _events(template, name, "S3"))
        case {"source": "aws.events", "resources": [str(arn)]}:
            # CloudFormation names a rule after its logical id, SAM that after function and event.
            rule = arn.rpartition("rule/")[2]
            for name, function in template.functions.items():
                if function.schedules and rule.startswith(f"{STACK_NAME}-{name}"):
                    yield name


def _fed_by(template: Template, queue: str) -> Iterator[str]:
    for name, function in template.functions.items():
        if any(physical_name(template, each.queue) == queue for each in function.sources):
            yield name


def physical_name(template: Template, logical_id: str) -> str:
    """The name of a queue or function in the stack of the samples."""
    properties = template.document["Resources"][logical_id]["Properties"]
    name: str = (properties.get("QueueName") or properties["FunctionName"])["Fn::Sub"]
    return name.replace("${AWS::StackName}", STACK_NAME)


def _routes(template: Template, function: str) -> set[str]:
    """The routes of HTTP APIs that call a function."""
    own = _events(template, function, "HttpApi")
    return {f"{each['Method']} {each['Path']}" for each in own}


def _events(template: Template, function: str, kind: str = "") -> list[dict[str, Any]]:
    """The triggers of a function, of one kind or all."""
    events = template.document["Resources"][function]["Properties"].get("Events", {}).values()
    return [event["Properties"] for event in events if kind in ("", event["Type"])]
