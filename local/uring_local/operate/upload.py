"""`uring config upload`: a valid configuration file, put where its orchestrator reads it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from uring.changes.register import JSON
from uring.changes.shard import WHOLE
from uring.errors import PreconditionFailed
from uring.sources.shards import usable_shards
from uring_local.entries.commands import check_config
from uring_local.entries.files import ConfigFile, open_config
from uring_local.operate import bucket
from uring_local.operate.split import entries_of, writes
from uring_local.template.families import FAMILIES, remedy

_OVERTAKEN: Final = "{key}: another upload came first; look at what it changed, then upload again"


def upload(config: Path, stack: str) -> bool:
    """Check a configuration file and upload it to a stack's bucket; return True if uploaded.

    Raises:
        Misconfigured: no such stack, or access is denied.
        ConfigInvalid: the file as a whole cannot be read.
        PreconditionFailed: another upload came at the same time.
    """
    parameters = bucket.deployed(stack).parameters
    allowed = parameters.get("AllowedPrivateHosts", "")
    if not check_config(config, allow_hosts=allowed.split(",")):
        print("not uploaded")
        return False
    files = open_config(config).all()
    key = files[0].family.path.as_posix()
    target = bucket.open_bucket(stack)
    if files[0].family.model.is_sharded:
        _replace(target, key, files)
    else:
        _put(target, key, files[0].body, _etag(target, key))
    further = f" and {len(files) - 1} more" if len(files) > 1 else ""
    print(f"uploaded to s3://{target.name}/{key}{further}; {what_reads(key, parameters)}")
    return True


def _etag(target: bucket.VersionedBucket, key: str) -> str | None:
    stored = target.get(key)
    return stored.etag if stored else None


def _put(target: bucket.VersionedBucket, key: str, body: bytes, etag: str | None) -> str:
    """Put an object in the place of this version; return its ETag.

    Raises:
        PreconditionFailed: another upload came at the same time.
    """
    try:
        return target.put(key, body, if_match=etag, content_type=JSON)
    except PreconditionFailed:
        raise PreconditionFailed(_OVERTAKEN.format(key=key)) from None


def _replace(target: bucket.VersionedBucket, key: str, files: Sequence[ConfigFile]) -> None:
    """Replace the files of a list that may be divided, in the order of `split.writes`.

    The first file says who was here last: before each other write it is looked at again. Files of
    shards that are given up stay: nothing reads them, and another upload may need them just now.

    Raises:
        PreconditionFailed: another upload came at the same time.
    """
    stored = target.get(key)
    known = stored.etag if stored else None
    before = usable_shards(stored.body) if stored else (WHOLE,)
    after = {file.shard: file.body for file in files}
    for shard, body in writes(before, after, files[0], entries_of(files)):
        own = shard.key(key)
        if not shard.begin:
            if stored is None or stored.body != body:
                known = _put(target, key, body, known)
            continue
        there = target.get(own)
        if there is not None and there.body == body:
            continue
        if _etag(target, key) != known:
            raise PreconditionFailed(_OVERTAKEN.format(key=key))
        _put(target, own, body, there.etag if there else None)


def what_reads(key: str, parameters: Mapping[str, str]) -> str:
    """Return a sentence: the next reader of a list, or the deployment that it needs."""
    family = next((name for name, on in FAMILIES.items() if key in on.values()), "notices")
    if how := remedy(family, parameters):
        return f"nothing reads it yet: {how}"
    return "the next tick reads it"
