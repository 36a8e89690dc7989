"""One line of the doctor's: the thing examined, its status, and the remedy."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "failed", "off"]
"""``off``: switched off by a parameter, so that nothing is wrong and nothing was examined."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A part of a stack, and its status.

    Args:
        name: the part, in few words.
        detail: the observation; for a failure also the cause.
        remedy: the remedy; empty unless it failed or is off.
    """

    name: str
    status: Status
    detail: str
    remedy: str = ""


def ok(name: str, detail: str) -> Diagnosis:
    """Return the finding of a sound part."""
    return Diagnosis(name, "ok", detail)


def failed(name: str, detail: str, remedy: str) -> Diagnosis:
    """Return the finding of a broken part."""
    return Diagnosis(name, "failed", detail, remedy)


def off(name: str, detail: str, remedy: str = "") -> Diagnosis:
    """Return the finding of a part that is switched off."""
    return Diagnosis(name, "off", detail, remedy)
