"""Entries that are right and of no use: checked in vain, or twice."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from uring.fetch.address import never_public
from uring.fetch.url import parse_url
from uring.sources.config import Entries
from uring.sources.entry import Entry
from uring.sources.plan import ids_of
from uring.sources.problems.findings import Finding
from uring_local.entries.families import FAMILIES
from uring_local.entries.files import ConfigFile
from uring_local.entries.same_list import key_of


def examine(config: ConfigFile, allowed_hosts: Collection[str] = ()) -> Entries[Any]:
    """Read a file as the functions do, and add what would be in vain to its problems.

    Args:
        config: the file.
        allowed_hosts: ``host:port`` of the private hosts that the deployed worker may ask.

    Raises:
        ConfigInvalid: it as a whole is unreadable.
    """
    key = config.family.key

    def judge(entries: int, sources: Mapping[int, Entry]) -> Iterator[Finding]:
        if not entries:
            remedy = "`uring add URL --write` adds a source"
            yield Finding((key,), "is empty: nothing is watched", remedy)
        yield from _refused(key, sources, allowed_hosts)
        yield from _doubled(key, sources)
        yield from _shared(config, sources)

    return config.entries(judge)


def _shared(config: ConfigFile, sources: Mapping[int, Entry]) -> Iterator[Finding]:
    """Find ids of another family's file in the same folder: both would write data/{id}/."""
    for family in FAMILIES:
        path = config.path.with_name(family.path.name)
        if family is config.family or not path.is_file():
            continue
        ids = ids_of(path.read_bytes())
        for index, source in sources.items():
            if source.id in ids:
                yield Finding(
                    (config.family.key, index, "id"),
                    f"{source.id!r} is an id in {path.name} too: both would have data/{source.id}/",
                    "use another id",
                )


def _refused(
    key: str, sources: Mapping[int, Entry], allowed_hosts: Collection[str]
) -> Iterator[Finding]:
    """Find addresses that the worker's guard refuses at every check (S15)."""
    for index, source in sources.items():
        target = parse_url(source.url)
        reason = None if target.authority in allowed_hosts else never_public(target)
        if reason is not None:
            yield Finding(
                (key, index, "url"),
                f"a deployed worker refuses it: {reason.partition(';')[0]}",
                "watch the public address of the site; on a stack that allows private hosts, "
                f"--allow-host {target.authority}",
            )


def _doubled(key: str, sources: Mapping[int, Entry]) -> Iterator[Finding]:
    """Find entries that read the same rows of the same list: each change is pushed twice."""
    first: dict[object, int] = {}
    for index, source in sources.items():
        known = first.setdefault((key_of(source), source.rows), index)
        if known != index:
            yield Finding(
                (key, index, "url"),
                f"{sources[known].id!r} watches this list already",
                "remove one of the two; of another list in the same page read other rows",
                (key, known),
            )
