"""The notice boards as the monitor sees them."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Final

from uring.changes.health import DAILY
from uring.changes.jobs import Ticks
from uring.changes.registry import WatchedSource
from uring.notices.source import TICK_MINUTES, Source
from uring.runtime.settings import BaseSettings, HoursOfDay, Name
from uring.sources.plan import watched_entries
from uring.sources.rhythm import RhythmName

_REMEDIES: Final = {
    "blocked": "ask the site's operator; see request in its entry",
    "structure": "`uring try {id}` shows the fields that its entry reads",
}


class NoticeMonitorSettings(BaseSettings):
    """The monitor's settings of the notices; rhythm and hours are those of the orchestrator."""

    config_key: Name
    rhythm: RhythmName = "uniform"
    busy_hours: HoursOfDay = frozenset()


def boards(sources: Iterable[Source], settings: NoticeMonitorSettings) -> list[WatchedSource]:
    """Return the boards as the monitor needs them, each with the rhythm that its ticks keep."""
    ticks = Ticks(TICK_MINUTES, settings.busy_hours)

    def rhythm(source: Source) -> Callable[[datetime], int] | None:
        paced = source.paced(settings.rhythm)
        return _at_ticks(paced, ticks) if paced else None

    return watched_entries(sources, _REMEDIES, DAILY, rhythm, lambda source: source.college or "")


@lru_cache(maxsize=1024)
def _at_ticks(rhythm: Callable[[datetime], int], ticks: Ticks) -> Callable[[datetime], int]:
    """Return the rhythm as its schedule allows it: at least the time between two ticks."""
    return lambda at: max(rhythm(at), ticks.since(at))
