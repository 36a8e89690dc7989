"""Time that moves only when a test moves it."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)


class VirtualClock:
    """A `uring.clock.Clock`; its `sleep` takes no time."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now
        self.slept: list[float] = []

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float = 0, **more: float) -> datetime:
        """Move on by seconds, and by what `timedelta` takes by keyword."""
        self.now += timedelta(seconds=seconds, **more)
        return self.now

    def sleep(self, seconds: float) -> None:
        """Stand in for `time.sleep`: note the wish, move on by it."""
        self.slept.append(seconds)
        self.advance(seconds)
