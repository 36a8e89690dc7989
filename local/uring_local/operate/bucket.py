"""A deployed stack's bucket with its past, as an operator sees it."""

from dataclasses import dataclass
from datetime import datetime

import boto3

from uring.aws.errors import translated
from uring.aws.objects import S3Objects
from uring_local.operate.deployed_stack import bucket_of


@dataclass(frozen=True, slots=True)
class ObjectVersion:
    """What an object was from ``at`` on; a delete marker is none."""

    id: str
    at: datetime


class VersionedBucket(S3Objects):
    """Objects, and what they were; every call may raise Unavailable or Misconfigured."""

    def versions(self, key: str) -> list[ObjectVersion]:
        """Return the versions of an object, the newest first."""
        with translated(f"s3:ListBucketVersions {self._bucket}/{key}"):
            pages = self._client.get_paginator("list_object_versions").paginate(
                Bucket=self._bucket, Prefix=key
            )
            return [
                ObjectVersion(each["VersionId"], each["LastModified"])
                for page in pages
                for each in page.get("Versions", ())
                if each["Key"] == key
            ]

    def body(self, key: str, version: ObjectVersion) -> bytes:
        """Return what an object was."""
        with translated(f"s3:GetObjectVersion {self._bucket}/{key}"):
            answer = self._client.get_object(Bucket=self._bucket, Key=key, VersionId=version.id)
            return bytes(answer["Body"].read())


def open_bucket(stack: str) -> VersionedBucket:
    """Return the bucket of a deployed stack; raise Misconfigured where there is none."""
    name = bucket_of(stack)
    return VersionedBucket(boto3.client("s3"), name)
