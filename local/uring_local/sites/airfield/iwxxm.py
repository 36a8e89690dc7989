"""Reports as documents of IWXXM 2.1 to 2025-2.

IWXXM 2 puts times, aerodrome and values into an OM_Observation, and has BUFR's codes for clouds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any, Final
from xml.dom.expatbuilder import parseString
from xml.dom.minidom import Element, Text

from uring_local.sites.airfield.model import AIRPORTS, Cloud, Conditions, Group, Report

_SPACES: Final = (
    'xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:aixm="http://www.aixm.aero/schema/5.1.1" '
    'xmlns:om="http://www.opengis.net/om/2.0" xmlns:sf="http://www.opengis.net/sampling/2.0" '
    'xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
)
_STATUSES: Final = {"NIL": "NORMAL", "CANCEL": "AMENDMENT"}
_OLD_STATUSES: Final = {"NIL": "MISSING", "CANCEL": "CANCELLATION"}
_CODES: Final = "http://codes.wmo.int/"
# The codes of IWXXM 2 for clouds.
_BUFR: Final = {
    "FEW": "0-20-008/1",
    "SCT": "0-20-008/2",
    "BKN": "0-20-008/3",
    "OVC": "0-20-008/4",
    "CB": "0-20-012/9",
    "TCU": "0-20-012/32",
}
_INDICATORS: Final = {
    "BECMG": "BECOMING",
    "TEMPO": "TEMPORARY_FLUCTUATIONS",
    "FM": "FROM",
    "PROB30": "PROBABILITY_30",
    "PROB40": "PROBABILITY_40",
    "PROB30_TEMPO": "PROBABILITY_30_TEMPORARY_FLUCTUATIONS",
    "PROB40_TEMPO": "PROBABILITY_40_TEMPORARY_FLUCTUATIONS",
}
_FULL_SIGHT: Final = 10_000
_NONE: Final = "nothingOfOperationalSignificance"


@dataclass(frozen=True)
class Document:
    """XML without a declaration; between its elements is nothing."""

    xml: str

    def spaced(self, between: str) -> str:
        """Return the XML with a text before and after each element inside the root."""
        return self.xml.replace("><", f">{between}<")

    def plain(self, mark: str, text: str) -> dict[str, Any]:
        """Return the JSON that XML converters write.

        Args:
            mark: the text before an attribute's name.
            text: the name of an element's text, where it has attributes too.
        """
        # Without namespaces: a bulletin declares gml only inside the report.
        root: Any = parseString(self.xml, namespaces=False).documentElement  # noqa: S316 - our own
        return {root.tagName: _plain(root, mark, text)}


class Writer:
    """A writer of documents in one generation of IWXXM, as one service writes it.

    Args:
        version: the claimed IWXXM version; one beginning with ``2.`` is written the old way.
        ids: for the ids, which differ between documents with the same content.
        usage: ``permissibleUsage``, and its reason in the attribute's own form.
    """

    def __init__(self, version: str, ids: Random, usage: str = "OPERATIONAL") -> None:
        self._version = version
        self._old = version.startswith("2.")
        # The Korean service pads its numbers, and writes the times of extremes as in TAC.
        self._korean = version in {"2.1", "2023-1"}
        self._ids = ids
        self._usage = usage

    def document(self, report: Report) -> Document:
        """Return a report's document."""
        more, parts = self._taf(report) if report.kind == "TAF" else self._metar(report)
        space = f"http://icao.int/iwxxm/{self._version}"
        statuses = _OLD_STATUSES if self._old else _STATUSES
        usage, _, reason = self._usage.partition(" ")
        attributes = (
            f'xmlns:iwxxm="{space}" {_SPACES} '
            f'xsi:schemaLocation="{space} http://schemas.wmo.int/iwxxm/{self._version}/iwxxm.xsd" '
            f"{self._id()} {'status' if self._old else 'reportStatus'}="
            f'"{statuses.get(report.status, report.status)}" permissibleUsage="{usage}"{more}'
        )
        if reason:
            attributes += f' permissibleUsageReason="{reason}"'
        if report.iwxxm_version == "2.1":
            # The TAC line of a portal document, here only its beginning.
            line = f"{report.kind} {report.icao} {report.time:%d%H%MZ}="
            parts += _tag("extension", f"<msgText>{line}</msgText>")
        return Document(_tag(report.kind, parts, attributes))

    def in_bulletin(self, document: Document) -> Document:
        """Return a document inside a bulletin, as collectives are sent."""
        name = f"A_LXKR31_{self._ids.randrange(10**9)}.xml"
        inside = _tag("collect:meteorologicalInformation", document.xml)
        space = f'xmlns:collect="http://def.wmo.int/collect/2014" {self._id()}'
        parts = inside + _tag("collect:bulletinIdentifier", name)
        return Document(_tag("collect:MeteorologicalBulletin", parts, space))

    def _metar(self, report: Report) -> tuple[str, str]:
        """Return further attributes of the root, and its elements."""
        more = f' automatedStation="{_bool(report.automated)}"'
        values = "" if report.status == "NIL" else self._observation(report)
        issue, observed = self._instant(report.issued), self._instant(report.time)
        if self._old:
            return more, self._om("observation", report, observed, issue, values)
        return more, (
            _tag("issueTime", issue)
            + _tag("aerodrome", self._aerodrome(report.icao))
            + _tag("observationTime", observed)
            + _values("observation", values)
        )

    def _taf(self, report: Report) -> tuple[str, str]:
        """Return further attributes of the root, and its elements."""
        issue = self._instant(report.issued)
        head = _tag("issueTime", issue)
        if not self._old:
            head += _tag("aerodrome", self._aerodrome(report.icao))
        period = self._period(report.valid_start, report.valid_end) if report.valid_start else ""
        if report.status == "CANCEL" and not self._old:
            return ' isCancelReport="true"', head + _tag("cancelledReportValidPeriod", period)
        if report.status == "CANCEL":
            return "", (
                head
                + _tag("validTime", self._period(report.issued, report.valid_end))
                + _tag("previousReportAerodrome", self._aerodrome(report.icao))
                + _tag("previousReportValidPeriod", period)
            )
        if period:
            head += _tag("validTime" if self._old else "validPeriod", period)
        base = "" if report.status == "NIL" else self._base(report)
        if not self._old:
            groups = "".join(_tag("changeForecast", self._group(each)) for each in report.groups)
            return "", head + _values("baseForecast", base) + groups
        made = _reference(issue)
        head += self._om("baseForecast", report, _reference(period or issue), made, base)
        for group in report.groups:
            when = self._period(group.start, group.end)
            head += self._om("changeForecast", report, when, made, self._group(group))
        return "", head

    def _om(self, name: str, report: Report, when: str, made: str, values: str) -> str:
        """Return IWXXM 2's OM_Observation around values; its times are elements or references."""
        sampled = _tag("sf:sampledFeature", self._aerodrome(report.icao))
        parts = "".join(
            _tag(time_name, "", f'xlink:href="{time}"') if time[0] == "#" else _tag(time_name, time)
            for time_name, time in (("om:phenomenonTime", when), ("om:resultTime", made))
        )
        parts += _tag("om:featureOfInterest", sampled) + _values("om:result", values)
        return _tag(name, _tag("om:OM_Observation", parts, self._id()))

    def _observation(self, report: Report) -> str:
        sight = self._visibility(report.visibility)
        parts = (
            self._number("airTemperature", report.air, 2, "Cel")
            + self._number("dewpointTemperature", report.dewpoint, 2, "Cel")
            + self._number("qnh", report.qnh, 4, "hPa")
            + self._wind(report, "AerodromeSurfaceWind")
            + (sight and _tag("visibility", _tag("AerodromeHorizontalVisibility", sight)))
            + "".join(self._rvr(runway, mean) for runway, mean in report.rvr)
            + ("" if report.weather is not None else _nil("presentWeather", "notObservable"))
            + _weather("presentWeather", report.weather)
            + self._clouds(report, f"Aerodrome{'ObservedClouds' if self._old else 'Cloud'}")
        )
        return self._conditions("Observation", report, parts)

    def _base(self, report: Report) -> str:
        """Return the base forecast with the extreme temperatures of the whole period."""
        parts = (
            self._visibility(report.visibility)
            + self._wind(report)
            + _weather("weather", report.weather)
        )
        parts += self._clouds(report) + self._extremes(report)
        return self._conditions("Forecast", report, parts)

    def _group(self, group: Group) -> str:
        """Return a change group; values that it does not mention are left out."""
        parts = "" if self._old else _tag("phenomenonTime", self._period(group.start, group.end))
        parts += self._visibility(group.visibility) + self._wind(group)
        if group.weather == ():
            parts += _nil("weather", _NONE)
        parts += _weather("weather", group.weather)
        if group.clouds is not None:
            parts += self._clouds(group)
        change = f'changeIndicator="{_INDICATORS[group.type]}" '
        return self._conditions("Forecast", group, parts, change)

    def _conditions(self, name: str, values: Conditions, parts: str, more: str = "") -> str:
        attributes = f'{self._id()} {more}cloudAndVisibilityOK="{_bool(values.cavok)}"'
        name = f"MeteorologicalAerodrome{name}{'Record' if self._old else ''}"
        return _tag(name, parts, attributes)

    def _extremes(self, report: Report) -> str:
        """Return TX and TN in pairs; the shorter list repeats its last value."""
        kinds = (("maximum", "TX"), ("minimum", "TN"))
        extremes = {
            f"{name}AirTemperature": [each for each in report.temperatures if each[0] == kind]
            for name, kind in kinds
        }
        elements = ""
        for number in range(max(map(len, extremes.values()))):
            parts = ""
            for name, of_kind in extremes.items():
                if of_kind:
                    _, value, when = of_kind[min(number, len(of_kind) - 1)]
                    time = f"{when:%d%H}" if self._korean else self._instant(when)
                    parts += self._number(name, value, 2, "Cel") + _tag(f"{name}Time", time)
            elements += _tag("temperature", _tag("AerodromeAirTemperatureForecast", parts))
        return elements

    def _wind(self, values: Conditions, name: str = "AerodromeSurfaceWindForecast") -> str:
        parts = (
            self._number("meanWindDirection", values.wind_direction, 3, "deg")
            + self._number("meanWindSpeed", values.wind_speed, 2, "[kn_i]")
            + self._number("windGustSpeed", values.gust, 2, "[kn_i]")
        )
        variable = f'variableWindDirection="{_bool(values.variable)}"'
        return parts and _tag("surfaceWind", _tag(name, parts, variable))

    def _visibility(self, metres: int | None) -> str:
        above = metres == _FULL_SIGHT and not self._korean
        operator = _tag("prevailingVisibilityOperator", "ABOVE") if above else ""
        return (
            ""
            if metres is None
            else _tag("prevailingVisibility", str(metres), 'uom="m"') + operator
        )

    def _rvr(self, runway: str, mean: int) -> str:
        designator = _tag("aixm:designator", runway)
        parts = _tag("runway", self._feature("RunwayDirection", designator))
        parts += self._number("meanRVR", mean, 4, "m")
        return _tag("rvr", _tag("AerodromeRunwayVisualRange", parts, 'pastTendency="NO_CHANGE"'))

    def _clouds(self, values: Conditions, name: str = "AerodromeCloudForecast") -> str:
        if values.cavok:
            return ""
        inner = self._number("verticalVisibility", values.vertical_visibility, 3, "[ft_i]")
        inner = inner or "".join(self._layer(cloud) for cloud in values.clouds or ())
        if not inner:
            is_ncd = isinstance(values, Report) and values.ncd
            return _nil("cloud", "notDetectedByAutoSystem" if is_ncd else _NONE)
        return _tag("cloud", _tag(name, inner, self._id()))

    def _layer(self, cloud: Cloud) -> str:
        amount, base, kind = cloud
        parts = self._cloud_code("amount", f"CloudAmountReportedAtAerodrome/{amount}")
        parts += _tag("base", str(base), 'uom="[ft_i]"')
        if kind:
            parts += self._cloud_code("cloudType", f"SigConvectiveCloudType/{kind}")
        return _tag("layer", _tag("CloudLayer", parts))

    def _cloud_code(self, name: str, path: str) -> str:
        old = f"bufr4/codeflag/{_BUFR[path.rpartition('/')[2]]}"
        return _link(name, old if self._old else f"49-2/{path}")

    def _aerodrome(self, icao: str) -> str:
        values = {
            "interpretation": "SNAPSHOT",
            "designator": icao,
            "name": AIRPORTS[icao].name,
            "locationIndicatorICAO": icao,
        }
        inside = "".join(_tag(f"aixm:{name}", text) for name, text in values.items())
        return self._feature("AirportHeliport", inside)

    def _feature(self, name: str, inside: str) -> str:
        """Return a feature of AIXM with one time slice."""
        piece = _tag(f"aixm:{name}TimeSlice", inside, self._id())
        return _tag(f"aixm:{name}", _tag("aixm:timeSlice", piece), self._id())

    def _instant(self, moment: datetime) -> str:
        time = _tag("gml:timePosition", _iso(moment))
        return _tag("gml:TimeInstant", time, self._id())

    def _period(self, start: datetime | None, end: datetime | None) -> str:
        ends = _tag("gml:beginPosition", _iso(start)) + _tag("gml:endPosition", _iso(end))
        return _tag("gml:TimePeriod", ends, self._id())

    def _id(self) -> str:
        """Return an id attribute that is unique to one element."""
        return f'gml:id="uuid.{self._ids.getrandbits(128):032x}"'

    def _number(self, name: str, value: int | None, width: int, unit: str) -> str:
        """Return a number's element, empty for None; the Korean service pads it to the width."""
        if value is None:
            return ""
        width += value < 0  # the sign
        return _tag(name, f"{value:0{width}d}" if self._korean else f"{value}", f'uom="{unit}"')


def _tag(name: str, inner: str, attributes: str = "") -> str:
    """Return an element; a name without a prefix is IWXXM's."""
    name = name if ":" in name else f"iwxxm:{name}"
    start = f"{name} {attributes}".rstrip()
    return f"<{start}>{inner}</{name}>" if inner else f"<{start}/>"


def _values(name: str, values: str) -> str:
    return _tag(name, values) if values else _nil(name, "missing")


def _nil(name: str, why: str) -> str:
    """Return an element that gives the reason for a missing value."""
    return _tag(name, "", f'nilReason="{_CODES}common/nil/{why}"')


def _link(name: str, code: str) -> str:
    return _tag(name, "", f'xlink:href="{_CODES}{code}"')


def _weather(name: str, codes: Iterable[str] | None) -> str:
    """Return an element for each code of WMO table 4678."""
    return "".join(_link(name, f"306/4678/{code}") for code in codes or ())


def _reference(element: str) -> str:
    """Return a reference to another element of the document; the element needs an id."""
    return "#" + element.partition('gml:id="')[2].partition('"')[0]


def _bool(value: bool) -> str:  # noqa: FBT001 - as XML writes it
    return str(value).lower()


def _iso(moment: datetime | None) -> str:
    """Return a UTC time as documents write it: ``2026-03-02T00:30:00Z``."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _plain(element: Element, mark: str, text: str) -> Any:
    """Return the JSON value of an element, its own name left out."""
    members: dict[str, Any] = {mark + name: value for name, value in element.attributes.items()}
    children = [child for child in element.childNodes if isinstance(child, Element)]
    if not children:
        content = "".join(each.data for each in element.childNodes if isinstance(each, Text))
        return {**members, text: content} if members else content
    for child in children:
        value = _plain(child, mark, text)
        if child.tagName not in members:
            members[child.tagName] = value
        elif isinstance(members[child.tagName], list):
            members[child.tagName].append(value)
        else:
            members[child.tagName] = [members[child.tagName], value]
    return members
