"""The families that can be played."""

from collections.abc import Mapping
from typing import Final

from uring_local.sites.airfield.simulation import AirfieldSimulation
from uring_local.sites.campus.simulation import CampusSimulation
from uring_local.sites.office.simulation import OfficeSimulation
from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.stage.simulation import Simulation
from uring_local.sites.web.simulation import SeedSimulation

_PLAYED: Final[tuple[type[Simulation], ...]] = (
    CampusSimulation,
    AirfieldSimulation,
    RegistrySimulation,
    SeedSimulation,
    OfficeSimulation,
)
SIMULATIONS: Final[Mapping[str, type[Simulation]]] = {played.family: played for played in _PLAYED}
