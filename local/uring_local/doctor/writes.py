"""The bucket's policy at work: it refuses a write without a condition and accepts one with it.

Both are tried on an object created for it, below ``state/`` where nobody reads it, and removed with
all its versions.
"""

from collections.abc import Iterator
from contextlib import suppress
from secrets import token_hex
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from uring.aws.errors import code, translated
from uring.errors import Misconfigured
from uring_local.doctor.finding import Diagnosis, failed, ok
from uring_local.doctor.subject import Subject

_DENIED: Final = {"AccessDenied", "403"}
_NAME: Final = "writes"


def check_writes(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding: a bug or a person must not overwrite a state unseen."""
    client, bucket = subject.client("s3"), subject.output("BucketName")
    key = f"state/doctor/{token_hex(8)}"
    versions: list[dict[str, str]] = []
    try:
        yield _judged(client, bucket, key, versions)
    finally:
        left = [each for each in versions if not _removed(client, bucket, key, each)]
    if left:
        yield failed(
            _NAME,
            f"s3://{bucket}/{key} could not be removed",
            "remove it by hand; s3:DeleteObjectVersion is missing",
        )


def _judged(client: Any, bucket: str, key: str, versions: list[dict[str, str]]) -> Diagnosis:
    """Write with a condition first: without any permission to write, the policy stays untested."""
    with translated(f"s3:PutObject {key}"):
        try:
            versions.append(_put(client, bucket, key, IfNoneMatch="*"))
        except ClientError as error:
            if code(error) in _DENIED:
                raise Misconfigured(
                    "a write with If-None-Match is refused too; examine with credentials that may "
                    "write below state/"
                ) from error
            raise
        try:
            versions.append(_put(client, bucket, key))
        except ClientError as error:
            if code(error) in _DENIED:
                return ok(_NAME, "without a condition refused, with If-None-Match accepted")
            raise
    return failed(
        _NAME,
        "a write without a condition was accepted: a state can be overwritten unseen",
        "restore the statement ConditionalWritesOnly of the bucket policy: deploy; local stacks do "
        "not enforce it",
    )


def _put(client: Any, bucket: str, key: str, **condition: str) -> dict[str, str]:
    """Write the object; return its version's id, or nothing in a bucket without versions."""
    answer = client.put_object(Bucket=bucket, Key=key, Body=b"{}", **condition)
    version = answer.get("VersionId")
    return {"VersionId": version} if version else {}


def _removed(client: Any, bucket: str, key: str, version: dict[str, str]) -> bool:
    with suppress(ClientError, BotoCoreError):
        client.delete_object(Bucket=bucket, Key=key, **version)
        return True
    return False
