"""S3 for large objects and results; see `uring.bucket`."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.aws.objects import S3Objects
from uring.bucket import Head
from uring.changes.ports import Listed

_ABSENT: Final = ("NoSuchKey", "404")
_RANGE_BYTES: Final = 8 * 1024 * 1024


class S3Reading:
    """Implements `uring.bucket.Reading`, by ranges of one version.

    Whoever reads takes minutes between two of them; S3 and the network end a stream that waits.
    """

    def __init__(self, client: Any, place: Mapping[str, str], answer: Mapping[str, Any]) -> None:
        self.etag = str(answer["ETag"])
        self.size = _whole_size(answer)
        self._client = client
        self._place = place
        self._what = f"s3:GetObject {place['Bucket']}/{place['Key']}"
        self._offset = 0
        self._buffer = memoryview(b"")
        self._take(answer)

    def read(self, amount: int) -> bytes:
        """See `Reading.read`."""
        if not self._buffer and self._offset < self.size:
            with translated(self._what):
                self._take(
                    self._client.get_object(
                        **self._place, Range=_range(self._offset), IfMatch=self.etag
                    )
                )
        data, self._buffer = self._buffer[:amount], self._buffer[amount:]
        return bytes(data)

    def close(self) -> None:
        """See `Reading.close`."""
        self._buffer = memoryview(b"")
        self._offset = self.size

    def _take(self, answer: Mapping[str, Any]) -> None:
        with translated(self._what):
            body = answer["Body"].read()
        self._buffer = memoryview(body)
        self._offset += len(body)


def _range(offset: int) -> str:
    return f"bytes={offset}-{offset + _RANGE_BYTES - 1}"


def _whole_size(answer: Mapping[str, Any]) -> int:
    """Return the object's size; of an empty one there is no range, and the answer is whole."""
    return int(str(answer.get("ContentRange", "/0")).rpartition("/")[2])


class S3Bucket(S3Objects):
    """Implements `uring.bucket.Bucket`; safe to share between threads."""

    def head(self, key: str) -> Head | None:
        """See `Bucket.head`."""
        with translated(f"s3:HeadObject {self._bucket}/{key}"):
            try:
                answer = self._client.head_object(Bucket=self._bucket, Key=key)
            except ClientError as error:
                if code(error) in _ABSENT:
                    return None
                raise
        return Head(
            str(answer["ETag"]),
            int(answer["ContentLength"]),
            answer.get("Metadata", {}),
            answer.get("LastModified"),
        )

    def open(self, key: str) -> S3Reading | None:
        """See `Bucket.open`."""
        place = {"Bucket": self._bucket, "Key": key}
        with translated(f"s3:GetObject {self._bucket}/{key}"):
            try:
                answer = self._client.get_object(**place, Range=_range(0))
            except ClientError as error:
                if code(error) in _ABSENT:
                    return None
                if code(error) == "InvalidRange":
                    # An empty object has no first byte.
                    return S3Reading(self._client, place, self._client.get_object(**place))
                raise
        return S3Reading(self._client, place, answer)

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        """See `Bucket.write`."""
        with translated(f"s3:PutObject {self._bucket}/{key}"):
            self._client.put_object(
                Bucket=self._bucket,
                Key=key,
                Body=body,
                ContentType=content_type,
                Metadata=dict(metadata or {}),
            )

    def list_after(self, prefix: str, after: str) -> Iterator[Listed]:
        """See `Bucket.list_after`."""
        with translated(f"s3:ListBucket {self._bucket}/{prefix}"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=prefix, StartAfter=after
            )
            for page in pages:
                for item in page.get("Contents", []):
                    yield Listed(item["Key"], item["ETag"], item.get("LastModified"))
