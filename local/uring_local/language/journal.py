"""The requests to the language stand-ins: a file of JSON lines that survives a kill."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from uring.errors import UringError
from uring_local.language.faults import REFUSING
from uring_local.line_file import LineJournal

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
        """True when the service did its work."""
        return self.answered not in REFUSING


class LanguageJournal(LineJournal):
    """The requests, see `LineJournal`."""

    damaged = DamagedLanguageJournal

    def __init__(self, path: Path | None = None) -> None:
        self._asked: list[Asked] = []
        super().__init__(path)
        self.note(process=self.process)

    @property
    def asked(self) -> tuple[Asked, ...]:
        """All requests so far, those of earlier processes first."""
        with self.lock:
            return tuple(self._asked)

    def ask(self, service: Service, **fields: Any) -> None:
        """Record a request with the fields of `Asked`; it is in the file when this returns."""
        now = datetime.now(UTC).isoformat()
        self.note(service=service, at=now, process=self.process, **fields)

    def take(self, fields: Mapping[str, Any]) -> None:
        """Take in the beginning of a process, or a request."""
        if {*fields} == {"process"}:
            return
        if fields["service"] not in get_args(Service):
            raise ValueError(f"service {fields['service']!r}")
        self._asked.append(Asked(**fields))


def charged_twice(asked: Iterable[Asked]) -> dict[str, int]:
    """Return the subjects that were charged more than once, and how often."""
    counts = Counter(each.subject for each in asked if each.is_charged)
    return {subject: count for subject, count in counts.items() if count > 1}
