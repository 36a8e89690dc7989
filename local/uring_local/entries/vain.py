"""Entries that are right and of no use: checked in vain, or twice."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from uring.fetch.address import never_public
from uring.fetch.url import parse_url
from uring.notices.source import Source
from uring.sources.config import Entries
from uring.sources.problems.findings import Finding
from uring_local.entries.same_list import key_of
from uring_local.entries.sitemap import sitemap_of


def examine(config: Path, allowed_hosts: Collection[str] = ()) -> Entries[Source]:
    """Read a sitemap as the functions do, and add what would be in vain to its problems.

    Args:
        config: the file.
        allowed_hosts: ``host:port`` of the private hosts that the deployed worker may ask.

    Raises:
        NotFound: there is no such file.
        ConfigInvalid: it as a whole is unreadable.
        OSError: it cannot be read.
    """

    def judge(entries: int, sources: Mapping[int, Source]) -> Iterator[Finding]:
        if not entries:
            remedy = "`uring add URL --write` adds a source"
            yield Finding(("sources",), "is empty: nothing is watched", remedy)
        yield from _refused(sources, allowed_hosts)
        yield from _doubled(sources)

    return sitemap_of(config, judge)


def _refused(sources: Mapping[int, Source], allowed_hosts: Collection[str]) -> Iterator[Finding]:
    """Find addresses that the worker's guard refuses at every check (S15)."""
    for index, source in sources.items():
        target = parse_url(source.url)
        reason = None if target.authority in allowed_hosts else never_public(target)
        if reason is not None:
            yield Finding(
                ("sources", index, "url"),
                f"a deployed worker refuses it: {reason.partition(';')[0]}",
                "watch the public address of the site; on a stack that allows private hosts, "
                f"--allow-host {target.authority}",
            )


def _doubled(sources: Mapping[int, Source]) -> Iterator[Finding]:
    """Find entries that read the same rows of the same list: each change is pushed twice."""
    first: dict[object, int] = {}
    for index, source in sources.items():
        known = first.setdefault((key_of(source), source.rows), index)
        if known != index:
            yield Finding(
                ("sources", index, "url"),
                f"{sources[known].id!r} watches this list already",
                "remove one of the two; of another list in the same page read other rows",
                ("sources", known),
            )
