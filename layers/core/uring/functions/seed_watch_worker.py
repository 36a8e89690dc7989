"""Wires the worker of the seed watch."""

from datetime import timedelta

from pydantic import Field

from uring.functions.parts import Parts
from uring.functions.web import WholeWebSettings, fetcher
from uring.functions.workers import WorkerSettings, worker
from uring.runtime.invocation import Work
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.watch.family import SECOND_LOOK, SeedWatch
from uring.seeds.watch.round import WatchRound
from uring.seeds.watch.sight import WatchState


class Settings(WholeWebSettings, WorkerSettings):
    """Settings of the seed watch's worker.

    ``domains_at_once`` domains are asked in parallel; each may have a sitemap of 10 MB in memory.
    No domain is begun after ``round_seconds``.
    """

    domains_at_once: int = Field(default=16, ge=1, le=64)
    round_seconds: int = Field(default=720, ge=10, le=720)


def wire(settings: Settings, parts: Parts, *, second_look: timedelta | None = SECOND_LOOK) -> Work:
    """Return the work of the seed watch's worker; simulations pass another ``second_look``."""
    # Most domains with several Sitemap lines have up to four.
    limits = CollectLimits(
        seconds=30.0, children=3, homepage=False, gap_seconds=settings.spacing_seconds
    )
    collector = Collector(fetcher(settings), clock=parts.clock, limits=limits, sleep=parts.sleep)
    watch = SeedWatch(
        WatchRound(collector, at_once=settings.domains_at_once, seconds=settings.round_seconds),
        parts.bucket(settings.data_bucket),
        round_seconds=settings.round_seconds,
        clock=parts.clock,
        backoff=parts.backoff,
        second_look=second_look,
    )
    # One shard after the other: its domains run in parallel.
    return worker(watch, WatchState, settings, parts, groups=1)
