"""The deliveries of the FCM stand-in: a file of JSON lines that survives a kill."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal

from uring.errors import UringError
from uring_local.line_file import LineJournal

Cause = Literal["answer_lost", "killed", "unexplained"]
"""The reason for a repeated delivery.

``answer_lost``: the sender got no answer to the earlier delivery; ``killed``: the earlier one was
    among the last of a killed process, so its sender may not have recorded it; ``unexplained``: a
    bug.
"""

# A notifier's time-out: older deliveries it had recorded.
UNRECORDED: Final = timedelta(seconds=60)


class DamagedJournal(UringError):
    """The file has a line that is not a delivery; the message names the line."""


@dataclass(frozen=True)
class Delivery:
    """One message that reached the devices.

    Args:
        event_id: of the message's data; empty without one.
        topic: the topic, or the token, condition or installation that it was sent to.
        at: aware UTC.
        process: the number of the stand-in that delivered it, from 1.
        answered: the answer to the sender: ``ok``, or the fault (``503-late``, ``timeout``, …).
    """

    event_id: str
    topic: str
    data: Mapping[str, str]
    at: datetime
    process: int
    answered: str


class DeliveryJournal(LineJournal):
    """The deliveries, see `LineJournal`."""

    damaged = DamagedJournal
    line = "delivery"

    def __init__(self, path: Path | None = None) -> None:
        self._deliveries: list[Delivery] = []
        self._ended: set[int] = set()
        super().__init__(path)
        self.note(process=self.process)

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """All deliveries so far, earlier processes first."""
        with self.lock:
            return tuple(self._deliveries)

    def deliver(
        self, event_id: str, topic: str, data: Mapping[str, str], answered: str
    ) -> Delivery:
        """Record a delivery; on return it is in the file."""
        now = datetime.now(UTC)
        delivery = Delivery(event_id, topic, dict(data), now, self.process, answered)
        self.note(**{**asdict(delivery), "at": now.isoformat()})
        return delivery

    @property
    def ended(self) -> frozenset[int]:
        """The earlier processes that ended in order."""
        return frozenset(self._ended - {self.process})

    def close(self) -> None:
        """Record the orderly end and close the file. Idempotent."""
        try:
            self.note(process=self.process, ended=True)
        finally:
            super().close()

    def take(self, fields: Mapping[str, Any]) -> None:
        """Take in the beginning or end of a process, or a delivery."""
        if fields.get("ended"):
            self._ended.add(int(fields["process"]))
        elif {*fields} != {"process"}:
            at = datetime.fromisoformat(fields["at"])
            self._deliveries.append(Delivery(**{**fields, "at": at}))


def doubles(deliveries: Iterable[Delivery], ended: Collection[int] = ()) -> list[tuple[str, Cause]]:
    """Return the event id and reason of every repeated delivery.

    Args:
        deliveries: of all processes, oldest first.
        ended: the processes that ended in order; none of their deliveries is excused.
    """
    deliveries = list(deliveries)
    last = {delivery.process: delivery.at for delivery in deliveries}
    before: dict[str, Delivery] = {}
    repeats: list[tuple[str, Cause]] = []
    for delivery in deliveries:
        if not delivery.event_id:
            continue  # two such messages cannot be matched
        earlier = before.get(delivery.event_id)
        before[delivery.event_id] = delivery
        if earlier is None:
            continue
        cause: Cause = "unexplained"
        if earlier.answered != "ok":
            cause = "answer_lost"
        elif (
            earlier.process < delivery.process
            and earlier.process not in ended
            and last[earlier.process] - earlier.at < UNRECORDED
        ):
            cause = "killed"
        repeats.append((delivery.event_id, cause))
    return repeats
