"""The queues of a deployed stack, each with its dead-letter queue.

The stack names the queues, and each queue's own redrive policy its dead-letter queue. Nothing is
listed here: a new family needs no change.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import Any, Final

from uring.aws.errors import translated
from uring.clock import system_clock
from uring.errors import Misconfigured, UringError
from uring_local.stack.describe import physical_ids
from uring_local.template.families import FAMILIES, family_of, remedy

QUEUE: Final = "AWS::SQS::Queue"
"""The type of the resources that `pairs` looks for."""

_MAXIMUM_AGE: Final = "ApproximateAgeOfOldestMessage"
# CloudWatch has a queue's age every minute, some minutes late.
_LOOK_BACK: Final = timedelta(minutes=15)
_PERIOD_SECONDS: Final = 60
_MOST_METRICS: Final = 500


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue of a stack, as read from SQS.

    Args:
        id: its logical id in the template.
        name: its name in the account.
        waiting: the messages that can be received, delayed ones included.
        in_flight: the received messages that are not deleted yet.
        oldest_seconds: the age of the oldest message by CloudWatch; None if unknown.
    """

    id: str
    name: str
    url: str
    waiting: int
    in_flight: int
    oldest_seconds: int | None = None

    @property
    def depth(self) -> int:
        """The number of its messages."""
        return self.waiting + self.in_flight


@dataclass(frozen=True, slots=True)
class Pair:
    """A queue and its dead-letter queue; None if it has none."""

    queue: Queue
    dead: Queue | None


def pairs(session: Any, stack: str) -> list[Pair]:
    """Return the queues of a stack by logical id, dead-letter queues beside their sources.

    Raises:
        Misconfigured: no such stack, or access is denied.
        Unavailable: AWS did not answer.
    """
    urls = _urls(session, stack)
    attributes = _attributes(session.client("sqs"), urls)
    return _pairs(urls, attributes, _ages(session, [_name(each) for each in attributes.values()]))


def pairs_at(client: Any, urls: Mapping[str, str]) -> list[Pair]:
    """Return the queues at these addresses as `pairs` does, without the ages, which cost more.

    Args:
        client: of SQS.
        urls: by logical id.
    """
    return _pairs(urls, _attributes(client, urls), {})


def _attributes(client: Any, urls: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return {id_: attributes_of(client, url) for id_, url in urls.items()}


def _pairs(
    urls: Mapping[str, str], attributes: Mapping[str, Mapping[str, str]], ages: Mapping[str, int]
) -> list[Pair]:
    queues = {id_: _queue(id_, urls[id_], each, ages) for id_, each in attributes.items()}
    by_arn = {each["QueueArn"]: queues[id_] for id_, each in attributes.items()}
    targets = {id_: by_arn.get(_target(each)) for id_, each in attributes.items()}
    dead = {queue.id for queue in targets.values() if queue}
    return [Pair(queues[id_], targets[id_]) for id_ in sorted(queues) if id_ not in dead]


def pair(found: Sequence[Pair], name: str) -> tuple[Queue, Queue]:
    """Return the source queue and the dead-letter queue for a name.

    Args:
        found: the pairs of `pairs`.
        name: of either queue, in the template or in the account.

    Raises:
        Misconfigured: no queue has this name, or it has no dead-letter queue.
    """
    names = {
        word: each
        for each in found
        for queue in (each.queue, each.dead)
        if queue
        for word in (queue.id, queue.name)
    }
    if name not in names:
        near = get_close_matches(name, names, n=1, cutoff=0.5)
        known = ", ".join(each.queue.id for each in found) or "none"
        hint = f"did you mean {near[0]}?" if near else f"the stack's queues: {known}"
        family = family_of(name)
        if family not in {family_of(each.queue.id) for each in found}:
            how = remedy(family, dict.fromkeys(FAMILIES[family], ""))
            hint = f"the stack has no {family}; {how}"
        raise Misconfigured(f"there is no queue {name}; {hint}")
    chosen = names[name]
    if chosen.dead is None:
        raise Misconfigured(f"{chosen.queue.id} has no dead-letter queue")
    return chosen.queue, chosen.dead


def _urls(session: Any, stack: str) -> dict[str, str]:
    with translated(f"cloudformation:ListStackResources {stack}"):
        return physical_ids(session.client("cloudformation"), stack, QUEUE)


def depth(client: Any, url: str) -> int:
    """Return the number of a queue's messages, those in flight included.

    Raises:
        Misconfigured: no such queue, or access is denied.
        Unavailable: SQS did not answer.
    """
    return _queue("", url, attributes_of(client, url), {}).depth


def attributes_of(client: Any, url: str) -> dict[str, str]:
    """Return a queue's attributes; errors as `depth` raises them."""
    with translated(f"sqs:GetQueueAttributes {url}"):
        answer = client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
    attributes: dict[str, str] = answer["Attributes"]
    return attributes


def _queue(id_: str, url: str, attributes: Mapping[str, str], ages: Mapping[str, int]) -> Queue:
    name = _name(attributes)
    visible, delayed, in_flight = (
        int(attributes.get(f"ApproximateNumberOfMessages{kind}", 0))
        for kind in ("", "Delayed", "NotVisible")
    )
    # CloudWatch's figure is minutes old: it says nothing about an empty queue.
    oldest = ages.get(name) if visible + delayed + in_flight else None
    return Queue(id_, name, url, visible + delayed, in_flight, oldest)


def _name(attributes: Mapping[str, str]) -> str:
    return attributes["QueueArn"].rpartition(":")[2]


def _target(attributes: Mapping[str, str]) -> str:
    policy = json.loads(attributes.get("RedrivePolicy", "{}"))
    return str(policy.get("deadLetterTargetArn", ""))


def _ages(session: Any, names: Sequence[str]) -> dict[str, int]:
    """Return the age of each queue's oldest message in seconds, if CloudWatch has one.

    Ages are optional: without CloudWatch, or permission for it, the rest is shown.
    """
    now = system_clock()
    try:
        with translated("cloudwatch:GetMetricData"):
            answer = session.client("cloudwatch").get_metric_data(
                MetricDataQueries=[
                    _age_query(f"q{number}", name)
                    for number, name in enumerate(names[:_MOST_METRICS])
                ],
                StartTime=now - _LOOK_BACK,
                EndTime=now,
                ScanBy="TimestampDescending",
            )
    except UringError:
        return {}
    return {
        names[int(each["Id"][1:])]: _newest(each)
        for each in answer["MetricDataResults"]
        if each["Values"]
    }


def _newest(result: Mapping[str, Any]) -> int:
    times: Sequence[datetime] = result["Timestamps"]
    return int(result["Values"][times.index(max(times))])


def _age_query(id_: str, name: str) -> dict[str, Any]:
    return {
        "Id": id_,
        "MetricStat": {
            "Metric": {
                "Namespace": "AWS/SQS",
                "MetricName": _MAXIMUM_AGE,
                "Dimensions": [{"Name": "QueueName", "Value": name}],
            },
            "Period": _PERIOD_SECONDS,
            "Stat": "Maximum",
        },
    }
