"""The families that can be played."""

from collections.abc import Mapping
from datetime import datetime
from pkgutil import resolve_name
from typing import Final, Protocol

from uring_local.families import FAMILIES
from uring_local.sites.simulation import Simulation, World
from uring_local.stack.application import FamilyResources


class Played(Protocol):
    """The class of a played family: what a run asks of it before it makes one."""

    opened: datetime | None
    is_resumable: bool
    is_alone: bool
    resources: FamilyResources

    def __call__(self, world: World) -> Simulation:
        """Return the family in this world."""
        ...


SIMULATIONS: Final[Mapping[str, Played]] = {
    family.name: resolve_name(family.site) for family in FAMILIES if family.site
}
