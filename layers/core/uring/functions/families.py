"""The registry of families: the only place of the library that names each."""

from collections.abc import Mapping
from typing import Final

from uring.changes.registry import Registration
from uring.errors import Misconfigured
from uring.notices.registration import NoticesRegistration
from uring.regulations.registration import RegulationsRegistration
from uring.seeds.registration import SeedsRegistration
from uring.weather.registration import WeatherRegistration

FAMILIES: Final[tuple[Registration, ...]] = (
    NoticesRegistration(),
    RegulationsRegistration(),
    SeedsRegistration(),
    WeatherRegistration(),
)


def family(name: str) -> Registration:
    """Return the family of this name.

    Raises:
        Misconfigured: the name is unknown.
    """
    for registered in FAMILIES:
        if registered.name == name:
            return registered
    known = ", ".join(registered.name for registered in FAMILIES)
    raise Misconfigured(f"{name!r} is not a family; known families: {known}")


def named(family: str, source: str) -> Mapping[str, str]:
    """Return the fields that log lines of a source have beside its family and name.

    Empty for an unknown family: a message may come from another release.
    """
    return next((each.named(source) for each in FAMILIES if each.name == family), {})


def folders_beside(name: str) -> Mapping[str, str]:
    """Return the folders of ``data/`` that belong to other families, with the family's name."""
    return {
        folder: registered.name
        for registered in FAMILIES
        if registered.name != name
        for folder in registered.folders
    }
