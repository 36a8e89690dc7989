"""Puts what a stack reads and shows into its bucket: the lists of sources, and the client."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

from uring.aws.objects import S3Bucket
from uring.errors import ConfigInvalid
from uring_local.deploy.plan import DeployPlan
from uring_local.doctor.finding import Diagnosis, done_before, failed, ok
from uring_local.doctor.lists import read_lists
from uring_local.entries.family import ConfiguredFamily
from uring_local.entries.files import NotFound, open_config
from uring_local.operate.upload import upload as upload_list
from uring_local.project import ROOT, SITEMAP, WEB
from uring_local.web.upload import upload as upload_client
from uring_local.words import printable

EXAMPLES: Final = frozenset(
    {
        "ajou_architecture",
        "ajou_dormitory",
        "ajou_general",
        "ajou_medicine",
        "knue_dormitory",
        "knue_news",
        "knue_regulations",
        "knue_rss",
        "konkuk_chinese",
        "konkuk_cse",
        "konkuk_korean",
        "konkuk_realestate",
    }
)
"""The sources in the lists that uRing ships: other people's sites, as examples."""


def upload_lists(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield a finding for each list that the stack reads; a list in the bucket stays.

    Examples that uRing ships are uploaded only if the list is named.
    """
    subject = plan.subject
    bucket = S3Bucket(subject.client("s3"), subject.output("BucketName"))
    for key, family in read_lists(subject):
        named = plan.sitemap if family.path == SITEMAP else None
        file = named or ROOT / family.path
        stored = bucket.get(key)
        name = f"list {family.path.stem}"
        if stored and (named is None or _is_uploaded(bucket, key, file, family)):
            yield done_before(name, f"{key} is in the bucket; `uring config upload` replaces it")
        elif named is None and (examples := examples_in(file, family)):
            yield failed(
                name,
                f"{file} has the examples that uRing ships, other people's sites, which would see "
                f"your Contact: {', '.join(examples)}",
                _own(family, plan.stack),
            )
        else:
            yield _uploaded(name, file, plan)


def _is_uploaded(bucket: S3Bucket, key: str, file: Path, family: ConfiguredFamily[Any]) -> bool:
    """Return whether the bucket has these files, those of further shards included."""
    for each in open_config(file, family).all():
        stored = bucket.get(each.shard.key(key))
        if stored is None or stored.body != each.body:
            return False
    return True


def examples_in(file: Path, family: ConfiguredFamily[Any]) -> list[str]:
    """Return the ids of uRing's examples that are still in a list; none of a missing file."""
    try:
        files = open_config(file, family).all()
        ids = {source.id for each in files for source in each.entries().sources}
    except (NotFound, ConfigInvalid):
        # Reported by the upload.
        return []
    return sorted(ids & EXAMPLES)


def _own(family: ConfiguredFamily[Any], stack: str) -> str:
    path = family.path
    if path == SITEMAP:
        return (
            "remove them, add your boards by `uring add ADDRESS --write`, and run again; "
            f"--sitemap {path} uploads the list as it is"
        )
    upload = f"uring config upload {path} --stack {stack}"
    return f"remove them, add your own, and run again; `{upload}` uploads the list as it is"


def _uploaded(name: str, file: Path, plan: DeployPlan) -> Diagnosis:
    with plan.working(f"uploading {file.name}"), redirect_stdout(StringIO()) as said:
        is_uploaded = upload_list(file, plan.stack)
    lines = [printable(line).strip() for line in said.getvalue().splitlines() if line.strip()]
    if is_uploaded:
        return ok(name, lines[-1])
    return failed(
        name, f"{file}: {lines[0]}", f"correct the file; `uring config check {file}` shows all"
    )


def put_client(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield whether the client's files are uploaded; none without a distribution."""
    if plan.stage.values["Cdn"] == "DISABLED":
        return
    with plan.working("uploading the client"), redirect_stdout(StringIO()) as said:
        upload_client(
            ROOT / WEB, plan.stack, firebase=None, vapid_key="", are_joined=True, as_json=False
        )
    release, address = said.getvalue().splitlines()[-2:]
    yield ok("client", f"{printable(release)}; {printable(address)}")
