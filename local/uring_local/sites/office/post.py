"""The office's way to the functions: objects, their events, and requests to the HTTP API."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, quote_plus, urlsplit
from uuid import uuid4

from uring_local.sites.office.actions import Events
from uring_local.sites.office.people import Response
from uring_local.stack.application import Application

_CREATED: Final = "ObjectCreated:Put"
_DELETED: Final = "ObjectRemoved:DeleteMarkerCreated"


class Post:
    """Puts objects, and brings the events that the bucket would send; some late, twice or never.

    Args:
        application: with the bucket and the functions.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._late: list[dict[str, Any]] = []
        self._sent = 0

    def upload(self, key: str, body: bytes, events: Events = "sent") -> None:
        """Put an object."""
        application = self._application
        application.s3.put_object(Bucket=application.bucket, Key=key, Body=body)
        self._tell(_CREATED, key, events)

    def remove(self, key: str, events: Events = "sent") -> None:
        """Remove an object; one that is not there is removed already."""
        application = self._application
        application.s3.delete_object(Bucket=application.bucket, Key=key)
        self._tell(_DELETED, key, events)

    def deliver(self) -> None:
        """Bring the events that are late."""
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
        """See `uring_local.sites.office.people.Api`."""
        answer = self._application.invoke(
            "DocumentApi", _request(method, path, document, headers or {})
        )
        body = answer.get("body") or "{}"
        names = {name.lower(): str(value) for name, value in answer.get("headers", {}).items()}
        return Response(answer["statusCode"], json.loads(body), names)

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
    """Return a notification of S3."""
    return {
        "Records": [
            {
                "eventSource": "aws:s3",
                "eventName": kind,
                "s3": {
                    "bucket": {"name": bucket},
                    # Hexadecimal, and another one for each change.
                    "object": {"key": quote_plus(key, "/"), "sequencer": uuid4().hex[:16].upper()},
                },
            }
        ]
    }


def _request(
    method: str, target: str, document: Mapping[str, Any] | None, headers: Mapping[str, str]
) -> dict[str, Any]:
    """Return a request as API Gateway hands it over (payload 2.0)."""
    parts = urlsplit(target)
    query = {name: ",".join(values) for name, values in parse_qs(parts.query).items()}
    typed = {} if document is None else {"content-type": "application/json"}
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": parts.path,
        "rawQueryString": parts.query,
        "queryStringParameters": query,
        "headers": {**typed, **headers},
        "requestContext": {
            "requestId": str(uuid4()),
            "http": {"method": method, "path": parts.path},
            "stage": "$default",
        },
        "body": None if document is None else json.dumps(document, ensure_ascii=False),
        "isBase64Encoded": False,
    }
