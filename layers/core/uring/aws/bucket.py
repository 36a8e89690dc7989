"""S3 for large objects and results; see `uring.bucket`."""

from collections.abc import Iterator, Mapping
from typing import Any

from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.aws.objects import S3Objects
from uring.bucket import Head
from uring.changes.ports import Listed

_ABSENT = ("NoSuchKey", "404")


class S3Reading:
    """Implements `uring.bucket.Reading`."""

    def __init__(self, answer: Mapping[str, Any], what: str) -> None:
        self.etag = str(answer["ETag"])
        self.size = int(answer["ContentLength"])
        self._body = answer["Body"]
        self._what = what

    def read(self, amount: int) -> bytes:
        """See `Reading.read`."""
        with translated(self._what):
            data: bytes = self._body.read(amount)
        return data

    def close(self) -> None:
        """See `Reading.close`."""
        self._body.close()


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
        return Head(str(answer["ETag"]), int(answer["ContentLength"]), answer.get("Metadata", {}))

    def open(self, key: str) -> S3Reading | None:
        """See `Bucket.open`."""
        what = f"s3:GetObject {self._bucket}/{key}"
        with translated(what):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=key)
            except ClientError as error:
                if code(error) in _ABSENT:
                    return None
                raise
        return S3Reading(answer, what)

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
                    yield Listed(item["Key"], item["ETag"])
