"""Sights to records, by the stored knowledge. Pure and total.

A file is gone when two checks miss it: a deployment under way answers 404 for a minute. A domain
left the collection when two lists lack it: the newest two dates may both be cut short. One list is
enough where a shard has no room for more domains.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from uring.records.model import Known, Observation
from uring.seeds.collect.site import place
from uring.seeds.watch.sight import (
    ABSENT,
    FILES,
    Absent,
    Content,
    DomainSight,
    Present,
    Sight,
    Unknown,
    domain_of,
    record_id,
)
from uring.seeds.watch.watch import MOST_DOMAINS, File

# This difference means nothing, whatever share of a sitemap it is.
_FEW: Final = 10


@dataclass(frozen=True, slots=True)
class ShardMemory:
    """The stored knowledge of a shard before a check.

    Attributes:
        known: by record, recalled ones included.
        contents: by record, as shown to readers.
        missing: see `WatchState`.
        stale: records that were last read by older rules.
    """

    known: Mapping[str, Known]
    contents: Mapping[str, Content]
    missing: Mapping[str, str]
    stale: Collection[str]


@dataclass(frozen=True, slots=True)
class ShardVerdict:
    """The records of a check.

    Attributes:
        records: of the shard, except records that were never certain by these rules.
        first: new ids: they are not pushed, for the domain is new and not its file.
        unlisted: ids of domains that left the collection.
        missing: see `WatchState`.
    """

    records: Sequence[Observation]
    first: frozenset[str]
    unlisted: frozenset[str]
    missing: Mapping[str, str]


def judge(
    domains: Iterable[str],
    sights: Mapping[str, DomainSight],
    memory: ShardMemory,
    stamp: str,
    *,
    takes_all: bool,
) -> ShardVerdict:
    """Return the records that follow from a check.

    Args:
        domains: of the shard.
        sights: by domain; without the domains that were not asked.
        memory: the stored knowledge.
        stamp: the time of the check.
        takes_all: True to take all as found, without a second check.
    """
    records = list[Observation]()
    missing = dict[str, str]()
    listed = set[str]()
    for domain in domains:
        listed.add(domain)
        for file, sight in _sights(sights.get(domain)):
            record = record_id(domain, file)
            known = memory.known.get(record)
            since = memory.missing.get(record)
            if known is None or not known.hash:
                # Never seen, or of a domain that is listed again.
                if not isinstance(sight, Unknown):
                    records.append(_observation(record, sight))
                continue
            is_missing = isinstance(sight, Absent) and known.hash != ABSENT
            is_first = is_missing and since is None and not takes_all
            if is_first or (isinstance(sight, Unknown) and since is not None):
                missing[record] = since or stamp
            judged = Unknown("missing") if is_first else sight
            if record in memory.stale and not _is_certain(judged):
                continue
            records.append(_judged(record, judged, known, memory.contents.get(record, {})))
    unlisted = set[str]()
    left = set[str]()
    for record, known in memory.known.items():
        domain = domain_of(record)
        if not known.hash or domain in listed:
            continue
        # A domain that is kept must not push a listed one out of the shown ones.
        is_full = domain not in left and len(listed) + len(left) >= MOST_DOMAINS
        if takes_all or domain in memory.missing or is_full:
            unlisted.add(record)
        else:
            left.add(domain)
            missing[domain] = stamp
            records.append(Observation(record, known.hash, memory.contents.get(record, {})))
    first = frozenset(record.id for record in records if record.id not in memory.known)
    return ShardVerdict(records, first, frozenset(unlisted), missing)


def _sights(sight: DomainSight | None) -> Iterable[tuple[File, Sight]]:
    if sight is None:
        return [(file, Unknown("not_asked")) for file in FILES]
    return sight.files.items()


def _is_certain(sight: Sight) -> bool:
    return isinstance(sight, Absent) or (isinstance(sight, Present) and sight.is_certain)


def _judged(record: str, sight: Sight, known: Known, content: Content) -> Observation:
    stays = isinstance(sight, Unknown)
    if isinstance(sight, Present) and known.hash != ABSENT:
        stays = not sight.is_certain or _is_alike(sight, content)
    if stays or isinstance(sight, Unknown):
        return Observation(record, known.hash, content)
    return _observation(record, sight)


def _observation(record: str, sight: Present | Absent) -> Observation:
    digest = sight.hash if isinstance(sight, Present) else ABSENT
    return Observation(record, digest, sight.content)


def _is_alike(sight: Present, content: Content) -> bool:
    """Return True if a sitemap is still the stored one, despite a little growth or loss."""
    is_there = place(sight.content.get("link") or "") == place(content.get("link") or "")
    is_same = is_there and sight.content.get("format") == content.get("format")
    if sight.urls is None or not is_same:
        return False
    try:
        before = int(content.get("urls") or "0")
    except ValueError:
        return False
    less, more = sorted((before, sight.urls))
    return more - less <= max(_FEW, more // 2) and (less > 0 or more == 0)
