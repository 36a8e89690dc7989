"""FCM's rule for names of topics, and its refusals of requests."""

import json
import re
from typing import Any, Final

# The limit of the queue's contract; FCM's reference names none.
LONGEST_TOPIC: Final = 900
_TOPIC: Final = re.compile(r"[a-zA-Z0-9\-_.~%]+")


def read_topic(text: str) -> str:
    """Return a topic's name in the form for a message.

    Raises:
        ValueError: FCM would refuse it; the message has the remedy.
    """
    if text.strip() != text and _TOPIC.fullmatch(text.strip()):
        raise ValueError(f"{text!r}: remove the white space at its ends")
    if text.startswith("/topics/"):
        raise ValueError(f"{text!r}: give the name alone, without /topics/")
    if not _TOPIC.fullmatch(text):
        raise ValueError(
            f"{text!r}: a topic has only ASCII letters, digits and -_.~%; "
            "a department's topic is its id in the sitemap"
        )
    if len(text) > LONGEST_TOPIC:
        raise ValueError(f"the topic has {len(text)} characters, at most {LONGEST_TOPIC} are sent")
    return text


class FcmRefused(Exception):
    """A request that FCM answers with an error.

    Args:
        http: the status code.
        status: the canonical code of Google APIs.
        message: text for people.
        code: FCM's own error code; None for an error outside FCM.
        retry_after: the seconds of the Retry-After header.
        field: the field of the request that the details name.
    """

    def __init__(
        self,
        http: int,
        status: str,
        message: str,
        *,
        code: str | None = None,
        retry_after: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.http = http
        self.retry_after = retry_after
        self._status = status
        self._code = code
        self._field = field

    def body(self) -> bytes:
        """Return the error object of Google APIs, with FCM's code and the field in the details."""
        error: dict[str, Any] = {"code": self.http, "message": str(self), "status": self._status}
        details: list[dict[str, Any]] = []
        if self._code is not None:
            kind = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
            details.append({"@type": kind, "errorCode": self._code})
        if self._field is not None:
            kind = "type.googleapis.com/google.rpc.BadRequest"
            violation = {"field": self._field, "description": str(self)}
            details.append({"@type": kind, "fieldViolations": [violation]})
        if details:
            error["details"] = details
        return json.dumps({"error": error}, ensure_ascii=False).encode()


def invalid(message: str, field: str | None = None) -> FcmRefused:
    """Return a refusal with 400 INVALID_ARGUMENT."""
    return FcmRefused(400, "INVALID_ARGUMENT", message, code="INVALID_ARGUMENT", field=field)
