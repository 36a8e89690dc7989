"""The requests to the language stand-ins: a file of JSON lines that survives a kill."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from uring.errors import UringError
from uring_local.language.faults import REFUSING
from uring_local.line_file import LineFile

Service = Literal["translate", "bedrock"]


class DamagedLanguageJournal(UringError):
    """The file holds something else than requests; the message names the line."""


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A request that the service understood.

    Attributes:
        service: that was asked.
        subject: hash of what was asked, the same for the same text, languages and model. A model
            that is told its mistake is asked about the same subject.
        target: language to translate into, or the model.
        characters: of the text.
        answered: ``ok``, or the fault that it met.
        at: aware UTC, ISO 8601.
        process: number of the stand-in that was asked, from 1.
        input_tokens: of a model, that are charged, as are ``output_tokens``.
    """

    service: Service
    subject: str
    target: str
    characters: int
    answered: str
    at: str
    process: int
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def is_charged(self) -> bool:
        """True when the service did its work."""
        return self.answered not in REFUSING


class LanguageJournal:
    """The requests in memory and, when a path is given, in a file. Safe between threads.

    A new journal on the same file loads what earlier processes were asked and is the next process.
    A last line that was torn by a kill is cut off: its sender never had an answer.

    Args:
        path: of the file; None keeps everything in memory.

    Raises:
        DamagedLanguageJournal: a whole line of the file is no request.
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        self._asked: list[ServiceCall] = []
        self.process = 1
        self._file = LineFile(path, self._take, DamagedLanguageJournal, "request")
        self._file.append({"process": self.process})

    @property
    def asked(self) -> tuple[ServiceCall, ...]:
        """All requests so far, those of earlier processes first."""
        with self._lock:
            return tuple(self._asked)

    def note(
        self,
        service: Service,
        subject: str,
        target: str,
        characters: int,
        answered: str,
        tokens: tuple[int, int] = (0, 0),
    ) -> None:
        """Record a request; it is in the file when this returns."""
        now = datetime.now(UTC).isoformat()
        asked = ServiceCall(
            service, subject, target, characters, answered, now, self.process, *tokens
        )
        with self._lock:
            self._file.append(asdict(asked))
            self._asked.append(asked)

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            self._file.close()

    def _take(self, record: Mapping[str, Any]) -> None:
        self.process = max(self.process, int(record["process"]) + 1)
        if "service" in record:
            self._asked.append(_read(record))


def _read(record: Mapping[str, Any]) -> ServiceCall:
    if record["service"] not in get_args(Service):
        raise ValueError(f"service {record['service']!r}")
    return ServiceCall(**record)


def charged_twice(asked: Iterable[ServiceCall]) -> dict[str, int]:
    """Return the subjects that were charged more than once, and how often."""
    counts = Counter(each.subject for each in asked if each.is_charged)
    return {subject: count for subject, count in counts.items() if count > 1}
