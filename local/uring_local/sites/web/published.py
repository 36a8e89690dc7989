"""Reads the seed engine's stored data of a day for the judge; the layout is the document's."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from uring_local.sites.stage.published import Published
from uring_local.sites.web.dataset import Dataset
from uring_local.sites.web.judge.results import MARK, METADATA, Shown

TABLE: Final = "SeedTable"
_PROCESSING: Final = "processing/"
_DATE: Final = "/date="
_FILE_MARK: Final = ".json.success"
# The epoch of a partition that was not collected again by force.
_EPOCH: Final = "first"
_READERS: Final = 8


def collected(published: Published) -> list[str]:
    """Return the domains that are marked as collected, as ``date/domain``."""
    ending = f"/{MARK}"
    keys = (key for key in published.keys(_PROCESSING) if key.endswith(ending))
    return [key.removesuffix(ending).partition(_DATE)[2] for key in keys]


def read_partition(published: Published, files: Dataset) -> Shown:
    """Return the stored rows and counts of a day's partition."""
    folder = f"{_PROCESSING}{files.partition}/"
    folders: dict[str, set[str]] = {}
    for key in published.keys(folder):
        name, _, file = key.removeprefix(folder).partition("/")
        folders.setdefault(name, set()).add(file)
    stored = _bodies(published, folder, folders)
    entries = published.table(TABLE, files.name)
    return Shown(
        folders=folders,
        metadata={
            name: json.loads(body) for (name, file), body in stored.items() if file == METADATA
        },
        evidence={pair: body for pair, body in stored.items() if pair[1] != METADATA},
        file_marks=_file_marks(published, files),
        files={int(key.rpartition(":")[2]): entry for key, entry in _of(entries, "file")},
        counts=_sums(entry for _, entry in _of(entries, "count")),
    )


def _bodies(
    published: Published, folder: str, folders: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], bytes]:
    """Return all objects but the marks, by domain and name."""
    wanted = [(name, file) for name, each in folders.items() for file in each if file != MARK]

    def read(pair: tuple[str, str]) -> bytes:
        return published.body(f"{folder}{pair[0]}/{pair[1]}")

    with ThreadPoolExecutor(_READERS) as readers:
        return dict(zip(wanted, readers.map(read, wanted), strict=True))


def _file_marks(published: Published, files: Dataset) -> set[int]:
    folder = f"datasets/{files.partition}/raw_"
    keys = (key for key in published.keys(folder) if key.endswith(_FILE_MARK))
    return {int(key.removeprefix(folder).removesuffix(_FILE_MARK)) for key in keys}


def _of(entries: Mapping[str, dict[str, Any]], kind: str) -> list[tuple[str, dict[str, Any]]]:
    prefix = f"{kind}:{_EPOCH}:"
    return [(key, entry) for key, entry in entries.items() if key.startswith(prefix)]


def _sums(shards: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for shard in shards:
        sums.update({name: value for name, value in shard.items() if isinstance(value, int)})
    return dict(sums)
