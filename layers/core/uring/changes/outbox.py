"""Commit and drain: the one order in which a change becomes visible and is announced.

    1 evicted records                  stored elsewhere first: a copy is harmless, a gap is a loss
    2 state (If-Match; outbox)         the commit: from here on the change happened
    3 projections                      every step may be repeated by any later run
    4 notify queue                     readers already see each announced change
    5 state (If-Match; outbox emptied)

A crash after 2 leaves the outbox in the state, and the next run drains it before it asks the
source. After a crash before 2 the next check finds the change again. The state is read first and
the source second, so a commit never rests on a page older than the state it replaces.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from uring.changes.ports import Outlet
from uring.changes.register import StateRegister, StateVersion
from uring.changes.state import OutboxEvent, SourceState
from uring.clock import Clock, parse_timestamp
from uring.contracts import PUSHED_WITHIN, ChangePublished
from uring.errors import Unavailable

S = TypeVar("S", bound=SourceState)

Announced = Callable[[str, Sequence[OutboxEvent]], None]


class Projections(Protocol[S]):
    """The published documents of one source, made from its state."""

    def write(self, state: S, /) -> None:
        """Publish this state. Idempotent; a newer document stays as it is.

        Raises:
            Retryable: the next run repeats it.
        """
        ...

    def recovered(self, state: S, /) -> S | None:
        """Return a state that was put back with the published changes that it lacks.

        Called before a drain and before a commit. None if readers see no other change than the
        state's own. The outbox is then that of the last published change.

        Raises:
            Retryable: the next run repeats it.
        """
        ...

    def is_known(self, source: str, /) -> bool:
        """Return whether a source without a state may have been checked before.

        Raises:
            Retryable: the next run repeats it.
        """
        ...

    def rebuilt(self, first: S, /) -> S | None:
        """Return the state of a known source that has neither a state nor a version of one.

        ``first`` itself for a source that was never checked; None where a person has to decide.
        """
        ...

    def message(self, state: S, event: Any, /) -> ChangePublished:
        """Return the notify queue's message for an event of the outbox."""
        ...


class OutboxPublisher(Generic[S]):
    """Commits the next state of a source and publishes its outbox.

    Args:
        register: of the family's states.
        outlet: the notify queue.
        clock: the time, aware UTC.
        announced: called with the source and the events that left the outbox, even if others of
            the same drain stay in it. An event too old to be pushed has ``push`` False.
    """

    def __init__(
        self,
        register: StateRegister[S],
        outlet: Outlet,
        *,
        clock: Clock,
        announced: Announced = lambda _source, _events: None,
    ) -> None:
        self.register = register
        self._outlet = outlet
        self._clock = clock
        self._announced = announced

    def commit(
        self,
        before: StateVersion[S],
        state: S,
        projections: Projections[S],
        *,
        first: Callable[[], None] | None = None,
    ) -> StateVersion[S]:
        """Commit ``state``, then drain its outbox.

        Args:
            before: the version that was read.
            state: the next state, its events in the outbox.
            projections: of the source.
            first: stores elsewhere the records that leave the state for good; called first.

        Raises:
            Superseded: another run committed first. Either nothing of this state was published, or
                that run has drained it.
            Retryable: committed or not, the next run finishes it.
        """
        if first is not None:
            first()
        return self.drain(self.register.write(before, state), projections)

    def drain(self, version: StateVersion[S], projections: Projections[S]) -> StateVersion[S]:
        """Publish the state and its outbox; return the version with an empty outbox.

        Events older than a week, of a source that was not checked meanwhile, are not pushed.

        Raises:
            Superseded: another run changed the state meanwhile; that run or the next one drains.
            Unavailable: the queue refused some changes; they stay in the outbox.
            Retryable: the next run repeats the steps.
        """
        state = version.state
        if state.is_published and not state.outbox:
            return version
        outbox = tuple(self._unless_old(event) for event in state.outbox)
        state = state.replace(outbox=outbox)
        projections.write(state)
        pushes = [event for event in state.outbox if event.push]
        accepted = self._outlet.send([projections.message(state, event) for event in pushes])
        left = tuple(event for event in pushes if event.event_id not in accepted)
        if len(left) < len(state.outbox) or not state.is_published:
            version = self.register.write(version, state.published(left))
            self._announced(state.source, [event for event in state.outbox if event not in left])
        if left:
            raise Unavailable(
                f"the notify queue refused {len(left)} of {len(pushes)} changes of "
                f"{state.source}; they stay in the outbox"
            )
        return version

    def _unless_old(self, event: OutboxEvent) -> OutboxEvent:
        is_old = self._clock() - parse_timestamp(event.detected_at) > PUSHED_WITHIN
        return event.model_copy(update={"push": False}) if is_old else event
