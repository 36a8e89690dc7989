"""One line of the doctor's: the thing examined, its status, and the remedy."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "failed", "off", "done before", "note"]
"""``off``: switched off by a parameter, so that nothing is wrong and nothing was examined.

`uring deploy` alone has ``done before``, and ``note``: not wrong, but a person should know.
"""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A part of a stack, and its status.

    Args:
        name: the part, in few words.
        detail: the observation; for a failure also the cause.
        remedy: the remedy; empty unless it failed, is off or is a note.
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


def note(name: str, detail: str, remedy: str = "") -> Diagnosis:
    """Return a finding that stops nothing, for a person."""
    return Diagnosis(name, "note", detail, remedy)


def done_before(name: str, detail: str) -> Diagnosis:
    """Return the finding of a step that an earlier run has done."""
    return Diagnosis(name, "done before", detail)
