"""What FCM HTTP v1 accepts, as far as this product can get it wrong.

Sources: the FCM v1 REST reference (Message, AndroidConfig, ApnsConfig, WebpushConfig, ErrorCode)
and Apple's rule that a background notification has priority 5.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

TOPIC_BYTES: Final = 2_048
TOKEN_BYTES: Final = 4_096
# Of the queue's contract; FCM's reference names no limit.
LONGEST_TOPIC: Final = 900
_LONGEST_TTL_SECONDS: Final = 28 * 24 * 3_600
_TARGETS: Final = ("fid", "token", "topic", "condition")
_FIELDS: Final = {
    "android", "apns", "data", "fcm_options", "name", "notification", "webpush", *_TARGETS,
}  # fmt: skip
_TOPIC: Final = re.compile(r"[a-zA-Z0-9\-_.~%]+")
_DURATION: Final = re.compile(r"\d{1,10}(\.\d{1,9})?s")
_ANDROID_PRIORITIES: Final = {"normal", "high", "NORMAL", "HIGH"}
_APNS_PRIORITIES: Final = {"1", "5", "10"}
_URGENCIES: Final = {"very-low", "low", "normal", "high"}
_SHOWN: Final = ("alert", "badge", "sound")


def read_topic(text: str) -> str:
    """Return a topic's name as it goes into a message.

    Raises:
        ValueError: FCM would refuse it; the message has the remedy.
    """
    if text.strip() != text and _TOPIC.fullmatch(text.strip()):
        raise ValueError(f"{text!r}: remove the white space at its ends")
    if text.startswith("/topics/"):
        raise ValueError(f"{text!r}: give the name alone, without /topics/")
    if not _TOPIC.fullmatch(text):
        raise ValueError(
            f"{text!r}: a topic has letters of ASCII, digits and -_.~% alone; "
            "a department's topic is its id in the sitemap"
        )
    if len(text) > LONGEST_TOPIC:
        raise ValueError(f"the topic has {len(text)} characters, at most {LONGEST_TOPIC} are sent")
    return text


class Refused(Exception):
    """A request that FCM answers with an error.

    Args:
        http: status code.
        status: the canonical code of Google APIs.
        message: for people.
        code: FCM's own error code; None where the error is not FCM's.
        retry_after: seconds for the Retry-After header.
    """

    def __init__(
        self,
        http: int,
        status: str,
        message: str,
        *,
        code: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.http = http
        self.retry_after = retry_after
        self._status = status
        self._code = code

    def body(self) -> bytes:
        """Return the error object of Google APIs, with FCM's code in the details."""
        error: dict[str, Any] = {"code": self.http, "message": str(self), "status": self._status}
        if self._code is not None:
            kind = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
            error["details"] = [{"@type": kind, "errorCode": self._code}]
        return json.dumps({"error": error}, ensure_ascii=False).encode()


def invalid(message: str) -> Refused:
    """400 INVALID_ARGUMENT."""
    return Refused(400, "INVALID_ARGUMENT", message, code="INVALID_ARGUMENT")


def read_send(body: bytes) -> tuple[dict[str, Any], bool]:
    """Read the body of ``messages:send``: the message, and whether it is only validated.

    Raises:
        Refused: 400, naming the field.
    """
    try:
        envelope = json.loads(body)
        json.dumps(envelope, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise invalid("the body is not a JSON object in UTF-8") from None
    envelope = _object(envelope, "the body")
    unknown = set(envelope) - {"message", "validate_only"}
    if unknown:
        raise invalid(f"unknown name {min(unknown)!r}")
    validate_only = envelope.get("validate_only", False)
    if not isinstance(validate_only, bool):
        raise invalid("validate_only: must be true or false")
    message = _object(envelope.get("message"), "message")
    check_message(message)
    return message, validate_only


def check_message(message: Mapping[str, Any]) -> None:
    """Apply the rules to one message.

    Raises:
        Refused: 400, naming the field.
    """
    unknown = set(message) - _FIELDS
    if unknown:
        raise invalid(f"message: unknown name {min(unknown)!r}")
    targets = [name for name in _TARGETS if message.get(name)]
    if len(targets) != 1:
        raise invalid(f"message: exactly one of {', '.join(_TARGETS)} must be given")
    target = message[targets[0]]
    if not isinstance(target, str):
        raise invalid(f"message.{targets[0]}: must be a string")
    if targets == ["topic"] and not _TOPIC.fullmatch(target):
        raise invalid("message.topic: must match [a-zA-Z0-9-_.~%]+")
    for place in ("message", "message.android", "message.webpush"):
        part = message if place == "message" else _part(message, place.partition(".")[2])
        _check_data(_object(part.get("data", {}), f"{place}.data"), f"{place}.data")
    _check_size(message, TOPIC_BYTES if targets[0] in {"topic", "condition"} else TOKEN_BYTES)
    _check_android(_part(message, "android"))
    _check_apns(_part(message, "apns"))
    _check_webpush(_part(message, "webpush"))


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise invalid(f"{place}: must be an object")
    return value


def _part(message: Mapping[str, Any], name: str) -> dict[str, Any]:
    return _object(message.get(name, {}), f"message.{name}")


def _check_data(data: Mapping[str, Any], place: str) -> None:
    for key, value in data.items():
        if not isinstance(value, str):
            raise invalid(f"{place}[{key}]: must be a string, is {type(value).__name__}")
        if key in {"from", "message_type"} or key.startswith(("google", "gcm")):
            raise invalid(f"{place}: the key {key!r} is reserved")


def _check_size(message: Mapping[str, Any], limit: int) -> None:
    """Keys and values of the data, and what a notification says, in UTF-8."""
    for platform in ("android", "webpush"):
        data = {**message.get("data", {}), **_part(message, platform).get("data", {})}
        texts = [*data.keys(), *data.values(), *_texts(message.get("notification"))]
        size = sum(len(text.encode()) for text in texts)
        if size > limit:
            raise invalid(f"message: is too big, {size} bytes of at most {limit}")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)


def _check_android(android: Mapping[str, Any]) -> None:
    priority = android.get("priority", "normal")
    if priority not in _ANDROID_PRIORITIES:
        raise invalid("message.android.priority: must be normal or high")
    ttl = android.get("ttl", "0s")
    if not isinstance(ttl, str) or not _DURATION.fullmatch(ttl):
        raise invalid("message.android.ttl: must be seconds followed by s, as in 3.5s")
    if float(ttl[:-1]) > _LONGEST_TTL_SECONDS:
        raise invalid("message.android.ttl: at most four weeks")


def _check_apns(apns: Mapping[str, Any]) -> None:
    headers = _headers(apns, "message.apns.headers")
    priority = headers.get("apns-priority")
    if priority is not None and priority not in _APNS_PRIORITIES:
        raise invalid("message.apns.headers: apns-priority must be 1, 5 or 10")
    payload = _object(apns.get("payload", {}), "message.apns.payload")
    aps = _object(payload.get("aps", {}), "message.apns.payload.aps")
    if aps.get("content-available") == 1 and not any(name in aps for name in _SHOWN):
        # FCM's own default is 10, which Apple refuses for a notification that shows nothing.
        if priority != "5":
            raise invalid("message.apns.headers: apns-priority must be 5 for background messages")
        if headers.get("apns-push-type", "background") != "background":
            raise invalid("message.apns.headers: apns-push-type must be background")


def _check_webpush(webpush: Mapping[str, Any]) -> None:
    headers = _headers(webpush, "message.webpush.headers")
    ttl = headers.get("ttl", "0")
    if not (ttl.isascii() and ttl.isdigit() and len(ttl) < 10):  # noqa: PLR2004
        raise invalid("message.webpush.headers: TTL must be a number of seconds")
    if int(ttl) > _LONGEST_TTL_SECONDS:
        raise invalid("message.webpush.headers: TTL is at most four weeks")
    if headers.get("urgency", "normal") not in _URGENCIES:
        raise invalid(f"message.webpush.headers: Urgency must be one of {sorted(_URGENCIES)}")


def _headers(part: Mapping[str, Any], place: str) -> dict[str, str]:
    headers = _object(part.get("headers", {}), place)
    for name, value in headers.items():
        if not isinstance(value, str):
            raise invalid(f"{place}[{name}]: must be a string, is {type(value).__name__}")
    return {name.lower(): value for name, value in headers.items()}
