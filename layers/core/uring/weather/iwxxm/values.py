"""IWXXM's single values: numbers with units, instants, codes, and the ways of having none.

An element that is not there, is empty, or has a nilReason is None here; whoever asks says which of
these means "missing". Errors name the field; `uring.weather.iwxxm.document` adds the airport.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from pydantic import ValidationError

from uring.fetch.xml import Element
from uring.weather.iwxxm.errors import PartRefused, sentence
from uring.weather.iwxxm.fields import Position, ReportStatus

_NUMBER: Final = re.compile(r"[+M-]?\d{1,9}(\.\d{0,9})?", re.ASCII)  # M05 is TAC's -5
_ISO: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?", re.ASCII
)
# Inside …AirTemperatureTime the Korean service writes TAC's DDhh, against the schema.
_DAY_HOUR: Final = re.compile(r"(\d\d)([01]\d|2[0-4])([0-5]\d)?Z?", re.ASCII)
_RUNWAY: Final = re.compile(r"[0-9A-Z]{1,8}", re.ASCII)
_KNOTS_PER_METRE_A_SECOND: Final = 3600 / 1852
NEAR: Final = 50
"""Elements within which an object has its time or designator: thousands may refer to one."""

SHOWN: Final = 60
"""Characters of a stranger's text in a message."""

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


@dataclass(frozen=True, slots=True)
class Reader:
    """The context in which one report's elements are read.

    Attributes:
        ids: elements of the whole document by ``gml:id``, which ``xlink:href="#…"`` refers to.
        anchor: the issue time, by which a day of the month is resolved.
        notes: what is odd in the report and not believed, a sentence each.
    """

    ids: Mapping[str, Element] = field(default_factory=dict)
    anchor: datetime | None = None
    notes: list[str] = field(default_factory=list)

    def believed(self, name: str, read: Callable[[], T], missing: list[str]) -> T | None:
        """Return what a part says; None, missing and noted where that cannot be so."""
        try:
            return read()
        except (PartRefused, ValidationError) as error:
            self.notes.append(f"{name}: {sentence(error)}")
            if name not in missing:
                missing.append(name)
            return None

    def content(self, part: Element | None) -> Element | None:
        """Return the object in a property: its first child, or what it refers to."""
        if part is None:
            return None
        href = part.attributes.get("href", "")
        return part.first_child or (self.ids.get(href[1:]) if href[:1] == "#" else None)

    def instant(self, part: Element | None, name: str) -> datetime | None:
        """Read the time that a property holds or refers to, UTC, whole seconds."""
        text = self._position(part, "timePosition")
        return None if text is None else instant(text, name, self.anchor)

    def period(self, part: Element | None, name: str) -> Period:
        """Read begin and end, both the same when the property holds an instant."""
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
        """Read the designator of a ``runway``, such as 07L.

        Raises:
            PartRefused: it has none.
        """
        runway = self.content(part)
        inner = None if runway is None else first(runway, "designator", NEAR)
        designator = "" if inner is None else inner.text.strip()
        if not _RUNWAY.fullmatch(designator):
            raise PartRefused("value", f"a runway is {designator[:SHOWN]!r}")
        return designator

    def _position(self, part: Element | None, name: str) -> str | None:
        time = self.content(part)
        position = None if time is None else first(time, name, NEAR)
        if time is None and name == "timePosition":
            position = part  # the time stands in the property itself
        return (position.text.strip() or None) if position is not None else None


@dataclass(frozen=True, slots=True)
class Head:
    """The part of a header that METAR and TAF have alike.

    Attributes:
        version: of IWXXM, None when the document does not say.
        status: by the names of IWXXM 3.
        old_status: as it stands, which in IWXXM 2 may be CANCELLATION or MISSING.
        raw: TAC on one line.
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
    reader: Reader


def child(part: Element | None, *names: str) -> Element | None:
    """Return the first child with one of these names."""
    if part is not None:
        for inner in part.children:
            if inner.name in names:
                return inner
    return None


def children(part: Element | None, *names: str) -> list[Element]:
    """Return the children with one of these names."""
    return [] if part is None else [inner for inner in part.children if inner.name in names]


def body(part: Element | None) -> Element | None:
    """Return a property's forecast or observation; in IWXXM 2 its OM_Observation has it."""
    inside = () if part is None else (part, *part.below)
    return next((it for it in inside if it.name.startswith("MeteorologicalAerodrome")), None)


def blank(part: Element) -> bool:
    """Return True when a body has neither values nor reasons for having none."""
    return not true(part, "cloudAndVisibilityOK") and not any(
        nil(inner) or "href" in inner.attributes or inner.text.strip()
        for group in part.children
        if group.name != "phenomenonTime"
        for inner in group.walk()
    )


def first(part: Element, name: str, within: int | None = None) -> Element | None:
    """Return the first with this name of it and all below it, or of the first so many of them."""
    if part.name == name:
        return part
    below = part.below if within is None else part.below[: within - 1]
    for inner in below:
        if inner.name == name:
            return inner
    return None


def last_segment(uri: str) -> str:
    """Return ``DZ`` of ``http://codes.wmo.int/306/4678/DZ``; a ``+`` stays one."""
    return uri.strip().rstrip("/").rpartition("/")[2].rpartition("#")[2]


def nil(part: Element | None) -> str | None:
    """Return why it has no value, such as ``missing``; None when it is absent or has one."""
    if part is None:
        return None
    reason = part.attributes.get("nilReason")
    if reason is not None:
        return last_segment(reason) or "unknown"
    return "unknown" if true(part, "nil") else None


def says_nil(head: Head, part: Element | None) -> bool:
    """Return True when a report, or its observation or base forecast, says that there is none."""
    # IWXXM 2 also says MISSING of what could not be translated.
    return not head.translation_failed and (
        head.old_status == "MISSING"
        or nil(part) is not None
        or (part is not None and nil(first(part, "result")) is not None)
    )


def true(part: Element | None, attribute: str) -> bool:
    """Return True when an xsd:boolean attribute is there and true."""
    return part is not None and part.attributes.get(attribute, "").strip() in {"true", "1"}


def code(part: Element | None) -> str | None:
    """Return the last segment of its ``xlink:href``."""
    if part is None or nil(part):
        return None
    return last_segment(part.attributes.get("href", "")) or None


def number(part: Element | None, units: dict[str, float]) -> float | None:
    """Read its number in the field's unit.

    Raises:
        PartRefused: it is no number, or has no unit or an unknown one: none is assumed.
    """
    if part is None or nil(part):
        return None
    text = part.text.strip()
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise PartRefused("value", f"{part.name} is {text[:SHOWN]!r}, not a number")
    unit = part.attributes.get("uom", "").strip()
    if unit not in units:
        raise PartRefused(
            "value", f"{part.name} has the unit {unit[:SHOWN]!r}, not {' or '.join(units)}"
        )
    return float(text.replace("M", "-")) * units[unit] + 0.0  # -0.0 becomes 0.0


def whole(part: Element | None, units: dict[str, float]) -> int | None:
    """Read its number, rounded half up."""
    value = number(part, units)
    return None if value is None else math.floor(value + 0.5)


def instant(text: str, name: str, anchor: datetime | None = None) -> datetime:
    """Parse an ISO 8601 time, UTC if it has no zone; or DDhh, DDhhmm near the anchor.

    Hour 24 is read.

    Raises:
        PartRefused: it is neither.
    """
    try:
        if iso := _ISO.fullmatch(text):
            day, hour, minute, second, zone = iso.groups()
            extra = timedelta(days=1) if (hour, minute) == ("24", "00") else timedelta()
            clock = f"{'00' if extra else hour}:{minute}:{second or '00'}"
            moment = datetime.fromisoformat(f"{day}T{clock}{zone or '+00:00'}")
            return (moment + extra).astimezone(UTC)
        if anchor and (short := _DAY_HOUR.fullmatch(text)):
            return _near(anchor, *(int(group or 0) for group in short.groups()))
    except (ValueError, OverflowError):
        pass
    raise PartRefused("time", f"its {name} is {text[:SHOWN]!r}, not such as 2026-01-22T10:00:00Z")


def _near(anchor: datetime, day: int, hour: int, minute: int) -> datetime:
    """Return the day of the anchor's month, or of one beside it, that is nearest to the anchor."""
    begin = anchor.replace(day=1, hour=0, minute=0, second=0)
    candidates = []
    for other in (begin - timedelta(days=1), begin, begin + timedelta(days=31)):
        try:
            candidates.append(
                other.replace(day=day, hour=0, minute=0) + timedelta(hours=hour, minutes=minute)
            )
        except ValueError:  # a month without such a day
            continue
    return min(candidates, key=lambda moment: abs(moment - anchor))  # ValueError without any
