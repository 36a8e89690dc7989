"""Events of the bucket become jobs: an attachment was uploaded or removed (D2).

An event only speeds up a refresh: every read of a policy checks its attachment, and the janitor
checks all of them daily. So the order of events does not matter, and a lost event costs a day at
most.
"""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import unquote_plus

from uring.changes.ports import Sends
from uring.clock import Clock
from uring.documents.messages import JobMessage
from uring.documents.names import Attachment, derived_id, ignored_because, is_body
from uring.errors import MalformedMessage
from uring.runtime.telemetry import Telemetry

_KINDS: Final = ("ObjectCreated:", "ObjectRemoved:")


class Intake:
    """Sends a job for each changed attachment."""

    def __init__(self, queue: Sends, telemetry: Telemetry, *, clock: Clock) -> None:
        self._queue = queue
        self._telemetry = telemetry
        self._clock = clock

    def take(self, event: Mapping[str, Any]) -> dict[str, int]:
        """Send a job for each attachment in a notification of S3; return ``{"jobs": number}``.

        Raises:
            MalformedMessage: the event is not a notification of S3.
            Unavailable: the queue failed. Lambda invokes again: the same event makes the same jobs.
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
                # An object in the wrong place, or with a name that is not valid for an attachment.
                self._telemetry.warning(
                    "attachment_ignored", key=ascii(key)[:300], reason=ignored_because(key)
                )
                self._telemetry.count("AttachmentsIgnored")


def _objects(event: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the key of each object, and the sequencer that identifies this change of it."""
    try:
        for record in event["Records"]:
            if not record["eventName"].startswith(_KINDS):
                raise MalformedMessage(f"event: eventName: does not begin with one of {_KINDS}")
            told = record["s3"]["object"]
            # S3 encodes keys as a form does: a plus is a space.
            yield unquote_plus(told["key"]), str(told["sequencer"])
    except (KeyError, TypeError, AttributeError) as error:
        raise MalformedMessage(
            f"event: {error!r}: not a notification of S3; events/ has a sample"
        ) from error


def refresh(attachment: Attachment, cause: str, now: datetime) -> JobMessage:
    """Return the job that refreshes an attachment.

    Args:
        attachment: the attachment.
        cause: identifies the observed change; the same cause twice within five minutes is one job.
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
