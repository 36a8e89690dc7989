"""A warning's text: its own name, and the warnings that it cancels or extends (W17).

Annex 3 of ICAO, tables A6-1 and A6-2, as Korean offices write them. The other warning is named by
kind, number and period; numbers start at 1 again every day::

    RKZA AD WRNG 6 VALID 280100/280200 CNL AD WRNG 5 271300/280200=
    RKZA AD WRNG 9 VALID 272200/280100 EXTENDED AD WRNG 7 271800/272200=
"""

import re
from collections.abc import Hashable, Iterable
from datetime import datetime
from typing import Final, Generic, NamedTuple, TypeVar

MOST_NAMES: Final = 100
"""Most other warnings that the texts of an airport may name; no office issues more in a day."""

_NAME: Final = (
    r"(?P<kind>AD|WS)\s+(?:(?P<place>[A-Z][A-Z-]{0,19})\s+)?WRNG\s+(?P<number>\d{1,4})\b"
    r"(?:\s+\d{6}Z?\b(?!/))?"
    r"(?:(?:\s+VALID)?\s+(?P<start>\d{6})Z?/(?P<end>\d{6})Z?\b)?"
)
_OWN: Final = re.compile(rf"\b{_NAME}", re.ASCII)
_OTHER: Final = re.compile(
    rf"(?:\b(?P<verb>CNL|CANCELL?ED|EXTENDED|EXTD|AND)|,)\s+{_NAME}", re.ASCII
)
_VALID: Final = re.compile(r"\bVALID\s+(\d{6})Z?/(\d{6})Z?\b", re.ASCII)
_END: Final = " \t\r\n=."
_SHORTEST_MONTH: Final = 28

K = TypeVar("K", bound=Hashable)


class WarningName(NamedTuple):
    """A warning's name; ``start`` and ``end`` are ddhhmm, None where the text lacks them."""

    kind: str
    place: str | None
    number: int
    start: str | None
    end: str | None

    def is_of(self, own: "WarningName") -> bool:
        """Return True when this may be the warning that calls itself ``own``."""
        return (
            (self.kind, self.number) == (own.kind, own.number)
            and self.place in {None, own.place}
            and _same(self.start, own.start)
            and _same(self.end, own.end)
        )


class WarningText(NamedTuple):
    """The content of a warning's text.

    Attributes:
        own: its own name, None without one.
        cancels: the warnings that it cancels.
        extends: the warning that it continues.
        is_cancellation: whether it only cancels, so that it is not itself a warning.
    """

    own: WarningName | None
    cancels: tuple[WarningName, ...] = ()
    extends: WarningName | None = None
    is_cancellation: bool = False


class Cancellation(NamedTuple):
    """A cancelled warning, and the time of its cancellation."""

    name: WarningName
    issued: datetime


class KnownWarnings(Generic[K]):
    """Warnings by the names in their texts.

    Args:
        warnings: each with its key, its text and its time of issue, None if unknown.
    """

    def __init__(self, warnings: Iterable[tuple[K, str, datetime | None]]) -> None:
        self._named: dict[tuple[str, int], list[tuple[K, WarningName, datetime | None]]] = {}
        for key, text, issued in warnings:
            own = read_text(text).own
            if own is not None:
                self._named.setdefault((own.kind, own.number), []).append((key, own, issued))

    def called(self, name: WarningName, before: datetime | None = None) -> list[K]:
        """Return the warnings that a name may mean, issued no later than ``before``.

        Empty if a name without a place fits both approach and climb-out.
        """
        found = [
            (key, own)
            for key, own, issued in self._named.get((name.kind, name.number), ())
            if name.is_of(own) and (before is None or issued is None or issued <= before)
        ]
        places = {own.place for _, own in found}
        return [key for key, _ in found] if len(places) == 1 else []


def read_text(text: str) -> WarningText:
    """Parse a warning's text; missing parts are None or empty."""
    found = _OWN.search(text)
    if found is None:
        return WarningText(None)
    own = _name(found)
    rest = text[found.end() :]
    if own.start is None and (valid := _VALID.search(rest)):
        own = own._replace(start=valid[1], end=valid[2])
        rest = rest[: valid.start()] + rest[valid.end() :]
    verb, cancels, extends, left, at = "", list[WarningName](), None, "", 0
    for other in _OTHER.finditer(rest):
        verb = verb if other["verb"] in {None, "AND"} else other["verb"]
        if verb.startswith("C"):
            cancels.append(_name(other))
            left += rest[at : other.start()]
            at = other.end()
        elif verb and extends is None:
            extends = _name(other)
    says_more = (left + rest[at:]).strip(_END) != ""
    return WarningText(own, tuple(cancels), extends, bool(cancels) and not says_more)


def _name(found: re.Match[str]) -> WarningName:
    number = int(found["number"])
    return WarningName(found["kind"], found["place"], number, found["start"], found["end"])


def _same(one: str | None, other: str | None) -> bool:
    """Return True for equal times, for 272400 and 280000, and where one is None."""
    if one is None or other is None or one == other:
        return True
    if {one[2:], other[2:]} != {"0000", "2400"}:
        return False
    last, first = (one, other) if one.endswith("2400") else (other, one)
    day, following = int(last[:2]), int(first[:2])
    return following == day + 1 or (following == 1 and day >= _SHORTEST_MONTH)
