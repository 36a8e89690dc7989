"""What every function does around its work."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from uring.runtime.telemetry import Telemetry

# Kept back from Lambda's limit, to answer before it strikes.
MARGIN_SECONDS: Final = 3


class Context(Protocol):
    """The part of Lambda's context object that is used."""

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda ends the invocation."""
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


Work = Callable[[dict[str, Any], Callable[[], float]], Any]


class Function:
    """A Lambda function: its work, and one line with the AWS calls of each invocation."""

    def __init__(self, work: Work, clients: Clients, telemetry: Telemetry) -> None:
        self._work = work
        self._clients = clients
        self._telemetry = telemetry

    def handle(self, event: dict[str, Any], context: Context) -> Any:
        """Run one invocation."""
        try:
            return self._work(event, lambda: _seconds_left(context))
        finally:
            self._telemetry.flush({"aws_calls": self._clients.calls.take()})


def _seconds_left(context: Context) -> float:
    return context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS
