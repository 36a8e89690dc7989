"""The families of a deployment, and the parameters that switch them on."""

from collections.abc import Iterable, Mapping
from typing import Final

from uring.errors import Misconfigured
from uring_local import families

FAMILIES: Final[Mapping[str, Mapping[str, str]]] = {
    family.name: family.switch for family in families.FAMILIES
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


_PREFIXES: Final[Mapping[str, str]] = {
    prefix: family.name for family in families.FAMILIES for prefix in family.prefixes
}

_OFF: Final = ("", "DISABLED")


def family_of(resource: str) -> str:
    """Return the family of a resource by its logical id; notices have what no other has."""
    fitting = [prefix for prefix in _PREFIXES if resource.startswith(prefix)]
    return _PREFIXES[max(fitting, key=len)] if fitting else "notices"


def remedy(family: str, parameters: Mapping[str, str]) -> str:
    """Return with which parameters a stack has to be deployed to have a family; empty if it has.

    Args:
        family: of `FAMILIES`.
        parameters: those of the stack. One that it does not know is none that left a family out:
            an earlier release had them all.
    """
    wanted = " ".join(
        f"{name}={'NAME' if name.endswith('Secret') else value}"
        for name, value in FAMILIES[family].items()
        if parameters.get(name) in _OFF
    )
    return f"build and deploy with {wanted}" if wanted else ""
