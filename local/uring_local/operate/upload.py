"""`uring config upload`: a valid configuration file, put where its orchestrator reads it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from uring.changes.register import JSON
from uring.changes.shard import WHOLE, Shard
from uring.errors import PreconditionFailed
from uring.sources.shards import shards_in
from uring_local.entries.commands import check_config
from uring_local.entries.files import ConfigFile, open_config
from uring_local.operate import bucket
from uring_local.operate.split import body_of, entries_of, head_of
from uring_local.template.families import FAMILIES, remedy


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
    put = _Puts(target)
    if files[0].family.model.is_sharded:
        _replace(target, put, key, files)
    else:
        put(key, files[0].body)
    further = f" and {len(files) - 1} more" if len(files) > 1 else ""
    print(f"uploaded to s3://{target.name}/{key}{further}; {what_reads(key, parameters)}")
    return True


class _Puts:
    """Puts objects in the place of the stored ones."""

    def __init__(self, target: bucket.VersionedBucket) -> None:
        self._target = target

    def __call__(self, key: str, body: bytes) -> None:
        """Put an object.

        Raises:
            PreconditionFailed: another upload came at the same time.
        """
        stored = self._target.get(key)
        if stored is not None and stored.body == body:
            return
        etag = stored.etag if stored else None
        try:
            self._target.put(key, body, if_match=etag, content_type=JSON)
        except PreconditionFailed:
            raise PreconditionFailed(
                f"{key}: another upload came first; look at what it changed, then upload again"
            ) from None


def _stored_shards(target: bucket.VersionedBucket, key: str) -> Sequence[Shard]:
    stored = target.get(key)
    return shards_in(stored.body) if stored else (WHOLE,)


def _replace(
    target: bucket.VersionedBucket, put: _Puts, key: str, files: Sequence[ConfigFile]
) -> None:
    """Replace the files of a divided list, so that each entry is in force between any two writes.

        files of new shards ─► wider files ─► first file: its bounds ─► files as they are ─► removal

    The first file decides, in one write. Before it each file has what both divisions want of it,
    and what another shard has is ignored. Who dies in between uploads again.
    """
    before = {shard.begin: shard for shard in _stored_shards(target, key)}
    after = {file.shard.begin: file for file in files}
    entries = entries_of(files)
    for begin, file in after.items():
        if not begin:
            continue
        old = before.get(begin, file.shard)
        wide = {id_: each for id_, each in entries.items() if old.has(id_) or file.shard.has(id_)}
        is_wider = any(not file.shard.has(id_) for id_ in wide)
        own = body_of(head_of(file), file.family.key, (), wide) if is_wider else file.body
        put(file.shard.key(key), own)
    put(key, files[0].body)
    for begin, file in after.items():
        if begin:
            put(file.shard.key(key), file.body)
    stem = key.rpartition(".")[0]
    named = {file.shard.key(key) for file in files}
    for each in [*target.list(f"{stem}.")]:
        if each.key not in named:
            target.remove(each.key)


def what_reads(key: str, parameters: Mapping[str, str]) -> str:
    """Return a sentence: the next reader of a list, or the deployment that it needs."""
    family = next((name for name, on in FAMILIES.items() if key in on.values()), "notices")
    if how := remedy(family, parameters):
        return f"nothing reads it yet: {how}"
    return "the next tick reads it"
