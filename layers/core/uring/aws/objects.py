"""The objects of a bucket on S3."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.errors import Misconfigured, PreconditionFailed
from uring.objects import Listed, ObjectHead, Stored

# Far more than any object that uRing writes: a larger one is another writer's.
MAX_BYTES: Final = 64 * 1024 * 1024
_RANGE_BYTES: Final = 8 * 1024 * 1024
_ABSENT: Final = ("NoSuchKey", "404")


class _Ranges:
    """Implements `uring.objects.OpenObject`: reads ranges of one version.

    The reader may take minutes between two ranges; S3 and the network end an idle stream.
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
        """See `OpenObject.read`."""
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
        """See `OpenObject.close`."""
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
    """Return the object's size; 0 for an answer without a range, which is an empty object."""
    return int(str(answer.get("ContentRange", "/0")).rpartition("/")[2])


class S3Bucket:
    """Implements `uring.objects.Bucket`; safe to share between threads.

    The role needs ``s3:ListBucket``: without it S3 answers 403 for a missing key.
    """

    def __init__(self, client: Any, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def get(self, key: str) -> Stored | None:
        """See `Objects.get`."""
        what = f"s3:GetObject {self._bucket}/{key}"
        with translated(what):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=key)
            except ClientError as error:
                if code(error) in _ABSENT:
                    return None
                raise
            if answer["ContentLength"] > MAX_BYTES:
                answer["Body"].close()
                raise Misconfigured(
                    f"{what}: {answer['ContentLength']} bytes, at most {MAX_BYTES} are read; "
                    "something else writes to this key"
                )
            return Stored(answer["Body"].read(), answer["ETag"])

    def put(
        self,
        key: str,
        body: bytes,
        *,
        if_match: str | None,
        content_type: str,
        cache_control: str | None = None,
    ) -> str:
        """See `Objects.put`."""
        what = f"s3:PutObject {self._bucket}/{key}"
        condition = {"IfNoneMatch": "*"} if if_match is None else {"IfMatch": if_match}
        headers = {"CacheControl": cache_control} if cache_control else {}
        with translated(what):
            try:
                answer = self._client.put_object(
                    Bucket=self._bucket,
                    Key=key,
                    Body=body,
                    ContentType=content_type,
                    **condition,
                    **headers,
                )
            except ClientError as error:
                # The object was removed: S3 answers If-Match with 404 rather than 412.
                if if_match is not None and code(error) in _ABSENT:
                    raise PreconditionFailed(what) from error
                raise
            return str(answer["ETag"])

    def past(self, key: str) -> Iterator[bytes]:
        """See `Objects.past`."""
        with translated(f"s3:ListBucketVersions {self._bucket}/{key}"):
            pages = self._client.get_paginator("list_object_versions").paginate(
                Bucket=self._bucket, Prefix=key
            )
            for page in pages:
                for each in page.get("Versions", ()):
                    if each["Key"] == key and (body := self._version(key, each)) is not None:
                        yield body

    def _version(self, key: str, version: Mapping[str, Any]) -> bytes | None:
        """Return the body of a version; None if it has expired or is too large."""
        if version["Size"] > MAX_BYTES:
            return None
        with translated(f"s3:GetObjectVersion {self._bucket}/{key}"):
            try:
                answer = self._client.get_object(
                    Bucket=self._bucket, Key=key, VersionId=version["VersionId"]
                )
            except ClientError as error:
                if code(error) in (*_ABSENT, "NoSuchVersion"):
                    return None
                raise
            return bytes(answer["Body"].read())

    def head(self, key: str) -> ObjectHead | None:
        """See `Bucket.head`."""
        with translated(f"s3:HeadObject {self._bucket}/{key}"):
            try:
                answer = self._client.head_object(Bucket=self._bucket, Key=key)
            except ClientError as error:
                if code(error) in _ABSENT:
                    return None
                raise
        return ObjectHead(
            str(answer["ETag"]),
            int(answer["ContentLength"]),
            answer.get("Metadata", {}),
            answer.get("LastModified"),
        )

    def open(self, key: str) -> _Ranges | None:
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
                    return _Ranges(self._client, place, self._client.get_object(**place))
                raise
        return _Ranges(self._client, place, answer)

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

    def list(self, prefix: str, after: str = "") -> Iterator[Listed]:
        """See `Bucket.list`."""
        with translated(f"s3:ListBucket {self._bucket}/{prefix}"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket,
                Prefix=prefix,
                **({"StartAfter": after} if after else {}),
            )
            for page in pages:
                for each in page.get("Contents", []):
                    yield Listed(each["Key"], each["ETag"], each.get("LastModified"))

    def folders(self, prefix: str, after: str = "") -> Iterator[str]:
        """See `Bucket.folders`."""
        with translated(f"s3:ListBucket {self._bucket}/{prefix}"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket,
                Prefix=prefix,
                Delimiter="/",
                # After every key of that folder: "0" follows "/".
                **({"StartAfter": f"{prefix}{after}0"} if after else {}),
            )
            for page in pages:
                for each in page.get("CommonPrefixes", []):
                    yield each["Prefix"].removeprefix(prefix).removesuffix("/")

    def remove(self, key: str) -> None:
        """See `Bucket.remove`."""
        with translated(f"s3:DeleteObject {self._bucket}/{key}"):
            self._client.delete_object(Bucket=self._bucket, Key=key)
