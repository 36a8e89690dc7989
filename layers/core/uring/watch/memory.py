"""``state/monitor/{family}.json``: the memory of the monitor between two runs."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from uring.changes.shard import WHOLE, Shard
from uring.clock import Timestamp, parse_timestamp, timestamp
from uring.objects import Stored
from uring.runtime.telemetry import Telemetry
from uring.watch.status import UNCHECKED_AFTER, Facts

# A small stack's memory hardly ever changes.
_HOURLY: Final = timedelta(hours=1)


class MonitorMemory(BaseModel):
    """The facts of each state, and the sources and parts reported down.

    ``pending`` has the sources that were never checked, with the time when the monitor first saw
    them so. ``ran_at`` is the time of a run within the last hour before the last one, and
    ``resumed_at`` that of the first run after a pause. ``indexed`` is the month up to which all
    search indexes are made, ``YYYYMM``. The last three are missing in older releases' memories.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    facts: dict[str, Facts] = {}
    down: dict[str, str] = {}
    pending: dict[str, Timestamp] = {}
    ran_at: Timestamp | None = None
    resumed_at: Timestamp | None = None
    indexed: str = ""

    def resumed(self, now: datetime) -> str | None:
        """Return when the monitor went on after a pause; None if it never paused.

        A pause is longer than its patience with a source: then nothing may have run, and what no
        check has reached since says nothing yet.
        """
        is_old = self.ran_at is not None and now - parse_timestamp(self.ran_at) > UNCHECKED_AFTER
        return timestamp(now) if is_old else self.resumed_at

    def is_written(self, before: "MonitorMemory", now: datetime) -> bool:
        """Return whether this memory is stored in place of that of the last run."""
        if before.ran_at is None or now - parse_timestamp(before.ran_at) >= _HOURLY:
            return True
        return self.model_copy(update={"ran_at": before.ran_at}) != before

    @field_validator("facts", mode="wrap")
    @classmethod
    def _known(cls, value: Any, read: ValidatorFunctionWrapHandler) -> dict[str, Facts]:
        """Drop facts that this release cannot parse: their states are read again."""
        if not isinstance(value, dict):
            return dict(read(value))
        known: dict[str, Facts] = {}
        for source, facts in value.items():
            with suppress(ValidationError):
                known |= read({source: facts})
        return known


def memory_key(family: str, shard: Shard = WHOLE) -> str:
    """Return the key of the memory of a family's shard."""
    return shard.key(f"state/monitor/{family}.json")


def read_memory(key: str, stored: Stored | None, telemetry: Telemetry) -> MonitorMemory:
    """Return the last run's memory; empty if it is missing or damaged.

    Then all states are read again and alerts may be repeated. A damaged memory is logged.
    """
    try:
        return MonitorMemory() if stored is None else MonitorMemory.model_validate_json(stored.body)
    except ValidationError:
        telemetry.problem(
            "memory_damaged",
            key=key,
            remedy="it is made again; alerts may be repeated",
        )
        return MonitorMemory()
