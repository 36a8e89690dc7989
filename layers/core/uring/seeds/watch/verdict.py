"""Sights to records, by the stored ones. Pure and total.

A difference is a change when a second look has it: deployments under way answer 404 or half a file
for a minute, some for a day. A domain left the collection when two lists lack it: the newest two
dates may both be cut short. One list is enough where a shard has no room for more domains.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from uring.clock import timestamp
from uring.records.model import Known, Observation
from uring.seeds.collect.site import place
from uring.seeds.watch.settling import NONE, Ruling, Unsettled, settle
from uring.seeds.watch.sight import (
    FILES,
    Absent,
    Content,
    DomainSight,
    Present,
    Sight,
    Unknown,
    domain_of,
    file_of,
    record_id,
)
from uring.seeds.watch.understood import (
    ABSENT,
    NOTHING,
    alike,
    completed,
    has_fewer_urls,
    has_other_rules,
    is_same,
)
from uring.seeds.watch.watch import MOST_DOMAINS, File

SOON: Final = timedelta(minutes=30)
"""Rules of a robots.txt count as changed after this time: the second look is an hour later."""
# The next daily check, however early it comes.
_DAY: Final = timedelta(hours=20)
# Longer than a weekend.
_WEEKEND: Final = timedelta(hours=68)
# A basis belongs to the hash that begins so.
_PREFIX: Final = 8


@dataclass(frozen=True, slots=True)
class ShardMemory:
    """The stored knowledge of a shard before a check.

    Attributes:
        known: by record, recalled ones included.
        contents: by record, as shown to readers.
        missing: see `WatchState`.
        stale: records that were last read by older rules.
        bases: see `WatchState`.
        unsettled: see `WatchState`.
    """

    known: Mapping[str, Known]
    contents: Mapping[str, Content]
    missing: Mapping[str, str]
    stale: Collection[str]
    bases: Mapping[str, str] = field(default_factory=dict)
    unsettled: Mapping[str, Unsettled] = field(default_factory=dict)

    def basis(self, record: str) -> str:
        """Return the basis of a known file; `NOTHING` if only its hash is known."""
        digest = self.known[record].hash
        if digest == ABSENT:
            return ABSENT
        prefix, _, basis = self.bases.get(record, "").partition(" ")
        return basis if prefix == digest[:_PREFIX] else NOTHING

    def look(self, record: str) -> Unsettled:
        """Return the memory of a file; of earlier releases the first look that missed it."""
        look, since = self.unsettled.get(record, NONE), self.missing.get(record)
        is_missed = look.pending == ABSENT and not look.is_away
        if since is not None and not is_missed:
            return Unsettled.waiting(ABSENT, since)
        # An earlier release has seen it again.
        return NONE if is_missed and since is None else look


@dataclass(slots=True)
class ShardVerdict:
    """The records of a check.

    Attributes:
        records: of the shard, except records that were never certain by these rules.
        first: new ids: they are not pushed, for the domain is new and not its file.
        unlisted: ids of domains that left the collection.
        missing: see `WatchState`.
        bases: see `WatchState`.
        unsettled: see `WatchState`.
        soon: domains whose robots.txt is to be looked at again soon.
    """

    records: list[Observation] = field(default_factory=list)
    first: frozenset[str] = frozenset()
    unlisted: set[str] = field(default_factory=set)
    missing: dict[str, str] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)
    unsettled: dict[str, Unsettled] = field(default_factory=dict)
    soon: list[str] = field(default_factory=list)

    def add(self, observation: Observation, basis: str) -> None:
        """Add a record with its basis."""
        self.records.append(observation)
        if basis not in (NOTHING, ABSENT):
            self.bases[observation.id] = f"{observation.hash[:_PREFIX]} {basis}"

    def remember(self, record: str, look: Unsettled) -> None:
        """Keep the memory of a file, also as earlier releases read it."""
        if look == NONE:
            return
        self.unsettled[record] = look
        if look.pending == ABSENT and not look.is_away and look.since:
            self.missing[record] = look.since


def judge(
    domains: Iterable[str],
    sights: Mapping[str, DomainSight],
    memory: ShardMemory,
    now: datetime,
    *,
    takes_all: bool,
    is_list_new: bool = True,
) -> ShardVerdict:
    """Return the records that follow from a check.

    Args:
        domains: of the shard.
        sights: by domain; without the domains that were not asked.
        memory: the stored knowledge.
        now: the time of the check.
        takes_all: True to take all as found, without a second look.
        is_list_new: False if the list of domains was judged already.
    """
    verdict = ShardVerdict()
    listed = set[str]()
    for domain in domains:
        listed.add(domain)
        for file, sight in _sights(sights.get(domain)):
            record = record_id(domain, file)
            known = memory.known.get(record)
            if known is None or not known.hash:
                # Never seen, or of a domain that is listed again.
                if not isinstance(sight, Unknown):
                    verdict.add(_observation(record, sight), _basis(sight))
            elif takes_all or record in memory.stale:
                _take(verdict, memory, record, sight)
            else:
                _compare(verdict, memory, record, sight, now)
    _unlist(verdict, memory, listed, now, takes_all=takes_all, is_list_new=is_list_new)
    verdict.first = frozenset(r.id for r in verdict.records if r.id not in memory.known)
    return verdict


def _sights(sight: DomainSight | None) -> Iterable[tuple[File, Sight]]:
    if sight is None:
        return [(file, Unknown("not_asked")) for file in FILES]
    return sight.files.items()


def _take(verdict: ShardVerdict, memory: ShardMemory, record: str, sight: Sight) -> None:
    """Take a file that was read by other rules as it is found; uncertain ones stay unread."""
    if isinstance(sight, Unknown) or (isinstance(sight, Present) and not sight.is_certain):
        return
    was_there = memory.known[record].hash != ABSENT
    if isinstance(sight, Present) and was_there and _is_alike(sight, memory, record):
        verdict.add(_kept(memory, record), sight.basis)
    else:
        verdict.add(_observation(record, sight), _basis(sight))


def _compare(
    verdict: ShardVerdict, memory: ShardMemory, record: str, sight: Sight, now: datetime
) -> None:
    accepted, look = memory.basis(record), memory.look(record)
    is_certain = isinstance(sight, Absent) or (
        isinstance(sight, Present) and (sight.is_certain or accepted == ABSENT)
    )
    if not is_certain or isinstance(sight, Unknown):
        _keep(verdict, memory, record, look)
        return
    seen = _basis(sight)
    if accepted == NOTHING and isinstance(sight, Present) and _is_alike(sight, memory, record):
        # An earlier release would see no change: its hash gets a basis, silently.
        accepted = seen
    least = _least(sight, accepted, memory.contents.get(record, {}), file_of(record))
    is_sound = isinstance(sight, Present) and sight.is_sound
    # A sitemap that is compared by its bytes may be another one at each look, for its dates.
    is_any = isinstance(sight, Present) and file_of(record) == "sitemap" and sight.urls is None
    ruling = settle(accepted, seen, look, now, least=least, is_sound=is_sound, is_any=is_any)
    verdict.remember(record, ruling.memory)
    if ruling.is_change:
        verdict.add(_changed(record, sight, ruling), seen)
        return
    if is_same(accepted, seen):
        accepted = completed(accepted, seen)
    verdict.add(_kept(memory, record), accepted)
    if least == SOON and ruling.memory.since == timestamp(now):
        verdict.soon.append(domain_of(record))


def _least(sight: Present | Absent, accepted: str, content: Content, file: File) -> timedelta:
    """Return how long a file must be as it is seen before that is a change."""
    if isinstance(sight, Absent):
        return _DAY
    if file == "sitemap":
        return _WEEKEND if has_fewer_urls(sight.basis, accepted) else _DAY
    is_cut = not sight.has_end and _number(sight.content, "bytes") < _number(content, "bytes")
    is_clear = sight.is_sound and not is_cut and has_other_rules(sight.basis, accepted)
    return SOON if is_clear else _DAY


def _unlist(
    verdict: ShardVerdict,
    memory: ShardMemory,
    listed: Collection[str],
    now: datetime,
    *,
    takes_all: bool,
    is_list_new: bool,
) -> None:
    """Add the records of domains that the list lacks for the first time."""
    left = set[str]()
    for record, known in memory.known.items():
        domain = domain_of(record)
        if not known.hash or domain in listed:
            continue
        # A domain that is kept must not push a listed one out of the shown ones.
        is_full = domain not in left and len(listed) + len(left) >= MOST_DOMAINS
        if is_list_new and (takes_all or domain in memory.missing or is_full):
            verdict.unlisted.add(record)
        else:
            left.add(domain)
            verdict.missing[domain] = memory.missing.get(domain, timestamp(now))
            verdict.add(_kept(memory, record), memory.basis(record))


def _keep(verdict: ShardVerdict, memory: ShardMemory, record: str, look: Unsettled) -> None:
    """Leave a file as it is known."""
    verdict.remember(record, look)
    verdict.add(_kept(memory, record), memory.basis(record))


def _kept(memory: ShardMemory, record: str) -> Observation:
    return Observation(record, memory.known[record].hash, memory.contents.get(record, {}))


def _changed(record: str, sight: Present | Absent, ruling: Ruling) -> Observation:
    observation = _observation(record, sight)
    marks = {"since": ruling.since, **({"alternates": "true"} if ruling.alternates else {})}
    return Observation(record, observation.hash, {**observation.content, **marks})


def _basis(sight: Present | Absent) -> str:
    return sight.basis if isinstance(sight, Present) else ABSENT


def _observation(record: str, sight: Present | Absent) -> Observation:
    digest = sight.hash if isinstance(sight, Present) else ABSENT
    return Observation(record, digest, sight.content)


def _is_alike(sight: Present, memory: ShardMemory, record: str) -> bool:
    """Return True if a file is still the stored one by the rules of earlier releases.

    Despite a little growth or loss of a sitemap; and where no content is left to be compared.
    """
    content = memory.contents.get(record, {})
    if sight.urls is None:
        return sight.hash == memory.known[record].hash
    if not content:
        return True
    is_there = place(sight.content.get("link") or "") == place(content.get("link") or "")
    is_same_format = sight.content.get("format") == content.get("format")
    return is_there and is_same_format and alike(_number(content, "urls"), sight.urls)


def _number(content: Content, name: str) -> int:
    text = content.get(name) or "0"
    return int(text) if text.isascii() and text.isdigit() else 0
