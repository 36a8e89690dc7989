"""A stand-in for S3, SQS and Secrets Manager with their wire protocols, as far as they are used.

Objects live in memory. Conditional writes answer as S3 does: 412 where another object is there,
404 where an object is gone. Signatures are not checked: making them is what costs the client.
"""

import hashlib
import json
from collections import Counter
from typing import Any
from urllib.parse import parse_qs, unquote
from xml.sax.saxutils import escape

from httpd import Answer, Request


class Aws:
    """Answers the requests of boto3 clients."""

    def __init__(self) -> None:
        self._objects: dict[str, tuple[bytes, str]] = {}
        self._calls: Counter[str] = Counter()

    def reset(self) -> None:
        """Forget everything."""
        self._objects, self._calls = {}, Counter()

    def calls(self) -> dict[str, int]:
        """The calls since the last time, by operation."""
        calls, self._calls = self._calls, Counter()
        return dict(sorted(calls.items()))

    def respond(self, request: Request) -> Answer:
        """One call of S3, SQS or Secrets Manager."""
        target = request.headers.get("x-amz-target", "")
        path, _, query = request.path.partition("?")
        listed = parse_qs(query).get("prefix", []) if "list-type=2" in query else []
        self._calls[target.partition(".")[2] or ("LIST" if listed else request.method)] += 1
        if target == "secretsmanager.GetSecretValue":
            secret = json.dumps({"SecretString": "bench-gateway-key"}).encode()
            return Answer(200, secret, {"Content-Type": "application/x-amz-json-1.1"})
        if target:
            return _sent(target, json.loads(request.body))
        if listed:
            return self._list(unquote(path), listed[0])
        if request.method == "PUT":
            return self._put(request)
        if request.method == "DELETE":
            self._objects.pop(unquote(path), None)
            return Answer(204)
        return self._get(unquote(path))

    def _list(self, bucket: str, prefix: str) -> Answer:
        start = f"{bucket.rstrip('/')}/"
        keys = sorted(key.removeprefix(start) for key in self._objects if key.startswith(start))
        found = "".join(
            f"<Contents><Key>{key}</Key><ETag>{escape(self._objects[start + key][1])}</ETag>"
            "<Size>1</Size><LastModified>2024-03-04T00:00:00.000Z</LastModified></Contents>"
            for key in keys
            if key.startswith(prefix)
        )
        body = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult '
            'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated>'
            f"{found}</ListBucketResult>"
        )
        return Answer(200, body.encode(), {"Content-Type": "application/xml"})

    def _get(self, key: str) -> Answer:
        if key not in self._objects:
            return _refusal(404, "NoSuchKey")
        body, etag = self._objects[key]
        return Answer(200, body, {"ETag": etag, "Content-Type": "binary/octet-stream"})

    def _put(self, request: Request) -> Answer:
        key = unquote(request.path.partition("?")[0])
        _, etag = self._objects.get(key, (b"", None))
        expected = request.headers.get("if-match")
        if expected is not None and etag is None:
            return _refusal(404, "NoSuchKey")
        if expected not in (None, etag) or (request.headers.get("if-none-match") and etag):
            return _refusal(412, "PreconditionFailed")
        digest = hashlib.md5(request.body, usedforsecurity=False).hexdigest()
        self._objects[key] = request.body, f'"{digest}"'
        return Answer(200, headers={"ETag": f'"{digest}"'})


def _refusal(status: int, code: str) -> Answer:
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<Error><Code>{code}</Code><Message>{code}</Message><RequestId>0</RequestId></Error>"
    )
    return Answer(status, body.encode(), {"Content-Type": "application/xml"})


def _sent(target: str, message: dict[str, Any]) -> Answer:
    if target != "AmazonSQS.SendMessageBatch":
        return Answer(400, b'{"__type":"com.amazonaws.sqs#UnsupportedOperation"}')
    successful = [
        {
            "Id": entry["Id"],
            "MessageId": f"00000000-0000-0000-0000-{place:012}",
            "MD5OfMessageBody": hashlib.md5(
                entry["MessageBody"].encode(), usedforsecurity=False
            ).hexdigest(),
        }
        for place, entry in enumerate(message["Entries"])
    ]
    body = json.dumps({"Successful": successful, "Failed": []}).encode()
    return Answer(200, body, {"Content-Type": "application/x-amz-json-1.0"})
