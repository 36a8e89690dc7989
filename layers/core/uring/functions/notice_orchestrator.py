"""Wires the notice orchestrator."""

from uring.changes.jobs import Ticks
from uring.functions.orchestrators import EntriesTickSettings, entries_orchestrator
from uring.functions.parts import Parts
from uring.notices.registration import NAME, WHAT
from uring.notices.source import Source
from uring.runtime.invocation import Work
from uring.runtime.settings import HoursOfDay
from uring.sources.rhythm import RhythmName


class Settings(EntriesTickSettings):
    """Settings of the notice orchestrator; for the hours see `Ticks`."""

    rhythm: RhythmName = "uniform"
    busy_hours: HoursOfDay = frozenset()

    @property
    def ticks(self) -> Ticks:
        """The schedule."""
        return Ticks(self.tick_minutes, self.busy_hours)


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the notice orchestrator's work."""
    return entries_orchestrator(
        NAME, Source, WHAT, settings, parts, rhythm=lambda source: source.paced(settings.rhythm)
    )
