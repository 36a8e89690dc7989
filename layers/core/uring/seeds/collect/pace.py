"""The gaps between requests to a host and to an address, the same for all threads of a process.

Many hosts may be one machine: a hoster's domains share an address. An address is asked like four
hosts at once: a quarter of the gap between two requests, and at most four at a time. At the usual
gap of a second the twenty domains of a worker, with some seven requests each, end within their 45
seconds even if one machine has them all.
"""

import threading
from collections.abc import Callable
from typing import Final

from uring.fetch.host_locks import HostLocks

_MOST_KEPT: Final = 1_000
_LIKE_HOSTS: Final = 4


class Pace:
    """The last and reserved turns of hosts and addresses.

    Args:
        monotonic: returns the seconds of a clock that never goes back.
        longest_seconds: the longest gap; older turns are forgotten.
        gap_seconds: of a host without a gap of its own; an address has a quarter. 0 turns off
            whatever makes gaps longer.

    Attributes:
        places: the requests under way to each address.
        alone: the one visit that takes its turn at a host, or waits for its answer.
    """

    def __init__(
        self, monotonic: Callable[[], float], longest_seconds: float, gap_seconds: float = 1.0
    ) -> None:
        self._monotonic = monotonic
        self._longest = longest_seconds
        self._gap = gap_seconds
        # Of hosts and of addresses; no host is spelled like another's address.
        self._last: dict[str, float] = {}
        self._rests: dict[str, float] = {}
        self._most = _MOST_KEPT
        self._lock = threading.Lock()
        self.places = HostLocks(_LIKE_HOSTS)
        self.alone = HostLocks()

    @property
    def hosts(self) -> int:
        """The number of hosts and addresses with a stored turn."""
        return len(self._last)

    def reserve(
        self, host: str, gap_seconds: float, most_seconds: float, address: str = ""
    ) -> float | None:
        """Reserve the next turn of a host at an address and return the seconds until then.

        None, without a reservation, if that is more than ``most_seconds``.
        """
        with self._lock:
            now = self._monotonic()
            gaps = {address: self._gap / _LIKE_HOSTS} if address else {}
            # Last: a host may be its own address.
            gaps[host] = max(gap_seconds, self._rests.get(host, 0.0))
            due = [self._last[key] + gap for key, gap in gaps.items() if key in self._last]
            turn = max([now, *due])
            if turn - now > most_seconds:
                return None
            self._last |= dict.fromkeys(gaps, turn)
            return turn - now

    def answered(self, *hosts: str, seconds: float = 0.0) -> None:
        """Note that hosts have answered: their gap begins now.

        It is at least as long as the answer took, so that no host works for us more than half of
        its time.

        Args:
            hosts: all that took part.
            seconds: the time that the answer took; 0 if there was none.
        """
        with self._lock:
            now = self._monotonic()
            for host in hosts:
                self._last[host] = max(self._last.get(host, now), now)
                self._rests[host] = min(seconds, self._longest) if self._gap else 0.0
            if len(self._last) > self._most:
                since = now - self._longest
                self._last = {key: at for key, at in self._last.items() if at > since}
                self._rests = {key: self._rests.get(key, 0.0) for key in self._last}
                # A worker may meet thousands of hosts before the oldest turn may be forgotten.
                self._most = max(_MOST_KEPT, 2 * len(self._last))
