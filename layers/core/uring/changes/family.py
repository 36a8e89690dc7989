"""A family as the engine sees it, and what passes between the two."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, Literal, Protocol, TypeVar

from uring.changes.outbox import Projections
from uring.changes.state import SourceState
from uring.contracts import Job
from uring.errors import SourceTrouble

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
        refreshed: keys that are written where the state is written anyway, all of one answer.
        fields: for the line ``checked``.
        lines: what else is worth a line.
        parts: how many things were asked for, where that is more than one.
        failed: the reason, in one word, of each that failed.
    """

    data: D | None = None
    trouble: SourceTrouble | None = None
    requests: int = 0
    remembered: Mapping[str, Any] = field(default_factory=dict)
    refreshed: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    parts: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)


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


@dataclass(frozen=True, slots=True)
class Glance(Generic[S, D]):
    """The answer of a source that was asked before its state was read.

    Attributes:
        is_unchanged: it shows what the hint says: nothing else needs to be known.
        requests: how many were sent.
        fields: for the line ``checked``.
        go_on: observes with this answer; for the hint's own version of the state alone.
        anew: forgets the answer and observes, in the time that is left.
    """

    is_unchanged: bool
    requests: int
    fields: Mapping[str, Any]
    go_on: Callable[[S, datetime], Observed[D]]
    anew: Callable[[S, datetime], Observed[D]]


class Family(Protocol[S, D]):
    """One family as the engine sees it. Pure, but for `glance` and `observe`.

    Attributes:
        name: its states are ``state/{name}/{source}.json``.
        heartbeat: how often the last success is written while nothing changes; none: each time.
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

    def glance(self, job: Job, known: Mapping[str, Any], now: datetime, /) -> Glance[S, D] | None:
        """Ask the source without its state, by a hint's ``known``; None: the state has to be read.

        What cannot be read in ``known`` is such a reason, and never an error. Trouble of the source
        is an answer like any other.
        """
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
