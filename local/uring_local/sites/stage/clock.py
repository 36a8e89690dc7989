"""The clock of a site whose days are simulated."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta


class SimulatedClock:
    """A clock that shows one time until it is moved; thread-safe.

    Args:
        now: aware.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(self, now: datetime, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._moved = (now, monotonic())

    def __call__(self) -> datetime:
        """Return the time, aware UTC."""
        return self._moved[0]

    def move(self, to: datetime) -> None:
        """Set the time; it may go back."""
        self._moved = (to, self._monotonic())

    def running(self, times: float = 1) -> datetime:
        """Return the set time plus a multiple of the real time since then.

        For code that waits in between: a push that FCM refused would otherwise never be due again.
        A higher multiple is for code that waits for minutes, so that a run waits for seconds.
        """
        to, moved_at = self._moved
        return to + timedelta(seconds=times * (self._monotonic() - moved_at))
