"""The objects' calls: what a check reads and writes, as boto3's client has them."""

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from io import BytesIO
from typing import Any, Final, Protocol
from urllib.parse import quote

from uring.aws.direct.answers import MOST_BYTES, Answer, malformed
from uring.aws.direct.place import Place, resolve
from uring.aws.direct.wire import Request, Wire

_META: Final = "x-amz-meta-"
# As botocore encodes keys; a slash is one.
_SAFE: Final = "/-._~"
# What a header may hold; anything else is boto3's to refuse.
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+\Z")
_VALUE: Final = re.compile(r"[\x20-\x7e]*\Z")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call, and which of its parameters are headers."""

    operation: str
    method: str
    verb: str
    headers: Mapping[str, str]
    others: frozenset[str] = frozenset({"Bucket", "Key"})

    def takes(self, params: Mapping[str, Any]) -> bool:
        """Return whether these parameters are known here, and none would break the request."""
        headers = self.headers_of(params)
        return (
            params.keys() <= self.headers.keys() | self.others
            # Without a key it would be a call to the bucket.
            and isinstance(params.get("Key"), str)
            and bool(params["Key"])
            and isinstance(params.get("Body", b""), bytes)
            and all(_NAME.match(name) for name in headers)
            and all(isinstance(value, str) and _VALUE.match(value) for value in headers.values())
        )

    def headers_of(self, params: Mapping[str, Any]) -> dict[str, str]:
        """Return the parameters that are headers."""
        named = {self.headers[name]: params[name] for name in self.headers if name in params}
        metadata = params.get("Metadata", {})
        return {**named, **{f"{_META}{name}": value for name, value in metadata.items()}}


_CONDITIONS: Final = {"IfMatch": "If-Match", "IfNoneMatch": "If-None-Match"}
_GET: Final = _Call("GetObject", "get_object", "GET", {"Range": "Range", **_CONDITIONS})
_HEAD: Final = _Call("HeadObject", "head_object", "HEAD", _CONDITIONS)
_DELETE: Final = _Call("DeleteObject", "delete_object", "DELETE", {})
_PUT: Final = _Call(
    "PutObject",
    "put_object",
    "PUT",
    {"ContentType": "Content-Type", "CacheControl": "Cache-Control", **_CONDITIONS},
    frozenset({"Bucket", "Key", "Body", "Metadata"}),
)


class Body(Protocol):
    """The bytes of an object."""

    def read(self) -> bytes:
        """Return all of them."""
        ...

    def close(self) -> None:
        """Let them go."""
        ...


class _Refused:
    """The body of an object that is longer than what is read."""

    def read(self) -> bytes:
        """Refuse."""
        raise malformed(f"an object of more than {MOST_BYTES} bytes is not read")

    def close(self) -> None:
        """Do nothing: its connection is closed already."""


class DirectS3:
    """Stands in for boto3's S3 client.

    Args:
        client: boto3's, for all other calls and parameters.
        count: is told each call by its name.
    """

    def __init__(self, client: Any, count: Callable[[str], None]) -> None:
        self._client = client
        self._wire = Wire(client, count)
        self._buckets: dict[str, tuple[Place, str] | None] = {}
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        """Return what boto3's client has of this name."""
        return getattr(self._client, name)

    def get_object(self, **params: Any) -> dict[str, Any]:
        """Return an object; its body was read whole, in the attempt that got it."""
        return self._call(_GET, params, _object)

    def head_object(self, **params: Any) -> dict[str, Any]:
        """Return an object without its body."""
        return self._call(_HEAD, params, _head)

    def put_object(self, **params: Any) -> dict[str, Any]:
        """Write an object."""
        return self._call(_PUT, params, lambda answer: {"ETag": _etag(answer)})

    def delete_object(self, **params: Any) -> dict[str, Any]:
        """Remove an object; one that is not there is none already."""
        return self._call(_DELETE, params, lambda _: {})

    def _call(
        self, call: _Call, params: Mapping[str, Any], read: Callable[[Answer], dict[str, Any]]
    ) -> dict[str, Any]:
        way = self._way(call, params) if call.takes(params) else None
        if way is None:
            answer: dict[str, Any] = getattr(self._client, call.method)(**params)
            return answer
        place, root = way
        headers, body = call.headers_of(params), params.get("Body", b"")
        target = root + _path(params)
        request = Request(call.operation, params, call.verb, target, headers, body)
        return self._wire.send(place, request, read)

    def _way(self, call: _Call, params: Mapping[str, Any]) -> tuple[Place, str] | None:
        """Return the bucket's place and the path that it has there."""
        bucket = params["Bucket"]
        with self._lock:
            if bucket not in self._buckets:
                place = resolve(self._client, call.operation, call.method, params)
                is_there = place and place.path.endswith(_path(params))
                self._buckets[bucket] = (
                    (place, place.path.removesuffix(_path(params))) if place and is_there else None
                )
            return self._buckets[bucket]


def _path(params: Mapping[str, Any]) -> str:
    return "/" + quote(params["Key"], safe=_SAFE)


def _object(answer: Answer) -> dict[str, Any]:
    body: Body = _Refused() if answer.body is None else BytesIO(answer.body)
    size = _size(answer) if answer.body is None else len(answer.body)
    read = {"ETag": _etag(answer), "ContentLength": size, "Body": body}
    if "content-range" in answer.headers:
        read["ContentRange"] = answer.headers["content-range"]
    return read


def _head(answer: Answer) -> dict[str, Any]:
    head: dict[str, Any] = {
        "ETag": _etag(answer),
        "ContentLength": _size(answer),
        "Metadata": _metadata(answer),
    }
    modified = answer.headers.get("last-modified")
    if not modified:
        return head
    try:
        return {**head, "LastModified": parsedate_to_datetime(modified)}
    except (TypeError, ValueError) as error:
        raise malformed(f"Last-Modified is no date: {error}") from error


def _etag(answer: Answer) -> str:
    """Return the ETag: what has none is no answer of S3."""
    etag = answer.headers.get("etag")
    if not etag:
        raise malformed("the answer has no ETag")
    return etag


def _size(answer: Answer) -> int:
    """Return the size that is told; of an endless body it is more than what is read."""
    said = answer.headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 20 else MOST_BYTES + 1  # noqa: PLR2004


def _metadata(answer: Answer) -> dict[str, str]:
    return {
        name.lower().removeprefix(_META): value
        for name, value in answer.headers.items()
        if name.lower().startswith(_META)
    }
