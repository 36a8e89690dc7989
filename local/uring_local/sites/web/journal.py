"""The requests to the played web: a file of JSON lines that survives a kill.

    {"process": 2, "collected": [...]}     a process begins; what was marked as collected by then
    {"day": 1, "host": "…", "path": "…"}   a request, written before it is answered

A request that was answered is in the file; one that is in the file may have been cut by a kill.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.line_file import LineJournal


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


class WebJournal(LineJournal):
    """The requests, see `LineJournal`."""

    damaged = DamagedWebJournal

    def __init__(self, path: Path | None = None) -> None:
        self._asked: list[Asked] = []
        self._tries: Counter[tuple[int, str]] = Counter()
        self._collected: dict[int, frozenset[str]] = {}
        super().__init__(path)

    @property
    def asked(self) -> Sequence[Asked]:
        """Return all requests so far, in their order."""
        with self.lock:
            return tuple(self._asked)

    @property
    def collected(self) -> Mapping[int, frozenset[str]]:
        """The marks that were there when each process began, by its number."""
        return self._collected

    def begin(self, collected: Collection[str]) -> None:
        """Note what is collected already, before anything is asked."""
        self.note(process=self.process, collected=sorted(collected))

    def ask(self, asked: Asked) -> None:
        """Note a request."""
        self.note(**asdict(asked))

    def robots_tries(self, day: int, domain: str) -> int:
        """Return how often a domain's robots.txt was asked for on a day."""
        with self.lock:
            return self._tries[day, domain]

    def take(self, fields: Mapping[str, Any]) -> None:
        """Take in the beginning of a process, or a request."""
        if "collected" in fields:
            self._collected[fields["process"]] = frozenset(fields["collected"])
            return
        asked = Asked(**fields)
        self._asked.append(asked)
        if asked.path == "/robots.txt":
            self._tries[asked.day, asked.domain] += 1


def by_domain(asked: Iterable[Asked]) -> dict[str, list[Asked]]:
    """Return the requests of each domain, in their order."""
    found: dict[str, list[Asked]] = {}
    for request in asked:
        found.setdefault(request.domain, []).append(request)
    return found
