"""The clock of a site whose days are simulated."""

from datetime import datetime


class SimulatedClock:
    """A clock that stands still until it is moved; safe between threads."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def __call__(self) -> datetime:
        """Return the time, aware UTC."""
        return self._now

    def move(self, to: datetime) -> None:
        """Set the time."""
        self._now = to
