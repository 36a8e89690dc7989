"""Single values of IWXXM: numbers with units, instants, codes, and their missing forms.

An element that is absent, is empty, or has a nilReason is None here; the caller decides if this
means "missing". Errors name the field; `uring.weather.iwxxm.document` adds the airport.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from pydantic import ValidationError

from uring.weather.iwxxm.errors import PartRefused, sentence
from uring.weather.iwxxm.fields import Position, ReportStatus
from uring.weather.iwxxm.tree import Element, text_of

_NUMBER: Final = re.compile(r"[+M-]?\d{1,9}(\.\d{0,9})?", re.ASCII)  # M05 is TAC's -5
# The longest number or time that is cached; longer ones are malformed or odd.
_SHORT: Final = 32
_ISO: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?", re.ASCII
)
# In …AirTemperatureTime the Korean service writes TAC's DDhh, against the schema.
_DAY_HOUR: Final = re.compile(r"(\d\d)([01]\d|2[0-4])([0-5]\d)?Z?", re.ASCII)
_TRUE: Final = frozenset({"true", "1"})
_RUNWAY: Final = re.compile(r"[0-9A-Z]{1,8}", re.ASCII)
_KNOTS_PER_METRE_A_SECOND: Final = 3600 / 1852
NEAR: Final = 50
"""The number of elements searched for an object's time or designator: thousands may refer to it."""

SHOWN: Final = 60
"""The number of characters of foreign text in a message."""

KNOTS: Final = {
    "[kn_i]": 1.0,
    "kt": 1.0,
    "m/s": _KNOTS_PER_METRE_A_SECOND,
    "km/h": 1 / 1.852,
}
METRES: Final = {"m": 1.0, "km": 1000.0}
FEET: Final = {"[ft_i]": 1.0, "ft": 1.0, "m": 1 / 0.3048}
DEGREES: Final = {"deg": 1.0}
CELSIUS: Final = {"Cel": 1.0, "degC": 1.0}
HECTOPASCALS: Final = {"hPa": 1.0}


T = TypeVar("T")
Period = tuple[datetime | None, datetime | None]


class Ids:
    """Elements of a document by ``gml:id``, which ``xlink:href="#…"`` refers to.

    Args:
        document: the document with the references; searched at the first look-up.
    """

    __slots__ = ("_document", "_parts")

    def __init__(self, document: Element) -> None:
        self._document = document
        self._parts: dict[str, Element] | None = None

    def get(self, href: str) -> Element | None:
        """Return the element that ``#…`` refers to, or None."""
        if href[:1] != "#":
            return None
        if self._parts is None:
            parts = self._document.iter()
            self._parts = {part.attrib["id"]: part for part in parts if "id" in part.attrib}
        return self._parts.get(href[1:])


NO_IDS: Final = Ids(Element(""))


@dataclass(slots=True)
class ReportReader:
    """The context for parsing one report's elements.

    Attributes:
        ids: the elements of the whole document.
        anchor: the issue time, which resolves a day of the month.
        notes: unbelieved parts of the report, a sentence each.
    """

    ids: Ids = NO_IDS
    anchor: datetime | None = None
    notes: list[str] = field(default_factory=list)

    def believed(self, name: str, read: Callable[[], T], missing: list[str]) -> T | None:
        """Return the value of a part; None if impossible, which is noted and missing."""
        try:
            return read()
        except (PartRefused, ValidationError) as error:
            self.notes.append(f"{name}: {sentence(error)}")
            if name not in missing:
                missing.append(name)
            return None

    def content(self, part: Element | None) -> Element | None:
        """Return the object in a property: its first child, or the element it refers to."""
        if part is None:
            return None
        return part[0] if len(part) else self.ids.get(part.attrib.get("href", ""))

    def instant(self, part: Element | None, name: str) -> datetime | None:
        """Parse the time in a property or in its reference, UTC, whole seconds."""
        text = self._position(part, "timePosition")
        return None if text is None else instant(text, name, self.anchor)

    def period(self, part: Element | None, name: str) -> Period:
        """Parse begin and end; an instant gives the same time twice."""
        begin = self._position(part, "beginPosition")
        end = self._position(part, "endPosition")
        if begin is None and end is None:
            moment = self.instant(part, name)
            return moment, moment
        start = instant(begin, name, self.anchor) if begin else None
        stop = instant(end, name, self.anchor) if end else None
        if start and stop and stop < start:
            raise PartRefused("time", f"its {name} ends ({end}) before it begins ({begin})")
        return start, stop

    def runway(self, part: Element | None) -> str:
        """Parse the designator of a ``runway``, such as 07L.

        Raises:
            PartRefused: the runway has none.
        """
        runway = self.content(part)
        inner = None if runway is None else first(runway, "designator", NEAR)
        designator = "" if inner is None else text_of(inner).strip()
        if not _RUNWAY.fullmatch(designator):
            raise PartRefused("value", f"a runway is {designator[:SHOWN]!r}")
        return designator

    def _position(self, part: Element | None, name: str) -> str | None:
        time = self.content(part)
        position = None if time is None else first(time, name, NEAR)
        if time is None and name == "timePosition":
            position = part  # the time is in the property itself
        return None if position is None else text_of(position).strip() or None


class ReportHead(NamedTuple):
    """The part of the header that METAR and TAF share.

    Attributes:
        version: of IWXXM, None if the document names none.
        status: by the names of IWXXM 3.
        old_status: the original status, which in IWXXM 2 may be CANCELLATION or MISSING.
        raw: the TAC on one line.
    """

    icao: str
    airport_name: str | None
    position: Position | None
    version: str | None
    status: ReportStatus
    old_status: str
    translation_failed: bool
    raw: str | None
    issued: datetime | None
    reader: ReportReader


def child(part: Element | None, name: str, other: str = "") -> Element | None:
    """Return the first child with this name, or with either name."""
    if part is None:
        return None
    if not other:
        return part.find(name)
    return next((inner for inner in part if inner.tag in {name, other}), None)


def children(part: Element | None, name: str, other: str = "") -> list[Element]:
    """Return the children with this name, or with either name."""
    if part is None:
        return []
    if not other:
        return part.findall(name)
    return [inner for inner in part if inner.tag in {name, other}]


def body(part: Element | None) -> Element | None:
    """Return a property's forecast or observation; in IWXXM 2 it is in the OM_Observation."""
    inside = () if part is None else part.iter()
    return next((it for it in inside if it.tag.startswith("MeteorologicalAerodrome")), None)


def blank(part: Element) -> bool:
    """Return True when a body has neither values nor nil reasons."""
    return not true(part, "cloudAndVisibilityOK") and not any(
        nil(inner) or "href" in inner.attrib or text_of(inner).strip()
        for group in part
        if group.tag != "phenomenonTime"
        for inner in group.iter()
    )


def first(part: Element, name: str, within: int | None = None) -> Element | None:
    """Return the first element of this name in a part, or in its first ``within`` elements."""
    if within is None:
        return next(part.iter(name), None)
    for inner in islice(part.iter(), within):
        if inner.tag == name:
            return inner
    return None


def last_segment(uri: str) -> str:
    """Return ``DZ`` of ``http://codes.wmo.int/306/4678/DZ``; a ``+`` stays one."""
    return uri.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2]


def nil(part: Element | None) -> str | None:
    """Return the nil reason, such as ``missing``; None when the part is absent or has a value."""
    if part is None:
        return None
    reason = part.get("nilReason")
    if reason is not None:
        return last_segment(reason) or "unknown"
    return "unknown" if true(part, "nil") else None


def says_nil(head: ReportHead, part: Element | None) -> bool:
    """Return True when a report, or its observation or base forecast, is NIL."""
    # IWXXM 2 also has MISSING for reports that could not be translated.
    return not head.translation_failed and (
        head.old_status == "MISSING"
        or nil(part) is not None
        or (part is not None and nil(first(part, "result")) is not None)
    )


def true(part: Element | None, attribute: str) -> bool:
    """Return True when an xsd:boolean attribute exists and is true."""
    said = None if part is None else part.get(attribute)
    return said is not None and said.strip() in _TRUE


def code(part: Element | None) -> str | None:
    """Return the last segment of the ``xlink:href``, or None."""
    if part is None or nil(part):
        return None
    return last_segment(part.get("href", "")) or None


def number(part: Element | None, units: dict[str, float]) -> float | None:
    """Parse the number of a part in the field's unit; None if empty or nil.

    Raises:
        PartRefused: it is not a number, or has no unit or an unknown one: none is assumed.
    """
    if part is None:
        return None
    text = text_of(part).strip()
    if not text or nil(part):
        return None
    value = _number(text) if len(text) < _SHORT else None
    if value is None:
        raise PartRefused("value", f"{part.tag} is {text[:SHOWN]!r}, not a number")
    factor = units.get(unit := part.get("uom", "").strip())
    if factor is None:
        raise PartRefused(
            "value", f"{part.tag} has the unit {unit[:SHOWN]!r}, not {' or '.join(units)}"
        )
    return value * factor + 0.0  # -0.0 becomes 0.0


# The reports of an hour share most of their numbers.
@lru_cache(maxsize=1024)
def _number(text: str) -> float | None:
    return float(text.replace("M", "-")) if _NUMBER.fullmatch(text) else None


def whole(part: Element | None, units: dict[str, float]) -> int | None:
    """Parse the number of a part, rounded half up."""
    return rounded(number(part, units))


def rounded(value: float | None) -> int | None:
    """Return a number rounded half up; None stays None."""
    return None if value is None else math.floor(value + 0.5)


def instant(text: str, name: str, anchor: datetime | None = None) -> datetime:
    """Parse an ISO 8601 time, UTC if it has no zone; or DDhh, DDhhmm near the anchor.

    Hour 24 is accepted.

    Raises:
        PartRefused: the text is in neither form.
    """
    try:
        iso = _iso(text) if len(text) < _SHORT else _iso.__wrapped__(text)
        if iso is not None:
            return iso
        if anchor and (short := _DAY_HOUR.fullmatch(text)):
            return near(anchor, *(int(group or 0) for group in short.groups()))
    except (ValueError, OverflowError):
        pass
    raise PartRefused("time", f"its {name} is {text[:SHOWN]!r}, not such as 2026-01-22T10:00:00Z")


# Times of one hour repeat.
@lru_cache(maxsize=256)
def _iso(text: str) -> datetime | None:
    """Parse an ISO 8601 time; None for another form.

    Raises:
        ValueError: the time does not exist; also raised as OverflowError.
    """
    iso = _ISO.fullmatch(text)
    if iso is None:
        return None
    day, hour, minute, second, zone = iso.groups()
    extra = timedelta(days=1) if (hour, minute) == ("24", "00") else timedelta()
    clock = f"{'00' if extra else hour}:{minute}:{second or '00'}"
    moment = datetime.fromisoformat(f"{day}T{clock}{zone or '+00:00'}")
    return (moment + extra).astimezone(UTC)


def near(anchor: datetime, day: int, hour: int, minute: int) -> datetime:
    """Return the time nearest to the anchor, in its month or one beside it.

    Raises:
        ValueError: none of these months has the day.
    """
    begin = anchor.replace(day=1, hour=0, minute=0, second=0)
    candidates = []
    for other in (begin - timedelta(days=1), begin, begin + timedelta(days=31)):
        try:
            candidates.append(
                other.replace(day=day, hour=0, minute=0) + timedelta(hours=hour, minutes=minute)
            )
        except ValueError:  # a month without this day
            continue
    return min(candidates, key=lambda moment: abs(moment - anchor))
