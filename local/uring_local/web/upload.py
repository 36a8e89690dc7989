"""Puts a release into a bucket: unchanged files are not put again, and index.html comes last.

A failed upload leaves whole files that no page names yet; the next one continues. Earlier releases
stay: open pages and workers go on using them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import Any, Final

import boto3
from rich.console import Console
from rich.table import Table

from uring.aws.errors import translated
from uring.aws.objects import S3Bucket
from uring.errors import Misconfigured
from uring_local.operate import bucket as stacks
from uring_local.stack.describe import StackDescription
from uring_local.web.configuration import NO_PUSH, push_config
from uring_local.web.place import place_of
from uring_local.web.release import CONFIG, PREFIX, Release, ReleaseObject, read_release


@dataclass(frozen=True, slots=True)
class Placed:
    """A file of a release, and whether it was put."""

    file: ReleaseObject
    is_new: bool


def put_release(s3: Any, bucket: str, release: Release) -> list[Placed]:
    """Put missing and different files, in the release's order.

    Args:
        s3: a client.
        bucket: its name.
        release: of the client.

    Raises:
        Misconfigured: no such bucket, or no permission.
        Unavailable: S3 did not respond.
    """
    there = {each.key: each.etag for each in S3Bucket(s3, bucket).list(f"{PREFIX}/")}
    return [
        Placed(file, is_new=_put(s3, bucket, file, there.get(file.key))) for file in release.files
    ]


def _put(s3: Any, bucket: str, file: ReleaseObject, etag: str | None) -> bool:
    """Put a file unless it is stored with the same body and headers; return whether it was put."""
    place = f"{bucket}/{file.key}"
    # The ETag is the MD5 of the body if S3 itself encrypts the bucket.
    if etag and etag.strip('"') == md5(file.body, usedforsecurity=False).hexdigest():
        with translated(f"s3:GetObject {place}"):
            found = s3.head_object(Bucket=bucket, Key=file.key)
        said = found.get("ContentType"), found.get("CacheControl")
        if said == (file.content_type, file.cache_control):
            return False
    with translated(f"s3:PutObject {place}"):
        s3.put_object(
            Bucket=bucket,
            Key=file.key,
            Body=file.body,
            ContentType=file.content_type,
            CacheControl=file.cache_control,
        )
    return True


def upload(
    folder: Path,
    stack: str,
    *,
    firebase: Path | None,
    vapid_key: str,
    are_joined: bool,
    as_json: bool,
) -> None:
    """Upload the client of a folder to a deployed stack, and show its files.

    Without Firebase's values the client keeps those of the last upload.

    Raises:
        ReleaseInvalid: the folder is not a client.
        ModuleInvalid: a module of it cannot be joined with others.
        Misconfigured: no such stack, no permission, or the values do not fit it.
        Unavailable: S3 did not respond.
    """
    description = stacks.deployed(stack)
    target = stacks.open_bucket(stack)
    s3 = boto3.client("s3")
    config = _config(description, target, firebase, vapid_key)
    release = read_release(folder, config, are_joined=are_joined)
    placed = put_release(s3, target.name, release)
    _show(release, placed, _address(description, s3), push=config["push"], as_json=as_json)


def _config(
    description: StackDescription, target: S3Bucket, firebase: Path | None, vapid_key: str
) -> Mapping[str, Any]:
    """Return the new content of config.json: the given push, or the stored one.

    No push without WebPush on the stack, or with nothing stored.

    Raises:
        Misconfigured: only one of both values is given, or the stack does not push to browsers.
    """
    parameters = description.parameters
    has_push = parameters.get("WebPush") == "ENABLED"
    if firebase is None:
        if vapid_key:
            raise Misconfigured("--vapid-key: needs --firebase too; give both, or neither")
        project = parameters.get("FcmProjectId", "")
        return (_before(target, project) if has_push else None) or NO_PUSH
    if not vapid_key:
        raise Misconfigured("--firebase: needs --vapid-key too; give both, or neither")
    if not has_push:
        raise Misconfigured(
            "--firebase: the stack lets no browser subscribe; deploy with WebPush=ENABLED first"
        )
    return push_config(firebase, vapid_key, parameters.get("FcmProjectId", ""))


def _before(target: S3Bucket, project: str) -> Mapping[str, Any] | None:
    """Return the stored config.json; None if it is missing, malformed or without push.

    Raises:
        Misconfigured: it is of another Firebase project, whose browsers FCM refuses.
    """
    stored = target.get(f"{PREFIX}/{CONFIG}")
    try:
        document = json.loads(stored.body) if stored else None
    except ValueError:
        return None
    match document:
        case {"push": {"firebase": dict() as values, "vapidKey": str()} as push}:
            if values.get("projectId") != project:
                raise Misconfigured(
                    f"{PREFIX}/{CONFIG} of the bucket: projectId is {values.get('projectId')}, "
                    f"the stack pushes with {project}; give --firebase FILE and --vapid-key of "
                    "an app of that project, or correct FcmProjectId"
                )
            return {"push": push}
    return None


def _address(description: StackDescription, s3: Any) -> str:
    """Return the client's public address; empty for a stack without a distribution."""
    domain = description.outputs.get("DistributionDomain")
    if not domain:
        return ""
    place = place_of(domain, s3.meta.endpoint_url)
    return f"{place.base}/"


_WORDS: Final = {"put": "put", "there": "stored before"}
"""By key of the JSON, the word of the table."""


def _show(
    release: Release, placed: Sequence[Placed], address: str, *, push: Any, as_json: bool
) -> None:
    counts = {
        key: [each.file for each in placed if each.is_new is (key == "put")] for key in _WORDS
    }
    if as_json:
        said = {
            "release": release.id,
            "address": address or None,
            "push": bool(push),
            **{key: [file.key for file in files] for key, files in counts.items()},
        }
        print(json.dumps(said, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("object", no_wrap=True)
    table.add_column("bytes", justify="right")
    table.add_column("", no_wrap=True)
    for each in placed:
        table.add_row(
            each.file.key, f"{len(each.file.body):,}", _WORDS["put" if each.is_new else "there"]
        )
    console = Console(highlight=False)
    console.print(table)
    figures = ", ".join(f"{len(files)} {_WORDS[key]}" for key, files in counts.items())
    console.print(f"release {release.id}: {figures}; push {'on' if push else 'off'}")
    console.print(address or "Cdn is DISABLED: nobody can read it; deploy with Cdn=ENABLED")
