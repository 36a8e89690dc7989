"""A warning's text: its own name, and the warning that it cancels or extends (W17).

Annex 3 of ICAO, tables A6-1 and A6-2, as Korean offices write them. The cancelled or extended
warning is named by kind, number and period; numbers begin anew every day::

    RKZA AD WRNG 6 VALID 280100/280200 CNL AD WRNG 5 271300/280200=
    RKZA AD WRNG 9 VALID 272200/280100 EXTENDED AD WRNG 7 271800/272200=
"""

import re
from typing import Final, Literal, NamedTuple

_WARNING: Final = (
    r"(?P<kind>AD|WS)\s+(?:(?P<place>[A-Z][A-Z-]{0,19})\s+)?WRNG\s+(?P<number>\d{1,4})"
)
_OWN: Final = re.compile(rf"\b{_WARNING}\b", re.ASCII)
_VALID: Final = re.compile(r"\bVALID\s+(\d{6})/(\d{6})\b", re.ASCII)
_OTHER: Final = re.compile(
    rf"\b(?P<verb>CNL|CANCELL?ED|EXTENDED|EXTD)\s+{_WARNING}\b(?:\s+(?P<start>\d{{6}})/(?P<end>\d{{6}})\b)?",
    re.ASCII,
)
_MIDNIGHTS: Final = {"0000", "2400"}

Effect = Literal["cancels", "extends"]


class Name(NamedTuple):
    """A warning's name; ``start`` and ``end`` are ddhhmm, None where they are not told."""

    kind: str
    place: str | None
    number: int
    start: str | None
    end: str | None

    def is_of(self, text: str) -> bool:
        """Return True when this is the name of the warning with that text."""
        own = _own(text)
        return (
            own is not None
            and (self.kind, self.number) == (own.kind, own.number)
            and self.place in {None, own.place}
            and _same(self.start, own.start)
            and _same(self.end, own.end)
        )


def _own(text: str) -> Name | None:
    found, valid = _OWN.search(text), _VALID.search(text)
    if found is None:
        return None
    start, end = valid.groups() if valid else (None, None)
    return Name(found["kind"], found["place"], int(found["number"]), start, end)


def cancelled_by(text: str) -> Name | None:
    """Return the name of the warning that a text cancels; such a text is no warning itself."""
    return _other(text, "cancels")


def extended_by(text: str) -> Name | None:
    """Return the name of the warning that a text extends."""
    return _other(text, "extends")


def _other(text: str, effect: Effect) -> Name | None:
    found = _OTHER.search(text)
    if found is None or (effect == "cancels") != found["verb"].startswith("C"):
        return None
    number = int(found["number"])
    return Name(found["kind"], found["place"], number, found["start"], found["end"])


def _same(one: str | None, other: str | None) -> bool:
    """Return True for equal times, for 272400 and 280000, and where one is not told."""
    if one is None or other is None or one == other:
        return True
    return {one[2:], other[2:]} == _MIDNIGHTS
