"""Name resolution with a deadline, and a cache that keeps answers for a minute.

``getaddrinfo`` cannot be given a time-out, so each lookup runs in a thread of its own. The
threads are daemons, because a name server that never answers must not keep the process from
ending, and at most sixteen, because abandoned lookups must not pile up.
"""

import queue
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from uring.fetch.address import Resolver

_SLOTS: Final = threading.BoundedSemaphore(16)
# The system gives no time to live. A minute is that of the hosts that move most, and less than a
# tick.
_KEPT_SECONDS: Final = 60.0
_MOST_NAMES: Final = 1024
_MOST_ADDRESSES: Final = 32

_Name: TypeAlias = tuple[str, int]


class KeptAnswers:
    """A resolver that keeps the answers of another for a minute; one lookup serves all threads.

    Failures are not kept. The guard checks each answer before a connection is made, a kept one
    too.

    Args:
        resolver: see ``uring.fetch.address.Resolver``.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(self, resolver: Resolver, monotonic: Callable[[], float]) -> None:
        self._resolver = resolver
        self._monotonic = monotonic
        self._kept: OrderedDict[_Name, tuple[float, tuple[str, ...]]] = OrderedDict()
        # Each is set once the lookup under way has ended.
        self._asking: dict[_Name, threading.Event] = {}
        self._lock = threading.Lock()

    def __call__(self, host: str, port: int, timeout_seconds: float) -> Sequence[str]:
        """Return every address of a name.

        Raises:
            TimeoutError: another thread's lookup of the name took all the time.
            OSError: the resolver's own error.
        """
        name, until = (host, port), self._monotonic() + timeout_seconds
        with self._lock:
            answers, ended = self._fresh(name), self._asking.get(name)
            if not answers and ended is None:
                self._asking[name] = threading.Event()
        if answers:
            return answers
        if ended is None:
            try:
                return self._ask(name, timeout_seconds)
            finally:
                with self._lock:
                    self._asking.pop(name).set()
        ended.wait(max(timeout_seconds, 0))
        with self._lock:
            answers = self._fresh(name)
        if answers:
            return answers
        # That lookup failed, perhaps for want of time; this one may have more.
        left = until - self._monotonic()
        if left <= 0:
            raise TimeoutError("no answer")
        return self._ask(name, left)

    def _fresh(self, name: _Name) -> tuple[str, ...]:
        asked_at, answers = self._kept.get(name, (0.0, ()))
        return answers if answers and self._monotonic() - asked_at <= _KEPT_SECONDS else ()

    def _ask(self, name: _Name, timeout_seconds: float) -> tuple[str, ...]:
        asked_at = self._monotonic()
        answers = tuple(self._resolver(*name, timeout_seconds))
        with self._lock:
            self._kept.pop(name, None)
            # A flood of addresses is not kept; each call asks for it.
            if answers and len(answers) <= _MOST_ADDRESSES:
                self._kept[name] = asked_at, answers
            while len(self._kept) > _MOST_NAMES:
                self._kept.popitem(last=False)
        return answers

    def forget(self, host: str, port: int) -> None:
        """Drop the kept answer of a name, so that the next call asks again."""
        with self._lock:
            self._kept.pop((host, port), None)


def system_resolver(host: str, port: int, timeout_seconds: float) -> Sequence[str]:
    """Ask the operating system for every IPv4 and IPv6 address of a name.

    Raises:
        TimeoutError: there was no answer, or no free slot, in time.
        OSError: the name has no address (``socket.gaierror``).
    """
    until = time.monotonic() + timeout_seconds
    if not _SLOTS.acquire(timeout=max(timeout_seconds, 0)):
        raise TimeoutError("too many lookups are waiting for an answer")
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()
    thread = threading.Thread(
        target=_look_up, args=(host, port, answers), name="uring-dns", daemon=True
    )
    try:
        thread.start()
    except RuntimeError as error:
        _SLOTS.release()
        raise OSError("no thread is free for the lookup") from error
    try:
        answer = answers.get(timeout=max(until - time.monotonic(), 0))
    except queue.Empty:
        raise TimeoutError("no answer") from None
    if isinstance(answer, OSError):
        raise answer
    return answer


def _look_up(host: str, port: int, answers: queue.SimpleQueue[list[str] | OSError]) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        answers.put([str(entry[4][0]) for entry in found])
    except OSError as error:
        answers.put(error)
    except UnicodeError as error:
        answers.put(OSError(str(error)))
    finally:
        _SLOTS.release()
