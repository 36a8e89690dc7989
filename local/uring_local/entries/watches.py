"""The watches' family for the commands: watches of collected domains."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from uring.seeds.registration import NAME, WHAT
from uring.seeds.watch.watch import INTERVALS, Watch
from uring.sources.problems.findings import ConfigFinding
from uring_local.entries.family import ConfiguredFamily
from uring_local.project import WATCHES


class WatchEntries(ConfiguredFamily[Watch]):
    """Implements `ConfiguredFamily`."""

    name = NAME
    what = WHAT
    path = WATCHES
    title = "The watches of uRing"
    interval = {"enum": list(INTERVALS)}  # noqa: RUF012 - read alone
    adding = "write a watch into it: id, name, country and category"
    model = Watch

    def vain(
        self, sources: Mapping[int, Watch], allowed_hosts: Collection[str]
    ) -> Iterator[ConfigFinding]:
        """See `ConfiguredFamily.vain`. A doubled watch would ask every domain twice."""
        del allowed_hosts
        first: dict[tuple[str, str], int] = {}
        for index, watch in sources.items():
            known = first.setdefault((watch.country, watch.category), index)
            if known != index:
                yield ConfigFinding(
                    (self.key, index, "category"),
                    f"{sources[known].id!r} watches this partition already",
                    "remove one of the two",
                    (self.key, known),
                )


WATCH_ENTRIES: Final = WatchEntries()
