"""The families as the commands know them: a family is one line of `FAMILIES`.

Classes and values are named, not imported: a command loads the parts of a family when it uses them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from uring_local.project import REGISTRIES, WATCHES

_SITES: Final = "uring_local.sites."
_ENTRIES: Final = "uring_local.entries."


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalFamily:
    """A family in the template and on this machine.

    Attributes:
        name: of the family; `watches` are of collected domains, `subscriptions` of browsers.
        prefixes: prefixes of its resources' logical ids; the longest match wins.
        switch: the parameters with a value that switches it on; a secret's name is an example.
            Empty for notices, which are in every stack.
        site: ``module:Class`` of its `uring_local.sites.stage.simulation.Simulation`; empty where
            it cannot be run.
        real: ``module:Class`` of the simulation of a list that `uring run --config` names; empty
            where none can be run.
        entries: ``module:NAME`` of its `uring_local.entries.family.ConfiguredFamily`; empty if
            it has no configuration file.
    """

    name: str
    prefixes: tuple[str, ...]
    switch: Mapping[str, str] = field(default_factory=dict)
    site: str = ""
    real: str = ""
    entries: str = ""


FAMILIES: Final[tuple[LocalFamily, ...]] = (
    LocalFamily(
        name="notices",
        prefixes=("Notice",),
        site=f"{_SITES}campus.simulation:CampusSimulation",
        real=f"{_SITES}campus.simulation:RealNotices",
        entries=f"{_ENTRIES}notices:NOTICE_ENTRIES",
    ),
    LocalFamily(
        name="weather",
        prefixes=("Weather",),
        switch={"WeatherKeySecret": "weather/key"},
        site=f"{_SITES}airfield.simulation:AirfieldSimulation",
    ),
    LocalFamily(
        name="regulations",
        prefixes=("Regulation",),
        switch={"RegistriesKey": REGISTRIES.as_posix()},
        site=f"{_SITES}registry.simulation:RegistrySimulation",
        real=f"{_SITES}registry.real:RealRegistries",
        entries=f"{_ENTRIES}registries:REGISTRY_ENTRIES",
    ),
    LocalFamily(
        name="seeds",
        prefixes=("Seed", "Domain"),
        switch={"Seeds": "ENABLED"},
        site=f"{_SITES}web.simulation:SeedSimulation",
    ),
    LocalFamily(
        name="watches",
        prefixes=("SeedWatch",),
        switch={"Seeds": "ENABLED", "WatchesKey": WATCHES.as_posix()},
        entries=f"{_ENTRIES}watches:WATCH_ENTRIES",
    ),
    LocalFamily(
        name="documents",
        prefixes=("Document",),
        switch={"Documents": "ENABLED"},
        site=f"{_SITES}office.simulation:OfficeSimulation",
    ),
    LocalFamily(
        name="subscriptions",
        prefixes=("Subscription",),
        switch={"WebPush": "ENABLED"},
    ),
)
"""In the order in which they are shown."""

NAMES: Final[tuple[str, ...]] = tuple(family.name for family in FAMILIES)
