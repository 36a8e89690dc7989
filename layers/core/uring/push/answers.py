"""What an answer of FCM other than 200 means for the push.

| status           | the push                                                                     |
|------------------|------------------------------------------------------------------------------|
| 3xx 401 403 404  | later, a quarter of an hour: the project, its key or the endpoint is wrong   |
| 429              | later, no sooner than Retry-After, or a minute where FCM names no time       |
| 408 5xx          | later, no sooner than Retry-After; FCM may have delivered it all the same    |
| another 4xx      | never: the message itself is refused                                         |

404 is FCM's word for a device that is gone, and a topic has none to miss: here it means the
project. Were it final, every push would be lost to one wrong parameter.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from uring.push.ports import Cause, Later, Never

MISCONFIGURED_RETRY_SECONDS = 900
# FCM's reference asks for it after a rate limit (ErrorCode, QUOTA_EXCEEDED).
QUOTA_RETRY_SECONDS = 60
LONGEST_RETRY_AFTER_SECONDS = 86_400
_MOST_DIGITS = 9
_LONGEST_REASON = 300

_MISCONFIGURED: dict[int, Cause] = {401: "unauthorised", 403: "forbidden", 404: "not_found"}
_TOO_MANY_REQUESTS = 429
_PASSING = (408, *range(500, 600))


def classify(status: int, headers: Mapping[str, str], body: bytes) -> Later | Never:
    """Judge an answer that is no 2xx.

    Args:
        status: of HTTP.
        headers: whatever the case of their names, as `requests` has them.
        body: Google's error object or whatever a server in between said, complete or not.
    """
    reason = f"HTTP {status}: {_said(body)}"[:_LONGEST_REASON]
    if status < 400:  # noqa: PLR2004
        return Later(reason, after_seconds=MISCONFIGURED_RETRY_SECONDS, cause="redirected")
    if status in _MISCONFIGURED:
        cause = _MISCONFIGURED[status]
        return Later(reason, after_seconds=MISCONFIGURED_RETRY_SECONDS, cause=cause)
    wait = retry_after(headers.get("Retry-After"), headers.get("Date"))
    if status == _TOO_MANY_REQUESTS:
        return Later(reason, after_seconds=wait or QUOTA_RETRY_SECONDS, cause="quota")
    if status in _PASSING:
        return Later(reason, after_seconds=wait, delivered="open", cause="unavailable")
    return Never(reason, cause="invalid")


def retry_after(header: str | None, date: str | None) -> int:
    """Seconds to wait, at most a day; 0 where the header is absent or senseless.

    The form with a date counts from the server's own ``Date``: its clock need not be ours.
    """
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        seconds = int(text) if len(text) <= _MOST_DIGITS else LONGEST_RETRY_AFTER_SECONDS
    else:
        until, now = _moment(text), _moment(date or "")
        seconds = int((until - now).total_seconds()) if until and now else 0
    return min(max(seconds, 0), LONGEST_RETRY_AFTER_SECONDS)


def _moment(text: str) -> datetime | None:
    """An HTTP date; one without a zone, which HTTP does not know, counts as none."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return moment if moment.tzinfo else None


def _said(body: bytes) -> str:
    """Status, FCM's own error code and message; the start of the body where it is not Google's."""
    try:
        error: Any = json.loads(body)["error"]
        details = error.get("details") or []
        codes = [detail["errorCode"] for detail in details if "errorCode" in detail]
        words = [error["status"], *codes, error.get("message", "")]
        return ": ".join(dict.fromkeys(str(word) for word in words if word))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return " ".join(body[:_LONGEST_REASON].decode(errors="replace").split())
