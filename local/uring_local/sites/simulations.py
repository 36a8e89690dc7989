"""The families with a played site, by name."""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Final

from uring_local.families import FAMILIES
from uring_local.sites.stage.simulation import Simulation

SIMULATIONS: Final[Mapping[str, type[Simulation]]] = {
    family.name: resolve_name(family.site) for family in FAMILIES if family.site
}
