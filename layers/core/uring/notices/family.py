"""The notices as the engine sees them: visit → diff → next state, and the readers' view."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from uring.changes.family import Glance, Observed, Step
from uring.changes.health import DAILY
from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.clock import Clock, parse_timestamp, timestamp
from uring.contracts import Job
from uring.notices.due.published import published
from uring.notices.identity import renumbered
from uring.notices.item import fields, observation, rows_digest
from uring.notices.noise.heard import Heard, hear
from uring.notices.noise.memory import masked_rows, rows_of
from uring.notices.place import Lookup, NoticeVisit, is_moved
from uring.notices.registration import NAME, WHAT
from uring.notices.source import Source
from uring.notices.state import NoticeState
from uring.notices.visit import VISIT_SECONDS, NoticeVisitor
from uring.objects import Objects
from uring.records.apply import Applied, Seen, apply
from uring.records.archive import Archive
from uring.records.diff import ListHints
from uring.records.latest import Latest, Publication, RecordProjections
from uring.records.model import Observation, Revision
from uring.records.older import came_at, moved_up
from uring.records.retract import Pushed, retract
from uring.records.seen import SeenStore
from uring.sources.config import entry_of

# The revision of a record that was edited once, and back.
_ONCE: Final = 3


class Notices:
    """The family of notices; it implements `uring.changes.family.Family`.

    Safe to share between threads.

    Args:
        visitor: asks the sites.
        objects: the bucket.
    """

    name = NAME
    heartbeat = DAILY
    eases_off = True
    # A visit and the commit behind it.
    seconds: float = VISIT_SECONDS + 5
    fields: Mapping[str, Any] = MappingProxyType(
        {"rows": 0, "skipped_rows": 0, "new_items_count": 0, "revision": 0}
    )

    def __init__(
        self, visitor: NoticeVisitor, objects: Objects, *, clock: Clock, backoff: Backoff
    ) -> None:
        self._visitor = visitor
        self._seen = SeenStore(objects, NAME, clock=clock, backoff=backoff)
        self._archive = Archive(objects, backoff=backoff)
        self._latest = Latest(objects, backoff=backoff)

    def entry(self, job: Job) -> str:
        """See `Family.entry`."""
        return source_of(job).fingerprint

    def first(self, job: Job, now: datetime) -> NoticeState:
        """See `Family.first`."""
        return NoticeState(source=job.source, health=Health(since=timestamp(now)))

    def glance(
        self, job: Job, known: Mapping[str, Any], now: datetime
    ) -> Glance[NoticeState, NoticeVisit] | None:
        """See `Family.glance`."""
        return self._visitor.glance(source_of(job), known, self._lookup(job), now)

    def observe(self, job: Job, state: NoticeState, now: datetime) -> Observed[NoticeVisit]:
        """See `Family.observe`."""
        return self._visitor.visit(source_of(job), state, self._lookup(job), now)

    def step(
        self, job: Job, state: NoticeState, data: NoticeVisit, now: datetime
    ) -> Step[NoticeState]:
        """See `Family.step`."""
        counted = {"rows": data.rows, "skipped_rows": data.skipped}
        source = source_of(job)
        check = timedelta(minutes=job.interval_minutes)
        heard = _heard(source, state, data, now, check)
        applied = apply_visit(source, state, data, now, heard)
        if applied is None:
            return Step(None, fields=counted, is_settled=not heard.waits)
        after = applied.state
        events, evicted = after.outbox, applied.evicted
        outcome: Literal["changed", "unchanged"] = "changed" if events else "unchanged"
        return Step(
            after,
            "baseline" if state.baseline_at is None else outcome,
            first=(lambda: self._seen.add(job.source, evicted)) if evicted else None,
            fields={
                **counted,
                "new_items_count": sum(event.kind in ("new", "baseline") for event in events),
                "revision": max((event.revision for event in events), default=0),
            },
        )

    def _lookup(self, job: Job) -> Lookup:
        return lambda ids: self._seen.lookup(job.source, ids)

    def projections(self, job: Job) -> RecordProjections:
        """See `Family.projections`."""
        source = source_of(job)
        meta = {"dept_name": source.name, "base_url": source.base_url}
        publication = Publication(
            NAME,
            source.id,
            source.topic,
            meta,
            fields,
            site=source.base_url,
            urgent=frozenset({"new"}),
            derived=partial(_derived, zone=source.zone),
        )
        return RecordProjections(self._archive, self._latest, publication)


def _derived(item: Revision, zone: str) -> Mapping[str, Any]:
    """Return the keys of a notice that its readers get beside the stored ones."""
    due = published(item.content, item.first_seen, zone)
    return {"due": due} if due else {}


def apply_visit(
    source: Source,
    state: NoticeState,
    visit: NoticeVisit,
    now: datetime,
    heard: Heard | None = None,
) -> Applied[NoticeState] | None:
    """Apply a visit to the state of a department; return None when there is nothing to write."""
    moved = is_moved(source, state, visit.items)
    check = timedelta(minutes=source.interval_minutes)
    identity, heard = visit.identity, heard or _heard(source, state, visit, now, check)
    old = _old(state, heard.records, visit, source.zone, moved=moved)
    seen = Seen(
        heard.records,
        recalled=visit.recalled,
        reread=not state.is_read_by(source.reading),
        moved=moved or identity.is_renumbered,
        renew=not state.is_of(source.fingerprint),
        old=old,
        quiet=heard.quiet | identity.quiet,
        differing=heard.differing,
        hints=ListHints(renamed=identity.renamed),
    )
    pushes = source.changes.pushes
    if heard.is_content:
        pushes = replace(pushes, uniform=pushes.uniform - {"title"})
    # On another board a known id is another notice, which is first seen now.
    applied = apply(state.replace(moved_at=timestamp(now)) if moved else state, seen, pushes, now)
    if applied is None and heard.is_learned and not heard.waits:
        applied = Applied(state, {})
    if applied is None:
        return None
    edits = {
        event.id: event.event_id
        for event in applied.state.outbox
        if event.kind == "edited" and event.push and not event.digest_of
    }
    after = {**({} if heard.waits else visit.read), **heard.memory(edits)}
    streaks = {f"again {marks}": renumbered(None, now) for marks in identity.posted_again}
    if identity.renamed and identity.is_renumbered:
        streaks["id"] = renumbered(state.streaks.get("id"), now)
    after["streaks"] = {**after["streaks"], **streaks}
    if heard.is_learned and visit.digest and not heard.waits:
        shown = masked_rows(visit.items[: visit.listed], after["noise"])
        after["rows"] = rows_digest(shown, visit.fingerprint)
    return replace(
        applied,
        state=_taken_back(applied.state, heard.refuted, now).replace(
            **after,
            reading=source.reading,
            board=source.board,
            listed=visit.listed,
            came=came_at(heard.records, _known(state, visit), old, state.page) or state.came,
        ),
    )


def _taken_back(state: NoticeState, refuted: Mapping[str, str], now: datetime) -> NoticeState:
    """Return the state with the retraction of pushed edits that the board has undone.

    No other push stands of a record of the first check whose only edit was undone.
    """
    pushes = []
    for key, event in refuted.items():
        known = state.known[key]
        is_last = known.first_seen == state.baseline_at and known.revision == _ONCE
        pushes.append(Pushed(key, event, is_last=is_last))
    return (retract(state, pushes, now) if pushes else None) or state


def _heard(
    source: Source, state: NoticeState, visit: NoticeVisit, now: datetime, check: timedelta
) -> Heard:
    """Return the page without its noise; all of it where the rules of reading are new."""
    if state.baseline_at is None or not state.is_read_by(source.reading):
        records = [observation(item) for item in visit.items]
        fresh: dict[str, Any] = {"noise": (), "streaks": {}, "past": {}}
        return Heard(records, lambda _: {"page": rows_of(visit.items), **fresh})
    return hear(state, visit.items, now, check)


def _known(state: NoticeState, visit: NoticeVisit) -> frozenset[str]:
    """Return the ids of known notices, by their new id where they were renumbered."""
    return state.own(visit.recalled) | visit.identity.renamed.keys()


def _old(
    state: NoticeState,
    records: Sequence[Observation],
    visit: NoticeVisit,
    zone: str,
    *,
    moved: bool,
) -> frozenset[str]:
    """Return the ids of old records that the state does not know; they are not pushed.

    They moved up from a further page, or the board is another one.
    """
    known = _known(state, visit)
    if moved:
        # The known records are another board's: they do not show which of these are new.
        return frozenset(record.id for record in records) - known
    marked = {key for key, each in {**visit.recalled, **state.known}.items() if each.is_marked}
    now = {old: new for new, old in visit.identity.renamed.items()}
    before = [now.get(key, key) for key in state.page if key not in marked]
    since = _day_before(state.baseline_at, zone) if state.baseline_at else ""
    return visit.identity.old | moved_up(records, known, marked, before, state.came, since)


def _day_before(stamp: str, zone: str) -> str:
    """Return the day before a time, in a zone."""
    day = parse_timestamp(stamp).astimezone(ZoneInfo(zone)).date() - timedelta(days=1)
    return day.isoformat()


def source_of(job: Job) -> Source:
    """Return the job's entry.

    Raises:
        MalformedMessage: the job's entry is not a valid source.
        NewerRelease: its only problem is keys of a newer release.
    """
    return entry_of(job, Source, what=WHAT)
