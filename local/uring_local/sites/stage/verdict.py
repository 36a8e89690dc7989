"""The verdict on a family: the pushes, and a sentence for each fault."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from uring_local.fcm.journal import Delivery, doubles

K = TypeVar("K", bound=Hashable)
# Healthy pages that a busy machine may not read in time: of any run, and of a long one.
_FEW: Final = 3
_SLOW_SHARE: Final = 0.01


@dataclass
class Verdict:
    """A verdict; each list holds sentences about faults and is empty without any.

    Attributes:
        pushed: number of delivered events, each counted once.
        expected: number of due pushes.
        repeated: repeats that the design allows, by cause: FCM's answer was lost, or the run was
            killed before it had recorded the answer.
        figures: the figures of this family's summary alone.
        letters: number of dead letters that the site causes on purpose.
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
        """All faults: lost pushes, repeated pushes, and the rest."""
        return [*self.lost, *self.doubled, *self.wrong]

    def overlook(self, pages: int, checks: int) -> None:
        """Tell how many healthy pages were not read in time, of all checks; many are a fault."""
        if pages:
            self.figures["not_read_in_time"] = pages
        if pages > max(_FEW, checks * _SLOW_SHARE):
            self.wrong.append(
                f"{pages} of {checks} checks did not read a healthy page in time: "
                "run it on a machine with less to do"
            )


def judge_pushes(
    expected: Iterable[K],
    deliveries: Sequence[Delivery],
    key: Callable[[Delivery], K],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare the delivered events, each counted once, with the due pushes.

    Args:
        expected: a key for each push; a push that is due twice has two.
        deliveries: of all FCM stand-ins of a run.
        key: returns the push of a delivery.
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


def is_late(event: Mapping[str, Any]) -> bool:
    """Return whether a source's page, or the robots.txt before it, was not read in time."""
    reason, detail = event.get("reason"), event.get("detail", "")
    is_robots = reason == "robots_unreachable" and "timeout: " in detail
    return event["event"] == "failed" and (reason == "timeout" or is_robots)


def tally(names: Iterable[str]) -> dict[str, int]:
    """Return how often each name comes, sorted by name."""
    return dict(sorted(Counter(names).items()))
