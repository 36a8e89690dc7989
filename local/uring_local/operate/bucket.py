"""A deployed stack for an operator: its parameters, and the bucket with earlier versions."""

from dataclasses import dataclass
from datetime import datetime

import boto3

from uring.aws.errors import translated
from uring.aws.objects import S3Bucket
from uring.errors import Misconfigured
from uring_local.stack.describe import PhysicalIds, StackDescription, describe, physical_ids
from uring_local.template.families import remedy


@dataclass(frozen=True, slots=True)
class ObjectVersion:
    """A version of an object, current from ``at`` on; never a delete marker."""

    id: str
    at: datetime


class VersionedBucket(S3Bucket):
    """Objects and their earlier versions; every call may raise Unavailable or Misconfigured."""

    @property
    def name(self) -> str:
        """The bucket's name."""
        return self._bucket

    def versions(self, key: str) -> list[ObjectVersion]:
        """Return the versions of an object, newest first, without delete markers."""
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
        """Return the body of a version."""
        with translated(f"s3:GetObjectVersion {self._bucket}/{key}"):
            answer = self._client.get_object(Bucket=self._bucket, Key=key, VersionId=version.id)
            return bytes(answer["Body"].read())


def deployed(stack: str) -> StackDescription:
    """Return the stack of this name in the account and region of the environment.

    Raises:
        Misconfigured: no such stack, access is denied, or no credentials.
    """
    with translated(f"cloudformation:DescribeStacks {stack}"):
        return describe(boto3.client("cloudformation"), stack)


def deployed_with(stack: str, family: str) -> StackDescription:
    """Return the stack of this name, which must have this family; errors as `deployed`.

    Raises:
        Misconfigured: also if the family is switched off.
    """
    description = deployed(stack)
    if how := remedy(family, description.parameters):
        raise Misconfigured(f"stack {stack} has no {family}; {how}")
    return description


def resources_with(stack: str, family: str) -> PhysicalIds:
    """Return the resources of a stack with this family; errors as `deployed_with` raises them."""
    deployed_with(stack, family)
    with translated(f"cloudformation:ListStackResources {stack}"):
        return physical_ids(boto3.client("cloudformation"), stack)


def open_bucket(stack: str) -> VersionedBucket:
    """Return the bucket of a deployed stack.

    Raises:
        Misconfigured: no such stack, access is denied, or a stack of another application.
    """
    name = deployed(stack).outputs.get("BucketName")
    if name is None:
        raise Misconfigured(
            f"stack {stack} has no output BucketName: it belongs to another application"
        )
    return VersionedBucket(boto3.client("s3"), name)
