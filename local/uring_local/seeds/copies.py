"""Objects copied and compared within a bucket; a target with other content is never replaced.

    no target ─► copy, if there is none ─► both bodies read: same size, same SHA-256 ─► copied
    target ─► same size and ETag, or both bodies the same ─► there          else ─► conflict

S3 makes the copy itself. Its success is verified: both bodies are read. If a run dies before that,
the next run compares the copy like any other target.
"""

import hashlib
from collections.abc import Iterator
from typing import Final, Literal

from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.aws.objects import S3Bucket
from uring.errors import Misconfigured, PreconditionFailed, Retryable
from uring_local.seeds.moves import Move, Object

Outcome = Literal["to_copy", "copied", "there", "conflict", "failed"]
"""The states of a move: to be made, made and verified, made before, impossible, not finished."""

# The largest object that S3 copies in one call.
_MOST_BYTES: Final = 5 * 1024**3
_CHUNK: Final = 1024 * 1024


class CopyingBucket(S3Bucket):
    """A bucket that can copy its own objects; safe to share between threads.

    Every method may raise Unavailable or Misconfigured.
    """

    def objects(self, prefix: str) -> Iterator[Object]:
        """Yield every object below a prefix, in the order of keys."""
        with translated(f"s3:ListBucket {self._bucket}/{prefix}"):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=prefix
            )
            for page in pages:
                for each in page.get("Contents", []):
                    yield Object(each["Key"], each["ETag"], each["Size"])

    def copy(self, source: Object, target: str) -> None:
        """Copy an object as it was listed, metadata included, to a free key.

        Raises:
            PreconditionFailed: the source has changed or is gone, or the target exists.
        """
        with translated(f"s3:CopyObject {self._bucket}/{target}"):
            try:
                self._client.copy_object(
                    Bucket=self._bucket,
                    Key=target,
                    CopySource={"Bucket": self._bucket, "Key": source.key},
                    CopySourceIfMatch=source.etag,
                    IfNoneMatch="*",
                )
            except ClientError as error:
                if code(error) in ("NoSuchKey", "404"):
                    raise PreconditionFailed(f"{source.key} is gone") from error
                raise

    def digest(self, key: str) -> tuple[int, str] | None:
        """Read an object's body; return its size and SHA-256, None for a missing object."""
        reading = self.open(key)
        if reading is None:
            return None
        digest, size = hashlib.sha256(), 0
        try:
            while chunk := reading.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
        finally:
            reading.close()
        return size, digest.hexdigest()


def settle(bucket: CopyingBucket, move: Move, *, write: bool) -> tuple[Outcome, str]:
    """Make a move, or without ``write`` only examine it; return the outcome and its reason.

    The reason is empty for ``to_copy``, ``copied`` and ``there``. Nothing is ever replaced or
    deleted.

    Raises:
        Misconfigured: no permission; every further move would fail in the same way.
    """
    try:
        outcome, why = _look(bucket, move)
        if outcome != "to_copy" or not write:
            return outcome, why
        bucket.copy(move.source, move.raw.path)
        if _are_equal(bucket, move):
            return "copied", ""
    except PreconditionFailed:
        return "failed", "source or target changed during the run: run this again"
    except Misconfigured:
        raise
    except Retryable as error:
        return "failed", f"{error}: run this again"
    return "failed", f"{move.raw.path} differs from its source: compare, and delete the wrong one"


def _look(bucket: CopyingBucket, move: Move) -> tuple[Outcome, str]:
    source, target = move.source, move.target
    if target is None:
        if source.size > _MOST_BYTES:
            return "conflict", "above 5 GB, which S3 does not copy in one call: split the file"
        return "to_copy", ""
    if target.size != source.size:
        return "conflict", f"{target.key} has {target.size:,} bytes, this {source.size:,}"
    # An ETag depends on the bytes and on the way of upload: equal ETags mean equal content.
    if target.etag == source.etag or _are_equal(bucket, move):
        return "there", ""
    return "conflict", f"{target.key} has other content"


def _are_equal(bucket: CopyingBucket, move: Move) -> bool:
    source = bucket.digest(move.source.key)
    return source is not None and source == bucket.digest(move.raw.path)
