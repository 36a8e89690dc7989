"""The notices in a run: the campus, or real sources instead."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final

from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.fcm.journal import Delivery
from uring_local.project import SITEMAP
from uring_local.sites.campus.site import Campus
from uring_local.sites.campus.verdict import (
    Department,
    judge_archive,
    judge_campus,
    read_departments,
)
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import Simulation, World
from uring_local.sites.stage.verdict import Verdict
from uring_local.stack.application import FamilyResources

NOTICES: Final = FamilyResources("Notice")

# The period of the notices' schedule; intervals are multiples of it.
_TICK_MINUTES: Final = 10


class RealSources(Simulation):
    """Real sources: without a played site their archive is the journal.

    Args:
        sitemap: their entries, as JSON.
    """

    family = "notices"
    resources = NOTICES
    change = "changed"
    lines: ClassVar[Mapping[str, str]] = {"entry_refused": "  refused  {path}: {reason}; {remedy}"}

    def __init__(self, sitemap: bytes) -> None:
        sources = NOTICE_ENTRIES.load(sitemap).sources
        self.sources = [(source.id, source.name) for source in sources]
        self._intervals = [source.interval_minutes for source in sources]
        self.objects = {SITEMAP.as_posix(): sitemap}

    def advance(self, tick: int, at: datetime) -> int:  # noqa: ARG002
        """Return the number of sources whose interval begins in this tick, counted from 1970."""
        minute = int(at.timestamp()) // 60
        return sum(minute % interval < _TICK_MINUTES for interval in self._intervals)

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare the pushes with the archive."""
        return judge_archive(self._departments(published), deliveries, ended)

    def _departments(self, published: Published) -> dict[str, Department]:
        return read_departments(published, [source for source, _ in self.sources])


class CampusSimulation(RealSources):
    """The bundled campus, with a journal of its own."""

    def __init__(self, world: World) -> None:
        # A repeated tick would make a source fail more often in a row than in the script. The
        # product would then pause it for some real time, and the ticks in between would be lost.
        self._campus = Campus(
            world.seed, port=world.port, opened=world.opened, undisturbed=world.repeated
        )
        # Functions may find jobs of a killed run: the site must not be empty then.
        self._campus.advance(world.tick)
        super().__init__(json.dumps(self._campus.sitemap(), ensure_ascii=False).encode())
        self.site = self._campus
        self.addresses = (f"campus site: http://{self._campus.host}/",)

    def advance(self, tick: int, at: datetime) -> int:
        """Move the campus; return the number of its sources that are due."""
        self._campus.advance(tick)
        return super().advance(tick, at)

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare the published data and the pushes with the campus's journal."""
        departments = self._departments(published)
        verdict = judge_campus(self._campus.expected(), departments, deliveries, ended)
        verdict.wrong += [f"campus site: {failure!r}" for failure in self._campus.failures]
        return verdict
