"""The interface between the engine and a family, and the values that pass between them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, Protocol, TypeVar

from uring.changes.history.refused import RefusedAnswer
from uring.changes.outbox import Projections
from uring.changes.state import SourceState
from uring.contracts import Job
from uring.errors import SourceTrouble

S = TypeVar("S", bound=SourceState)
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class LogLine:
    """A log line that a family adds to a check."""

    name: str
    fields: Mapping[str, Any]
    level: Literal["event", "warning"] = "warning"


@dataclass(frozen=True, slots=True)
class Observed(Generic[D]):
    """A source as it is now.

    Attributes:
        data: for `Family.step`; None if nothing was read that could change the records.
        trouble: why the source counts as failed, or None.
        requests: the number of HTTP requests sent.
        remembered: keys of the state that are written even if nothing else changed.
        refreshed: keys that are written only with another write, all from one answer.
        fields: for the log line ``checked``.
        lines: further log lines.
        parts: the number of things asked for, if more than one; else 0.
        failed: by part, the reason of its failure in one word.
        refused: the answer that the trouble refuses, for people; None without one.
    """

    data: D | None = None
    trouble: SourceTrouble | None = None
    requests: int = 0
    remembered: Mapping[str, Any] = field(default_factory=dict)
    refreshed: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[LogLine, ...] = ()
    parts: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    refused: RefusedAnswer | None = None


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The consequence of an observation.

    Attributes:
        state: the next state, its events in the outbox; None if nothing changed.
        outcome: the check's outcome, unless the source is in trouble and nothing changed.
        first: called before the commit; stores elsewhere the records that leave the state for good.
        fields: for the log line ``checked``.
        lines: further log lines.
        overdue: by part, since when newer data are due although it answers; RFC 3339, UTC.
        is_settled: whether the observation is dealt with; if not, `Observed.refreshed` is not
            written, so that the same answer is observed again.
    """

    state: S | None
    outcome: Literal["baseline", "changed", "unchanged"] = "unchanged"
    first: Callable[[], None] | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[LogLine, ...] = ()
    overdue: Mapping[str, str] = field(default_factory=dict)
    is_settled: bool = True


@dataclass(frozen=True, slots=True)
class Glance(Generic[S, D]):
    """The answer of a source that was asked before its state was read.

    Attributes:
        is_unchanged: the source still matches the hint; the check ends here.
        requests: the number of HTTP requests sent.
        fields: for the log line ``checked``.
        go_on: observes with this answer; valid only for the hint's own version of the state.
        observe_again: for any other version; discards the answer and asks the source again, within
            the remaining time.
    """

    is_unchanged: bool
    requests: int
    fields: Mapping[str, Any]
    go_on: Callable[[S, datetime], Observed[D]]
    observe_again: Callable[[S, datetime], Observed[D]]


class Family(Protocol[S, D]):
    """One family as the engine sees it. Pure, but for `glance` and `observe`.

    Attributes:
        name: its states are ``state/{name}/{source}.json``.
        heartbeat: how often the last success is written while nothing changes; 0: each time.
        eases_off: whether a failing source is asked less and less often.
        seconds: the longest time that one check may take, its commit included.
        fields: the fields of the log line ``checked`` and their values for a check without results.
    """

    name: str
    heartbeat: timedelta
    eases_off: bool
    seconds: float
    fields: Mapping[str, Any]

    def entry(self, job: Job, /) -> str:
        """Return the fingerprint of the job's entry: it changes with any edit.

        Raises:
            MalformedMessage: the entry is missing or invalid.
            NewerRelease: a newer release wrote it.
        """
        ...

    def first(self, job: Job, now: datetime, /) -> S:
        """Return the initial state of a source that has none stored."""
        ...

    def glance(self, job: Job, known: Mapping[str, Any], now: datetime, /) -> Glance[S, D] | None:
        """Ask the source without its state, by a hint's ``known``; None: the state has to be read.

        A malformed ``known`` returns None, never an error. Trouble at the source is returned as a
        glance, not raised.
        """
        ...

    def observe(self, job: Job, state: S, now: datetime, /) -> Observed[D]:
        """Ask the source.

        Trouble at the source is returned in `Observed.trouble`, not raised.

        Raises:
            Retryable: S3 or SQS failed.
        """
        ...

    def step(self, job: Job, state: S, data: D, now: datetime, /) -> Step[S]:
        """Return the next state, or an unchanged step, for the observed data."""
        ...

    def projections(self, job: Job, /) -> Projections[S]:
        """Return the projections of the job's source: the documents that readers see."""
        ...
