"""The families with a played site, by name."""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Final

from uring_local.families import FAMILIES
from uring_local.options import RhythmName
from uring_local.sites.campus.simulation import RhythmSimulation
from uring_local.sites.stage.real import RealSources
from uring_local.sites.stage.simulation import Simulation

SIMULATIONS: Final[Mapping[str, type[Simulation]]] = {
    family.name: resolve_name(family.site) for family in FAMILIES if family.site
}

REAL: Final[Mapping[str, type[RealSources]]] = {
    family.name: resolve_name(family.real) for family in FAMILIES if family.real
}
"""The families whose own list `uring run --config` takes, by name."""


def simulations(rhythm: RhythmName | None) -> Mapping[str, type[Simulation]]:
    """Return the families by name; under a rhythm the notices have a clock of their own."""
    return {**SIMULATIONS, "notices": RhythmSimulation} if rhythm else SIMULATIONS
