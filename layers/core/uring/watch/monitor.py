"""Derives from the sources' states all that can wait ten minutes: health, feeds, index, alerts.

    memory ─► list of states ─► changed? ─► feeds, health.json ─► index ─► alerts ─► memory

A state that has not changed is not read again (`uring.watch.publish`).
Alerts are sent before they are remembered: a death in between sends them again, none is lost.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from uring.changes.hinting import etags_of
from uring.changes.ports import Listing, Stored
from uring.changes.registry import Registration, Watched
from uring.clock import Clock, timestamp
from uring.errors import UringError
from uring.runtime.telemetry import Telemetry
from uring.watch.alerts import Alerts, lines_for, send
from uring.watch.due import DueSources, due_of
from uring.watch.hints import HintBook
from uring.watch.memory import Memory, memory_key, read_memory
from uring.watch.publish import BRIEFLY, Publisher, compact
from uring.watch.status import (
    Facts,
    SourceStatus,
    assess,
    index_entry,
    is_pending,
    list_entry,
    told,
)

INDEX_KEY: Final = "data/index.json"
# What the index says of its lists, by their keys.
_FAMILIES: Final = "families"


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

    def entries(self, before: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Return the index's entries; a newer release's states are for its monitor to tell of."""
        return [self._entry(source, before.get(source.id)) for source in self.sources]

    def _entry(self, source: Watched, before: Mapping[str, Any] | None) -> Mapping[str, Any]:
        if before is not None and source.id in self.newer:
            return before
        entry = index_entry(source, self.statuses[source.id], has_feeds=self.family.has_feeds)
        return before if before is not None and told(before) == told(entry) else entry

    def lines(self) -> tuple[list[str], dict[str, str]]:
        """See `lines_for`; of a newer release's states people are told nothing."""
        ours = [source for source in self.sources if source.id not in self.newer]
        lines, down = lines_for(ours, self.statuses, self.memory.down)
        known = self.memory.down.items()
        # A part's key begins with its source.
        kept = {key: word for key, word in known if key.partition("/")[0] in self.newer}
        return lines, kept | down


class Monitor:
    """Watches the states of all families.

    Args:
        families: in the order in which readers see them.
        objects: the bucket.
        alerts: where people are told.
        clock: the time, aware UTC.
        at_once: sources that are published side by side.
    """

    def __init__(
        self,
        families: Sequence[WatchedFamily],
        objects: Listing,
        alerts: Alerts,
        telemetry: Telemetry,
        *,
        clock: Clock,
        at_once: int = 1,
    ) -> None:
        self._families = families
        self._objects = objects
        self._alerts = alerts
        self._telemetry = telemetry
        self._clock = clock
        self._publisher = Publisher(objects, telemetry)
        self._due = DueSources(self._publisher, telemetry, at_once=at_once)

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
        counts = self._counted(seen, is_whole=not unreadable)
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
        book = HintBook(family.name, self._objects, self._telemetry) if family.has_hints else None
        etags = etags_of(self._objects, family.name)
        due = list(due_of(family, sources, memory, etags, book, now))
        outcomes = dict(
            zip(
                (each.source.id for each in due),
                self._due.publish(family, due, book, now, time_left),
                strict=True,
            )
        )
        known = {
            source.id: outcomes[source.id].facts
            if source.id in outcomes
            else memory.facts.get(source.id)
            for source in sources
            if source.id in etags
        }
        facts = {source: each for source, each in known.items() if each is not None}
        newer = {source for source, outcome in outcomes.items() if outcome.is_newer}
        is_complete = all(outcome.is_done for outcome in outcomes.values())
        if book is not None:
            self._publisher.put(book.key, book.stored, book.body())
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

    def _write_index(self, seen: Sequence[_Seen], stored: Stored | None, now: datetime) -> None:
        before = _known(stored)
        lists = {
            family.registered.index_key: before.get(family.registered.index_key, [])
            for family in self._families
        }
        for each in seen:
            entries = {entry["id"]: entry for entry in lists[each.family.index_key]}
            lists[each.family.index_key] = each.entries(entries)
        described = {
            family.registered.index_key: list_entry(family.registered) for family in self._families
        }
        index = {_FAMILIES: described, **lists}
        if before != index:
            body = compact({"generated_at": timestamp(now), **index})
            self._publisher.put(INDEX_KEY, stored, body, cache=BRIEFLY)

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
                self._publisher.put(memory_key(each.family.name), each.stored, body)

    def _counted(self, seen: Sequence[_Seen], *, is_whole: bool) -> dict[str, int]:
        statuses = [status for each in seen for status in each.statuses.values()]
        counts = Counter[str](status.status for status in statuses)
        down = sum(
            status.down is not None
            for each in seen
            for source, status in each.statuses.items()
            if source not in each.newer
        )
        self._telemetry.count("Sources", len(statuses))
        if is_whole:
            # Its absence is what tells of a monitor that does not see all.
            self._telemetry.count("SourcesDown", down)
        self._telemetry.event("watched", sources=len(statuses), down=down, **counts)
        return dict(counts)


def _is_unseen(facts: Facts | None, etag: str | None) -> bool:
    return etag is None if facts is None else is_pending(facts)


def _known(stored: Stored | None) -> dict[str, Any]:
    """Return an index without its time; an empty one for a damaged index, which is made again."""
    try:
        document = dict(json.loads(stored.body)) if stored else {}
        document.pop("generated_at", None)
        lists = [entries for key, entries in document.items() if key != _FAMILIES]
        named = all(entry["id"] for entries in lists for entry in entries)
    except (ValueError, TypeError, KeyError):
        return {}
    return document if named else {}
