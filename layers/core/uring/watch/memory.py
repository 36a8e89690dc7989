"""``state/monitor/{family}.json``: what the last run of the monitor knew."""

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.changes.ports import Stored
from uring.runtime.telemetry import Telemetry
from uring.watch.status import Facts


class Memory(BaseModel):
    """The facts of each state, and which sources people know to be down."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    facts: dict[str, Facts] = {}
    down: dict[str, str] = {}


def memory_key(family: str) -> str:
    """Return the key of a family's memory."""
    return f"state/monitor/{family}.json"


def read_memory(family: str, stored: Stored | None, telemetry: Telemetry) -> Memory:
    """Return the last run's memory; where it is damaged, all is read again and told again."""
    try:
        return Memory() if stored is None else Memory.model_validate_json(stored.body)
    except ValidationError:
        telemetry.problem(
            "memory_damaged",
            key=memory_key(family),
            remedy="it is made again; alerts may be repeated",
        )
        return Memory()
