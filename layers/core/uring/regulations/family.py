"""The regulations as the engine sees them: page ─► sync ─► state ─► table, readers, parse jobs."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal

from uring.changes.family import LogLine, Observed, Step
from uring.changes.jobs import WorkQueue
from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.clock import Clock, timestamp
from uring.contracts import ChangePublished, Job
from uring.errors import Unavailable
from uring.objects import Objects
from uring.reading.lists.rows import ROW_LIMIT
from uring.records.apply import Applied, PushPolicy, Seen, apply
from uring.records.archive import Archive
from uring.records.diff import ListHints
from uring.records.latest import Latest, Publication, RecordProjections
from uring.records.model import Event, Known, Observation, Revision
from uring.records.seen import SeenStore
from uring.regulations.page import RegistryPage, RegistryVisitor
from uring.regulations.registration import NAME
from uring.regulations.source import Registry, registry_of
from uring.regulations.state import RegistryState
from uring.regulations.sync import SyncResult, sync
from uring.regulations.table import RegistryTable
from uring.regulations.texts.ids import text_id
from uring.regulations.texts.job import parse_jobs
from uring.regulations.texts.recheck import share
from uring.regulations.values import RegulationEntry, SyncMetadata

# A revision is another file; the kind of a change names it for readers.
POLICY: Final = PushPolicy(
    push=frozenset({"new", "edited", "renamed", "deleted", "returned"}),
    alone=frozenset({"previewUrl", "downloadUrl", "lastUpdated", "link"}),
)
# The most rows of a page, and as many missing regulations.
_MOST_SHOWN: Final = 2 * ROW_LIMIT
_MOST_REASONS: Final = 5


@dataclass(frozen=True, slots=True)
class RegistrySighting:
    """A registry as a run saw it; ``page`` is None where the run failed."""

    page: RegistryPage | None
    recalled: Mapping[str, Known]


class Regulations:
    """The family of regulations; it implements `uring.changes.family.Family`.

    Safe to share between threads.

    Args:
        visitor: asks the sites.
        objects: the bucket.
        table: the registries.
        parse_queue: the queue of parse jobs.
    """

    name = NAME
    heartbeat = timedelta()
    # A day between checks is long enough.
    eases_off = False
    seconds: float = 45
    fields: Mapping[str, Any] = MappingProxyType({"rows": 0, "skipped_rows": 0})

    def __init__(
        self,
        visitor: RegistryVisitor,
        objects: Objects,
        table: RegistryTable,
        parse_queue: WorkQueue,
        *,
        clock: Clock,
        backoff: Backoff,
    ) -> None:
        self._visitor = visitor
        self._table = table
        self._parse_queue = parse_queue
        self._seen = SeenStore(objects, NAME, clock=clock, backoff=backoff)
        self._archive = Archive(objects, backoff=backoff)
        self._latest = Latest(objects, backoff=backoff)

    def entry(self, job: Job) -> str:
        """See `Family.entry`."""
        return registry_of(job).fingerprint

    def first(self, job: Job, now: datetime) -> RegistryState:
        """See `Family.first`."""
        return RegistryState(source=job.source, health=Health(since=timestamp(now)))

    def glance(self, job: Job, known: Mapping[str, Any], now: datetime) -> None:
        """See `Family.glance`. Never answers by a hint: every run commits its metadata."""

    def observe(self, job: Job, state: RegistryState, now: datetime) -> Observed[RegistrySighting]:
        """See `Family.observe`. A failed run has data, too: its metadata records it (R7)."""
        visit = self._visitor.visit(registry_of(job), state, now)
        remembered = (
            {} if visit.permission is state.permission else {"permission": visit.permission}
        )
        recalled = dict[str, Known]()
        if visit.page is not None and state.spilled:
            # A regulation that left a long page may be evicted; its deletion needs its record.
            titles = {row.title for row in visit.page.policies} | state.active.keys()
            unknown = titles - state.known.keys()
            recalled = self._seen.lookup(job.source, unknown) if unknown else {}
        return Observed(
            RegistrySighting(visit.page, recalled),
            visit.trouble,
            visit.requests,
            remembered=remembered,
            refused=visit.refused,
        )

    def step(
        self, job: Job, state: RegistryState, data: RegistrySighting, now: datetime
    ) -> Step[RegistryState]:
        """See `Family.step`. Every run commits its metadata."""
        if data.page is None:
            failed = SyncMetadata(timestamp=timestamp(now), status="failed", error_count=1)
            return Step(state.replace(last_run=failed, is_projected=False, rechecks=()))
        applied, after, result = _step(registry_of(job), state, data, data.page, now)
        evicted = applied.evicted if applied else {}
        outcome: Literal["changed", "unchanged"] = "changed" if after.outbox else "unchanged"
        stats = result.stats
        skipped = data.page.skipped
        return Step(
            after,
            "baseline" if state.baseline_at is None else outcome,
            first=(lambda: self._seen.add(job.source, evicted)) if evicted else None,
            fields={
                "rows": data.page.rows,
                "skipped_rows": len(skipped),
                "added": stats.added,
                "updated": stats.updated,
                "deleted": stats.deleted,
                "absent": len(after.absent),
            },
            lines=(LogLine("rows_skipped", {"reasons": list(skipped[:_MOST_REASONS])}),)
            if skipped
            else (),
        )

    def projections(self, job: Job) -> "RegistryProjections":
        """See `Family.projections`."""
        registry = registry_of(job)
        meta = {"name": registry.name, "base_url": registry.base_url}
        publication = Publication(
            NAME, registry.id, registry.topic, meta, fields, urgent=frozenset({"new"})
        )
        records = RecordProjections(self._archive, self._latest, publication)
        return RegistryProjections(records, self._table, self._parse_queue, job)


class RegistryProjections:
    """The projections of a registry: the table, the readers' view, then parse jobs.

    They implement `uring.changes.outbox.Projections`. Each run sends a job for every queue entry,
    so that a lost job is sent again.
    """

    def __init__(
        self, records: RecordProjections, table: RegistryTable, parse_queue: WorkQueue, job: Job
    ) -> None:
        self._records = records
        self._table = table
        self._parse_queue = parse_queue
        self._job = job

    def write(self, state: RegistryState) -> None:
        """See `Projections.write`."""
        self._table.project(state)
        if state.outbox or state.republish:
            self._records.write(state)
        files = [*self._table.queued(state.source), *self._table.rechecks(state.source)]
        jobs = parse_jobs(state, files, self._job.entry, self._job.scheduled_at)
        if refused := self._parse_queue.dispatch(list(jobs)):
            raise Unavailable(f"the parse queue refused {refused} jobs of {state.source}")

    def recovered(self, state: RegistryState) -> RegistryState | None:
        """See `Projections.recovered`."""
        return self._records.recovered(state)

    def is_known(self, source: str) -> bool:
        """See `Projections.is_known`."""
        return self._records.is_known(source)

    def rebuilt(self, first: RegistryState) -> None:
        """See `Projections.rebuilt`."""

    def message(self, state: RegistryState, event: Event) -> ChangePublished:
        """See `Projections.message`."""
        return self._records.message(state, event)


def fields(revision: Revision) -> Mapping[str, str | None]:
    """Return the readers' view of a regulation: the document's value (R11)."""
    # A deleted regulation has no hash, and keeps its content.
    return revision.content if revision.hash else {**revision.content, "status": "archived"}


def _step(
    registry: Registry,
    state: RegistryState,
    data: RegistrySighting,
    page: RegistryPage,
    now: datetime,
) -> tuple[Applied[RegistryState] | None, RegistryState, SyncResult]:
    """Return the applied records (None without a change), the next state and the sync's result."""
    stamp = timestamp(now)
    reread = state.baseline_at is not None and state.reading not in ("", registry.reading)
    active, known = state.active, {**data.recalled, **state.known}
    result = sync(
        page.policies,
        active,
        stamp,
        # A renamed title left no tombstone: it may be renamed back.
        archived=known.keys() - active.keys() - state.renamed.keys(),
        absent_before=() if reread else state.absent_before(now),
        is_complete=page.is_complete,
        shown=page.shown,
    )
    records = [_observation(entry) for entry in result.entries]
    seen = Seen(
        records,
        recalled=data.recalled,
        reread=reread,
        renew=state.fingerprint not in ("", registry.fingerprint),
        hints=ListHints(deleted=result.to_delete, renamed=result.renamed),
    )
    applied = apply(state, seen, POLICY, now, most=_MOST_SHOWN)
    after = applied.state if applied else state
    texts, renamed = dict(state.texts), dict(state.renamed)
    for entry in (*result.to_add, *result.to_update):
        renamed.pop(entry.title, None)
        old = result.renamed.get(entry.title)
        if old is not None:
            renamed[old] = entry.title
            texts[entry.title] = texts.pop(old)
        texts.setdefault(entry.title, text_id(state.source, entry.title, stamp))
    skipped = len(page.skipped)
    shown = {item.id: texts[item.id] for item in after.hot}
    day, rechecks = share(shown, state.recheck_day, now, registry.recheck_days)
    is_accepted = state.baseline_at is not None and state.epoch != registry.epoch
    after = after.replace(
        reading=registry.reading,
        epoch=registry.epoch,
        accepted_at=stamp if is_accepted else state.accepted_at,
        fingerprint=registry.fingerprint,
        absent={title: state.absent.get(title, stamp) for title in result.absent},
        texts=texts,
        renamed=renamed,
        last_run=SyncMetadata(
            timestamp=stamp,
            total_processed=result.stats.total_scanned,
            added=result.stats.added,
            updated=result.stats.updated,
            deleted=result.stats.deleted,
            status="partial" if skipped else "success",
            error_count=skipped,
        ),
        is_projected=False,
        recheck_day=day,
        rechecks=rechecks,
    )
    return applied, after, result


def _observation(entry: RegulationEntry) -> Observation:
    """Return a regulation as an observation of the engine; its id is the title."""
    # A revision only where there is one: an entry without has the hash of the releases before.
    revision = (entry.file_revision,) if entry.file_revision else ()
    parts = (entry.title, entry.file_no, entry.preview_url, entry.download_url, *revision)
    digest = hashlib.sha256("|".join(parts).encode()).hexdigest()
    # Every family calls the address for people `link`.
    return Observation(entry.title, digest, {**entry.item(), "link": entry.preview_url})
