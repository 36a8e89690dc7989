"""Builds the monitor."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from uring.aws.alerts import SnsAlerts
from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.changes.registry import Registration, Watched
from uring.clock import Clock, system_clock
from uring.families import FAMILIES, family, folders_beside
from uring.runtime.invocation import Function
from uring.runtime.schedule import scheduled_at
from uring.runtime.telemetry import LambdaTelemetry, Telemetry
from uring.watch.monitor import Monitor, WatchedFamily
from uring.watch.settings import MonitorSettings

# Its third of a core is full with four: bench/README.md.
_AT_ONCE: Final = 4


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the monitor for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong, or names no family.
    """
    settings = MonitorSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    objects = S3Objects(clients.get("s3"), settings.data_bucket)
    names = {family(name).name for name in settings.watched_families}

    def sources(registered: Registration) -> Callable[[], Sequence[Watched]]:
        taken = folders_beside(registered.name)
        return lambda: registered.watched(environment, objects, taken)

    monitor = Monitor(
        [
            WatchedFamily(registered, sources(registered))
            for registered in FAMILIES
            if registered.name in names
        ],
        objects,
        SnsAlerts(clients.get("sns"), settings.alarm_topic_arn),
        telemetry,
        clock=clock,
        at_once=_AT_ONCE,
    )

    def work(event: dict[str, Any], time_left: Callable[[], float]) -> dict[str, int]:
        scheduled_at(event)
        return monitor.run(time_left)

    return Function(work, clients, telemetry)
