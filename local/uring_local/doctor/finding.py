"""One line of the doctor's: the thing that was looked at, how it is, and what to do."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "failed", "off"]
"""``off``: switched off by a parameter, so that nothing is wrong and nothing was asked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A thing of a stack, and how it is.

    Args:
        name: the thing, in few words.
        detail: what was seen; of a failure also why.
        remedy: what to do; empty unless it failed or is off.
    """

    name: str
    status: Status
    detail: str
    remedy: str = ""


def ok(name: str, detail: str) -> Finding:
    """Return that a thing is as it should be."""
    return Finding(name, "ok", detail)


def failed(name: str, detail: str, remedy: str) -> Finding:
    """Return that a thing is not as it should be."""
    return Finding(name, "failed", detail, remedy)


def off(name: str, detail: str, remedy: str = "") -> Finding:
    """Return that a thing is switched off."""
    return Finding(name, "off", detail, remedy)
