"""``state/monitor/{family}.json``: the memory of the monitor between two runs."""

from contextlib import suppress
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from uring.clock import Timestamp
from uring.objects import Stored
from uring.runtime.telemetry import Telemetry
from uring.watch.status import Facts


class MonitorMemory(BaseModel):
    """The facts of each state, and the sources and parts reported down.

    ``pending`` has the sources that were never checked, with the time when the monitor first saw
    them so.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    facts: dict[str, Facts] = {}
    down: dict[str, str] = {}
    pending: dict[str, Timestamp] = {}

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


def memory_key(family: str) -> str:
    """Return the key of a family's memory."""
    return f"state/monitor/{family}.json"


def read_memory(family: str, stored: Stored | None, telemetry: Telemetry) -> MonitorMemory:
    """Return the last run's memory; empty if it is missing or damaged.

    Then all states are read again and alerts may be repeated. A damaged memory is logged.
    """
    try:
        return MonitorMemory() if stored is None else MonitorMemory.model_validate_json(stored.body)
    except ValidationError:
        telemetry.problem(
            "memory_damaged",
            key=memory_key(family),
            remedy="it is made again; alerts may be repeated",
        )
        return MonitorMemory()
