"""The notices in the registry of families."""

from collections.abc import Mapping, Sequence
from typing import Final

from uring.changes.registry import WatchedSource
from uring.changes.shard import WHOLE, Shard
from uring.changes.state import SourceState
from uring.objects import Reads

NAME: Final = "notices"
ENTRIES: Final = "sources"
WHAT: Final = "the sitemap"


class NoticesRegistration:
    """The notices' registration; it implements `uring.changes.registry.Registration`."""

    name = NAME
    index_key = "departments"
    view = "notices"
    word: Mapping[str, str] = {"ko": "학과", "en": "Departments"}
    # A department's folder has the name of its entry.
    folders: frozenset[str] = frozenset()
    has_feeds = True
    has_hints = True
    config = ENTRIES

    def state(self) -> type[SourceState]:
        """See `Registration.state`."""
        from uring.notices.state import NoticeState  # noqa: PLC0415 - the registry loads no family

        return NoticeState

    def named(self, source: str) -> Mapping[str, str]:
        """See `Registration.named` (N13)."""
        return {"department_id": source}

    def watched(
        self, environment: Mapping[str, str], objects: Reads, taken: Mapping[str, str]
    ) -> Sequence[WatchedSource]:
        """See `Registration.watched`: the sources of a sitemap without shards."""
        return self.watched_in(WHOLE, environment, objects, taken)

    def deadline(
        self, content: Mapping[str, str | None], first_seen: str, zone: str
    ) -> Mapping[str, str] | None:
        """See `Registration.deadline`."""
        from uring.notices.due.published import published  # noqa: PLC0415 - as above

        return published(content, first_seen, zone)

    def shards(self, environment: Mapping[str, str], objects: Reads) -> Sequence[Shard]:
        """See `ShardedRegistration.shards`."""
        from uring.notices.watched import NoticeMonitorSettings  # noqa: PLC0415
        from uring.sources.plan import read_shards  # noqa: PLC0415

        return read_shards(objects, NoticeMonitorSettings.read(environment).config_key, WHAT)

    def watched_in(
        self,
        shard: Shard,
        environment: Mapping[str, str],
        objects: Reads,
        taken: Mapping[str, str],
    ) -> Sequence[WatchedSource]:
        """See `ShardedRegistration.watched_in`."""
        from uring.notices.source import Source  # noqa: PLC0415 - the registry loads no family
        from uring.notices.watched import NoticeMonitorSettings, boards  # noqa: PLC0415
        from uring.sources.plan import read_entries  # noqa: PLC0415

        settings = NoticeMonitorSettings.read(environment)
        key = settings.config_key
        entries = read_entries(
            objects, key, model=Source, key=ENTRIES, what=WHAT, taken=taken, shard=shard
        )
        return boards(entries.sources, settings)
