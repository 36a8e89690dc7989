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
    """The file holds a malformed line; the message names it."""


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A request that the service understood.

    Attributes:
        service: that received it.
        subject: hash of the text, the languages and the model. A repeated request to a model, with
            its mistake explained, has the same subject.
        target: language to translate into, or the model.
        characters: of the text.
        answered: ``ok``, or the fault that it met.
        at: aware UTC, ISO 8601.
        process: number of the stand-in's process, from 1.
        input_tokens: charged for a model; 0 for Translate.
        output_tokens: charged for a model; 0 for Translate.
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
        """True unless the service refused the request."""
        return self.answered not in REFUSING


class LanguageJournal:
    """The requests, in memory and in a file if a path is given. Safe between threads.

    A new journal on the same file loads the requests of earlier processes and is the next process.
    A last line that was torn by a kill is cut off: its sender never had a response.

    Args:
        path: of the file; None keeps everything in memory.

    Raises:
        DamagedLanguageJournal: a whole line of the file is not a request.
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
        """All requests so far, in order, with those of earlier processes."""
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
        """Record a request; it is in the file when this returns.

        Raises:
            OSError: the disk is full; the request is not recorded.
        """
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
    """Return the number of charges of each subject that was charged more than once."""
    counts = Counter(each.subject for each in asked if each.is_charged)
    return {subject: count for subject, count in counts.items() if count > 1}
