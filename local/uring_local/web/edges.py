"""The public side of a stack: its distribution, or its bucket behind the same rules."""

from collections.abc import Mapping
from typing import Any, Final, Protocol
from urllib.parse import unquote

import urllib3
from botocore.exceptions import BotoCoreError, ClientError
from urllib3.exceptions import HTTPError

from uring.aws.errors import code
from uring_local.loopback import Answer, Request
from uring_local.web.behaviors import Distribution
from uring_local.web.place import SiteAddress

_TIMEOUT: Final = urllib3.Timeout(connect=5, read=20)
# Headers of the connection, and of the body before urllib3 read it.
_HOP_BY_HOP: Final = frozenset({"connection", "content-length", "date", "transfer-encoding"})
_FORWARDED: Final = ("if-none-match", "if-modified-since", "origin")
_KEPT: Final = {"CacheControl": "Cache-Control", "ContentType": "Content-Type", "ETag": "ETag"}


class Edge(Protocol):
    """The public side of one stack; safe to share between threads."""

    def ask(self, request: Request) -> Answer:
        """Return the public response; 403 for a missing file, 503 or 504 if the origin failed."""
        ...


class DistributionEdge:
    """The distribution of a deployed stack.

    Args:
        place: its address.
    """

    def __init__(self, place: SiteAddress) -> None:
        self._place = place
        self._pool = urllib3.PoolManager(maxsize=8)

    def ask(self, request: Request) -> Answer:
        """See `Edge.ask`."""
        given = {name: request.headers[name] for name in _FORWARDED if name in request.headers}
        try:
            found = self._pool.request(
                # The response to HEAD needs the length of the body.
                "GET" if request.method == "HEAD" else request.method,
                f"{self._place.base}{request.target}",
                headers={**given, **self._place.headers},
                timeout=_TIMEOUT,
                redirect=False,
                retries=False,
            )
        except HTTPError:
            return Answer(504)
        kept = {
            name: found.headers[name] for name in found.headers if name.lower() not in _HOP_BY_HOP
        }
        return Answer(found.status, found.data, kept)


class BucketEdge:
    """The bucket of a stack without a distribution, read by the rules of the template's.

    Args:
        s3: a client.
        bucket: its name.
        distribution: with the rules to play.
    """

    def __init__(self, s3: Any, bucket: str, distribution: Distribution) -> None:
        self._s3 = s3
        self._bucket = bucket
        self._distribution = distribution

    def ask(self, request: Request) -> Answer:
        """See `Edge.ask`."""
        path = unquote(request.path)
        behavior = self._distribution.behavior(path)
        headers = {**behavior.headers}
        if "origin" in request.headers:
            headers |= behavior.cross_origin
        if request.method not in behavior.methods or not behavior.is_bucket:
            return Answer(403, b"", headers)
        try:
            found = self._s3.get_object(Bucket=self._bucket, Key=self._distribution.key(path))
            body = found["Body"].read()
        except ClientError as error:
            # The distribution may not list the bucket, so S3 answers 403 for a missing key.
            if code(error) in ("NoSuchKey", "404", "403", "AccessDenied"):
                return Answer(403, b"", headers)
            return Answer(503)
        except BotoCoreError:
            return Answer(504)
        headers |= {name: found[key] for key, name in _KEPT.items() if key in found}
        if is_known(request.headers, found["ETag"]):
            return Answer(304, b"", headers)
        return Answer(200, body, headers)


def is_known(headers: Mapping[str, str], etag: str) -> bool:
    """Return whether If-None-Match names this version, compared weakly (RFC 9110, 13.1.2)."""
    given = headers.get("if-none-match", "")
    return given.strip() == "*" or etag.removeprefix("W/") in {
        each.strip().removeprefix("W/") for each in given.split(",")
    }
