"""Builds the watch's worker."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from uring.clock import Clock, system_clock
from uring.fetch.http import Fetcher
from uring.fetch.request import user_agent
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.bootstrap.worker import worker
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.seeds.collect import Collector, Limits
from uring.seeds.watch.family import SeedWatch
from uring.seeds.watch.round import Round
from uring.seeds.watch.settings import SeedWatchWorkerSettings
from uring.seeds.watch.state import WatchState


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    sleep: Callable[[float], None] = time.sleep,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the watch's worker for this environment.

    ``sleep`` waits between two requests to one host; a run on a clock of its own passes its own.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = SeedWatchWorkerSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    fetcher = Fetcher(
        user_agent=user_agent(settings.contact),
        allowed_private_hosts=settings.allowed_private_hosts,
        stand_in=settings.web_stand_in,
    )
    # The files themselves are compared, not what they lead to.
    limits = Limits(seconds=30.0, children=0, homepage=False, gap_seconds=settings.spacing_seconds)
    watch = SeedWatch(
        Round(
            Collector(fetcher, clock=clock, limits=limits, sleep=sleep),
            at_once=settings.domains_at_once,
            seconds=settings.round_seconds,
        ),
        parts.objects(settings.data_bucket),
        round_seconds=settings.round_seconds,
        clock=clock,
        backoff=parts.backoff,
    )
    # One shard after the other: its domains are what runs side by side.
    return worker(watch, WatchState, settings, parts, groups=1)
