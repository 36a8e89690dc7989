"""A warning's text: its own name, and the warnings that it cancels or extends (W17).

Annex 3 of ICAO, tables A6-1 and A6-2, as Korean offices write them. The other warning is named by
kind, number and period; numbers start at 1 again every day::

    RKZA AD WRNG 6 VALID 280100/280200 CNL AD WRNG 5 271300/280200=
    RKZA AD WRNG 9 VALID 272200/280100 EXTENDED AD WRNG 7 271800/272200=

A text that cancels in other words is neither a cancellation nor a warning: it is doubtful.
"""

import re
import unicodedata
from collections.abc import Hashable, Iterable
from datetime import datetime, timedelta
from typing import Final, Generic, NamedTuple, TypeVar

MOST_NAMES: Final = 100
"""Most other warnings that the texts of an airport may name; no office issues more in a day."""

_NAME: Final = (
    r"(?P<kind>AD|WS)\s+(?:(?P<place>[A-Z][A-Z-]{0,19})\s+)?WRNG\s+(?P<number>\d{1,4})\b"
    r"(?:\s+\d{6}Z?\b(?!/))?"
    r"(?:(?:\s+VALID)?\s+(?:TL\s+|(?P<start>\d{6})Z?/)(?P<end>\d{6})Z?\b)?"
)
_OWN: Final = re.compile(rf"\b{_NAME}", re.ASCII)
_CANCEL_VERB: Final = r"CN?CL|CNL|CXL|CANCEL(?:S|L?ED|L?ING)?"
_OTHER: Final = re.compile(
    rf"(?:\b(?P<verb>{_CANCEL_VERB}|EXTENDED|EXTD|AND)|,)\s+{_NAME}", re.ASCII
)
_VALID: Final = re.compile(r"\bVALID\s+(?:TL\s+|(\d{6})Z?/)(\d{6})Z?\b", re.ASCII)
# The words anywhere, also within longer words: what may be a cancellation is not pushed.
_SAYS_CANCEL: Final = re.compile("CNL|CNCL|CXL|CANCEL|CANCL|취소|해제|해지")
# Annex 3: a warning is observed or forecast. What follows RMK is beside the point.
_OWN_CONTENT: Final = re.compile(r"\b(?:OBS|FCST|REP|RMK)\b", re.ASCII)
_END: Final = " \t\r\n=."
_SHORTEST_MONTH: Final = 28
_LONGEST_TEXT: Final = 20_000
# Numbers begin again every day: an unnamed period is not that of an older warning.
_LONGEST_AGO: Final = timedelta(hours=24)

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
        is_doubtful: whether it speaks of a cancellation in words that are not understood.
    """

    own: WarningName | None
    cancels: tuple[WarningName, ...] = ()
    extends: WarningName | None = None
    is_cancellation: bool = False
    is_doubtful: bool = False


class Cancellation(NamedTuple):
    """A cancelled warning, and the time of its cancellation, None if unknown."""

    name: WarningName
    issued: datetime | None


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

        A name without a period means the newest of its number, of a day at most. Empty if a name
        without a place fits both approach and climb-out.
        """
        found = [
            (key, own, issued)
            for key, own, issued in self._named.get((name.kind, name.number), ())
            if name.is_of(own) and (before is None or issued is None or issued <= before)
        ]
        if name.start is None and name.end is None:
            newest = max((issued for _, _, issued in found if issued), default=None)
            if newest is not None:
                is_old = before is not None and before - newest > _LONGEST_AGO
                found = [] if is_old else [each for each in found if each[2] == newest]
        places = {own.place for _, own, _ in found}
        return [key for key, _, _ in found] if len(places) == 1 else []


def plain(text: str) -> str:
    """Return the first 20,000 characters in upper case, wide letters and digits as plain ones."""
    return unicodedata.normalize("NFKC", text[:_LONGEST_TEXT]).upper()


def read_text(text: str) -> WarningText:
    """Parse a warning's text, in any case and width; missing parts are None or empty."""
    text = plain(text)
    found = _OWN.search(text)
    if found is None:
        return WarningText(None, is_doubtful=_says_cancel(text))
    own = _name(found)
    rest = text[found.end() :]
    if own.end is None and (valid := _VALID.search(rest)):
        own = own._replace(start=valid[1], end=valid[2])
        rest = rest[: valid.start()] + rest[valid.end() :]
    verb, cancels, extends, left, at = "", list[WarningName](), None, list[str](), 0
    for other in _OTHER.finditer(rest):
        verb = verb if other["verb"] in {None, "AND"} else other["verb"]
        if verb.startswith("C"):
            cancels.append(_name(other))
            left.append(rest[at : other.start()])
            at = other.end()
        elif verb and extends is None:
            extends = _name(other)
    left.append(rest[at:])
    says_more = "".join(left).strip(_END) != ""
    is_own = extends is not None or bool(_OWN_CONTENT.search(left[0]))
    return WarningText(
        own,
        tuple(cancels),
        extends,
        is_cancellation=bool(cancels) and not says_more,
        is_doubtful=(bool(cancels) and says_more and not is_own)
        or _says_cancel(text[: found.start()], *left),
    )


def may_cancel(kind: str, text: str) -> bool:
    """Return True if a row, by its type or text, may be a cancellation that is not understood."""
    return _says_cancel(plain(kind)) or read_text(text).is_doubtful


def _says_cancel(*texts: str) -> bool:
    return any(_SAYS_CANCEL.search(text) for text in texts)


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
