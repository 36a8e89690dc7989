"""The families of a deployment, and the parameters that switch them on.

Notices are in every stack. The names are those of `uring run`, and `watches` of collected domains.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from uring.errors import Misconfigured
from uring_local.project import REGISTRIES, WATCHES

FAMILIES: Final[Mapping[str, Mapping[str, str]]] = {
    "notices": {},
    "weather": {"WeatherKeySecret": "weather/key"},
    "regulations": {"RegistriesKey": REGISTRIES.as_posix()},
    "seeds": {"Seeds": "ENABLED"},
    "watches": {"Seeds": "ENABLED", "WatchesKey": WATCHES.as_posix()},
    "documents": {"Documents": "ENABLED"},
}
"""By family, its parameters with a value that switches it on; a secret's name is an example."""


def switching_on(families: Iterable[str]) -> dict[str, str]:
    """Return the parameters with which these families are deployed.

    Raises:
        Misconfigured: an unknown family.
    """
    parameters: dict[str, str] = {}
    for name in families:
        if name not in FAMILIES:
            raise Misconfigured(f"{name!r} is no family; known are {', '.join(FAMILIES)}")
        parameters |= FAMILIES[name]
    return parameters
