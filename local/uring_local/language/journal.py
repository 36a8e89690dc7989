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


class LanguageJournal(LineJournal):
    """The requests, see `LineJournal`."""

    damaged = DamagedLanguageJournal

    def __init__(self, path: Path | None = None) -> None:
        self._asked: list[ServiceCall] = []
        super().__init__(path)
        self.note(process=self.process)

    @property
    def asked(self) -> tuple[ServiceCall, ...]:
        """All requests so far, those of earlier processes first."""
        with self.lock:
            return tuple(self._asked)

    def ask(self, service: Service, **fields: Any) -> None:
        """Record a request as a `ServiceCall`; it is in the file when this returns."""
        now = datetime.now(UTC).isoformat()
        self.note(service=service, at=now, process=self.process, **fields)

    def take(self, fields: Mapping[str, Any]) -> None:
        """Take in the beginning of a process, or a request."""
        if {*fields} == {"process"}:
            return
        if fields["service"] not in get_args(Service):
            raise ValueError(f"service {fields['service']!r}")
        self._asked.append(ServiceCall(**fields))


def charged_twice(asked: Iterable[ServiceCall]) -> dict[str, int]:
    """Return the number of charges of each subject that was charged more than once."""
    counts = Counter(each.subject for each in asked if each.is_charged)
    return {subject: count for subject, count in counts.items() if count > 1}
