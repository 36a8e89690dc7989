"""The registries of a list of one's own, read by the real engine on the real clock."""

from datetime import datetime
from typing import Final

from uring_local.entries.registries import REGISTRY_ENTRIES
from uring_local.sites.registry.simulation import RegistryRun
from uring_local.sites.stage.real import RealSources
from uring_local.sites.stage.simulation import NO_NOTICES

# A run that waited ten minutes and an hour for a file that cannot be read would not end.
_RETRY_PAUSES: Final = (60, 60)


class RealRegistries(RegistryRun, RealSources):
    """Registries of a configuration file; nothing is played, so their archive is the journal."""

    entries = REGISTRY_ENTRIES
    is_in_process = True

    def __init__(self, body: bytes) -> None:
        super().__init__(body)
        self.parameters = {"RegistriesKey": self.entries.path.as_posix()}
        self.objects = {**NO_NOTICES, **self.objects}
        self.injected = {"RegulationParser": {"pauses": _RETRY_PAUSES}}

    def advance(self, tick: int, at: datetime) -> int:  # noqa: ARG002
        """Every run reads every registry."""
        return len(self.sources)
