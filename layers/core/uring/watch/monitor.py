"""Derives from the states all that can wait ten minutes: health, feeds, index, alerts.

    memory ─► list of states ─► changed? ─► feeds, health.json ─► index ─► alerts ─► memory

An unchanged state is not read again (`uring.watch.publish`).
Alerts are sent before they are remembered: a crash in between repeats them, and loses none.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from uring.changes.hinting import etags_of
from uring.changes.registry import Registration, WatchedSource
from uring.changes.shard import WHOLE, Shard
from uring.clock import Clock, timestamp
from uring.errors import UringError
from uring.objects import Bucket, Stored
from uring.runtime.telemetry import Telemetry
from uring.watch.alerts import Alerts, lines_for, send
from uring.watch.due import DueSources, due_of
from uring.watch.hints import HintBook
from uring.watch.memory import MonitorMemory, memory_key, read_memory
from uring.watch.pace import pace
from uring.watch.publish import BRIEFLY, Publisher, compact
from uring.watch.readers import ReaderProbe
from uring.watch.search import SEARCHED_VIEW, Indexing, SearchIndexer, closed_month
from uring.watch.status import (
    Facts,
    SourceStatus,
    assess,
    index_entry,
    is_pending,
    list_entry,
    restored_line,
    told,
    waits_for_first_check,
)

INDEX_KEY: Final = "data/index.json"
# What the index says of its lists, by their keys.
_FAMILIES: Final = "families"
# A run writes its memory at least once an hour.
_SILENCE: Final = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class WatchedFamily:
    """A family, and a function that returns the sources of its present configuration.

    Attributes:
        shard: the part of the family that this run watches; ``sources`` returns its sources.
        others: the other shards, which runs of their own watch, for the index.
    """

    registered: Registration
    sources: Callable[[], Sequence[WatchedSource]]
    shard: Shard = WHOLE
    others: Sequence[Shard] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """The data of one family in a run."""

    family: Registration
    shard: Shard
    sources: Sequence[WatchedSource]
    stored: Stored | None
    memory: MonitorMemory
    facts: Mapping[str, Facts]
    pending: Mapping[str, str]
    statuses: Mapping[str, SourceStatus]
    newer: frozenset[str]
    waiting: frozenset[str]
    resumed_at: str | None
    is_complete: bool
    indexing: Indexing | None

    @property
    def indexed(self) -> str:
        """The month up to which the search indexes are made, as the memory keeps it."""
        is_done = self.indexing is not None and self.indexing.is_complete
        return self.indexing.month if self.indexing and is_done else self.memory.indexed

    @property
    def left(self) -> frozenset[str]:
        """The sources without an alert: a newer release's, unchecked ones that get time."""
        return self.newer | self.waiting

    def entries(
        self, before: Mapping[str, Mapping[str, Any]], now: datetime
    ) -> list[Mapping[str, Any]]:
        """Return the index's entries; a source with a newer release's state keeps its old entry."""
        return [self._entry(source, before.get(source.id), now) for source in self.sources]

    def _entry(
        self, source: WatchedSource, before: Mapping[str, Any] | None, now: datetime
    ) -> Mapping[str, Any]:
        if before is not None and source.id in self.newer:
            return before
        status = self.statuses[source.id]
        entry = index_entry(self.family, source, status) | pace(source, now)
        return before if before is not None and told(before) == told(entry) else entry

    def lines(self, now: datetime) -> tuple[list[str], dict[str, str]]:
        """Return the same as `lines_for`; the sources in `left` stay as they were reported."""
        ours = [source for source in self.sources if source.id not in self.left]
        lines, down = lines_for(ours, self.statuses, self.memory.down)
        known = self.memory.down.items()
        # A part's key begins with its source.
        kept = {key: word for key, word in known if key.partition("/")[0] in self.left}
        before = self.memory.facts
        restored = (
            restored_line(source, self.facts[source.id], before.get(source.id), now)
            for source in ours
            if source.id in self.facts
        )
        return [*lines, *filter(None, restored)], kept | down


class Monitor:
    """Watches the states of all families.

    Args:
        families: in the order of the index, or one family's shard, which has its own index.
        objects: the bucket.
        alerts: the channel to the operators.
        clock: the time, aware UTC.
        at_once: the number of sources published in parallel.
        readers: asks for the index as a reader does; None where nobody reads it.
    """

    def __init__(
        self,
        families: Sequence[WatchedFamily],
        objects: Bucket,
        alerts: Alerts,
        telemetry: Telemetry,
        *,
        clock: Clock,
        at_once: int = 1,
        readers: ReaderProbe | None = None,
    ) -> None:
        self._readers = readers
        self._families = families
        shards = [family.shard for family in families]
        self._index_key = shards[0].key(INDEX_KEY) if shards else INDEX_KEY
        self._objects = objects
        self._alerts = alerts
        self._telemetry = telemetry
        self._clock = clock
        self._publisher = Publisher(objects, telemetry)
        self._due = DueSources(self._publisher, telemetry, at_once=at_once)
        self._indexer = SearchIndexer(objects, self._publisher, telemetry)

    def run(self, time_left: Callable[[], float]) -> dict[str, int]:
        """Bring all documents up to date; return the number of sources by status.

        Sources for which the time is too short are left to the next run: a new stack of two
        thousand sources needs a few runs. An error of one family does not stop the others: the
        first one is raised at the end.

        Args:
            time_left: returns the seconds until this run is ended.

        Raises:
            Misconfigured: a family's configuration is missing.
            ConfigInvalid: a family's configuration is unreadable.
            Unavailable: S3 or SNS gave no answer; the next run catches up.
        """
        now = self._clock()
        index = self._objects.get(self._index_key)
        seen: list[_Seen] = []
        unreadable: list[UringError] = []
        for family in self._families:
            try:
                sources = family.sources()
                seen.append(self._look(family, sources, now, time_left))
            except UringError as error:
                unreadable.append(error)
        # If another run was quicker, or the time too short, this run's index would be out of date.
        if seen and all(each.is_complete for each in seen):
            self._write_index(seen, index, now)
        found = self._readers.lines(index.etag if index else None, now) if self._readers else []
        self._tell(seen, found, now)
        is_silent = [self._is_silent(family, now) for family in self._families]
        counts = self._counted(seen, is_whole=not unreadable and not any(is_silent))
        self._make_indexes(seen, time_left)
        if unreadable:
            raise unreadable[0]
        return counts

    def _look(
        self,
        watched: WatchedFamily,
        sources: Sequence[WatchedSource],
        now: datetime,
        time_left: Callable[[], float],
    ) -> _Seen:
        family, shard = watched.registered, watched.shard
        key = memory_key(family.name, shard)
        stored = self._objects.get(key)
        memory = read_memory(key, stored, self._telemetry)
        book = (
            HintBook(family.name, self._objects, self._telemetry, shard)
            if family.has_hints
            else None
        )
        etags = etags_of(self._objects, family.name, shard)
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
        # A state that was not read in time, or is of a newer release, counts as checked.
        pending = {
            source.id: memory.pending.get(source.id, timestamp(now))
            for source in sources
            if _is_unseen(facts.get(source.id), etags.get(source.id))
        }
        statuses = {
            source.id: assess(source, facts.get(source.id), now, pending.get(source.id))
            for source in sources
        }
        resumed_at = memory.resumed(now)
        return _Seen(
            family,
            shard,
            sources,
            stored,
            memory,
            facts,
            pending,
            statuses,
            frozenset(newer),
            frozenset(
                source.id
                for source in sources
                if waits_for_first_check(source, statuses[source.id], resumed_at, now)
            ),
            resumed_at,
            is_complete,
            self._indexing(watched, [each.id for each in sources if each.id in etags], memory, now),
        )

    def _indexing(
        self, watched: WatchedFamily, sources: Sequence[str], memory: MonitorMemory, now: datetime
    ) -> Indexing | None:
        """Return what is indexed of a family; None if it has no indexes, or all are made."""
        month, family = closed_month(now), watched.registered
        if family.view != SEARCHED_VIEW or memory.indexed == month:
            return None
        return self._indexer.look(family.name, sources, month, watched.shard)

    def _make_indexes(self, seen: Sequence[_Seen], time_left: Callable[[], float]) -> None:
        """Make search indexes, after all that people wait for; the next run makes up for a failure.

        When all are made, the memory says so at once: the next run then reads no book.
        """
        for each in seen:
            if each.indexing is None or each.indexing.is_complete:
                continue
            try:
                if self._indexer.work(each.indexing, time_left):
                    key = memory_key(each.family.name, each.shard)
                    stored = self._objects.get(key)
                    memory = read_memory(key, stored, self._telemetry)
                    after = memory.model_copy(update={"indexed": each.indexing.month})
                    self._publisher.put(key, stored, after.model_dump_json().encode())
            except UringError as error:
                self._telemetry.problem(
                    "search_not_indexed",
                    family=each.family.name,
                    reason=str(error),
                    remedy="the next run goes on; until then readers search the archive itself",
                )

    def _write_index(self, seen: Sequence[_Seen], stored: Stored | None, now: datetime) -> None:
        before = _known(stored)
        lists = {
            family.registered.index_key: before.get(family.registered.index_key, [])
            for family in self._families
        }
        for each in seen:
            entries = {entry["id"]: entry for entry in lists[each.family.index_key]}
            lists[each.family.index_key] = each.entries(entries, now)
        # A family that was not read keeps the shards that its list was published with.
        read = {each.family.index_key for each in seen}
        published = before.get(_FAMILIES, {})
        described = {
            key: list_entry(family.registered, family.others)
            if key in read or key not in published
            else published[key]
            for family in self._families
            for key in [family.registered.index_key]
        }
        index = {_FAMILIES: described, **lists}
        if before != index:
            body = compact({"generated_at": timestamp(now), **index})
            self._publisher.put(self._index_key, stored, body, cache=BRIEFLY)

    def _tell(self, seen: Sequence[_Seen], found: Sequence[str], now: datetime) -> None:
        """Send one alert for all sources that went down or up, then store the memories."""
        told = [(each, *each.lines(now)) for each in seen]
        lines = [*found, *(line for _, own, _ in told for line in own)]
        send(self._alerts, lines)
        for line in lines:
            self._telemetry.event("alerted", line=line)
        if self._readers:
            self._readers.remember()
        for each, _, down in told:
            after = MonitorMemory(
                facts=dict(each.facts),
                down=down,
                pending=dict(each.pending),
                ran_at=timestamp(now),
                resumed_at=each.resumed_at,
                indexed=each.indexed,
            )
            if after.is_written(each.memory, now):
                body = after.model_dump_json().encode()
                self._publisher.put(memory_key(each.family.name, each.shard), each.stored, body)

    def _is_silent(self, family: WatchedFamily, now: datetime) -> bool:
        """Return whether a further shard's run has not remembered anything for two hours."""
        silent = []
        for shard in family.others:
            head = self._objects.head(memory_key(family.registered.name, shard))
            if head is None or (head.modified and now - head.modified > _SILENCE):
                silent.append(shard.begin)
        if silent:
            self._telemetry.problem(
                "shards_silent",
                family=family.registered.name,
                shards=silent,
                remedy="look at the log of their runs; a shard that was just made has none yet",
            )
        return bool(silent)

    def _counted(self, seen: Sequence[_Seen], *, is_whole: bool) -> dict[str, int]:
        statuses = [status for each in seen for status in each.statuses.values()]
        counts = Counter[str](status.status for status in statuses)
        down = sum(
            status.down is not None
            for each in seen
            for source, status in each.statuses.items()
            if source not in each.left
        )
        self._telemetry.count("Sources", len(statuses))
        if is_whole and not any(family.shard.begin for family in self._families):
            # Its absence raises the alarm for a monitor that does not see all families.
            self._telemetry.count("SourcesDown", down)
        self._telemetry.event("watched", sources=len(statuses), down=down, **counts)
        return dict(counts)


def _is_unseen(facts: Facts | None, etag: str | None) -> bool:
    return etag is None if facts is None else is_pending(facts)


def _known(stored: Stored | None) -> dict[str, Any]:
    """Return an index without its time; empty if it is missing or damaged: it is then rebuilt."""
    try:
        document = dict(json.loads(stored.body)) if stored else {}
        document.pop("generated_at", None)
        lists = [entries for key, entries in document.items() if key != _FAMILIES]
        named = all(entry["id"] for entries in lists for entry in entries)
    except (ValueError, TypeError, KeyError):
        return {}
    return document if named else {}
