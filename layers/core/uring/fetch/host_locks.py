"""Few requests at a time to each host: ten threads never ask one site at once."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from uring.errors import FetchFailed

GAP_SECONDS: Final = 0.1
"""The least time between the starts of two concurrent requests to a host."""


class HostLocks:
    """The locks of the hosts, shared by the threads of a process; idle hosts have none.

    Args:
        abreast: the most concurrent requests to a host.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(
        self, abreast: int = 1, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._abreast = abreast
        self._monotonic = monotonic
        self._freed = threading.Condition()
        self._busy: Counter[str] = Counter()
        self._begun: dict[str, float] = {}
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def hold(self, host: str, seconds: Callable[[], float]) -> Iterator[None]:
        """Hold one of the host's locks for the block; ``seconds`` gives the time left.

        Raises:
            FetchFailed: ``busy_host``: other requests held them until the deadline.
        """
        with self._freed:
            self._waiting[host] += 1
            try:
                while self._busy[host] >= self._abreast or self._is_too_soon(host):
                    self._freed.wait(min(_left(seconds, host), self._pause(host)))
                self._busy[host] += 1
                self._begun[host] = self._monotonic()
            finally:
                self._waiting[host] -= 1
                self._forget_idle(host)
        try:
            yield
        finally:
            with self._freed:
                self._busy[host] -= 1
                self._forget_idle(host)
                self._freed.notify_all()

    def waiting(self, host: str) -> int:
        """Return the number of threads that wait for this host."""
        with self._freed:
            return self._waiting[host]

    def _is_too_soon(self, host: str) -> bool:
        """Return whether a concurrent request would begin too soon after the last one."""
        return self._busy[host] > 0 and self._gap(host) > 0

    def _pause(self, host: str) -> float:
        """Return the seconds to wait if no lock is released before."""
        free = self._busy[host] < self._abreast
        return max(self._gap(host), 0.0) if free else threading.TIMEOUT_MAX

    def _gap(self, host: str) -> float:
        return self._begun[host] + GAP_SECONDS - self._monotonic()

    def _forget_idle(self, host: str) -> None:
        if not self._waiting[host]:
            del self._waiting[host]
        if not self._busy[host]:
            del self._busy[host]
            self._begun.pop(host, None)


def _left(seconds: Callable[[], float], host: str) -> float:
    try:
        return seconds()
    except FetchFailed as error:
        raise FetchFailed(
            "busy_host", f"other requests to {host} used up the time; the next check tries again"
        ) from error
