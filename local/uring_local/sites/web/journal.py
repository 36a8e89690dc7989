"""The requests to the played web: a file of JSON lines that survives a kill.

    {"process": 2, "collected": [...]}     a process begins; what was marked as collected by then
    {"day": 1, "host": "…", "path": "…"}   a request, written before it is answered

A request that was answered is in the file; one that is in the file may have been cut by a kill.
"""

import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.line_file import LineFile


class DamagedWebJournal(UringError):
    """The file holds something else than requests; the message names the line."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request.

    Attributes:
        domain: the registrable domain it is about; empty for a host of nobody's.
        host: without a port.
        status: that was answered; 0 where that was none.
        process: the number of the process it came from, from 1.
        at: seconds since that process began.
        beside: how many other requests about the same domain were under way.
    """

    day: int
    domain: str
    host: str
    path: str
    status: int
    process: int
    at: float
    beside: int = 0


class WebJournal:
    """The requests in memory and, when a path is given, in a file. Safe between threads.

    A new journal on the same file loads what earlier processes were asked and is the next process.
    A last line that was torn by a kill is cut off.

    Args:
        path: of the file; None keeps everything in memory.

    Raises:
        DamagedWebJournal: a whole line of the file is no request.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._asked: list[Asked] = []
        self._tries: Counter[tuple[int, str]] = Counter()
        self._collected: dict[int, frozenset[str]] = {}
        self.process = 1
        self._file = LineFile(path, self._take, DamagedWebJournal, "request")

    @property
    def asked(self) -> Sequence[Asked]:
        """Return all requests so far, in their order."""
        with self._lock:
            return tuple(self._asked)

    @property
    def collected(self) -> Mapping[int, frozenset[str]]:
        """The marks that were there when each process began, by its number."""
        return self._collected

    def begin(self, collected: Collection[str]) -> None:
        """Note what is collected already, before anything is asked."""
        with self._lock:
            self._collected[self.process] = frozenset(collected)
            self._file.append({"process": self.process, "collected": sorted(collected)})

    def note(self, asked: Asked) -> None:
        """Note a request."""
        with self._lock:
            self._add(asked)
            self._file.append({name: getattr(asked, name) for name in Asked.__slots__})

    def robots_tries(self, day: int, domain: str) -> int:
        """Return how often a domain's robots.txt was asked for on a day."""
        with self._lock:
            return self._tries[day, domain]

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            self._file.close()

    def _add(self, asked: Asked) -> None:
        self._asked.append(asked)
        if asked.path == "/robots.txt":
            self._tries[asked.day, asked.domain] += 1

    def _take(self, fields: Mapping[str, Any]) -> None:
        if "collected" in fields:
            self._collected[fields["process"]] = frozenset(fields["collected"])
            self.process = fields["process"] + 1
        else:
            self._add(Asked(**fields))


def by_domain(asked: Iterable[Asked]) -> dict[str, list[Asked]]:
    """Return the requests of each domain, in their order."""
    found: dict[str, list[Asked]] = {}
    for request in asked:
        found.setdefault(request.domain, []).append(request)
    return found
