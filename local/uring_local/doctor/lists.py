"""Families, and their lists in the bucket: stored, readable, without refused entries."""

from collections.abc import Iterator
from typing import Any, Final

from uring.aws.objects import S3Bucket
from uring.errors import ConfigInvalid
from uring_local.doctor.finding import Diagnosis, failed, off, ok
from uring_local.doctor.subject import Subject
from uring_local.entries.families import FAMILIES as FILES
from uring_local.entries.family import ConfiguredFamily
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
        stored = bucket.get(key)
        yield _judged(family.path.stem, key, stored.body if stored else None, family, subject.stack)


def read_lists(subject: Subject) -> Iterator[tuple[str, ConfiguredFamily[Any]]]:
    """Yield the key and the family of each list that the stack reads."""
    for family in FILES:
        path = family.path.as_posix()
        parameter = _parameter(path)
        # `check_families` reports a family that is left out.
        if key := subject.parameter(parameter) if parameter else path:
            yield key, family


def _parameter(path: str) -> str:
    """Return the parameter that names a list; empty for the sitemap, which every stack reads."""
    named = (name for on in FAMILIES.values() for name, value in on.items() if value == path)
    return next(named, "")


def _judged(
    name: str, key: str, body: bytes | None, family: ConfiguredFamily[Any], stack: str
) -> Diagnosis:
    file = family.path.as_posix()
    upload = f"uring config upload {file} --stack {stack}"
    if body is None:
        return failed(name, f"there is no {key} in the bucket", upload)
    try:
        entries = family.load(body)
    except ConfigInvalid as error:
        return failed(name, printable(f"{key}: {error}")[:_SHOWN], f"correct {file}, then {upload}")
    if entries.problems:
        many = counted(len(entries.problems), "problem")
        first = printable(str(entries.problems[0]))[:_SHOWN]
        return failed(name, f"{many}, the first: {first}", f"correct {file}, then {upload}")
    return ok(name, counted(len(entries.sources), "source"))
