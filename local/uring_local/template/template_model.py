"""An application as plain values: what of a template runs without CloudFormation.

`uring_local.template.template.load` makes them. Mappings are keyed by the template's logical ids.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uring_local.template.intrinsics import TemplateInvalid, Text

_UNIT_SECONDS = {"minute": 60, "hour": 3600, "day": 86400}


@dataclass(frozen=True)
class Bucket:
    """An S3 bucket."""

    logical_id: str
    name: str


@dataclass(frozen=True)
class Queue:
    """An SQS queue.

    Args:
        attributes: as CreateQueue takes them, but for ``RedrivePolicy``.
        dead_letter: logical id of its dead-letter queue.
        max_receive_count: receives after which a message moves there.
    """

    logical_id: str
    name: str
    attributes: Mapping[str, str]
    dead_letter: str | None
    max_receive_count: int | None


@dataclass(frozen=True)
class Table:
    """A DynamoDB table. ``definition`` is what CreateTable takes, the name included."""

    logical_id: str
    name: str
    definition: Mapping[str, Any]
    ttl_attribute: str | None


@dataclass(frozen=True)
class QueueSource:
    """A queue, by logical id, whose messages a function receives in batches."""

    queue: str
    batch_size: int
    reports_failures: bool
    maximum_concurrency: int | None


@dataclass(frozen=True)
class Schedule:
    """A schedule that sends a function an EventBridge event."""

    expression: str
    is_enabled: bool

    @property
    def minute(self) -> int:
        """Of the hour, of its first event; 0 for a rate."""
        found = re.match(r"cron\((\d+)/", self.expression)
        return int(found[1]) if found else 0

    @property
    def interval_seconds(self) -> int:
        """Time from one event to the next.

        Raises:
            TemplateInvalid: the expression is neither of the form ``rate(10 minutes)`` nor of
                the form ``cron(5/10 * * * ? *)``.
        """
        if found := re.fullmatch(r"rate\((\d+) (minute|hour|day)s?\)", self.expression):
            return int(found[1]) * _UNIT_SECONDS[found[2]]
        if found := re.fullmatch(r"cron\(\d+/(\d+) \* \* \* \? \*\)", self.expression):
            return int(found[1]) * _UNIT_SECONDS["minute"]
        raise TemplateInvalid(
            f"{self.expression}: has no one interval; write rate(N minutes) or cron(M/N * * * ? *)"
        )


@dataclass(frozen=True)
class Function:
    """A Lambda function.

    Args:
        handler: ``module.attribute`` inside ``code_dir``.
        environment: the values, which may wait for what a stack makes up.
    """

    logical_id: str
    handler: str
    code_dir: Path
    timeout_seconds: int
    memory_megabytes: int
    environment: Mapping[str, Text]
    sources: tuple[QueueSource, ...]
    schedules: tuple[Schedule, ...]


@dataclass(frozen=True)
class Application:
    """The bucket, the queues, the tables and the functions with their triggers.

    Args:
        topics: names of the SNS topics.
    """

    stack_name: str
    region: str
    bucket: Bucket
    queues: Mapping[str, Queue]
    tables: Mapping[str, Table]
    topics: Mapping[str, str]
    functions: Mapping[str, Function]

    @property
    def scheduled(self) -> list[str]:
        """The functions that schedules trigger, in the order of their minutes."""
        found = {
            name: min(each.minute for each in function.schedules)
            for name, function in self.functions.items()
            if function.schedules
        }
        return sorted(found, key=lambda name: found[name])
