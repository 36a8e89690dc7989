"""A shard of a watch for the engine: ask its domains ─► judge ─► records ─► events."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal

from uring.changes.family import LogLine, Observed, Step
from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.clock import Clock, timestamp
from uring.contracts import Job
from uring.errors import SourceTrouble
from uring.objects import Objects
from uring.records.apply import PushPolicy, Seen, apply
from uring.records.archive import Archive
from uring.records.diff import Change, ListHints
from uring.records.latest import Latest, Publication, RecordProjections
from uring.records.model import Known, Revision
from uring.records.seen import SeenStore
from uring.seeds.known.files import KnownFiles
from uring.seeds.registration import HEARTBEAT, NAME
from uring.seeds.watch.kept import KeptFile, kept_files
from uring.seeds.watch.round import RoundResult, WatchRound
from uring.seeds.watch.sight import (
    FILES,
    DomainSight,
    SecondLook,
    WatchState,
    file_of,
    record_id,
)
from uring.seeds.watch.understood import ABSENT
from uring.seeds.watch.verdict import ShardMemory, ShardVerdict, judge
from uring.seeds.watch.watch import MOST_DOMAINS, Happening, ShardEntry

_MOST_SHOWN: Final = MOST_DOMAINS * len(FILES)
_MOST_ERRORS: Final = 5
SECOND_LOOK: Final = timedelta(hours=1)
"""From the first look at other rules of a robots.txt to the second."""
# Later the next check is the second look.
_LEAST_LEFT: Final = timedelta(minutes=30)
# The time for the last domains begun, and for the commit after them.
_AFTER_ROUND_SECONDS: Final = 100


@dataclass(frozen=True, slots=True)
class ShardSighting:
    """The result of a shard's round, and the stored knowledge of files evicted from the state."""

    round: RoundResult
    recalled: Mapping[str, Known]


class FilePolicy(PushPolicy):
    """A policy whose kinds of change name the file and its change."""

    def name(self, kind: str, change: Change) -> str:
        """See `PushPolicy.name`."""
        if kind == "baseline":
            return kind
        return f"{file_of(change.id)}_{_happening(kind, change)}"


class SeedWatch:
    """Implements `uring.changes.family.Family`; safe to share between threads.

    Args:
        round: asks the domains.
        round_seconds: its duration.
        objects: the bucket.
        second_look: from a first look at other rules to the second; None: the next check.
    """

    name = NAME
    heartbeat = HEARTBEAT
    # An hour is the shortest interval.
    eases_off = False
    fields: Mapping[str, Any] = MappingProxyType(
        {"domains": 0, "asked": 0, "unreachable": 0, "absent": 0}
    )

    def __init__(
        self,
        round: WatchRound,  # noqa: A002 - the domain's word
        objects: Objects,
        *,
        round_seconds: float,
        clock: Clock,
        backoff: Backoff,
        second_look: timedelta | None = SECOND_LOOK,
    ) -> None:
        self._round = round
        self._second_look = second_look
        self.seconds = round_seconds + _AFTER_ROUND_SECONDS
        self._seen = SeenStore(objects, NAME, clock=clock, backoff=backoff)
        self._archive = Archive(objects, backoff=backoff)
        self._latest = Latest(objects, backoff=backoff)

    def entry(self, job: Job) -> str:
        """See `Family.entry`. A new list of domains does not change the entry."""
        return ShardEntry.of(job).fingerprint

    def first(self, job: Job, now: datetime) -> WatchState:
        """See `Family.first`."""
        return WatchState(source=job.source, health=Health(since=timestamp(now)))

    def glance(self, job: Job, known: Mapping[str, Any], now: datetime) -> None:
        """See `Family.glance`. A thousand domains are asked, and their state is read once."""

    def observe(self, job: Job, state: WatchState, now: datetime) -> Observed[ShardSighting]:
        """See `Family.observe`. If most domains fail, this side is at fault."""
        entry = ShardEntry.of(job)
        again = state.second_look_of(job.scheduled_at)
        domains = entry.domains if again is None else again.domains
        # Other rules of comparing take all as found: everything is read whole.
        is_reread = state.reading not in ("", entry.reading)

        def known(domain: str) -> KnownFiles:
            return (
                KnownFiles()
                if is_reread
                else state.known_of(domain, timedelta(minutes=job.interval_minutes), now)
            )

        result = self._round.ask(
            _shuffled(domains, job), entry.watch.compare, known, robots_only=again is not None
        )
        sights = result.sights
        answered = [sight for sight in sights.values() if sight.is_reachable]
        # A second look at a few domains says nothing of the others.
        trouble = None if again else _trouble(len(domains), len(sights), len(answered))
        recalled = dict[str, Known]()
        if trouble is None and state.spilled:
            ids = {record_id(domain, file) for domain in entry.domains for file in FILES}
            unknown = ids - state.known.keys()
            recalled = self._seen.lookup(job.source, unknown) if unknown else {}
        errors = dict(list(result.errors.items())[:_MOST_ERRORS])
        return Observed(
            ShardSighting(result, recalled) if trouble is None else None,
            trouble,
            sum(sight.requests for sight in sights.values()),
            fields={
                "domains": len(domains),
                "asked": len(sights),
                "unreachable": len(sights) - len(answered),
            },
            lines=(LogLine("domains_failed", {"number": len(result.errors), "errors": errors}),)
            if errors
            else (),
        )

    def step(
        self, job: Job, state: WatchState, data: ShardSighting, now: datetime
    ) -> Step[WatchState]:
        """See `Family.step`."""
        entry = ShardEntry.of(job)
        is_first = state.baseline_at is None
        reread = not is_first and state.reading not in ("", entry.reading)
        known = {**data.recalled, **state.known}
        again = state.second_look_of(job.scheduled_at)
        memory = ShardMemory(
            known,
            {item.id: item.content for item in state.hot},
            state.missing,
            {record for record in known if reread or state.is_stale(known[record])},
            state.bases,
            state.unsettled,
        )
        verdict = judge(
            entry.domains,
            data.round.sights,
            memory,
            now,
            takes_all=reread,
            is_list_new=again is None,
        )
        seen = Seen(
            verdict.records,
            recalled=data.recalled,
            reread=reread,
            renew=not is_first and state.fingerprint != entry.fingerprint,
            # The first check is silent, and its records are shown in order.
            old=() if is_first else verdict.first,
            hints=ListHints(deleted=verdict.unlisted),
        )
        applied = apply(state, seen, _policy(entry), now, most=_MOST_SHOWN)
        fields = {"absent": sum(record.hash == ABSENT for record in verdict.records)}
        memories = {
            "missing": verdict.missing,
            "bases": verdict.bases,
            "unsettled": verdict.unsettled,
            "second_look": None if again else self._next_look(job, verdict, now),
            "kept": _kept(entry, {} if reread else state.kept, data.round.sights, now),
        }
        if applied is None and all(getattr(state, key) == memories[key] for key in memories):
            return Step(None, fields=fields)
        evicted = applied.evicted if applied else {}
        after = (applied.state if applied else state).replace(
            reading=entry.reading, fingerprint=entry.fingerprint, **memories
        )
        outcome: Literal["changed", "unchanged"] = "changed" if after.outbox else "unchanged"
        return Step(
            after,
            "baseline" if is_first else outcome,
            first=(lambda: self._seen.add(job.source, evicted)) if evicted else None,
            fields=fields,
        )

    def _next_look(self, job: Job, verdict: ShardVerdict, now: datetime) -> SecondLook | None:
        """Return the look again at robots.txt that is due before the next check, or None."""
        if not verdict.soon or self._second_look is None:
            return None
        at = now + self._second_look
        ends = job.scheduled_at + timedelta(minutes=job.interval_minutes)
        if ends - at < _LEAST_LEFT:
            return None
        return SecondLook(
            job=timestamp(job.scheduled_at), at=timestamp(at), domains=tuple(verdict.soon)
        )

    def projections(self, job: Job) -> RecordProjections:
        """See `Family.projections`."""
        watch = ShardEntry.of(job).watch
        meta = {"name": watch.name, "country": watch.country, "category": watch.category}
        publication = Publication(NAME, job.source, watch.topic, meta, fields)
        return RecordProjections(self._archive, self._latest, publication)


def fields(revision: Revision) -> Mapping[str, str | None]:
    """Return a file of a domain for readers."""
    return revision.content


def _kept(
    entry: ShardEntry,
    before: Mapping[str, tuple[KeptFile, ...]],
    sights: Mapping[str, DomainSight],
    now: datetime,
) -> dict[str, tuple[KeptFile, ...]]:
    """Return the answers that are kept for the next check; of unlisted domains none."""
    by_bytes = entry.watch.compare == "bytes"
    kept = {
        domain: kept_files(
            (sight.known if (sight := sights.get(domain)) else None) or KnownFiles(),
            before.get(domain, ()),
            now,
            by_bytes=by_bytes,
        )
        for domain in entry.domains
    }
    return {domain: files for domain, files in kept.items() if files}


def _policy(entry: ShardEntry) -> PushPolicy:
    return FilePolicy(frozenset(entry.watch.push))


def _happening(kind: str, change: Change) -> Happening:
    if kind == "deleted":
        return "unlisted"
    if kind == "returned":
        return "listed"
    before = change.before.hash if change.before else ABSENT
    after = change.observation.hash if change.observation else ABSENT
    if before == ABSENT:
        return "appeared"
    return "vanished" if after == ABSENT else "changed"


def _shuffled(domains: tuple[str, ...], job: Job) -> list[str]:
    """Return the domains in a new order for each tick: none is always the last."""
    salt = timestamp(job.scheduled_at)
    return sorted(domains, key=lambda name: hashlib.sha256(f"{salt}|{name}".encode()).digest())


def _trouble(domains: int, asked: int, answered: int) -> SourceTrouble | None:
    if answered * 2 >= domains:
        return None
    if asked * 2 < domains:
        return SourceTrouble(
            "timeout",
            f"there was time for {asked} of {domains} domains: raise shards in the watch's entry",
        )
    return SourceTrouble(
        "unavailable",
        f"{domains - answered} of {domains} domains did not answer: no file is compared",
    )
