"""Every request has only fields that FCM's message has, each of its type.

The table holds facts of the discovery document of FCM v1 (``fcm/v1``, schemas SendMessageRequest,
Message, AndroidConfig, ApnsConfig, WebpushConfig) and of Apple's pages "Sending notification
requests to APNs" and "Generating a remote notification".
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import product
from typing import Any, Final, get_args

import pytest
from fcm_server import NOW

from uring.contracts import LONGEST_LIFETIME_SECONDS, Urgency
from uring.push.payload import MAX_BYTES, Push, is_alert, request_body, size

# A dotted path of a field, and the pattern of its value; * stands for any key.
FIELDS: Final[Mapping[str, str]] = {
    "validate_only": "true",
    "message.topic": "[a-zA-Z0-9-_.~%]+",
    "message.data.*": "(?s).*",
    # "normal" or "high", and a duration in seconds with "s", four weeks at most.
    "message.android.priority": "normal|high",
    "message.android.ttl": "[0-9]{1,7}s",
    # Names and values of headers are text.
    "message.apns.headers.apns-push-type": "alert|background",
    "message.apns.headers.apns-priority": "10|5",
    "message.apns.headers.apns-expiration": "[0-9]{10}",
    "message.apns.payload.aps.content-available": "1",
    "message.apns.payload.aps.mutable-content": "1",
    "message.apns.payload.aps.alert.body": ".+",
    "message.apns.payload.aps.interruption-level": "active|passive",
    "message.webpush.headers.TTL": "[0-9]{1,7}",
    "message.webpush.headers.Urgency": "normal|high",
}
NUMBERS: Final = {"content-available", "mutable-content", "validate_only"}
KINDS: Final = [*product(get_args(Urgency), (0, 3_600, LONGEST_LIFETIME_SECONDS), (True, False))]
DATA: Final = {"event_id": "e" * 40, "dept": "cs", "title": "수강신청"}


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield path.removeprefix("."), value
        return
    assert value, f"{path} is empty"
    for name, inner in value.items():
        place = "*" if path == ".message.data" else name
        yield from leaves(inner, f"{path}.{place}")


@pytest.mark.parametrize(("urgency", "seconds", "as_alert"), KINDS)
@pytest.mark.parametrize("validate_only", [True, False])
@pytest.mark.parametrize("more", [{}, {"retracts": "a b"}], ids=["new", "retracted"])
def test_each_form_has_fields_of_fcm_alone(
    urgency: Urgency, seconds: int, *, as_alert: bool, validate_only: bool, more: dict[str, str]
) -> None:
    push = Push("cs", DATA | more, urgency, seconds)
    body = request_body(push, NOW, as_alert=as_alert, validate_only=validate_only)
    for path, value in leaves(body):
        assert isinstance(value, int) == (path.split(".")[-1] in NUMBERS), path
        assert re.fullmatch(FIELDS[path], json.dumps(value) if value is True else str(value)), path


@pytest.mark.parametrize(("urgency", "seconds", "as_alert"), KINDS)
def test_apns_gets_the_headers_that_go_with_its_payload(
    urgency: Urgency, seconds: int, *, as_alert: bool
) -> None:
    """Apple: a background push has priority 5 and shows nothing; an extension needs an alert."""
    apns = request_body(Push("cs", DATA, urgency, seconds), NOW, as_alert=as_alert)["message"][
        "apns"
    ]
    headers, aps = apns["headers"], apns["payload"]["aps"]
    until = NOW + timedelta(seconds=seconds)
    assert headers["apns-expiration"] == str(int(until.timestamp()))
    if not as_alert:
        assert (headers["apns-push-type"], headers["apns-priority"]) == ("background", "5")
        assert aps == {"content-available": 1}
        return
    assert headers["apns-push-type"] == "alert"
    assert headers["apns-priority"] == ("10" if urgency == "high" else "5")
    assert aps["mutable-content"] == 1
    assert DATA["title"] not in json.dumps(aps, ensure_ascii=False), "a neutral text"


def test_the_largest_message_fits_into_apns() -> None:
    """APNs takes 4,096 bytes of JSON: FCM puts the data beside ``aps``, and its own three keys."""
    data = {"title": "가" * 600}
    data["link"] = "x" * (MAX_BYTES - size(data) - len("link"))
    assert size(data) == MAX_BYTES
    message = request_body(Push("t" * 900, data), NOW, as_alert=True)["message"]
    payload = {**message["apns"]["payload"], **data, "from": "/topics/" + message["topic"]}
    assert len(json.dumps(payload, ensure_ascii=False).encode()) <= 4_096


@pytest.mark.parametrize(
    ("topic", "alert_topics", "expected"),
    [
        ("cs", (), False),
        ("cs", ("cs",), True),
        ("cse", ("cs",), False),
        ("cse", ("cs*",), True),
        ("RKSI", ("cs", "RK*"), True),
        ("cs", ("RK*",), False),
        ("cs", ("*",), True),
    ],
)
def test_alerts_are_for_the_topics_that_the_operator_names(
    topic: str, alert_topics: tuple[str, ...], *, expected: bool
) -> None:
    assert is_alert(topic, alert_topics) is expected
