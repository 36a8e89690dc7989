"""A parse job: a file of a registry to be read (R10)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import StringConstraints, ValidationError

from uring.contracts import Job
from uring.errors import MalformedMessage, NewerRelease
from uring.regulations.source import Registry
from uring.regulations.state import RegistryState
from uring.regulations.values import PolicyRow, RegulationFile

FAMILY: Final = "regulation_texts"
INTERVAL_MINUTES: Final = 1_440


class ParseEntry(PolicyRow):
    """The entry of a parse job: the registry's own, and the regulation's values."""

    registry: Registry
    # A part of the keys of its text and differences.
    file_no: Annotated[str, StringConstraints(pattern="^[0-9]{1,20}$")]

    @classmethod
    def of(cls, job: Job) -> "ParseEntry":
        """Return a job's entry.

        Raises:
            MalformedMessage: the entry is invalid; the message names the field.
            NewerRelease: its only problem is keys of a newer release.
        """
        try:
            return cls.model_validate(job.entry)
        except ValidationError as error:
            problems = error.errors(include_url=False, include_input=False)
            first = problems[0]
            place = ".".join(str(part) for part in ("entry", *first["loc"]))
            if all(problem["type"] == "extra_forbidden" for problem in problems):
                raise NewerRelease(
                    f"Job: {place}: is unknown to this release; a newer release sent it: deploy "
                    "the newer release again"
                ) from error
            raise MalformedMessage(f"Job: {place}: {first['msg']}") from error


def parse_jobs(
    state: RegistryState,
    files: Iterable[RegulationFile],
    registry: Mapping[str, Any],
    scheduled_at: datetime,
) -> Iterator[Job]:
    """Yield a job for each file of an active regulation that is to be read or asked again.

    Args:
        state: the registry's committed state.
        files: the registry's queue entries, then its rechecks; of one title the first counts, and
            entries of another file are skipped.
        registry: its entry in the configuration.
        scheduled_at: of the run; it names the jobs, so that a repeated run sends none twice.
    """
    active, sent = state.active, set[str]()
    for waiting in files:
        entry = active.get(waiting.title)
        if entry is None or entry.title in sent or not entry.is_same_file(waiting):
            continue
        sent.add(entry.title)
        yield Job(
            family=FAMILY,
            source=state.texts[entry.title],
            scheduled_at=scheduled_at,
            interval_minutes=INTERVAL_MINUTES,
            entry={"registry": dict(registry), **entry.item()},
        )
