"""Families, and their lists in the bucket: stored, readable, without refused entries."""

from collections.abc import Iterator
from typing import Any, Final

from uring.aws.objects import S3Bucket
from uring.changes.shard import WHOLE, Shard
from uring.errors import ConfigInvalid
from uring.sources.shards import usable_shards
from uring_local.doctor.finding import Diagnosis, failed, off, ok
from uring_local.doctor.subject import Subject
from uring_local.entries.families import FAMILIES as FILES
from uring_local.entries.family import ConfiguredFamily
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.template.families import FAMILIES, remedy
from uring_local.words import counted, printable

_SHOWN: Final = 300


def check_families(subject: Subject) -> Iterator[Diagnosis]:
    """Yield the families that the stack lacks, each with the parameters that add it."""
    for family in FAMILIES:
        if how := remedy(family, subject.description.parameters):
            yield off(family, "left out by its parameters", how)


def check_lists(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding for each list that the stack reads."""
    bucket = S3Bucket(subject.client("s3"), subject.output("BucketName"))
    for key, family in read_lists(subject):
        yield _judged(family, key, files_of(bucket, family, key), subject.stack)


def read_lists(subject: Subject) -> Iterator[tuple[str, ConfiguredFamily[Any]]]:
    """Yield the key and the family of each list that the stack reads."""
    for family in FILES:
        path = family.path.as_posix()
        parameter = _parameter(path)
        # `check_families` reports a family that is left out.
        if key := subject.parameter(parameter) if parameter else path:
            yield key, family


def sitemap_files(subject: Subject) -> Iterator[tuple[Shard, str, bytes | None]]:
    """Yield each file of the sitemap, as `files_of`."""
    bucket = S3Bucket(subject.client("s3"), subject.output("BucketName"))
    return files_of(bucket, NOTICE_ENTRIES, NOTICE_ENTRIES.path.as_posix())


def files_of(
    bucket: S3Bucket, family: ConfiguredFamily[Any], key: str
) -> Iterator[tuple[Shard, str, bytes | None]]:
    """Yield each file of a list: its shard, its key, and its body; None for a missing one."""
    first = bucket.get(key)
    body = first.body if first else b""
    for shard in usable_shards(body) if family.model.is_sharded else (WHOLE,):
        own = shard.key(key)
        stored = bucket.get(own) if shard.begin else first
        yield shard, own, stored.body if stored else None


def _parameter(path: str) -> str:
    """Return the parameter that names a list; empty for the sitemap, which every stack reads."""
    named = (name for on in FAMILIES.values() for name, value in on.items() if value == path)
    return next(named, "")


def _judged(
    family: ConfiguredFamily[Any],
    whole: str,
    files: Iterator[tuple[Shard, str, bytes | None]],
    stack: str,
) -> Diagnosis:
    name, file = family.path.stem, family.path.as_posix()
    upload = f"uring config upload {file} --stack {stack}"
    total, count = 0, 0
    for shard, key, body in files:
        if body is None:
            return failed(name, f"there is no {key} in the bucket", upload)
        try:
            entries = family.load(body, shard=shard)
        except ConfigInvalid as error:
            said = printable(f"{key}: {error}")[:_SHOWN]
            return failed(name, said, f"correct {file}, then {upload}")
        if entries.problems:
            many = counted(len(entries.problems), "problem")
            first = printable(str(entries.problems[0]))[:_SHOWN]
            where = "" if key == whole else f"{key}: "
            said = f"{where}{many}, the first: {first}"
            return failed(name, said, f"correct {file}, then {upload}")
        total, count = total + len(entries.sources), count + 1
    shards = f" in {count} files" if count > 1 else ""
    return ok(name, counted(total, "source") + shards)
