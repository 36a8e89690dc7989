"""The requests to the played web: a file of JSON lines that survives a kill.

    {"process": 2, "collected": [...]}     a process begins; the domains marked as collected by then
    {"day": 1, "host": "…", "path": "…"}   a request, written before it is answered
    {"day": 1, "late": "…"}                a domain whose answer was not read in time

Every answered request is in the file. A request in the file may be unanswered, after a kill.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.line_file import LineJournal


class DamagedWebJournal(UringError):
    """Raised for a journal with a line that is not a request; the message names the line."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request.

    Attributes:
        domain: the registrable domain; empty for an unknown host.
        host: without a port.
        process: the number of the process that sent it, from 1.
        beside: number of other requests under way about the same domain.
    """

    day: int
    domain: str
    host: str
    path: str
    process: int
    beside: int = 0


class WebJournal(LineJournal):
    """The requests, see `LineJournal`.

    Attributes:
        late: by day, the domains whose answer a busy machine did not read in time.
    """

    damaged = DamagedWebJournal

    def __init__(self, path: Path | None = None) -> None:
        self._asked: list[Asked] = []
        self._tries: Counter[tuple[int, str]] = Counter()
        self._collected: dict[int, frozenset[str]] = {}
        self.late: dict[int, set[str]] = {}
        super().__init__(path)

    @property
    def asked(self) -> Sequence[Asked]:
        """Return all requests so far, in their order."""
        with self.lock:
            return tuple(self._asked)

    @property
    def collected(self) -> Mapping[int, frozenset[str]]:
        """The marks that existed when each process began, by the number of the process."""
        return self._collected

    def begin(self, collected: Collection[str]) -> None:
        """Note the domains that are collected already, before the first request."""
        self.note(process=self.process, collected=sorted(collected))

    def ask(self, asked: Asked) -> None:
        """Note a request."""
        self.note(**asdict(asked))

    def robots_tries(self, day: int, domain: str) -> int:
        """Return the number of requests for a domain's robots.txt on a day."""
        with self.lock:
            return self._tries[day, domain]

    def take(self, fields: Mapping[str, Any]) -> None:
        """Read a line: the beginning of a process, a request, or a domain that was late."""
        if "collected" in fields:
            self._collected[fields["process"]] = frozenset(fields["collected"])
            return
        if "late" in fields:
            self.late.setdefault(fields["day"], set()).add(fields["late"])
            return
        asked = Asked(**fields)
        self._asked.append(asked)
        if asked.path == "/robots.txt":
            self._tries[asked.day, asked.domain] += 1
