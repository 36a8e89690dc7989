"""The office's way to the functions: objects, their events, and requests to the HTTP API."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote_plus
from uuid import uuid4

from uring_local.sites.office.actions import Events
from uring_local.stack.application import Application
from uring_local.stack.http_api.event import answered, request_event

_CREATED: Final = "ObjectCreated:Put"
_DELETED: Final = "ObjectRemoved:DeleteMarkerCreated"


@dataclass(frozen=True, slots=True)
class Response:
    """A response of the API.

    Attributes:
        document: the JSON object; empty without one.
        headers: names in lower case.
    """

    status: int
    document: Mapping[str, Any]
    headers: Mapping[str, str]


class Post:
    """Stores objects and delivers the bucket's events, some of them late, twice or never.

    Args:
        application: with the bucket and the functions.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._late: list[dict[str, Any]] = []
        self._sent = 0

    def upload(self, key: str, body: bytes, events: Events = "sent") -> None:
        """Store an object, and deliver its event."""
        application = self._application
        application.s3.put_object(Bucket=application.bucket, Key=key, Body=body)
        self._tell(_CREATED, key, events)

    def remove(self, key: str, events: Events = "sent") -> None:
        """Remove an object, and deliver its event. A missing object is not an error."""
        application = self._application
        application.s3.delete_object(Bucket=application.bucket, Key=key)
        self._tell(_DELETED, key, events)

    def deliver(self) -> None:
        """Deliver the late events."""
        late, self._late = self._late, []
        for event in late:
            self._bring(event)

    def request(
        self,
        method: str,
        path: str,
        document: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Send a request to the API; return the response, with any status. Thread-safe."""
        typed = {} if document is None else {"content-type": "application/json"}
        body = None if document is None else json.dumps(document, ensure_ascii=False).encode()
        event = request_event(method, path, body, {**typed, **(headers or {})})
        status, said, text = answered(self._application.invoke("DocumentApi", event))
        names = {name.lower(): value for name, value in said.items()}
        return Response(status, json.loads(text or b"{}"), names)

    def _tell(self, kind: str, key: str, events: Events) -> None:
        event = _event(kind, self._application.bucket, key)
        if events == "late":
            self._late.append(event)
        elif events != "lost":
            self._bring(event)
            if events == "twice":
                self._bring(event)

    def _bring(self, event: dict[str, Any]) -> None:
        self._application.invoke("DocumentIntake", event)


def _event(kind: str, bucket: str, key: str) -> dict[str, Any]:
    """Return an S3 notification of one change."""
    return {
        "Records": [
            {
                "eventSource": "aws:s3",
                "eventName": kind,
                "s3": {
                    "bucket": {"name": bucket},
                    # Hexadecimal, and different for each change.
                    "object": {"key": quote_plus(key, "/"), "sequencer": uuid4().hex[:16].upper()},
                },
            }
        ]
    }
