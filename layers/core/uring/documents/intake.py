"""Events of the bucket become jobs: an attachment was uploaded or removed (D2).

An event only makes it sooner: whoever reads a policy looks at its attachment, and the janitor at
all of them. So the order of events is of no matter, and a lost one costs a day at most.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from uring.changes.ports import Sends
from uring.clock import Clock
from uring.documents.messages import JobMessage
from uring.documents.names import Attachment, derived_id
from uring.errors import MalformedMessage
from uring.runtime.telemetry import Telemetry

_KINDS: Final = ("Object Created", "Object Deleted")


class Intake:
    """Sends a job for each event."""

    def __init__(self, queue: Sends, telemetry: Telemetry, *, clock: Clock) -> None:
        self._queue = queue
        self._telemetry = telemetry
        self._clock = clock

    def take(self, event: Mapping[str, Any]) -> dict[str, int]:
        """Take an event of EventBridge from S3; return how many jobs it made.

        Raises:
            MalformedMessage: it is none.
            Unavailable: Lambda invokes again: the same event makes the same job.
        """
        try:
            kind, told = event["detail-type"], event["detail"]["object"]
            key, version = str(told["key"]), str(told.get("sequencer") or event["id"])
        except (KeyError, TypeError) as error:
            raise MalformedMessage(
                f"event: {error!r}: not of S3 by EventBridge; events/ has a sample"
            ) from error
        if kind not in _KINDS:
            raise MalformedMessage(f"event: detail-type: none of {', '.join(_KINDS)}")
        attachment = Attachment.at(key)
        if attachment is None:
            # Somebody's object in the wrong place, or with a name that no key can have.
            self._telemetry.warning("attachment_ignored", key=ascii(key)[:300])
            self._telemetry.count("AttachmentsIgnored")
            return {"jobs": 0}
        self._queue.send([refresh(attachment, version, self._clock())])
        self._telemetry.count("AttachmentsSeen")
        return {"jobs": 1}


def refresh(attachment: Attachment, cause: str, now: datetime) -> JobMessage:
    """Return the job that looks at an attachment.

    Args:
        attachment: to look at.
        cause: what was seen of it; the same one twice within five minutes is one job.
        now: aware UTC.
    """
    return JobMessage(
        job=derived_id(attachment.key, "refresh"),
        page=attachment.page,
        source=attachment.source,
        operation="refresh",
        submitted_at=now,
        cause=hashlib.sha256(cause.encode()).hexdigest(),
    )
