"""The gap between two requests to a host, one for all threads of a process."""

import threading
from collections.abc import Callable
from typing import Final

_MOST_HOSTS: Final = 1_000


class Pace:
    """The last and reserved turns of the hosts.

    Args:
        monotonic: returns the seconds of a clock that never goes back.
        longest_seconds: the longest gap; older turns are forgotten.
    """

    def __init__(self, monotonic: Callable[[], float], longest_seconds: float) -> None:
        self._monotonic = monotonic
        self._longest = longest_seconds
        self._last: dict[str, float] = {}
        self._lock = threading.Lock()

    @property
    def hosts(self) -> int:
        """The number of hosts with a stored turn."""
        return len(self._last)

    def reserve(self, host: str, gap_seconds: float, most_seconds: float) -> float | None:
        """Reserve the host's next turn and return the seconds until then.

        None, without a reservation, if that is more than ``most_seconds``.
        """
        with self._lock:
            now = self._monotonic()
            last = self._last.get(host)
            turn = now if last is None else max(last + gap_seconds, now)
            if turn - now > most_seconds:
                return None
            self._last[host] = turn
            return turn - now

    def answered(self, *hosts: str) -> None:
        """Note that hosts have answered: their gap begins now."""
        with self._lock:
            now = self._monotonic()
            for host in hosts:
                self._last[host] = max(self._last.get(host, now), now)
            if len(self._last) > _MOST_HOSTS:
                since = now - self._longest
                self._last = {host: at for host, at in self._last.items() if at > since}
