"""The verdict on a family: what was pushed, and what is wrong, a sentence a fault."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from uring_local.fcm.journal import Delivery, doubles

K = TypeVar("K", bound=Hashable)


class OfKind(Protocol):
    """A push of one kind."""

    @property
    def kind(self) -> str:
        """The kind, as its message has it."""
        ...


@dataclass
class Verdict:
    """A verdict; every list names what is wrong, empty when all is well.

    Attributes:
        pushed: events that were delivered, each once.
        expected: pushes that should have been.
        repeated: repeats that the design allows, by cause: FCM's answer was lost, or the run was
            killed before it had recorded the answer.
        figures: what only this family's summary has.
        letters: messages in dead-letter queues that the site makes necessary.
    """

    pushed: int
    expected: int
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    repeated: Counter[str] = field(default_factory=Counter)
    figures: dict[str, Any] = field(default_factory=dict)
    letters: int = 0

    @property
    def problems(self) -> list[str]:
        """Everything that is wrong."""
        return [*self.lost, *self.doubled, *self.wrong]


def judge_pushes(
    expected: Iterable[K],
    deliveries: Sequence[Delivery],
    key: Callable[[Delivery], K],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare what was delivered, each event once, with what had to be pushed.

    Args:
        expected: a key per push; a push that is due twice has two.
        deliveries: of all stand-ins of a run.
        key: names the push that a delivery is of.
        ended: see `uring_local.fcm.journal.doubles`.
    """
    wanted = Counter(expected)
    # A message without an event id has no repeats: each counts.
    events = {delivery.event_id or id(delivery): delivery for delivery in deliveries}
    arrived = Counter(map(key, events.values()))
    repeats = doubles(deliveries, ended)
    return Verdict(
        pushed=len(events),
        expected=wanted.total(),
        lost=[f"never pushed: {push}" for push in (wanted - arrived).elements()],
        doubled=[f"pushed twice: {event}" for event, cause in repeats if cause == "unexplained"],
        wrong=[f"pushed without reason: {push}" for push in (arrived - wanted).elements()],
        repeated=Counter(cause for _, cause in repeats if cause != "unexplained"),
    )


def kinds(pushes: Iterable[OfKind]) -> dict[str, int]:
    """Return how many pushes of each kind there are, by its name."""
    return dict(sorted(Counter(push.kind for push in pushes).items()))
