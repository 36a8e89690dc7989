"""One check of one source, whatever its family.

    job ─► state ─ outbox? drain ─► observe ─► step ─► commit and drain
                 └ waiting           │          └─ unchanged
                                     └ unchanged, failed, suspect

An unchanged check costs one read of the state and what the source takes, and writes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, Protocol, TypeVar

from uring.changes.health import (
    after_failure,
    after_success,
    is_checked_since,
    reset,
    waits,
)
from uring.changes.outbox import OutboxPublisher, Projections
from uring.changes.register import Superseded, Version
from uring.changes.retry import Backoff
from uring.changes.state import Health, OutboxEvent, SourceState
from uring.clock import Clock, timestamp
from uring.contracts import Job
from uring.errors import SourceTrouble, SuspectPage, WriteConflict

Outcome = Literal["baseline", "changed", "unchanged", "failed", "suspect", "waiting", "dropped"]
S = TypeVar("S", bound=SourceState)
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log that a family adds to a check."""

    name: str
    fields: Mapping[str, Any]
    level: Literal["event", "warning"] = "warning"


@dataclass(frozen=True, slots=True)
class Observed(Generic[D]):
    """A source as it is now.

    Attributes:
        data: for `Family.step`; None where nothing was read that could change anything.
        trouble: why the source counts as failed, or None.
        requests: how many were sent.
        remembered: keys of the state that are worth a write of their own.
        fields: for the line ``checked``.
        lines: what else is worth a line.
        parts: how many things were asked for, where that is more than one.
        failing: how many of them failed.
    """

    data: D | None = None
    trouble: SourceTrouble | None = None
    requests: int = 0
    remembered: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    parts: int = 0
    failing: int = 0


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The consequence of an observation.

    Attributes:
        state: the next state, its events in the outbox; None where nothing changed.
        outcome: what the check comes to, unless the source is in trouble and nothing changed.
        first: keeps elsewhere what leaves the state for good; called before the commit.
        fields: for the line ``checked``.
        lines: what else is worth a line.
    """

    state: S | None
    outcome: Literal["baseline", "changed", "unchanged"] = "unchanged"
    first: Callable[[], None] | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()


class Family(Protocol[S, D]):
    """One family as the engine sees it. Pure, but for `observe`.

    Attributes:
        name: its states are ``state/{name}/{source}.json``.
        heartbeat: the last success is written no more often than this while nothing changes.
        eases_off: whether a source that fails is asked less and less.
        seconds: that one check may take, its commit included.
        fields: of the line ``checked``, as they are where nothing was asked or found.
    """

    name: str
    heartbeat: timedelta
    eases_off: bool
    seconds: float
    fields: Mapping[str, Any]

    def entry(self, job: Job, /) -> str:
        """Return the fingerprint of the job's entry: it changes with any edit.

        Raises:
            MalformedMessage: the entry is none.
            NewerRelease: a newer release wrote it.
        """
        ...

    def first(self, job: Job, now: datetime, /) -> S:
        """Return the state of a source that was never seen."""
        ...

    def observe(self, job: Job, state: S, now: datetime, /) -> Observed[D]:
        """Ask the source.

        Raises:
            Retryable: something of ours did not answer. The source's own trouble is no exception.
        """
        ...

    def step(self, job: Job, state: S, data: D, now: datetime, /) -> Step[S]:
        """Return what follows from the observation."""
        ...

    def projections(self, job: Job, /) -> Projections[S]:
        """Return what readers see of the job's source."""
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """The end of one check: exactly one outcome word, and what happened.

    ``events`` are those that this check committed and published, ``recovered`` those that an
    earlier run had committed and not published. ``failing`` counts the parts that did not answer;
    ``is_failing`` says whether the source is in trouble, or more than half of its parts are.
    """

    source: str
    outcome: Outcome
    reason: str = ""
    detail: str = ""
    requests: int = 0
    events: tuple[OutboxEvent, ...] = ()
    recovered: tuple[OutboxEvent, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    failing: int = 0
    is_failing: bool = False


class Checker(Generic[S, D]):
    """Checks the sources of one family; safe to share between threads.

    Args:
        clock: the time, aware UTC.
        backoff: between tries that lost to another run.
    """

    def __init__(
        self,
        family: Family[S, D],
        publisher: OutboxPublisher[S],
        *,
        clock: Clock,
        backoff: Backoff,
    ) -> None:
        self.family = family
        self._publisher = publisher
        self._register = publisher.register
        self._clock = clock
        self._backoff = backoff

    def check(self, job: Job) -> Check:
        """Check the job's source once.

        A job older than its interval is dropped: the next one is due. So is one that was scheduled
        before the last check known, such as a dead letter that was sent round again: its entry may
        be an old one. The queue's group keeps a source from being checked beside itself.

        Raises:
            MalformedMessage: the job's entry is no entry of its family.
            CorruptState: the stored state cannot be trusted; nothing was asked or written.
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
        for _ in self._backoff.attempts():
            try:
                return self._check(job, entry)
            except Superseded:
                continue
        raise WriteConflict(f"{job.source}: other runs committed first, again and again")

    def time_left(self, job: Job) -> timedelta:
        """Return how long the job is worth running: to the end of its interval."""
        return timedelta(minutes=job.interval_minutes) - (self._clock() - job.scheduled_at)

    def _dropped(
        self, job: Job, reason: str, detail: str, recovered: tuple[OutboxEvent, ...] = ()
    ) -> Check:
        return Check(
            job.source, "dropped", reason, detail, recovered=recovered, fields=self.family.fields
        )

    def _check(self, job: Job, entry: str) -> Check:
        family, projections = self.family, self.family.projections(job)
        version = self._register.read(job.source) or Version(family.first(job, self._clock()), None)
        recovered = version.state.outbox
        version = self._publisher.drain(version, projections)
        state, now = version.state, self._clock()
        if is_checked_since(state.health, job.scheduled_at):
            return self._dropped(
                job,
                "superseded",
                f"scheduled at {timestamp(job.scheduled_at)}, and checked at "
                f"{state.health.succeeded_at}: what was read later stays",
                recovered,
            )
        if waits(state.health, entry, now):
            return Check(
                job.source,
                "waiting",
                state.health.reason,
                recovered=recovered,
                fields=family.fields,
            )
        observed = family.observe(job, state, now)
        step: Step[S] = Step(None)
        if observed.data is not None:
            step = family.step(job, state, observed.data, now)
        if step.state is None:
            self._remember(version, observed, self._health(job, entry, state, observed, now))
        else:
            health = self._health(job, entry, state, observed, now)
            known = {"health": health or self._reset(state, observed, now)}
            after = step.state.replace(**{**observed.remembered, **known})
            self._publisher.commit(version, after, projections, first=step.first)
        trouble = observed.trouble
        outcome: Outcome = step.outcome
        if trouble is not None and step.outcome == "unchanged":
            outcome = "suspect" if isinstance(trouble, SuspectPage) else "failed"
        return Check(
            job.source,
            outcome,
            trouble.reason if trouble else "",
            trouble.detail if trouble else "",
            requests=observed.requests,
            events=step.state.outbox if step.state else (),
            recovered=recovered,
            fields={**family.fields, **observed.fields, **step.fields},
            lines=(*observed.lines, *step.lines),
            failing=observed.failing,
            is_failing=trouble is not None or observed.failing * 2 > observed.parts,
        )

    def _health(
        self, job: Job, entry: str, state: S, observed: Observed[D], now: datetime
    ) -> Health | None:
        counts = {"parts": observed.parts, "failing": observed.failing}
        if observed.trouble is None:
            return after_success(state.health, now, self.family.heartbeat, **counts)
        interval = timedelta(minutes=job.interval_minutes)
        return after_failure(
            state.health,
            observed.trouble,
            entry,
            now,
            interval,
            eases_off=self.family.eases_off,
            **counts,
        )

    def _reset(self, state: S, observed: Observed[D], now: datetime) -> Health:
        return reset(state.health, now, parts=observed.parts, failing=observed.failing)

    def _remember(self, version: Version[S], observed: Observed[D], health: Health | None) -> None:
        """Write what is worth a write without any change."""
        if health is None and not observed.remembered:
            return
        state = version.state
        after = state.replace(**observed.remembered, health=health or state.health)
        try:
            self._register.write(version, after)
        except WriteConflict:
            # That all is well can be told by the next check; to ask the source again costs more.
            if observed.trouble is not None or observed.remembered:
                raise
