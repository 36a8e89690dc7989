"""Alarms and people: the subscription of the alarms' mail, and the ringing alarms."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from uring.aws.errors import translated
from uring_local.doctor.finding import Diagnosis, failed, ok
from uring_local.doctor.subject import Subject

_PENDING: Final = "PendingConfirmation"
_SHOWN: Final = 3


def check_mail(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on the alarms' mail: a subscription counts once it is confirmed."""
    topic, client = subject.output("AlarmTopicArn"), subject.client("sns")
    with translated(f"sns:ListSubscriptionsByTopic {topic}"):
        pages = client.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic)
        found: list[Any] = [each for page in pages for each in page["Subscriptions"]]
    pending = [_shown(each) for each in found if not _is_confirmed(each)]
    address = subject.parameter("AlarmEmail")
    again = (
        f"`aws sns subscribe --topic-arn {topic} --protocol {{}} --notification-endpoint {{}}` "
        "sends another link; a deployment sends none"
    )
    if pending:
        mails = pending[0] == address
        yield failed(
            "alarm mail",
            f"{', '.join(pending)}: not confirmed, so nothing is sent there",
            "open the link in the mail from AWS Notifications, or that in the service's first "
            "message, within two days; after that, "
            + (again.format("email", address) if mails else again.format("https", "ADDRESS")),
        )
    elif address and address not in map(_shown, found):
        yield failed(
            "alarm mail",
            f"{address} is not subscribed: the link was not opened within two days, or somebody "
            "unsubscribed",
            again.format("email", address),
        )
    elif not found:
        yield failed(
            "alarm mail",
            "the alarm topic has no subscription: nobody receives the alarms",
            "deploy with AlarmEmail, then open the link in the mail",
        )
    else:
        yield ok("alarm mail", ", ".join(map(_shown, found)))


def _shown(subscription: Any) -> str:
    """Return the address; of a service the host alone, since the path may be a key."""
    endpoint = str(subscription["Endpoint"])
    parts = urlsplit(endpoint)
    return f"https://{parts.hostname}/…" if parts.scheme == "https" else endpoint


def _is_confirmed(subscription: Any) -> bool:
    return bool(subscription["SubscriptionArn"] not in {_PENDING, "", "Deleted"})


def check_alarms(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on the ringing alarms that notify the stack's topic."""
    topic, client = subject.output("AlarmTopicArn"), subject.client("cloudwatch")
    with translated("cloudwatch:DescribeAlarms"):
        pages = client.get_paginator("describe_alarms").paginate(StateValue="ALARM")
        ringing = sorted(
            alarm["AlarmName"]
            for page in pages
            for alarm in page.get("MetricAlarms", [])
            if topic in alarm.get("AlarmActions", [])
        )
    if ringing:
        more = f" and {len(ringing) - _SHOWN} more" if len(ringing) > _SHOWN else ""
        yield failed(
            "alarms",
            f"in alarm: {', '.join(ringing[:_SHOWN])}{more}",
            "docs/operations.md#alarms has the remedy of each",
        )
    else:
        yield ok("alarms", "no alarm rings")
