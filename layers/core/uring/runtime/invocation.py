"""The frame around the work of every function.

    event ─► Function.handle ─► work ─► telemetry

`uring.functions.entry_point` makes the function.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Protocol

from uring.runtime.telemetry import Telemetry

VERSION: Final = "0.2.0"
"""The version of this library."""

# Kept back from Lambda's limit, to answer before it strikes.
MARGIN_SECONDS: Final = 3


class Context(Protocol):
    """The part of Lambda's context object that is used; ``aws_request_id`` where it has one."""

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until Lambda ends the invocation."""
        ...


class Calls(Protocol):
    """A counter of calls; `uring.aws.clients` has the real one."""

    def take(self) -> Mapping[str, int]:
        """Return the counts since the last time."""
        ...


class Clients(Protocol):
    """The clients of a function, as far as they are counted."""

    @property
    def calls(self) -> Calls:
        """The counter."""
        ...

    @property
    def boto3_version(self) -> str:
        """The version of boto3, which is Lambda's own."""
        ...


Work = Callable[[dict[str, Any], Callable[[], float]], Any]


class Function:
    """A Lambda function: its work, and one line about each invocation.

    Attributes:
        stage: ``dev``, ``staging`` or ``prod``; empty where nobody said.
        metrics: names of the counters that are metrics; None means each.
    """

    def __init__(self, work: Work, clients: Clients, telemetry: Telemetry) -> None:
        self._work = work
        self._clients = clients
        self._telemetry = telemetry
        self.stage = ""
        self.metrics: Collection[str] | None = None

    def handle(self, event: dict[str, Any], context: Context) -> Any:
        """Run one invocation."""
        self._telemetry.begin(str(getattr(context, "aws_request_id", "")))
        try:
            return self._work(event, lambda: _seconds_left(context))
        finally:
            self._telemetry.flush(
                {
                    **_batch_size(event),
                    "environment": self.stage,
                    "uring": VERSION,
                    "boto3": self._clients.boto3_version,
                    "aws_calls": self._clients.calls.take(),
                },
                self.metrics,
            )


def _batch_size(event: Any) -> dict[str, int]:
    records = event.get("Records") if isinstance(event, dict) else None
    return {"records": len(records)} if isinstance(records, list) else {}


def _seconds_left(context: Context) -> float:
    return context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS
