"""The frame around the work of every function.

    start ─► EntryPoint ─► build ─► Function     event ─► EntryPoint ─► Function.handle ─► work

An entry point is one statement; the rest of a function is its bootstrap's.
"""

import gc
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, Protocol

from uring.runtime.telemetry import Telemetry

VERSION: Final = "0.2.0"
"""The version of this library."""

# Set in every process of a Lambda function, and nowhere else.
_LAMBDA: Final = "AWS_LAMBDA_FUNCTION_NAME"
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


Build = Callable[..., Function]
"""Takes the environment; what tests and simulations put in for a part are keywords."""


class EntryPoint:
    """A function's handler, built while Lambda starts its process: that time has a whole core.

    What stands in the way of that is told by the first invocation, which builds anew, as each does
    until one succeeds. Elsewhere nothing is built before the first invocation.

    Its modules are loaded here as well, with the collector of garbage at rest: all of it stays, and
    to look for garbage in what grows takes a tenth of a start.

    Args:
        bootstrap: the module that has ``build``.
        environment: the variables; read at the start and not again once it was built.
    """

    def __init__(self, bootstrap: str, environment: Mapping[str, str]) -> None:
        self.bootstrap = bootstrap
        self._environment = environment
        self._function: Function | None = None
        if _LAMBDA in environment:
            with suppress(Exception):
                self._function = self._built()

    def __call__(self, event: dict[str, Any], context: Context) -> Any:
        """Run one invocation, as Lambda calls it."""
        if self._function is None:
            self._function = self._built()
        return self._function.handle(event, context)

    @property
    def build(self) -> Build:
        """The bootstrap's builder of the function."""
        build: Build = import_module(self.bootstrap).build
        return build

    def _built(self) -> Function:
        was_on = gc.isenabled()
        gc.disable()
        try:
            function = self.build(self._environment)
        finally:
            if was_on:
                # Or the next collection would look at all of it at once.
                gc.freeze()
                gc.enable()
        function.stage = self._environment.get("ENVIRONMENT", "")
        named = self._environment.get("METRICS")
        function.metrics = None if named is None else frozenset(named.split(","))
        return function


def _batch_size(event: Any) -> dict[str, int]:
    records = event.get("Records") if isinstance(event, dict) else None
    return {"records": len(records)} if isinstance(records, list) else {}


def _seconds_left(context: Context) -> float:
    return context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS
