"""When each host may be asked again: one gap for all threads of a process."""

import threading
from collections.abc import Callable
from typing import Final

_MOST_HOSTS: Final = 1_000


class Pace:
    """The turns of the hosts.

    Args:
        monotonic: seconds of a clock that never goes back.
        longest_seconds: no gap is longer; older turns are forgotten.
    """

    def __init__(self, monotonic: Callable[[], float], longest_seconds: float) -> None:
        self._monotonic = monotonic
        self._longest = longest_seconds
        self._last: dict[str, float] = {}
        self._lock = threading.Lock()

    @property
    def hosts(self) -> int:
        """How many hosts are remembered."""
        return len(self._last)

    def wait(self, host: str, gap_seconds: float) -> float:
        """Return the seconds until the host may be asked."""
        with self._lock:
            last = self._last.get(host)
        return 0.0 if last is None else max(last + gap_seconds - self._monotonic(), 0.0)

    def reserve(self, host: str, gap_seconds: float) -> float:
        """Take the host's next turn and return the seconds until then."""
        with self._lock:
            now = self._monotonic()
            turn = max(self._last.get(host, -gap_seconds + now) + gap_seconds, now)
            self._last[host] = turn
            return turn - now

    def answered(self, *hosts: str) -> None:
        """Note that hosts have answered: the gap begins now."""
        with self._lock:
            now = self._monotonic()
            for host in hosts:
                self._last[host] = max(self._last.get(host, now), now)
            if len(self._last) > _MOST_HOSTS:
                since = now - self._longest
                self._last = {host: at for host, at in self._last.items() if at > since}
