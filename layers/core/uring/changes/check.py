"""One check of one source, whatever its family.

    job ─► state ─ outbox? drain ─► observe ─► step ─► put back? ─► commit and drain
     │       ▲     └ waiting           │          │         └ catch up, again
     │       │                         │          └─ unchanged
     │       │                         └ unchanged, failed, suspect
     └ hint ─► glance ─► unchanged

An unchanged check costs the requests to the source and one read of the state, and writes nothing.
A valid hint saves the read as well. With a hint the source is asked before the state is read, so
the answer counts only if the state is still the hint's version (`uring.changes.hint`).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeVar

from uring.changes.family import Family, Glance, LogLine, Observed, Step
from uring.changes.health import (
    after_failure,
    after_success,
    is_checked_since,
    is_write_due,
    remembered,
    reset,
    waits,
)
from uring.changes.hint import Hint
from uring.changes.history.beats import Beat
from uring.changes.history.refused import KEEPS_NONE, KeepsRefused, RefusedAnswer
from uring.changes.outbox import OutboxPublisher, Projections
from uring.changes.register import StateVersion, Superseded
from uring.changes.retry import Backoff
from uring.changes.state import STATE_LOST, Health, OutboxEvent, SourceState
from uring.clock import Clock, timestamp
from uring.contracts import Job
from uring.errors import Retryable, SourceTrouble, SuspectPage, WriteConflict

STATE_RESTORED: Final = "state_restored"
"""The log line of a check that stored a state again whose object was gone."""

Outcome = Literal["baseline", "changed", "unchanged", "failed", "suspect", "waiting", "dropped"]
S = TypeVar("S", bound=SourceState)
D = TypeVar("D")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: exactly one outcome word, and the details.

    ``events`` are the changes that this check committed and published. ``recovered`` are events
    that an earlier run had committed and not published. ``failing`` counts the parts that did not
    answer. ``is_failing``: the source is in trouble, or more than half of its parts are.
    ``is_hinted``: the state was not read. ``again``: the same job looks again after this time.
    """

    source: str
    outcome: Outcome
    reason: str = ""
    detail: str = ""
    requests: int = 0
    events: tuple[OutboxEvent, ...] = ()
    recovered: tuple[OutboxEvent, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[LogLine, ...] = ()
    failing: int = 0
    is_failing: bool = False
    is_hinted: bool = False
    again: timedelta | None = None


@dataclass(frozen=True, slots=True)
class _Hinted(Generic[S, D]):
    """A glance, the ETag of the state that its hint was made from, and the seconds it took."""

    etag: str
    glance: Glance[S, D]
    seconds: float

    def observer(self, version: StateVersion[S]) -> Callable[[S, datetime], Observed[D]]:
        """Return the observer for this version of the state."""
        # The answer may be older than any other version: a commit would undo newer changes.
        return self.glance.go_on if version.etag == self.etag else self.glance.observe_again


class _PutBack(Superseded):
    """The state was put back, and has caught up with what is published."""

    line = "put_back"


class _Restored(_PutBack):
    """The state was gone, and its newest readable version is stored again."""

    line = STATE_RESTORED


class Checker(Generic[S, D]):
    """Checks the sources of one family; safe to share between threads.

    Args:
        clock: the time, aware UTC.
        backoff: between tries that another run's commit superseded.
        refused: keeps answers that were refused.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(
        self,
        family: Family[S, D],
        publisher: OutboxPublisher[S],
        *,
        clock: Clock,
        backoff: Backoff,
        refused: KeepsRefused = KEEPS_NONE,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.family = family
        self._publisher = publisher
        self._register = publisher.register
        self._clock = clock
        self._backoff = backoff
        self._refused = refused
        self._monotonic = monotonic

    def check(self, job: Job, *, is_first: bool = True) -> Check:
        """Check the job's source once.

        Args:
            job: the job to run.
            is_first: whether this is the job's first delivery: the hint counts only then.

        A job older than its interval is dropped: the next one is due. A job scheduled before the
        last stored success, such as a redriven dead letter, is dropped too: its entry may be old.
        The FIFO queue's message group keeps two checks of one source from running at once.

        Raises:
            MalformedMessage: the job's entry is invalid for its family.
            CorruptState: the stored state is invalid; nothing was written.
            Retryable: S3 or the queue gave no clear answer, or a newer release wrote the state or
                the entry.
        """
        entry = self.family.entry(job)
        if self.time_left(job) < timedelta():
            age = self._clock() - job.scheduled_at
            return self._dropped(
                job,
                "overdue",
                f"scheduled {int(age.total_seconds())} s ago, the interval is "
                f"{job.interval_minutes} min: the next job is due, this one is not run",
            )
        hinted = self._glance(job, entry) if is_first else None
        if hinted is not None and hinted.glance.is_unchanged:
            requests, fields = hinted.glance.requests, hinted.glance.fields
            fields = {**self.family.fields, **fields}
            return Check(job.source, "unchanged", requests=requests, fields=fields, is_hinted=True)
        lines: tuple[LogLine, ...] = ()
        for _ in self._backoff.attempts():
            try:
                check = self._check(job, entry, hinted)
            except _PutBack as found:
                hinted, lines = None, (*lines, LogLine(found.line, {"reason": str(found)}))
            except Superseded:
                hinted = None
            else:
                return replace(check, lines=(*lines, *check.lines)) if lines else check
        raise WriteConflict(f"{job.source}: other runs committed first in every attempt")

    def time_left(self, job: Job) -> timedelta:
        """Return the time to the end of the job's interval; negative when it is overdue."""
        return timedelta(minutes=job.interval_minutes) - (self._clock() - job.scheduled_at)

    def _dropped(
        self, job: Job, reason: str, detail: str, recovered: tuple[OutboxEvent, ...] = ()
    ) -> Check:
        return Check(
            job.source, "dropped", reason, detail, recovered=recovered, fields=self.family.fields
        )

    def _glance(self, job: Job, entry: str) -> _Hinted[S, D] | None:
        """Ask the source by the job's hint; None if the hint is missing, invalid or expired."""
        hint, now = Hint.read(job.hint), self._clock()
        if hint is None or not hint.holds(entry, job.scheduled_at, now):
            return None
        began = self._monotonic()
        glance = self.family.glance(job, hint.known or {}, now)
        spent = self._monotonic() - began
        return None if glance is None else _Hinted(hint.etag, glance, spent)

    def _check(self, job: Job, entry: str, hinted: _Hinted[S, D] | None) -> Check:
        projections = self.family.projections(job)
        found = self._register.read(job.source)
        if found is not None and not found.state.is_lost:
            return self._compare(job, entry, hinted, found, projections)
        if found is not None and waits(found.state.health, entry, self._clock()):
            return self._waiting(job, found.state, hinted)
        etag = found.etag if found else None
        first = StateVersion(self.family.first(job, self._clock()), etag)
        if trouble := self._restore(first, projections):
            return self._lost(job, entry, found or first, trouble)
        return self._compare(job, entry, hinted, first, projections)

    def _compare(
        self,
        job: Job,
        entry: str,
        hinted: _Hinted[S, D] | None,
        version: StateVersion[S],
        projections: Projections[S],
    ) -> Check:
        """Check the source by this version of its state."""
        family, recovered = self.family, version.state.outbox
        if version.state.is_news:
            self._catch_up(version, projections)
        version = self._publisher.drain(version, projections)
        state, now = version.state, self._clock()
        again = state.again_after(job.scheduled_at, now)
        if again is None and is_checked_since(state.health, job.scheduled_at):
            return self._superseded(job, state, recovered)
        again = again if again and again > timedelta() else None
        if again or waits(state.health, entry, now):
            return replace(self._waiting(job, state, hinted, recovered), again=again)
        observe = hinted.observer(version) if hinted else partial(family.observe, job)
        began = self._monotonic()
        observed = observe(state, now)
        spent = self._monotonic() - began + (hinted.seconds if hinted else 0)
        step: Step[S] = Step(None)
        if observed.data is not None:
            step = family.step(job, state, observed.data, now)
            if not step.is_settled:
                observed = replace(observed, refreshed={})
        trouble, outcome = observed.trouble, _outcome(step, observed.trouble)
        events = step.state.outbox if step.state else ()
        beat = Beat.of(now, outcome, spent, {**observed.fields, **step.fields}, events, trouble)
        health, is_due = self._health(job, entry, state, observed, beat, step.overdue)
        if step.state is not None:
            if step.state.is_news:
                self._catch_up(version, projections)
            after = step.state.replace(**{**observed.remembered, "health": health})
            self._publisher.commit(version, after, projections, first=step.first)
        elif is_due or observed.remembered:
            self._remember(version, observed, health)
        lines = (*observed.lines, *step.lines, *self._keep(job, observed.refused, now))
        return Check(
            job.source,
            outcome,
            trouble.reason if trouble else "",
            trouble.detail if trouble else "",
            requests=observed.requests,
            events=events,
            recovered=recovered,
            fields={**family.fields, **observed.fields, **step.fields},
            lines=lines,
            failing=len(observed.failed),
            is_failing=trouble is not None or len(observed.failed) * 2 > observed.parts,
            again=(step.state or state).again_after(job.scheduled_at, now),
        )

    def _superseded(self, job: Job, state: S, recovered: tuple[OutboxEvent, ...]) -> Check:
        return self._dropped(
            job,
            "superseded",
            f"scheduled at {timestamp(job.scheduled_at)}, but checked since, at "
            f"{state.health.succeeded_at}: the newer result is kept",
            recovered,
        )

    def _waiting(
        self,
        job: Job,
        state: S,
        hinted: _Hinted[S, D] | None,
        recovered: tuple[OutboxEvent, ...] = (),
    ) -> Check:
        return Check(
            job.source,
            "waiting",
            state.health.reason,
            requests=hinted.glance.requests if hinted else 0,
            recovered=recovered,
            fields=self.family.fields,
        )

    def _restore(self, first: StateVersion[S], projections: Projections[S]) -> SourceTrouble | None:
        """Store the newest readable version of a state that is gone; None at a first sight.

        Args:
            first: the initial state, in place of nothing or of the mark of a lost state.
            projections: of the source.

        Returns:
            The trouble, if the source was known and no version can be read.

        Raises:
            _Restored: the state is stored again, as it was.
        """
        source = first.state.source
        if not projections.is_known(source):
            return None
        past = self._register.newest(source) or projections.rebuilt(first.state)
        if past is first.state:
            return None
        if past is None:
            return SourceTrouble(
                STATE_LOST,
                "readers see the source, but its state is gone, and no version of it can be read: "
                f"`uring state repair {source}`",
                is_structural=True,
            )
        self._register.write(first, past.replace(restored_at=timestamp(self._clock())))
        raise _Restored(
            f"the state was gone: the version with the change of {past.last_change} was restored"
        )

    def _lost(self, job: Job, entry: str, absent: StateVersion[S], trouble: SourceTrouble) -> Check:
        """Store the mark of a lost state. It is neither a baseline nor published."""
        observed: Observed[D] = Observed(trouble=trouble)
        beat = Beat.of(self._clock(), "failed", 0, {}, (), trouble)
        health, _ = self._health(job, entry, absent.state, observed, beat)
        self._register.write(absent, absent.state.replace(health=health))
        return Check(
            job.source,
            "failed",
            trouble.reason,
            trouble.detail,
            fields=self.family.fields,
            is_failing=True,
        )

    def _catch_up(self, version: StateVersion[S], projections: Projections[S]) -> None:
        """Give a state that was put back the published changes that it lacks, silently.

        The check begins again then: this observation was compared with the older records.

        Raises:
            _PutBack: the state has them now.
        """
        recovered = projections.recovered(version.state)
        if recovered is not None:
            self._register.write(version, recovered)
            raise _PutBack(
                f"the state is older than what readers see, from {version.state.last_change} "
                f"instead of {recovered.last_change}: it was put back; what was published since "
                "is taken from there in silence"
            )

    def _health(
        self,
        job: Job,
        entry: str,
        state: S,
        observed: Observed[D],
        beat: Beat,
        overdue: Mapping[str, str] = _NONE,
    ) -> tuple[Health, bool]:
        """Return the health after a check, and whether it is written though nothing changed."""
        before, now = state.health, beat.at
        parts, failed = observed.parts, observed.failed
        told: dict[str, Any] = {"parts": parts, "failed": failed, "overdue": overdue}
        if (trouble := observed.trouble) is not None:
            told["eases_off"] = self.family.eases_off
            interval = timedelta(minutes=job.interval_minutes)
            health = after_failure(before, trouble, entry, now, interval, **told)
            return remembered(health, beat), True
        is_due = is_write_due(before, job.source, now, self.family.heartbeat)
        written = after_success(before, now, is_due=is_due, **told)
        # A written success is that of the answer that comes with it.
        return remembered(written or reset(before, now, **told), beat), written is not None

    def _remember(self, version: StateVersion[S], observed: Observed[D], health: Health) -> None:
        """Write health and remembered keys while the records are unchanged."""
        news = {**observed.refreshed, **observed.remembered, "health": health}
        try:
            self._register.write(version, version.state.replace(**news))
        except WriteConflict:
            # A failed heartbeat write is not retried: the next check writes it, and asking the
            # source again costs more.
            if observed.trouble is not None or observed.remembered:
                raise

    def _keep(self, job: Job, refused: RefusedAnswer | None, now: datetime) -> tuple[LogLine, ...]:
        """Keep a refused answer for people; a failure is logged and costs nothing else."""
        if refused is None:
            return ()
        try:
            self._refused.keep(self.family.name, job.source, refused, now)
        except Retryable as error:
            return (LogLine("refused_not_kept", {"reason": str(error)}),)
        return ()


def _outcome(step: Step[Any], trouble: SourceTrouble | None) -> Outcome:
    if trouble is None or step.outcome != "unchanged":
        return step.outcome
    return "suspect" if isinstance(trouble, SuspectPage) else "failed"
