"""Builds the monitor."""

from collections.abc import Callable, Mapping
from typing import Any

from uring.aws.alerts import SnsAlerts
from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.clock import Clock, system_clock
from uring.runtime.invocation import Function
from uring.runtime.schedule import scheduled_at
from uring.runtime.settings import MonitorSettings
from uring.runtime.telemetry import LambdaTelemetry, Telemetry
from uring.watch.monitor import NoticeMonitor


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """The monitor for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = MonitorSettings.read(environment)
    telemetry = telemetry or LambdaTelemetry()
    clients = Clients(session)
    monitor = NoticeMonitor(
        S3Objects(clients.get("s3"), settings.data_bucket),
        SnsAlerts(clients.get("sns"), settings.alarm_topic_arn),
        telemetry,
        config_key=settings.config_key,
        clock=clock,
    )

    def work(event: dict[str, Any], time_left: Callable[[], float]) -> dict[str, int]:
        scheduled_at(event)
        return monitor.run(time_left)

    return Function(work, clients, telemetry)
