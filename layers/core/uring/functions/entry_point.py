"""The entry point of every function: from its environment to its work.

start ─► EntryPoint ─► Settings.read ─► wire ─► Function     event ─► Function.handle ─► work
"""

import gc
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from uring.clock import Clock
from uring.runtime.invocation import Function, LambdaContext
from uring.runtime.telemetry import Telemetry

# Set in every process of a Lambda function, and only there.
_LAMBDA: Final = "AWS_LAMBDA_FUNCTION_NAME"


def build(
    module: str,
    environment: Mapping[str, str],
    *,
    session: Any = None,
    telemetry: Telemetry | None = None,
    clock: Clock | None = None,
    sleep: Callable[[float], None] | None = None,
    **seams: Any,
) -> Function:
    """Return the function that a module of `uring.functions` wires.

    Args:
        module: the full name of the module; it has ``Settings`` and ``wire(settings, parts)``.
        environment: the variables.
        session: see `Parts.of`, also for the next three.
        telemetry: receives lines and counters.
        clock: the time.
        sleep: waits.
        seams: passed to ``wire``, if it takes more than settings and parts.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    wiring = import_module(module)
    # Imported here, so that `EntryPoint` loads it together with the wiring.
    from uring.functions.parts import Parts  # noqa: PLC0415

    settings = wiring.Settings.read(environment)
    parts = Parts.of(environment, session=session, telemetry=telemetry, clock=clock, sleep=sleep)
    return Function(wiring.wire(settings, parts, **seams), parts.clients, parts.telemetry)


class EntryPoint:
    """A function's handler, built while Lambda starts its process: that phase has a whole core.

    An error at the start is suppressed. The first invocation builds again and raises it, and so
    does each later one until a build succeeds. Outside Lambda the first invocation builds.

    The modules are loaded during the build too, with the garbage collector off: all of them stay
    loaded, and collections during the load take a tenth of a start.

    Args:
        module: the full name of the module that wires the function.
        environment: the variables, read at each build.
    """

    def __init__(self, module: str, environment: Mapping[str, str]) -> None:
        self.module = module
        self._environment = environment
        self._function: Function | None = None
        if _LAMBDA in environment:
            with suppress(Exception):
                self._function = self._built()

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> Any:
        """Run one invocation, as Lambda calls it."""
        if self._function is None:
            self._function = self._built()
        return self._function.handle(event, context)

    def build(self, environment: Mapping[str, str], **seams: Any) -> Function:
        """Return the function for another environment, for tests and simulations.

        For ``seams`` see `build`.
        """
        return build(self.module, environment, **seams)

    def _built(self) -> Function:
        was_on = gc.isenabled()
        gc.disable()
        try:
            function = self.build(self._environment)
        finally:
            if was_on:
                # Without it the next collection would scan all loaded objects.
                gc.freeze()
                gc.enable()
        function.stage = self._environment.get("ENVIRONMENT", "")
        named = self._environment.get("METRICS")
        function.metrics = None if named is None else frozenset(named.split(","))
        return function
