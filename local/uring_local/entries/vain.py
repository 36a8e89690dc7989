"""Entries that are valid but useless: refused at every check, or doubled."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from uring.sources.config import Entries
from uring.sources.entry import FileEntry
from uring.sources.plan import ids_of
from uring.sources.problems.findings import ConfigFinding
from uring_local.entries.families import FAMILIES
from uring_local.entries.files import ConfigFile, open_config


def examine(config: ConfigFile, allowed_hosts: Collection[str] = ()) -> Entries[Any]:
    """Read a file as the functions do, and add useless entries to its problems.

    An empty list is a problem, and so is an id of another family's file in the same folder.

    Args:
        config: the file.
        allowed_hosts: ``host:port`` of the private hosts that the deployed worker may ask.

    Raises:
        ConfigInvalid: the file as a whole is unreadable.
    """
    key = config.family.key

    def judge(entries: int, sources: Mapping[int, FileEntry]) -> Iterator[ConfigFinding]:
        if not entries:
            yield ConfigFinding((key,), "is empty: nothing is watched", config.family.adding)
        yield from config.family.vain(sources, allowed_hosts)
        yield from _shared(config, sources)

    return config.entries(judge)


def _shared(config: ConfigFile, sources: Mapping[int, FileEntry]) -> Iterator[ConfigFinding]:
    """Yield ids of another family's file in the same folder: both would write data/{id}/."""
    for family in FAMILIES:
        path = config.path.with_name(family.path.name)
        if family is config.family or not path.is_file():
            continue
        files = open_config(path, family).all()
        ids = frozenset[str]().union(*(ids_of(file.body) for file in files))
        for index, source in sources.items():
            if source.id in ids:
                yield ConfigFinding(
                    (config.family.key, index, "id"),
                    f"{source.id!r} is an id in {path.name} too: both would have data/{source.id}/",
                    "use another id",
                )
