"""What the language stand-ins were asked: a file of JSON lines that survives a kill."""

import json
import os
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from uring.errors import UringError
from uring_local.language.faults import REFUSING

Service = Literal["translate", "bedrock"]


class DamagedLanguageJournal(UringError):
    """The file holds something else than requests; the message names the line."""


@dataclass(frozen=True, slots=True)
class Asked:
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
        """Whether the service did its work."""
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
        self._asked: list[Asked] = []
        self._file: int | None = None
        self.process = 1
        if path is not None:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                self._load(path)
                self._append({"process": self.process})
            except (OSError, DamagedLanguageJournal):
                self.close()
                raise

    @property
    def asked(self) -> tuple[Asked, ...]:
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
        asked = Asked(service, subject, target, characters, answered, now, self.process, *tokens)
        with self._lock:
            self._append(asdict(asked))
            self._asked.append(asked)

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _append(self, record: Mapping[str, Any]) -> None:
        if self._file is not None:
            # One write: a kill cannot tear it, and the kernel keeps it when the process is gone.
            os.write(self._file, json.dumps(record).encode() + b"\n")

    def _load(self, path: Path) -> None:
        content = path.read_bytes()
        whole, _, torn = content.rpartition(b"\n")
        if torn:
            os.truncate(path, len(content) - len(torn))
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                record = json.loads(line)
                self.process = max(self.process, int(record["process"]) + 1)
                if "service" in record:
                    self._asked.append(_read(record))
            except (ValueError, TypeError, KeyError) as error:
                raise DamagedLanguageJournal(
                    f"{path}: line {number} is no request ({error}); move the file away"
                ) from error


def _read(record: Mapping[str, Any]) -> Asked:
    if record["service"] not in get_args(Service):
        raise ValueError(f"service {record['service']!r}")
    return Asked(**record)


def charged_twice(asked: Iterable[Asked]) -> dict[str, int]:
    """Return the subjects that were charged more than once, and how often."""
    counts = Counter(each.subject for each in asked if each.is_charged)
    return {subject: count for subject, count in counts.items() if count > 1}
