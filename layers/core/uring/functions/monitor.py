"""Wires the monitor."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from uring.aws.alerts import SnsAlerts
from uring.changes.registry import Registration, WatchedSource
from uring.functions.families import FAMILIES, family, folders_beside
from uring.functions.parts import Parts
from uring.runtime.invocation import Work, scheduled_at
from uring.runtime.settings import BaseSettings, Name, Words
from uring.watch.monitor import Monitor, WatchedFamily

# Four sources use up its third of a core: bench/README.md.
_AT_ONCE: Final = 4


class Settings(BaseSettings):
    """Settings of the monitor; each family's registration reads its own part."""

    data_bucket: Name
    alarm_topic_arn: Name
    watched_families: Words


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the monitor's work.

    Raises:
        Misconfigured: ``watched_families`` has an unknown name.
    """
    objects = parts.bucket(settings.data_bucket)
    names = {family(name).name for name in settings.watched_families}

    def sources(registered: Registration) -> Callable[[], Sequence[WatchedSource]]:
        taken = folders_beside(registered.name)
        return lambda: registered.watched(parts.environment, objects, taken)

    monitor = Monitor(
        [
            WatchedFamily(registered, sources(registered))
            for registered in FAMILIES
            if registered.name in names
        ],
        objects,
        SnsAlerts(parts.clients.get("sns"), settings.alarm_topic_arn),
        parts.telemetry,
        clock=parts.clock,
        at_once=_AT_ONCE,
    )

    def work(event: dict[str, Any], time_left: Callable[[], float]) -> dict[str, int]:
        scheduled_at(event)
        return monitor.run(time_left)

    return work
