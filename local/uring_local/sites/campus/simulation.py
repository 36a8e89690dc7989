"""The notices in a run: the campus, or real sources in its place."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Self

from uring_local.entries.sitemap import read_sitemap
from uring_local.fcm.journal import Delivery
from uring_local.project import SITEMAP
from uring_local.sites.campus.site import Campus
from uring_local.sites.campus.verdict import (
    Department,
    judge_archive,
    judge_campus,
    read_departments,
)
from uring_local.sites.simulation import Published, Verdict, World
from uring_local.stack.application import FamilyResources

NOTICES: Final = FamilyResources("Notice")


class RealSources:
    """Implements `Simulation` over sources that nobody plays: their archive is the journal.

    Args:
        sitemap: their entries.
    """

    family = "notices"
    opened: datetime | None = None
    resources = NOTICES
    change = "changed"

    def __init__(self, sitemap: bytes) -> None:
        self.sources: Sequence[tuple[str, str]] = [
            (source.id, source.name) for source in read_sitemap(sitemap).sources
        ]
        self.hosts: Sequence[str] = ()
        self.parameters: Mapping[str, str] = {}
        self.secrets: Mapping[str, str] = {}
        self.objects: Mapping[str, bytes] = {SITEMAP.as_posix(): sitemap}
        self.injected: Mapping[str, Mapping[str, Any]] = {}
        self.addresses: Sequence[str] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def advance(self, tick: int, at: datetime) -> int:  # noqa: ARG002
        """See `Simulation.advance`."""
        return len(self.sources)

    def inspect(self, at: datetime, published: Published) -> None:
        """See `Simulation.inspect`: what is published can all be judged at the end."""

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """See `Simulation.judge`."""
        return judge_archive(self._departments(published), deliveries, ended)

    def describe(self, event: Mapping[str, Any]) -> str | None:
        """See `Simulation.describe`."""
        if event["event"] == "entry_refused":
            return f"  refused  {event['path']}: {event['reason']}; {event['remedy']}"
        return None

    def _departments(self, published: Published) -> dict[str, Department]:
        return read_departments(published, [source for source, _ in self.sources])


class CampusSimulation(RealSources):
    """Implements `Simulation` over the bundled campus."""

    def __init__(self, world: World) -> None:
        self._campus = Campus(world.seed, port=world.port, opened=world.opened)
        # Functions may find jobs that a killed run has left: they must not meet an empty site.
        self._campus.advance(world.tick)
        super().__init__(json.dumps(self._campus.sitemap(), ensure_ascii=False).encode())
        self.hosts = (self._campus.host,)
        self.addresses = (f"campus site: http://{self._campus.host}/",)

    def __enter__(self) -> Self:
        self._campus.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._campus.stop()

    def advance(self, tick: int, at: datetime) -> int:
        """See `Simulation.advance`."""
        self._campus.advance(tick)
        return super().advance(tick, at)

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """See `Simulation.judge`."""
        departments = self._departments(published)
        verdict = judge_campus(self._campus.expected(), departments, deliveries, ended)
        verdict.wrong += [f"campus site: {failure!r}" for failure in self._campus.failures]
        return verdict
