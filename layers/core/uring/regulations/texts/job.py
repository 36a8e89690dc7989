"""A parse job: which file of which registry is to be read (R10)."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from uring.contracts import Job
from uring.errors import MalformedMessage
from uring.regulations.source import Registry
from uring.regulations.state import RegistryState
from uring.regulations.values import Policy, QueueEntry

FAMILY: Final = "regulation_texts"
INTERVAL_MINUTES: Final = 1_440


class ParseEntry(Policy):
    """The entry of a parse job: the registry's own, and the regulation's values."""

    registry: Registry

    @classmethod
    def of(cls, job: Job) -> "ParseEntry":
        """Return a job's entry.

        Raises:
            MalformedMessage: it is none; the message names the field.
        """
        try:
            return cls.model_validate(job.entry)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in ("entry", *first["loc"]))
            raise MalformedMessage(f"Job: {place}: {first['msg']}") from error


def text_id(registry: str, title: str, since: str) -> str:
    """Return the name of a regulation's text: it stays through renames and returns."""
    return hashlib.sha256(f"{registry}|{title}|{since}".encode()).hexdigest()[:24]


def parse_jobs(
    state: RegistryState,
    queued: Iterable[QueueEntry],
    registry: Mapping[str, Any],
    scheduled_at: datetime,
) -> Iterator[Job]:
    """Yield a job for each queue entry of an active regulation.

    Args:
        state: of the registry, as it is committed.
        queued: the registry's queue entries.
        registry: its entry in the configuration.
        scheduled_at: of the run: it names the jobs, so that the run repeated sends none twice.
    """
    active = state.active
    for waiting in queued:
        entry = active.get(waiting.title)
        if entry is None or entry.file_no != waiting.file_no:
            continue
        yield Job(
            family=FAMILY,
            source=state.texts[entry.title],
            scheduled_at=scheduled_at,
            interval_minutes=INTERVAL_MINUTES,
            entry={"registry": dict(registry), **entry.item()},
        )
