"""Backpressure: raw files wait while the domain queue is deep, so that no message expires in it.

    below half      a waiting file is read
    full            a file that is read is handed over, and waits

SQS deletes a message after ten days, without a dead letter. The queue is full at two days of work,
by the pace that `uring.seeds.pace` assumes: a pace five times slower still loses nothing.
"""

from collections.abc import Callable
from typing import Final

from uring.runtime.batches import Postponed

WAIT_SECONDS: Final = 900


class DomainBacklog:
    """The messages on the domain queue, and the most that may wait there.

    Args:
        depth: returns the number of messages, those in flight included; may raise Unavailable.
        most: a file stops at its next checkpoint from this depth on; 0 for no limit.
    """

    def __init__(self, depth: Callable[[], int], most: int) -> None:
        self._depth = depth
        self._most = most

    @property
    def is_full(self) -> bool:
        """True if no further messages may be sent."""
        return bool(self._most) and self._depth() >= self._most

    def wait_for_room(self) -> None:
        """Return if at least half of the queue is free; a file is parsed from its beginning.

        Raises:
            Postponed: it is not; the file's message waits.
        """
        if self._most and (depth := self._depth()) > self._most // 2:
            raise Postponed(
                f"{depth:,} messages are on the domain queue; half of {self._most:,} must be free",
                seconds=WAIT_SECONDS,
            )
