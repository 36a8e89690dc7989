"""A stand-in for services of AWS with their wire protocols, as far as they are used.

A `MemoryBucket` decides what S3 would. Signatures are not checked: making them is what costs the
client. MiniStack would answer too; its many headers would cost the client half as much again.
"""

import json
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from fakes.objects import MemoryBucket

from uring.errors import PreconditionFailed
from uring.objects import Stored
from uring_local.loopback import Answer, Request

# Of a page of a listing, as of S3's.
_LISTED = 1_000
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


class Aws:
    """Answers the requests of boto3 clients.

    Attributes:
        objects: of S3.
    """

    def __init__(self) -> None:
        self._counting = threading.Lock()
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.objects = MemoryBucket()
        self._waiting: list[tuple[str, str, str]] = []
        self._calls: Counter[str] = Counter()

    def put(self, key: str, body: bytes) -> None:
        """Put an object there, and forget all others."""
        self.reset()
        self.objects.plant(key, body)

    def fill(self, messages: Sequence[tuple[str, str, str]]) -> None:
        """Put messages on the only queue: name, group and body of each; each is received once."""
        self._waiting = [*reversed(messages)]

    def calls(self) -> dict[str, int]:
        """Return the calls since the last time, by operation."""
        with self._counting:
            calls, self._calls = self._calls, Counter()
        return dict(sorted(calls.items()))

    def respond(self, request: Request) -> Answer:
        """Answer one call of a service."""
        operation = request.headers.get("x-amz-target", "").partition(".")[2]
        prefix = request.query.get("prefix")
        with self._counting:
            self._calls[operation or ("LIST" if prefix else request.method)] += 1
        if operation == "GetSecretValue":
            return _json({"SecretString": "bench-gateway-key"})
        if operation in ("GetItem", "PutItem", "TransactWriteItems"):
            # A table in which nothing is there: no domain was counted before.
            return _json({})
        if operation:
            message = json.loads(request.body)
            receives = operation == "ReceiveMessage"
            return _json(self._received(message) if receives else _sent(message))
        if prefix:
            after = request.query.get("start-after", "")
            return self._list(prefix, request.query.get("continuation-token", after))
        if request.path.endswith("/invocations"):
            return Answer(202)
        return self._object(request, unquote(request.path).split("/", 2)[2])

    def _received(self, asked: dict[str, Any]) -> dict[str, Any]:
        with self._counting:
            most = min(asked["MaxNumberOfMessages"], len(self._waiting))
            found = [self._waiting.pop() for _ in range(most)]
        messages = [
            {
                "MessageId": name,
                "ReceiptHandle": name,
                "Body": body,
                "Attributes": {"ApproximateReceiveCount": "1", "MessageGroupId": group},
            }
            for name, group, body in found
        ]
        return {"Messages": messages}

    def _object(self, request: Request, key: str) -> Answer:
        if request.method == "PUT":
            if not request.headers.keys() & {"if-match", "if-none-match"}:
                self.objects.plant(key, request.body)
                return Answer(200, headers={"ETag": '"0"'})
            expected = request.headers.get("if-match")
            try:
                etag = self.objects.put(key, request.body, if_match=expected, content_type="")
            except PreconditionFailed:
                return _refusal(412, "PreconditionFailed")
            return Answer(200, headers={"ETag": etag})
        if request.method == "DELETE":
            self.objects.remove(key)
            return Answer(204)
        stored = self.objects.get(key)
        if stored is None:
            return _refusal(404, "NoSuchKey")
        return _body(request, stored)

    def _list(self, prefix: str, after: str) -> Answer:
        listed = [*self.objects.list(prefix, after)]
        page = listed[:_LISTED]
        found = "".join(
            f"<Contents><Key>{each.key}</Key><ETag>{each.etag}</ETag>"
            "<Size>1</Size><LastModified>2024-03-04T00:00:00.000Z</LastModified></Contents>"
            for each in page
        )
        more = "<IsTruncated>false</IsTruncated>"
        if len(listed) > _LISTED:
            more = (
                "<IsTruncated>true</IsTruncated>"
                f"<NextContinuationToken>{page[-1].key}</NextContinuationToken>"
            )
        body = (
            f'{_XML}<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"{more}{found}</ListBucketResult>"
        )
        return Answer(200, body.encode(), {"Content-Type": "application/xml"})


def _body(request: Request, stored: Stored) -> Answer:
    """Return an object, or the range of it that is asked for."""
    headers = {"ETag": stored.etag, "Content-Type": "binary/octet-stream"}
    if "range" not in request.headers:
        return Answer(200, stored.body, headers)
    first, last = map(int, request.headers["range"].removeprefix("bytes=").split("-"))
    part = stored.body[first : last + 1]
    headers["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{len(stored.body)}"
    return Answer(206, part, headers)


def _json(document: dict[str, Any]) -> Answer:
    body = json.dumps(document).encode()
    return Answer(200, body, {"Content-Type": "application/x-amz-json-1.0"})


def _refusal(status: int, code: str) -> Answer:
    body = f"{_XML}<Error><Code>{code}</Code><Message>{code}</Message></Error>"
    return Answer(status, body.encode(), {"Content-Type": "application/xml"})


def _sent(message: dict[str, Any]) -> dict[str, Any]:
    successful = [{"Id": entry["Id"], "MessageId": entry["Id"]} for entry in message["Entries"]]
    return {"Successful": successful, "Failed": []}
