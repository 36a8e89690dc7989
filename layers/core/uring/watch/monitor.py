"""What is derived from the sources' states and can wait ten minutes: health, feeds, index, alerts.

    memory ─► list of states ─► changed? ─► feeds, health.json ─► index ─► alerts ─► memory

A state that has not changed is not read again. An object is read before the state it is made of,
and replaced only if it is still that one: so nothing newer is ever replaced, whoever else runs.
Alerts are sent before they are remembered: a death in between sends them again, none is lost.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from uring.changes.ports import Listing, Stored
from uring.changes.registry import Registration, Watched
from uring.changes.state import SourceState
from uring.clock import Clock, timestamp
from uring.errors import (
    Contended,
    CorruptState,
    NewerRelease,
    PreconditionFailed,
    UringError,
)
from uring.records.feeds import ATOM_TYPE, JSON_FEED_TYPE, atom_feed, json_feed
from uring.records.model import RecordState
from uring.runtime.telemetry import Telemetry
from uring.watch.alerts import Alerts, lines_for, send
from uring.watch.memory import Memory, memory_key, read_memory
from uring.watch.status import (
    Facts,
    SourceStatus,
    assess,
    corrupt,
    facts_of,
    health_document,
    index_entry,
    is_pending,
)

INDEX_KEY: Final = "data/index.json"

_JSON: Final = "application/json; charset=utf-8"
_BRIEFLY: Final = "public, max-age=60"
_CACHED: Final = "public, max-age=300"
# For the index, the alerts and the memory, each with its retries.
_RESERVE_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class WatchedFamily:
    """A family, and its sources as its configuration has them now."""

    registered: Registration
    sources: Callable[[], Sequence[Watched]]


@dataclass(frozen=True, slots=True)
class _Seen:
    """One family as a run found it."""

    family: Registration
    sources: Sequence[Watched]
    stored: Stored | None
    memory: Memory
    facts: Mapping[str, Facts]
    pending: Mapping[str, str]
    statuses: Mapping[str, SourceStatus]
    newer: frozenset[str]
    is_complete: bool

    def entries(self, before: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Return the index's entries; a newer release's states are for its monitor to tell of."""
        as_they_stand = {entry["id"]: entry for entry in before if entry["id"] in self.newer}
        return [
            as_they_stand.get(source.id)
            or index_entry(source, self.statuses[source.id], has_feeds=self.family.has_feeds)
            for source in self.sources
        ]

    def lines(self) -> tuple[list[str], dict[str, str]]:
        """See `lines_for`; of a newer release's states people are told nothing."""
        ours = [source for source in self.sources if source.id not in self.newer]
        lines, down = lines_for(ours, self.statuses, self.memory.down)
        kept = {key: word for key, word in self.memory.down.items() if key in self.newer}
        return lines, kept | down


class Monitor:
    """Watches the states of all families.

    Args:
        families: in the order in which readers see them.
        objects: the bucket.
        alerts: where people are told.
        clock: the time, aware UTC.
    """

    def __init__(
        self,
        families: Sequence[WatchedFamily],
        objects: Listing,
        alerts: Alerts,
        telemetry: Telemetry,
        *,
        clock: Clock,
    ) -> None:
        self._families = families
        self._objects = objects
        self._alerts = alerts
        self._telemetry = telemetry
        self._clock = clock

    def run(self, time_left: Callable[[], float]) -> dict[str, int]:
        """Bring everything up to date; return how many sources there are, by status.

        What there is no time for is left to the next run: a new stack of two thousand sources is
        done after a few. A family whose configuration cannot be read stops no other.

        Args:
            time_left: seconds until this run would be ended.

        Raises:
            Misconfigured: a family's configuration is not there.
            ConfigInvalid: it is there and cannot be read.
            Unavailable: S3 or SNS gave no answer; the next run makes up for it.
        """
        now = self._clock()
        index = self._objects.get(INDEX_KEY)
        seen: list[_Seen] = []
        unreadable: list[UringError] = []
        for family in self._families:
            try:
                sources = family.sources()
                seen.append(self._look(family.registered, sources, now, time_left))
            except UringError as error:
                unreadable.append(error)
        # Where another run was quicker, or time too short, an index made here would be an old one.
        if seen and all(each.is_complete for each in seen):
            self._write_index(seen, index, now)
        self._tell(seen)
        counts = self._counted(seen)
        if unreadable:
            raise unreadable[0]
        return counts

    def _look(
        self,
        family: Registration,
        sources: Sequence[Watched],
        now: datetime,
        time_left: Callable[[], float],
    ) -> _Seen:
        stored = self._objects.get(memory_key(family.name))
        memory = read_memory(family.name, stored, self._telemetry)
        etags = self._etags(family)
        facts: dict[str, Facts] = {}
        newer: set[str] = set()
        is_complete = True
        for source in sources:
            known = memory.facts.get(source.id)
            if (etag := etags.get(source.id)) is None:
                continue
            if (
                known is None
                or known.etag != etag
                or known.shown != _shown(family, source, known, now)
            ):
                in_time = time_left() > _RESERVE_SECONDS
                try:
                    published = self._publish(family, source, now) if in_time else None
                except NewerRelease as error:
                    self._telemetry.problem(
                        "newer_release",
                        family=family.name,
                        source=source.id,
                        **family.named(source.id),
                        reason=str(error),
                    )
                    newer.add(source.id)
                else:
                    is_complete = is_complete and published is not None
                    known = published or known
            if known is not None:
                facts[source.id] = known
        # A state that there was no time to read, or that is a newer release's, is of a check.
        pending = {
            source.id: memory.pending.get(source.id, timestamp(now))
            for source in sources
            if _is_unseen(facts.get(source.id), etags.get(source.id))
        }
        statuses = {
            source.id: assess(source, facts.get(source.id), now, pending.get(source.id))
            for source in sources
        }
        return _Seen(
            family,
            sources,
            stored,
            memory,
            facts,
            pending,
            statuses,
            frozenset(newer),
            is_complete,
        )

    def _etags(self, family: Registration) -> dict[str, str]:
        prefix = f"state/{family.name}/"
        names = (
            (listed.key.removeprefix(prefix), listed.etag) for listed in self._objects.list(prefix)
        )
        return {
            name.removesuffix(".json"): etag
            for name, etag in names
            if name.endswith(".json") and not name.endswith(".seen.json")
        }

    def _publish(self, family: Registration, source: Watched, now: datetime) -> Facts | None:
        """Write what readers see of a source; None where another run was quicker, for the next.

        Raises:
            NewerRelease: a newer release wrote its state.
        """
        folder = f"data/{source.id}"
        health = self._objects.get(f"{folder}/health.json")
        feed = atom = None
        if family.has_feeds:
            feed = self._objects.get(f"{folder}/feed.json")
            atom = self._objects.get(f"{folder}/feed.atom")
        key = f"state/{family.name}/{source.id}.json"
        stored = self._objects.get(key)
        if stored is None:
            return None
        state = self._read(family, source, key, stored)
        facts = corrupt(stored.etag) if state is None else facts_of(state, stored.etag)
        written = True
        if isinstance(state, RecordState) and state.hot and family.has_feeds:
            body = json_feed(family.name, source, state, feed.body if feed else None, now)
            entries = atom_feed(family.name, source, body)
            written = self._put(f"{folder}/feed.json", feed, body, JSON_FEED_TYPE) and self._put(
                f"{folder}/feed.atom", atom, entries, ATOM_TYPE
            )
        body = _compact(health_document(source, assess(source, facts, now)))
        if not (written and self._put(f"{folder}/health.json", health, body, cache=_BRIEFLY)):
            return None
        return facts.model_copy(update={"shown": _shown(family, source, facts, now)})

    def _read(
        self, family: Registration, source: Watched, key: str, stored: Stored
    ) -> SourceState | None:
        try:
            return family.state().from_json(stored.body, key=key, source=source.id)
        except CorruptState as error:
            self._telemetry.problem(
                "corrupt",
                family=family.name,
                source=source.id,
                **family.named(source.id),
                reason=str(error),
            )
            return None

    def _write_index(self, seen: Sequence[_Seen], stored: Stored | None, now: datetime) -> None:
        before = _lists(stored)
        lists = {
            family.registered.index_key: before.get(family.registered.index_key, [])
            for family in self._families
        }
        for each in seen:
            lists[each.family.index_key] = each.entries(lists[each.family.index_key])
        if before != lists:
            body = _compact({"generated_at": timestamp(now), **lists})
            self._put(INDEX_KEY, stored, body, cache=_BRIEFLY)

    def _tell(self, seen: Sequence[_Seen]) -> None:
        """Tell people once of each source that went down or came back, then remember it."""
        told = [(each, *each.lines()) for each in seen]
        lines = [line for _, own, _ in told for line in own]
        send(self._alerts, lines)
        for line in lines:
            self._telemetry.event("alerted", line=line)
        for each, _, down in told:
            after = Memory(facts=dict(each.facts), down=down, pending=dict(each.pending))
            if after != each.memory:
                body = after.model_dump_json().encode()
                self._put(memory_key(each.family.name), each.stored, body)

    def _put(
        self,
        key: str,
        before: Stored | None,
        body: bytes,
        content_type: str = _JSON,
        *,
        cache: str = _CACHED,
    ) -> bool:
        """Replace exactly what was read; return False where it is another by now."""
        if before is not None and before.body == body:
            return True
        try:
            self._objects.put(
                key,
                body,
                if_match=before.etag if before else None,
                content_type=content_type,
                cache_control=cache,
            )
        except (PreconditionFailed, Contended):
            return False
        return True

    def _counted(self, seen: Sequence[_Seen]) -> dict[str, int]:
        statuses = [status for each in seen for status in each.statuses.values()]
        counts = Counter[str](status.status for status in statuses)
        down = sum(
            status.down is not None
            for each in seen
            for source, status in each.statuses.items()
            if source not in each.newer
        )
        self._telemetry.count("Sources", len(statuses))
        self._telemetry.count("SourcesDown", down)
        self._telemetry.event("watched", sources=len(statuses), down=down, **counts)
        return dict(counts)


def _is_unseen(facts: Facts | None, etag: str | None) -> bool:
    return etag is None if facts is None else is_pending(facts)


def _shown(family: Registration, source: Watched, facts: Facts, now: datetime) -> str:
    """Return a digest of all that readers are told of a source beside its records."""
    shown = index_entry(source, assess(source, facts, now), has_feeds=family.has_feeds)
    return hashlib.sha256(_compact(shown)).hexdigest()[:16]


def _lists(stored: Stored | None) -> dict[str, Any]:
    """Return the lists of an index; none of one that is damaged, for it is made again."""
    try:
        document = dict(json.loads(stored.body)) if stored else {}
        document.pop("generated_at", None)
        named = all(entry["id"] for entries in document.values() for entry in entries)
    except (ValueError, TypeError, KeyError):
        return {}
    return document if named else {}


def _compact(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
