"""Division of a configuration file into shards, see `uring.changes.shard`.

    wider files ─► first file: its bounds ─► files as they are ─► removal of the others

The first file decides, in one write. Before it each file has what both divisions want of it, and
what another shard has is ignored: so each entry is in force between any two writes, in a folder as
in a bucket. Who dies in between does it again.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from uring.changes.shard import Shard, shards_between
from uring.errors import ConfigInvalid
from uring.sources.config import SOURCE_LIMIT
from uring.sources.entry import ID
from uring.sources.shards import SHARD_LIMIT, SHARDS
from uring_local.entries.files import ConfigFile, open_config


def split(config: Path, most: int) -> list[str]:
    """Divide a file and its further files again, into shards of at most ``most`` entries.

    Returns:
        The names of the files, the first one first.

    Raises:
        ConfigInvalid: an entry has no usable id, two have one, there would be too many shards, or
            a file of another kind is in the place of a shard.
        NotFound: a file is missing.
    """
    first, *further = files = open_config(config).all()
    if not first.family.model.is_sharded:
        raise ConfigInvalid(f"{config}: {first.family.what} has no shards")
    if not 1 <= most <= SOURCE_LIMIT:
        raise ConfigInvalid(f"a file has at most {SOURCE_LIMIT} entries; choose fewer")
    entries = entries_of(files)
    bounds = sorted(entries, key=_in_order)[most::most]
    if len(bounds) > SHARD_LIMIT:
        raise ConfigInvalid(f"{len(bounds) + 1} files are too many; choose more entries for each")
    head, *heads = [_head(file) for file in files]
    for file, other in zip(further, heads, strict=True):
        if other != head:
            raise ConfigInvalid(f"{file.path}: has other keys beside its list than {config}")
    shards = shards_between(bounds)
    paths = {shard: Path(shard.key(str(config))) for shard in shards}
    _refuse_others(paths.values(), first)
    bodies = {
        shard: body_of(
            head,
            first.family.key,
            () if shard.begin else bounds,
            {id_: entry for id_, entry in entries.items() if shard.has(id_)},
        )
        for shard in shards
    }
    before = [file.shard for file in files]
    for shard, body in writes(before, bodies, first, entries):
        _write(paths[shard], body)
    for file in further:
        if file.path not in paths.values():
            file.path.unlink()
    return [path.name for path in paths.values()]


def writes(
    before: Sequence[Shard],
    after: Mapping[Shard, bytes],
    first: ConfigFile,
    entries: Mapping[str, Any],
) -> Iterator[tuple[Shard, bytes]]:
    """Yield the shards to write with their bytes, in the order of the module's docstring.

    Args:
        before: the present shards.
        after: the files of the new division.
        first: the first file, of either division.
        entries: of the new division, by id.
    """
    old = {shard.begin: shard for shard in before}
    for shard, body in after.items():
        if not shard.begin:
            continue
        wide = {
            id_: entry
            for id_, entry in entries.items()
            if shard.has(id_) or (shard.begin in old and old[shard.begin].has(id_))
        }
        is_wider = any(not shard.has(id_) for id_ in wide)
        yield shard, body_of(_head(first), first.family.key, (), wide) if is_wider else body
    # The first file, then the others once more.
    yield from sorted(after.items(), key=lambda each: each[0].begin != "")


def entries_of(files: Sequence[ConfigFile]) -> dict[str, Any]:
    """Return the entries of all files by id, as they are written there.

    An entry outside its file's bounds counts only if the right file has none of its id.

    Raises:
        ConfigInvalid: see `split`.
    """
    entries: dict[str, Any] = {}
    misplaced: dict[str, Any] = {}
    for file in files:
        for index, entry in enumerate(_document(file)[file.family.key]):
            place = f"{file.path}: {file.family.key}[{index}]"
            id_ = entry.get("id") if isinstance(entry, dict) else None
            if not (isinstance(id_, str) and ID.match(id_)):
                raise ConfigInvalid(f"{place} has no usable id; `uring config check` explains it")
            if not file.shard.has(id_):
                misplaced[id_] = entry
            elif id_ in entries:
                raise ConfigInvalid(f"{place}: {id_!r} is the id of another source already")
            else:
                entries[id_] = entry
    return misplaced | entries


def body_of(
    head: Mapping[str, Any], key: str, bounds: Sequence[str], entries: Mapping[str, Any]
) -> bytes:
    """Return the bytes of a file; a line an entry.

    Args:
        head: the keys beside the list.
        key: of the list.
        bounds: of the further files, in the first one; empty in the others.
        entries: by id.
    """
    named = ({SHARDS: [*bounds]} if bounds else {}) | dict(head)
    beside = [f"{_text(name)}: {_text(value)}" for name, value in named.items()]
    own = ",\n    ".join(_text(entries[id_]) for id_ in sorted(entries, key=_in_order))
    parts = [*beside, f"{_text(key)}: [\n    {own}\n  ]" if own else f"{_text(key)}: []"]
    return ("{\n  " + ",\n  ".join(parts) + "\n}\n").encode()


def _refuse_others(paths: Iterable[Path], first: ConfigFile) -> None:
    """Raise ConfigInvalid where a shard would replace a file that has no list of entries."""
    for path in paths:
        try:
            document = json.loads(path.read_bytes())
        except (FileNotFoundError, ValueError):
            continue
        if not isinstance(document, dict) or first.family.key not in document:
            raise ConfigInvalid(f"{path}: is another kind of file; choose other --entries")


def _write(path: Path, body: bytes) -> None:
    """Replace a file in one step."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(body)
    beside.replace(path)


def _head(file: ConfigFile) -> dict[str, Any]:
    """Return the keys beside the list that each of the files has."""
    return {
        name: value
        for name, value in _document(file).items()
        if name not in (SHARDS, file.family.key)
    }


def _in_order(id_: str) -> str:
    return f"{id_}."


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _document(file: ConfigFile) -> dict[str, Any]:
    try:
        document = json.loads(file.body.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ConfigInvalid(f"{file.path}: is not JSON: {error}") from error
    if not (isinstance(document, dict) and isinstance(document.get(file.family.key), list)):
        raise ConfigInvalid(f'{file.path}: is not an object with a list "{file.family.key}"')
    return document
