"""The frame around the work of every function.

    event ─► Function.handle ─► work ─► telemetry

`uring.functions.entry_point` makes the function.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, Final, Protocol

from uring.clock import parse_timestamp
from uring.errors import MalformedMessage
from uring.runtime.telemetry import Telemetry

VERSION: Final = "0.2.0"
"""The version of this library."""

# Reserved before Lambda's limit, so that the function answers in time.
MARGIN_SECONDS: Final = 3


class LambdaContext(Protocol):
    """The used part of Lambda's context object; ``aws_request_id`` is used if it exists."""

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until Lambda ends the invocation."""
        ...


class Calls(Protocol):
    """A counter of calls; `uring.aws.clients` has the real one."""

    def take(self) -> Mapping[str, int]:
        """Return the counts since the last call of this method."""
        ...


class CountedClients(Protocol):
    """The clients of a function: their counter and their version."""

    @property
    def calls(self) -> Calls:
        """The counter."""
        ...

    @property
    def boto3_version(self) -> str:
        """The version of boto3, which Lambda provides."""
        ...


Work = Callable[[dict[str, Any], Callable[[], float]], Any]


class Function:
    """A Lambda function: its work, and one log line for each invocation.

    Attributes:
        work: its work.
        stage: ``dev``, ``staging`` or ``prod``; empty if it is not set.
        metrics: the names of the counters that are metrics; None means all.
    """

    def __init__(self, work: Work, clients: CountedClients, telemetry: Telemetry) -> None:
        self.work = work
        self._clients = clients
        self._telemetry = telemetry
        self.stage = ""
        self.metrics: Collection[str] | None = None

    def handle(self, event: dict[str, Any], context: LambdaContext) -> Any:
        """Run one invocation; return the result of the work, or raise its error."""
        self._telemetry.begin(str(getattr(context, "aws_request_id", "")))
        try:
            return self.work(event, lambda: _seconds_left(context))
        finally:
            self.report(_batch_size(event))

    def report(self, fields: Mapping[str, Any]) -> None:
        """Write the line of an invocation, with these fields and the counters since the last."""
        self._telemetry.flush(
            {
                **fields,
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


def _seconds_left(context: LambdaContext) -> float:
    return context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS


def scheduled_at(event: Mapping[str, Any]) -> datetime:
    """Return the time for which an EventBridge event was scheduled, aware UTC.

    Raises:
        MalformedMessage: the event is of another trigger.
    """
    try:
        return parse_timestamp(event["time"])
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedMessage(
            f"event: time: {error}; an EventBridge event carries the scheduled time there, "
            "as in events/notice-schedule.json"
        ) from error


def ticking(tick: Callable[[datetime], int]) -> Work:
    """Return the work of an orchestrator, which maps a schedule's event to the number of jobs."""
    return lambda event, _time_left: {"jobs": tick(scheduled_at(event))}
