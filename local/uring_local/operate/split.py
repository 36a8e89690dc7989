"""Division of a configuration file into shards, see `uring.changes.shard`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uring.changes.shard import shards_between
from uring.errors import ConfigInvalid
from uring.sources.config import SOURCE_LIMIT
from uring.sources.entry import ID
from uring.sources.shards import SHARD_LIMIT, SHARDS
from uring_local.entries.files import ConfigFile, open_config


def split(config: Path, most: int) -> list[str]:
    """Divide a file and its further files again, into shards of at most ``most`` entries.

    Further files are written first and superfluous ones are removed last: who dies in between
    leaves files that say the same as before, or the same as after.

    Returns:
        The names of the files, the first one first.

    Raises:
        ConfigInvalid: an entry has no usable id, two have one, or there would be too many shards.
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
    shards = shards_between(bounds)
    head, *heads = [head_of(file) for file in files]
    for file, other in zip(further, heads, strict=True):
        if other != head:
            raise ConfigInvalid(f"{file.path}: has other keys beside its list than {config}")
    written = {
        Path(shard.key(str(config))): body_of(
            head,
            first.family.key,
            () if shard.begin else bounds,
            {id_: entry for id_, entry in entries.items() if shard.has(id_)},
        )
        for shard in shards
    }
    for path, body in reversed(written.items()):
        path.write_bytes(body)
    for file in further:
        if file.path not in written:
            file.path.unlink()
    return [path.name for path in written]


def entries_of(files: Sequence[ConfigFile]) -> dict[str, Any]:
    """Return the entries of all files by id, as they are written there.

    Raises:
        ConfigInvalid: see `split`.
    """
    entries: dict[str, Any] = {}
    for file in files:
        for index, entry in enumerate(_document(file)[file.family.key]):
            place = f"{file.path}: {file.family.key}[{index}]"
            id_ = entry.get("id") if isinstance(entry, dict) else None
            if not (isinstance(id_, str) and ID.match(id_)):
                raise ConfigInvalid(f"{place} has no usable id; `uring config check` explains it")
            if id_ in entries:
                raise ConfigInvalid(f"{place}: {id_!r} is the id of another source already")
            entries[id_] = entry
    return entries


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


def head_of(file: ConfigFile) -> dict[str, Any]:
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
