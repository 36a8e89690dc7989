"""A deployed stack's bucket, as an operator sees it."""

from collections.abc import Iterator
from typing import Any, Final, Protocol

import boto3

from uring.aws.errors import translated
from uring.aws.objects import S3Objects
from uring.changes.ports import ObjectStore
from uring_local.operate.deployed_stack import bucket_of

_MOST_VERSIONS: Final = 20


class Bucket(ObjectStore, Protocol):
    """Objects with their names and their past."""

    def keys(self, prefix: str) -> list[str]:
        """The keys that begin so, sorted."""
        ...

    def earlier(self, key: str) -> Iterator[bytes]:
        """What the object was before, the newest first; nothing where no versions are kept."""
        ...


class S3Bucket(S3Objects):
    """Implements `Bucket` over a versioned bucket."""

    def __init__(self, client: Any, name: str) -> None:
        super().__init__(client, name)
        self._s3 = client
        self._name = name

    def keys(self, prefix: str) -> list[str]:
        """See `Bucket.keys`."""
        with translated(f"s3:ListBucket {self._name}/{prefix}"):
            pages = self._s3.get_paginator("list_objects_v2").paginate(
                Bucket=self._name, Prefix=prefix
            )
            return [found["Key"] for page in pages for found in page.get("Contents", [])]

    def earlier(self, key: str) -> Iterator[bytes]:
        """See `Bucket.earlier`; the last twenty."""
        with translated(f"s3:ListBucketVersions {self._name}/{key}"):
            answer = self._s3.list_object_versions(
                Bucket=self._name, Prefix=key, MaxKeys=_MOST_VERSIONS
            )
        for version in answer.get("Versions", []):
            if version["Key"] != key or version["IsLatest"]:
                continue
            with translated(f"s3:GetObjectVersion {self._name}/{key}"):
                found = self._s3.get_object(
                    Bucket=self._name, Key=key, VersionId=version["VersionId"]
                )
                yield found["Body"].read()


def open_bucket(*, stack: str | None, bucket: str | None) -> S3Bucket:
    """The bucket of this name, or that of a deployed stack.

    Raises:
        Misconfigured: no such stack, or no permission.
    """
    name = bucket or bucket_of(stack or "")
    with translated(f"s3 {name}"):
        return S3Bucket(boto3.client("s3"), name)
