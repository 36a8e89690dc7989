"""Entries of pages that are right and of no use: refused at every check, or watched twice."""

from collections.abc import Collection, Iterator, Mapping

from uring.fetch.address import never_public
from uring.fetch.url import parse_url
from uring.sources.entry import E
from uring.sources.problems.findings import Finding
from uring_local.entries.same_list import key_of


def refused_pages(
    key: str, sources: Mapping[int, E], allowed_hosts: Collection[str]
) -> Iterator[Finding]:
    """Yield addresses that the worker's guard refuses at every check (S15)."""
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


def doubled_pages(key: str, sources: Mapping[int, E]) -> Iterator[Finding]:
    """Yield entries that read the same rows of the same list: each change is pushed twice."""
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
