"""Puts what a stack reads and shows into its bucket: the lists of sources, and the client."""

import hashlib
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

from uring.aws.objects import S3Bucket
from uring_local.deploy.plan import DeployPlan
from uring_local.doctor.finding import Diagnosis, done_before, failed, ok
from uring_local.doctor.lists import read_lists
from uring_local.operate.upload import upload as upload_list
from uring_local.project import ROOT, SITEMAP, WEB
from uring_local.web.upload import upload as upload_client
from uring_local.words import printable

SAMPLES: Final = {
    "config/sitemap.json": "3c8f6517243ba6e6a640b4b3496d787c7e500f88c04b0f636a8a3ac33a80dfe1",
    "config/registries.json": "f4e4226000d5428c69009ff6d479a998de6586028e8542e9c4e75d5994886730",
    "config/watches.json": "05f106eb268dac401878fe7632b84c63e8bba0d0eea368da763a8d55bfc2d47c",
}
"""SHA-256 of the lists that uRing ships: examples of other people's sites."""


def upload_lists(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield a finding for each list that the stack reads; a list in the bucket stays.

    A list that uRing ships is uploaded only if it is named: its sites are not the operator's.
    """
    subject = plan.subject
    bucket = S3Bucket(subject.client("s3"), subject.output("BucketName"))
    for key, family in read_lists(subject):
        named = plan.sitemap if family.path == SITEMAP else None
        file = named or ROOT / family.path
        stored = bucket.get(key)
        name = f"list {family.path.stem}"
        if stored and (named is None or file.read_bytes() == stored.body):
            yield done_before(name, f"{key} is in the bucket; `uring config upload` replaces it")
        elif named is None and is_sample(file):
            yield failed(
                name,
                f"{file} is the example that uRing ships, of sites that you do not look after",
                _own(family, plan.stack),
            )
            return
        else:
            yield _uploaded(name, file, plan)


def is_sample(file: Path) -> bool:
    """Return True for an unchanged list that uRing ships."""
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
    except FileNotFoundError:
        return False
    return digest in SAMPLES.values()


def _own(family: Any, stack: str) -> str:
    if family.path == SITEMAP:
        return (
            "write your own: `uring add ADDRESS` adds a board; then run again. For a first look at "
            f"the example: --sitemap {SITEMAP}"
        )
    return (
        f"write your own, and `uring config upload {family.path} --stack {stack}`; then run again"
    )


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
        upload_client(ROOT / WEB, plan.stack, firebase=None, vapid_key="", as_json=False)
    release, address = said.getvalue().splitlines()[-2:]
    yield ok("client", f"{printable(release)}; {printable(address)}")
