"""Name resolution with a deadline.

``getaddrinfo`` cannot be given a time-out, so each lookup runs in a thread of its own. The
threads are daemons, because a name server that never answers must not keep the process from
ending, and at most sixteen, because abandoned lookups must not pile up.
"""

import queue
import socket
import threading
import time
from collections.abc import Sequence
from typing import Final

_SLOTS: Final = threading.BoundedSemaphore(16)


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
        raise OSError("no thread is left for the lookup") from error
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
