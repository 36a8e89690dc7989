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
    """Return the parameters that deploy these families.

    Raises:
        Misconfigured: an unknown family.
    """
    parameters: dict[str, str] = {}
    for name in families:
        if name not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise Misconfigured(f"{name!r} is not a family; known families: {known}")
        parameters |= FAMILIES[name]
    return parameters


_PREFIXES: Final[Mapping[str, str]] = {
    prefix: family.name for family in families.FAMILIES for prefix in family.prefixes
}
"""The prefixes of the names of a family's resources; the longest match counts."""

_OFF: Final = ("", "DISABLED")


def family_of(resource: str) -> str:
    """Return the family of a resource by its logical id; without a known prefix, notices."""
    fitting = [prefix for prefix in _PREFIXES if resource.startswith(prefix)]
    return _PREFIXES[max(fitting, key=len)] if fitting else "notices"


def remedy(family: str, parameters: Mapping[str, str]) -> str:
    """Return the parameters that a stack needs for a family, in a sentence; empty if it has it.

    Args:
        family: a key of `FAMILIES`.
        parameters: those of the stack. A parameter that the stack lacks counts as on: an earlier
            release had every family.
    """
    wanted = " ".join(
        f"{name}={'NAME' if name.endswith('Secret') else value}"
        for name, value in FAMILIES[family].items()
        if parameters.get(name) in _OFF
    )
    return f"build and deploy with {wanted}" if wanted else ""
