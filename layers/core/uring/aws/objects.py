"""S3 as an object store with compare-and-swap."""

from collections.abc import Iterator
from typing import Any, Final

from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.changes.ports import Listed, Stored
from uring.errors import Misconfigured, PreconditionFailed

# Nothing that this application stores comes near; a larger object is not one of its own.
MAX_BYTES: Final = 64 * 1024 * 1024


class S3Objects:
    """Objects of one bucket; see `uring.changes.ports.ObjectStore` for the contract.

    The role needs ``s3:ListBucket``: without it S3 answers 403 for a key that is not there.
    """

    def __init__(self, client: Any, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def get(self, key: str) -> Stored | None:
        """See `ObjectStore.get`."""
        what = f"s3:GetObject {self._bucket}/{key}"
        with translated(what):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=key)
            except ClientError as error:
                if code(error) in ("NoSuchKey", "404"):
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
        """See `ObjectStore.put`."""
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
                # The object vanished: S3 answers 404 rather than 412 to If-Match.
                if if_match is not None and code(error) in ("NoSuchKey", "404"):
                    raise PreconditionFailed(what) from error
                raise
            return str(answer["ETag"])

    def list(self, prefix: str) -> Iterator[Listed]:
        """Yield every object below a prefix, by key; see `uring.changes.ports.Listed`.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        with translated(f"s3:ListBucket {self._bucket}/{prefix}"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=prefix
            )
            for page in pages:
                for each in page.get("Contents", []):
                    yield Listed(each["Key"], each["ETag"], each.get("LastModified"))

    def folders(self, prefix: str, after: str = "") -> Iterator[str]:
        """Yield the names right below a prefix that ends in ``/`` and that have objects below them.

        Args:
            prefix: whose folders.
            after: a name; those that come behind it, by UTF-8.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        with translated(f"s3:ListBucket {self._bucket}/{prefix}"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket,
                Prefix=prefix,
                Delimiter="/",
                # Behind every key of that folder: "0" follows "/".
                **({"StartAfter": f"{prefix}{after}0"} if after else {}),
            )
            for page in pages:
                for each in page.get("CommonPrefixes", []):
                    yield each["Prefix"].removeprefix(prefix).removesuffix("/")

    def remove(self, key: str) -> None:
        """Remove an object; one that is not there is none already.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        with translated(f"s3:DeleteObject {self._bucket}/{key}"):
            self._client.delete_object(Bucket=self._bucket, Key=key)
