"""The families that can be played."""

from collections.abc import Mapping
from typing import Final

from uring_local.sites.airfield.simulation import AirfieldSimulation
from uring_local.sites.campus.simulation import CampusSimulation
from uring_local.sites.registry.simulation import RegistrySimulation

SIMULATIONS: Final[
    Mapping[str, type[CampusSimulation | AirfieldSimulation | RegistrySimulation]]
] = {
    simulation.family: simulation
    for simulation in (CampusSimulation, AirfieldSimulation, RegistrySimulation)
}
