"""The families that can be played."""

from collections.abc import Mapping
from typing import Final

from uring_local.sites.airfield.simulation import AirfieldSimulation
from uring_local.sites.campus.simulation import CampusSimulation

SIMULATIONS: Final[Mapping[str, type[CampusSimulation | AirfieldSimulation]]] = {
    simulation.family: simulation for simulation in (CampusSimulation, AirfieldSimulation)
}
