"""The regulations in the registry of families."""

from collections.abc import Mapping, Sequence
from typing import Final

from uring.changes.registry import WatchedSource
from uring.changes.state import SourceState
from uring.objects import Reads
from uring.runtime.settings import BaseSettings, Name

NAME: Final = "regulations"
ENTRIES: Final = "registries"
WHAT: Final = "the list of registries"

_REMEDIES: Final = {
    "blocked": "ask the site's operator; see request in its entry",
    "structure": "`uring try {id} --config config/registries.json` shows the fields that it reads",
}


class RegulationMonitorSettings(BaseSettings):
    """The monitor's settings of the regulations."""

    registries_key: Name


class RegulationsRegistration:
    """The regulations' registration; it implements `uring.changes.registry.Registration`."""

    name = NAME
    index_key = "registries"
    view = "regulations"
    word: Mapping[str, str] = {"ko": "규정", "en": "Regulations"}
    # A registry's folder has the name of its entry.
    folders: frozenset[str] = frozenset()
    has_feeds = True
    # Every check writes its state.
    has_hints = False
    deadline = None
    config = ENTRIES

    def state(self) -> type[SourceState]:
        """See `Registration.state`."""
        from uring.regulations.state import RegistryState  # noqa: PLC0415 - loads no family

        return RegistryState

    def named(self, source: str) -> Mapping[str, str]:
        """See `Registration.named`."""
        return {"registry": source}

    def watched(
        self, environment: Mapping[str, str], objects: Reads, taken: Mapping[str, str]
    ) -> Sequence[WatchedSource]:
        """See `Registration.watched`."""
        from uring.regulations.source import Registry  # noqa: PLC0415
        from uring.sources.plan import read_entries, watched_entries  # noqa: PLC0415

        key = RegulationMonitorSettings.read(environment).registries_key
        entries = read_entries(objects, key, model=Registry, key=ENTRIES, what=WHAT, taken=taken)
        return watched_entries(entries.sources, _REMEDIES)
