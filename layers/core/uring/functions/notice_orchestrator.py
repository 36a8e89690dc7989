"""Wires the notice orchestrator."""

from collections.abc import Sequence
from functools import lru_cache

from uring.changes.jobs import Ticks
from uring.changes.shard import WHOLE, Shard
from uring.errors import ConfigInvalid
from uring.functions.orchestrators import EntriesTickSettings, entries_orchestrator
from uring.functions.parts import Parts
from uring.functions.shards import sharded
from uring.notices.registration import NAME, WHAT
from uring.notices.source import Source
from uring.runtime.invocation import Work
from uring.runtime.settings import HoursOfDay, Name
from uring.sources.plan import read_shards
from uring.sources.rhythm import RhythmName


class Settings(EntriesTickSettings):
    """Settings of the notice orchestrator; for the hours see `Ticks`.

    ``own_name`` is the function's name, to start itself for each further shard of the sitemap.
    """

    own_name: Name
    rhythm: RhythmName = "uniform"
    busy_hours: HoursOfDay = frozenset()

    @property
    def ticks(self) -> Ticks:
        """The schedule."""
        return Ticks(self.tick_minutes, self.busy_hours)


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the notice orchestrator's work."""
    objects = parts.bucket(settings.data_bucket)

    # The plan of a file is kept. Of one file: a process gets another shard at each tick.
    @lru_cache(maxsize=1)
    def work(shard: Shard) -> Work:
        return entries_orchestrator(
            NAME,
            Source,
            WHAT,
            settings,
            parts,
            rhythm=lambda source: source.paced(settings.rhythm),
            shard=shard,
        )

    def shards() -> Sequence[Shard]:
        try:
            return read_shards(objects, settings.config_key, WHAT)
        except ConfigInvalid:
            # What the first file has is checked all the same, and its problem is reported.
            return (WHOLE,)

    return sharded(
        lambda shard, _: work(shard),
        shards,
        parts.invoker(settings.own_name),
        parts.telemetry,
    )
