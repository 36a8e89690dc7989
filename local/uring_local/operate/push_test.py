"""`uring push test`: would FCM accept a push now? Key, project, topic and message, no delivery.

It asks about each form of a push: urgent or not, on iOS in the background or as an alert.

    stack's parameters, or options ─► the notifier's own sender, validating ─► FCM's answer ─►
    remedy

FCM checks such a message like any other and delivers it to no device. The test cannot show whether
devices are subscribed, or receive it.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any, get_args

import boto3

from uring.aws.errors import translated
from uring.aws.secrets import json_secret
from uring.contracts import ChangePublished, Urgency
from uring.push.fcm import FcmSender
from uring.push.payload import compose
from uring.push.ports import Cause, SendResult, Sent
from uring_local.operate.bucket import deployed

REMEDIES: Mapping[Cause, str] = {
    "invalid": "the message breaks one of FCM's rules: compare the topic, and report this",
    "unauthorised": "the key is revoked or of another project: store a new key of the service"
    " account in the secret",
    "forbidden": "enable the Firebase Cloud Messaging API (V1) in the project, and give the service"
    " account the role Firebase Cloud Messaging API Admin",
    "not_found": "there is no such project: correct FcmProjectId (--project)",
    "redirected": "this is not FCM: correct FcmEndpoint (--endpoint), or the proxy in between",
    "quota": "the project sends more than its quota: try again later, and see its quota page",
    "quota_project": "the project sends more than its quota: try again later, and see its quota"
    " page",
    "quota_topic": "this topic gets more messages than FCM allows: try again later, and raise"
    " digest_over or lower the number of pushes of its source",
    "quota_device": "FCM allows one device fewer messages: try again later",
    "unavailable": "FCM failed: try again in a minute; pushes wait in their queue meanwhile",
    "no_answer": "FCM was not reached: check the network, a proxy, and FcmEndpoint (--endpoint)",
    "unreadable": "this is not FCM: correct FcmEndpoint (--endpoint), or the proxy in between",
    "credentials": "store the service account's whole JSON in the secret; without one, give"
    " Google's application default credentials (GOOGLE_APPLICATION_CREDENTIALS)",
    "token": "Google's token endpoint was not reached: check the network, or try again later",
}


@dataclass(frozen=True, slots=True)
class Destination:
    """The FCM to ask, and the credentials.

    Args:
        project: the Firebase project; empty for the project of the credentials.
        secret: the name in Secrets Manager; empty for application default credentials.
        endpoint: the address of a stand-in; empty for FCM.
    """

    project: str = ""
    secret: str = ""
    endpoint: str = ""


def ask(
    topic: str, destination: Destination, *, stack: str | None = None, as_json: bool = False
) -> bool:
    """Ask FCM about one message and print its answer; return True if it would accept it.

    Args:
        topic: a valid name, by `uring_local.fcm.rules.read_topic`.
        destination: its values, where not empty, replace the stack's.
        stack: a deployed stack, for its parameters.
        as_json: print one JSON object instead of text.

    Raises:
        Misconfigured: no such stack or secret, or access is denied.
    """
    if stack:
        destination = _of_stack(stack, destination)
    answer = validate(topic, destination)
    accepted = isinstance(answer, Sent)
    cause: Cause = "" if isinstance(answer, Sent) else answer.cause
    if as_json:
        document = {
            "accepted": accepted,
            "topic": topic,
            "project": destination.project or None,
            "credentials": destination.secret or "application default",
            "endpoint": destination.endpoint or None,
            "name": answer.name if isinstance(answer, Sent) else None,
            "cause": cause or None,
            "reason": None if isinstance(answer, Sent) else answer.reason,
            "remedy": REMEDIES.get(cause),
        }
        print(json.dumps(document, ensure_ascii=False))
        return accepted
    where = f"{destination.endpoint or 'FCM'}, project {destination.project or 'of the key'}"
    if isinstance(answer, Sent):
        print(f"{where}: would push to the topic {topic} ({answer.name}); nothing was delivered")
    else:
        print(f"{where}: would not push to the topic {topic}\n  {answer.reason}")
        print(f"  remedy: {REMEDIES[cause]}")
    if not destination.secret:
        print("  asked with this machine's application default credentials, not a function's")
    return accepted


def validate(
    topic: str, destination: Destination, account: Callable[[], Mapping[str, Any]] | None = None
) -> SendResult:
    """Let FCM validate a message in each form; return the first refusal, or the last answer.

    Nothing is delivered.

    Args:
        topic: a valid name, by `uring_local.fcm.rules.read_topic`.
        destination: the FCM.
        account: returns the service account, in place of the secret.
    """
    if account is None and destination.secret:
        account = partial(_secret, destination.secret)
    push = compose(_sample(topic))
    for alert_topics in ((), (topic,)):
        with closing(
            FcmSender(
                destination.project,
                account,
                endpoint=destination.endpoint,
                alert_topics=alert_topics,
                validate_only=True,
            )
        ) as sender:
            for urgency in get_args(Urgency):
                answer = sender.send(replace(push, urgency=urgency))
                if not isinstance(answer, Sent):
                    return answer
    return answer


def _sample(topic: str) -> ChangePublished:
    """Return a notice as a department publishes it, with an event id that no notice has."""
    now = datetime.now(UTC)
    return ChangePublished(
        event_id=sha256(f"uring push test {now}".encode()).hexdigest()[:40],
        source=topic[:64],
        topic=topic,
        kind="new",
        id="push-test",
        revision=1,
        detected_at=f"{now:%Y-%m-%dT%H:%M:%SZ}",
        content={
            "title": "푸시 점검 · push test",
            "date": f"{now:%Y-%m-%d}",
            "category": None,
            "link": "https://example.com/",
            "is_pinned": "false",
        },
    )


def _secret(name: str) -> Mapping[str, Any]:
    with translated(f"secretsmanager:GetSecretValue {name}"):
        client = boto3.client("secretsmanager")
    return json_secret(client, name)


def _of_stack(stack: str, given: Destination) -> Destination:
    parameters = deployed(stack).parameters
    return Destination(
        project=given.project or parameters.get("FcmProjectId", ""),
        secret=given.secret or parameters.get("FcmCredentialsSecret", ""),
        endpoint=given.endpoint or parameters.get("FcmEndpoint", ""),
    )
