"""One check of one department: fetch → read → diff → commit (N4 to N9).

    job ─► state ─ outbox? drain ─► visit ─► diff ─► commit and publish
                 └ waiting           │        └─ unchanged
                                     └ unchanged, failed, suspect

An unchanged check costs one S3 GET and one HTTP request and writes nothing.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from pydantic import ValidationError

from uring.changes.health import ill, recovered, well
from uring.changes.publisher import Publisher
from uring.changes.register import Superseded, Version
from uring.changes.retry import Backoff
from uring.clock import Clock, timestamp
from uring.contracts import CollectNotices
from uring.errors import MalformedMessage, SourceTrouble, SuspectPage, WriteConflict
from uring.notices.config import Source
from uring.notices.item import observation
from uring.notices.visit import Visit, Visitor
from uring.records.diff import advance
from uring.records.latest import Publication
from uring.records.model import Event, Health, SourceState

Outcome = Literal["baseline", "changed", "unchanged", "failed", "suspect", "waiting", "dropped"]


@dataclass(frozen=True, slots=True)
class Check:
    """How one check ended: exactly one outcome word, and what happened.

    ``events`` are the revisions that this check committed and published, ``recovered`` those that
    an earlier run had committed and not published.
    """

    source: str
    outcome: Outcome
    reason: str = ""
    detail: str = ""
    http_requests: int = 0
    rows: int = 0
    skipped_rows: int = 0
    events: tuple[Event, ...] = ()
    recovered: tuple[Event, ...] = ()


class NoticeCollector:
    """Checks departments; safe to share between threads.

    Args:
        visitor: asks the sites.
        publisher: commits and publishes; its register is that of the family ``notices``.
        clock: the time, aware UTC.
        backoff: between tries that lost to another run.
    """

    def __init__(
        self, visitor: Visitor, publisher: Publisher, *, clock: Clock, backoff: Backoff
    ) -> None:
        self._visitor = visitor
        self._publisher = publisher
        self._register = publisher.register
        self._clock = clock
        self._backoff = backoff

    def collect(self, job: CollectNotices) -> Check:
        """Check the job's department once.

        Raises:
            MalformedMessage: the job's entry is no valid source.
            CorruptState: the stored state cannot be trusted; nothing was fetched or written.
            Retryable: S3 or the queue gave no clear answer.
        """
        source = _source(job)
        age = self._clock() - job.scheduled_at
        if age > timedelta(minutes=source.interval_minutes):
            return Check(
                source.id,
                "dropped",
                "overdue",
                f"scheduled {int(age.total_seconds())} s ago, the interval is "
                f"{source.interval_minutes} min: the next job is due, this one is not run",
            )
        for _ in self._backoff.attempts():
            try:
                return self._check(source)
            except Superseded:
                continue
        raise WriteConflict(f"{source.id}: other runs committed first, again and again")

    def _check(self, source: Source) -> Check:
        publication = Publication(source.id, source.name, source.base_url, source.topic)
        version = self._register.read(source.id) or self._first(source)
        recovered_events = version.state.outbox
        version = self._publisher.drain(version, publication)
        state, now = version.state, self._clock()
        if _waits(state.health, source, now):
            return Check(source.id, "waiting", state.health.reason, recovered=recovered_events)
        visit = Visit(source, state, lambda ids: self._register.recall(source.id, ids))
        try:
            self._visitor.visit(visit, now)
        except SourceTrouble as trouble:
            interval = timedelta(minutes=source.interval_minutes)
            health = ill(state.health, trouble, source.fingerprint, now, interval)
            self._note(version, visit, health)
            outcome: Outcome = "suspect" if isinstance(trouble, SuspectPage) else "failed"
            return Check(
                source.id,
                outcome,
                trouble.reason,
                trouble.detail,
                http_requests=visit.requests,
                recovered=recovered_events,
            )
        step = None
        if not visit.unchanged:
            step = advance(
                state,
                [observation(item) for item in visit.items],
                recalled=visit.recalled,
                terms=source.changes.terms,
                now=now,
                reread=visit.reread,
                renew=visit.edited,
            )
        if step is None:
            self._note(version, visit, well(state.health, now))
        else:
            committed = step.state.replace(
                fingerprint=visit.fingerprint,
                reading=source.reading,
                validators=visit.validators,
                permission=visit.permission or state.permission,
                health=recovered(state.health, now),
            )
            self._publisher.commit(version, committed, step.spill, publication)
        events = step.state.outbox if step else ()
        outcome = "changed" if events else "unchanged"
        if state.baseline_at is None:
            outcome = "baseline"
        return Check(
            source.id,
            outcome,
            http_requests=visit.requests,
            rows=visit.rows,
            skipped_rows=visit.skipped,
            events=events,
            recovered=recovered_events,
        )

    def _first(self, source: Source) -> Version[SourceState]:
        health = Health(since=timestamp(self._clock()))
        return Version(SourceState(source=source.id, health=health), None)

    def _note(self, version: Version[SourceState], visit: Visit, health: Health | None) -> None:
        """Write what is worth a write without any change: health, and robots.txt's word."""
        if health is None and visit.permission is None:
            return
        state = version.state
        self._register.write(
            version,
            state.replace(
                health=health or state.health, permission=visit.permission or state.permission
            ),
        )


def _waits(health: Health, source: Source, now: datetime) -> bool:
    """Whether the site is left alone for now; a corrected entry is tried at once."""
    return (
        health.retry_at is not None
        and health.entry == source.fingerprint
        and now < datetime.fromisoformat(health.retry_at)
    )


def _source(job: CollectNotices) -> Source:
    try:
        return validated(json.dumps(job.source))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in ("source", *first["loc"]))
        raise MalformedMessage(
            f"CollectNotices: {place}: {first['msg']}; correct the entry in the sitemap, "
            "`uring config check` explains it"
        ) from error


# The same few hundred entries come round every tick. Refused ones are not remembered.
@lru_cache(maxsize=512)
def validated(entry: str) -> Source:
    """The entry of a job, as JSON; a ValidationError is the caller's."""
    return Source.model_validate(json.loads(entry))
