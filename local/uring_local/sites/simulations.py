"""The families that can be played."""

from collections.abc import Mapping
from typing import Final

from uring_local.sites.airfield.simulation import AirfieldSimulation
from uring_local.sites.campus.simulation import CampusSimulation
from uring_local.sites.office.simulation import OfficeSimulation
from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.web.simulation import SeedSimulation

SIMULATIONS: Final[
    Mapping[
        str,
        type[
            CampusSimulation
            | AirfieldSimulation
            | RegistrySimulation
            | SeedSimulation
            | OfficeSimulation
        ],
    ]
] = {
    simulation.family: simulation
    for simulation in (
        CampusSimulation,
        AirfieldSimulation,
        RegistrySimulation,
        SeedSimulation,
        OfficeSimulation,
    )
}
