"""One request at a time to each host: a site is not asked by ten threads at once."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from uring.errors import FetchFailed


class HostLocks:
    """A lock for each host, shared by the threads of a process; idle hosts have none."""

    def __init__(self) -> None:
        self._freed = threading.Condition()
        self._busy: set[str] = set()
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def hold(self, host: str, seconds: Callable[[], float]) -> Iterator[None]:
        """Hold the host's lock for the block; ``seconds`` gives what is left of the deadline.

        Raises:
            FetchFailed: ``busy_host``: others held it until the deadline.
        """
        with self._freed:
            self._waiting[host] += 1
            try:
                while host in self._busy:
                    self._freed.wait(_left(seconds, host))
                self._busy.add(host)
            finally:
                self._waiting[host] -= 1
                self._waiting += Counter()
        try:
            yield
        finally:
            with self._freed:
                self._busy.discard(host)
                self._freed.notify_all()

    def waiting(self, host: str) -> int:
        """Return how many wait for this host."""
        with self._freed:
            return self._waiting[host]


def _left(seconds: Callable[[], float], host: str) -> float:
    try:
        return seconds()
    except FetchFailed as error:
        raise FetchFailed(
            "busy_host", f"other requests to {host} took all of the time; the next check asks again"
        ) from error
