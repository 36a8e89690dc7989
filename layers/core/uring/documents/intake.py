"""Events of the bucket become jobs: an attachment was uploaded or removed (D2).

An event only makes it sooner: whoever reads a policy looks at its attachment, and the janitor at
all of them. So the order of events is of no matter, and a lost one costs a day at most.
"""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import unquote_plus

from uring.changes.ports import Sends
from uring.clock import Clock
from uring.documents.messages import JobMessage
from uring.documents.names import Attachment, derived_id, is_body
from uring.errors import MalformedMessage
from uring.runtime.telemetry import Telemetry

_KINDS: Final = ("ObjectCreated:", "ObjectRemoved:")


class Intake:
    """Sends a job for each event."""

    def __init__(self, queue: Sends, telemetry: Telemetry, *, clock: Clock) -> None:
        self._queue = queue
        self._telemetry = telemetry
        self._clock = clock

    def take(self, event: Mapping[str, Any]) -> dict[str, int]:
        """Take a notification of S3; return how many jobs it made.

        Raises:
            MalformedMessage: it is none.
            Unavailable: Lambda invokes again: the same event makes the same job.
        """
        told = list(_objects(event))
        now = self._clock()
        jobs = [refresh(attachment, cause, now) for attachment, cause in self._attachments(told)]
        if jobs:
            self._queue.send(jobs)
            self._telemetry.count("AttachmentsSeen", len(jobs))
        return {"jobs": len(jobs)}

    def _attachments(self, told: list[tuple[str, str]]) -> Iterator[tuple[Attachment, str]]:
        for key, cause in told:
            attachment = Attachment.at(key)
            if attachment is not None:
                yield attachment, cause
            elif not is_body(key):
                # Somebody's object in the wrong place, or with a name that no key can have.
                self._telemetry.warning("attachment_ignored", key=ascii(key)[:300])
                self._telemetry.count("AttachmentsIgnored")


def _objects(event: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the key of each object, and what tells this change of it from any other."""
    try:
        for record in event["Records"]:
            if not record["eventName"].startswith(_KINDS):
                raise MalformedMessage(f"event: eventName: begins with none of {_KINDS}")
            told = record["s3"]["object"]
            # In a form's encoding: a plus is a space.
            yield unquote_plus(told["key"]), str(told["sequencer"])
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedMessage(
            f"event: {error!r}: no notification of S3; events/ has a sample"
        ) from error


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
