"""The seed engine in the registry of families: its only sources are watches."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from uring.changes.registry import WatchedSource
from uring.changes.state import SourceState
from uring.objects import Reads
from uring.runtime.settings import BaseSettings, Name

NAME: Final = "seeds"
ENTRIES: Final = "watches"
WHAT: Final = "the list of watches"
HEARTBEAT: Final = timedelta(hours=1)

_REMEDIES: Final = {
    "transient": "most of its domains do not answer: look at the worker's own way to the web",
}


class SeedMonitorSettings(BaseSettings):
    """The monitor's settings of the watches."""

    watches_key: Name


class SeedsRegistration:
    """Implements `uring.changes.registry.Registration`."""

    name = NAME
    index_key = ENTRIES
    view = "watches"
    word: Mapping[str, str] = {"ko": "목록 감시", "en": "Watches"}
    # A shard's folder is named like its watch, with a dot that no id of another family has.
    folders: frozenset[str] = frozenset()
    # Thousands of files that change once a year are not a feed.
    has_feeds = False
    # Each check writes its state.
    has_hints = False
    deadline = None
    config = ENTRIES

    def state(self) -> type[SourceState]:
        """See `Registration.state`."""
        from uring.seeds.watch.sight import WatchState  # noqa: PLC0415 - loads no family

        return WatchState

    def named(self, source: str) -> Mapping[str, str]:
        """See `Registration.named`."""
        return {"watch": source.rpartition(".")[0]}

    def watched(
        self, environment: Mapping[str, str], objects: Reads, taken: Mapping[str, str]
    ) -> Sequence[WatchedSource]:
        """See `Registration.watched`."""
        from uring.seeds.watch.watch import Watch  # noqa: PLC0415
        from uring.sources.plan import read_entries  # noqa: PLC0415

        key = SeedMonitorSettings.read(environment).watches_key
        entries = read_entries(objects, key, model=Watch, key=ENTRIES, what=WHAT, taken=taken)
        return [
            WatchedSource(
                source,
                watch.name,
                "",
                watch.topic,
                watch.interval_minutes,
                "UTC",
                _REMEDIES,
                HEARTBEAT,
            )
            for watch in entries.sources
            for source in watch.sources
        ]
