"""The meaning of FCM's HTTP errors for a push.

| status           | the push                                                                     |
|------------------|------------------------------------------------------------------------------|
| 3xx 401 403 404  | RetryLater, in 15 min: the project, its key or the endpoint is wrong         |
| 429              | RetryLater, no sooner than Retry-After, or a minute where FCM names no time; |
|                  | the cause names whose quota it is, where FCM says so                         |
| 408 5xx          | RetryLater, no sooner than Retry-After; FCM may have delivered the message   |
| another 4xx      | Rejected: the message itself is refused                                      |

FCM answers 404 for a missing device, but a topic has no device: here 404 means the project. If it
were final, one wrong parameter would lose every push.
"""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from uring.push.ports import Cause, Rejected, RetryLater

MISCONFIGURED_RETRY_SECONDS: Final = 900
# FCM's reference asks for a minute after a rate limit (ErrorCode, QUOTA_EXCEEDED).
QUOTA_RETRY_SECONDS: Final = 60
LONGEST_RETRY_AFTER_SECONDS: Final = 86_400
_MOST_DIGITS: Final = 9
LONGEST_REASON: Final = 300
# The subject of a QuotaFailure, or words such as "Topic quota exceeded."
_QUOTA_SUBJECT: Final = re.compile(
    r"\A(project|topic|device)s?(?![a-z])|\b(project|topic|device) (?:message )?(?:quota|rate)\b",
    re.IGNORECASE,
)
_QUOTA_CAUSES: Final[Mapping[str, Cause]] = {
    "project": "quota_project",
    "topic": "quota_topic",
    "device": "quota_device",
}
_CODE: Final = re.compile(r"[A-Z_]{1,60}\Z")
# Raised when a body is not Google's error object.
_UNREADABLE: Final = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    RecursionError,
)

# A status below 400 without success is a redirect: FCM is not at this address.
_REDIRECTED: Final = range(400)
_MISCONFIGURED: Final[Mapping[int, Cause]] = {
    401: "unauthorised",
    403: "forbidden",
    404: "not_found",
}
_TOO_MANY_REQUESTS: Final = 429
_UNAVAILABLE: Final = (408, *range(500, 600))


def classify(status: int, headers: Mapping[str, str], body: bytes) -> RetryLater | Rejected:
    """Classify a response with another status than 2xx.

    Args:
        status: of HTTP.
        headers: looked up by name in any case, as `requests` does.
        body: Google's error object or a proxy's text; it may be cut short.
    """
    reason = f"HTTP {status}: {_error_text(body)}"[:LONGEST_REASON]
    if status in _REDIRECTED:
        return RetryLater(reason, after_seconds=MISCONFIGURED_RETRY_SECONDS, cause="redirected")
    if status in _MISCONFIGURED:
        cause = _MISCONFIGURED[status]
        return RetryLater(reason, after_seconds=MISCONFIGURED_RETRY_SECONDS, cause=cause)
    wait = retry_after(headers.get("Retry-After"), headers.get("Date"))
    if status == _TOO_MANY_REQUESTS:
        cause = _quota_cause(body)
        return RetryLater(reason, after_seconds=wait or QUOTA_RETRY_SECONDS, cause=cause)
    if status in _UNAVAILABLE:
        return RetryLater(reason, after_seconds=wait, delivered="open", cause="unavailable")
    return Rejected(reason, cause="invalid")


def retry_after(header: str | None, date: str | None) -> int:
    """Return the seconds to wait, at most a day; 0 for a missing, malformed or past value.

    A date counts from the server's own ``Date``, because its clock may differ from ours; without
    ``Date`` it gives 0.
    """
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        seconds = int(text) if len(text) <= _MOST_DIGITS else LONGEST_RETRY_AFTER_SECONDS
    else:
        until, now = _http_date(text), _http_date(date or "")
        seconds = int((until - now).total_seconds()) if until and now else 0
    return min(max(seconds, 0), LONGEST_RETRY_AFTER_SECONDS)


def _http_date(text: str) -> datetime | None:
    """Parse an HTTP date; None for a malformed one, and for one without a zone."""
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return date if date.tzinfo else None


def error_codes(body: bytes) -> tuple[str, ...]:
    """Return Google's status and FCM's error codes; empty for a body without Google's error."""
    try:
        words, _ = _read_error(body)
    except _UNREADABLE:
        return ()
    return tuple(dict.fromkeys(word for word in words if _CODE.match(word)))


def _quota_cause(body: bytes) -> Cause:
    """Return whose quota is used up; ``quota`` where the answer does not say."""
    try:
        error: Any = json.loads(body)["error"]
        violations = [
            violation
            for detail in error.get("details") or []
            if str(detail.get("@type")).endswith("/google.rpc.QuotaFailure")
            for violation in detail["violations"]
        ]
        texts = [
            *(violation.get("subject") for violation in violations),
            *(violation.get("description") for violation in violations),
            error.get("message"),
        ]
    except _UNREADABLE:
        return "quota"
    found = next((it for it in (_QUOTA_SUBJECT.search(str(text)) for text in texts) if it), None)
    return _QUOTA_CAUSES[(found[1] or found[2]).lower()] if found else "quota"


def _error_text(body: bytes) -> str:
    """Return Google's status, FCM's error codes and the message; else the body's start."""
    try:
        codes, message = _read_error(body)
    except _UNREADABLE:
        return " ".join(body[:LONGEST_REASON].decode(errors="replace").split())
    return ": ".join(dict.fromkeys(word for word in (*codes, message) if word))


def _read_error(body: bytes) -> tuple[list[str], str]:
    """Return the codes of an error object, Google's first, and its message.

    Raises one of `_UNREADABLE` for anything else.
    """
    error: Any = json.loads(body)["error"]
    details = error.get("details") or []
    codes = [detail["errorCode"] for detail in details if "errorCode" in detail]
    return [str(code or "") for code in (error["status"], *codes)], str(error.get("message") or "")
