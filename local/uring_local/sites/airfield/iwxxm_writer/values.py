"""The values of a report, from times and places to wind and cloud, in IWXXM's elements."""

from collections.abc import Iterable
from datetime import datetime
from random import Random
from typing import Final

from uring_local.sites.airfield.iwxxm_writer.nodes import Node
from uring_local.sites.airfield.model import AIRPORTS, Cloud, Conditions, Group, Report

_NIL: Final = "http://codes.wmo.int/common/nil/"
_WEATHER: Final = "http://codes.wmo.int/306/4678/"
_BUFR: Final = "http://codes.wmo.int/bufr4/codeflag/"
_AMOUNT: Final = "http://codes.wmo.int/49-2/CloudAmountReportedAtAerodrome/"
_CLOUD_TYPE: Final = "http://codes.wmo.int/49-2/SigConvectiveCloudType/"
_BUFR_AMOUNTS: Final = {"FEW": "1", "SCT": "2", "BKN": "3", "OVC": "4"}
_BUFR_TYPES: Final = {"CB": "9", "TCU": "32"}
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


class Values:
    """The values of reports in one generation of IWXXM, as one service writes it.

    Args:
        version: the claimed version; a version that begins with ``2.`` is written the old way.
        ids: for the ids, which differ between documents with the same content.
    """

    def __init__(self, version: str, ids: Random) -> None:
        self.version = version
        self.old = version.startswith("2.")
        # The Korean service pads its numbers, and writes the times of extremes as in TAC.
        self.korean = version in {"2.1", "2023-1"}
        self.ids = ids

    def id(self) -> dict[str, str]:
        """Return an id attribute that is unique to one element."""
        return {"gml:id": f"uuid.{self.ids.getrandbits(128):032x}"}

    def again(self, node: Node) -> str:
        """Return a reference to another element of the document; the element needs an id."""
        return f"#{node.attributes['gml:id']}"

    def instant(self, moment: datetime) -> Node:
        """Return the element of a point in time."""
        return Node("gml:TimeInstant", (Node("gml:timePosition", iso(moment)),), self.id())

    def period(self, start: datetime, end: datetime) -> Node:
        """Return the element of a period."""
        ends = (Node("gml:beginPosition", iso(start)), Node("gml:endPosition", iso(end)))
        return Node("gml:TimePeriod", ends, self.id())

    def aerodrome(self, icao: str) -> Node:
        """Return the element of an airport."""
        values = {
            "interpretation": "SNAPSHOT",
            "designator": icao,
            "name": AIRPORTS[icao].name,
            "locationIndicatorICAO": icao,
        }
        inside = tuple(Node(f"aixm:{name}", text) for name, text in values.items())
        piece = Node("aixm:AirportHeliportTimeSlice", inside, self.id())
        return Node("aixm:AirportHeliport", (Node("aixm:timeSlice", (piece,)),), self.id())

    def number(self, value: int | None, width: int) -> str:
        """Return a number as text; the Korean service pads it with zeros to the width.

        Raises:
            ValueError: the value is None; the scripts give every number of an observation.
        """
        if value is None:
            raise ValueError("a report lacks a number that its document needs")
        if not self.korean:
            return str(value)
        return f"{'-' if value < 0 else ''}{abs(value):0{width}d}"

    def observation(self, suffix: str, report: Report) -> Node:
        """Return the observation; the suffix completes the element's name in this generation."""
        parts = [
            iwxxm("airTemperature", self.number(report.air, 2), {"uom": "Cel"}),
            iwxxm("dewpointTemperature", self.number(report.dewpoint, 2), {"uom": "Cel"}),
            iwxxm("qnh", self.number(report.qnh, 4), {"uom": "hPa"}),
            self._wind(report, "AerodromeSurfaceWind"),
        ]
        if report.visibility is not None:
            wrapped = tuple(self._visibility(report.visibility))
            inner = iwxxm("AerodromeHorizontalVisibility", wrapped)
            parts.append(iwxxm("visibility", (inner,)))
        parts += [self._rvr(runway, mean) for runway, mean in report.rvr]
        if report.weather is None:
            parts.append(iwxxm("presentWeather", "", nil("notObservable")))
        parts += weather_codes("presentWeather", report.weather or ())
        clouds = "AerodromeObservedClouds" if self.old else "AerodromeCloud"
        parts += self._clouds(report, clouds, ncd=report.ncd)
        attributes = {**self.id(), "cloudAndVisibilityOK": str(report.cavok).lower()}
        return iwxxm(f"MeteorologicalAerodrome{suffix}", tuple(parts), attributes)

    def forecast(self, report: Report) -> Node:
        """Return the base forecast with the extreme temperatures of the whole period."""
        parts = self._forecast_parts(report)
        parts += weather_codes("weather", report.weather or ())
        parts += self._clouds(report, "AerodromeCloudForecast")
        parts += self._extremes(report)
        attributes = {**self.id(), "cloudAndVisibilityOK": str(report.cavok).lower()}
        return iwxxm(self._forecast_name, tuple(parts), attributes)

    def group(self, group: Group) -> Node:
        """Return a change group; values that it does not mention are left out."""
        parts = (
            [] if self.old else [iwxxm("phenomenonTime", (self.period(group.start, group.end),))]
        )
        parts += self._forecast_parts(group)
        if group.weather == ():
            parts.append(iwxxm("weather", "", nil("nothingOfOperationalSignificance")))
        parts += weather_codes("weather", group.weather or ())
        if group.clouds is not None:
            parts += self._clouds(group, "AerodromeCloudForecast")
        attributes = {
            **self.id(),
            "changeIndicator": _INDICATORS[group.type],
            "cloudAndVisibilityOK": str(group.cavok).lower(),
        }
        return iwxxm(self._forecast_name, tuple(parts), attributes)

    @property
    def _forecast_name(self) -> str:
        return "MeteorologicalAerodromeForecast" + ("Record" if self.old else "")

    def _forecast_parts(self, values: Conditions) -> list[Node]:
        parts = list(self._visibility(values.visibility))
        if values.wind_speed is not None:
            parts.append(self._wind(values, "AerodromeSurfaceWindForecast"))
        return parts

    def _extremes(self, report: Report) -> list[Node]:
        """Return TX and TN in pairs; the shorter list repeats its last value."""
        highs, lows = (
            [extreme for extreme in report.temperatures if extreme[0] == kind]
            for kind in ("TX", "TN")
        )
        elements = []
        for number in range(max(len(highs), len(lows))):
            parts: list[Node] = []
            for name, extremes in (("maximum", highs), ("minimum", lows)):
                if extremes:
                    _, value, when = extremes[min(number, len(extremes) - 1)]
                    text = f"{when:%d%H}" if self.korean else iso(when)
                    inner = text if self.korean else (self.instant(when),)
                    air = f"{name}AirTemperature"
                    parts.append(iwxxm(air, self.number(value, 2), {"uom": "Cel"}))
                    parts.append(iwxxm(f"{air}Time", inner))
            pair = iwxxm("AerodromeAirTemperatureForecast", tuple(parts))
            elements.append(iwxxm("temperature", (pair,)))
        return elements

    def _wind(self, values: Conditions, name: str) -> Node:
        parts = []
        if values.wind_direction is not None:
            direction = self.number(values.wind_direction, 3)
            parts.append(iwxxm("meanWindDirection", direction, {"uom": "deg"}))
        speed = self.number(values.wind_speed, 2)
        parts.append(iwxxm("meanWindSpeed", speed, {"uom": "[kn_i]"}))
        if values.gust is not None:
            gust = self.number(values.gust, 2)
            parts.append(iwxxm("windGustSpeed", gust, {"uom": "[kn_i]"}))
        variable = {"variableWindDirection": str(values.variable).lower()}
        return iwxxm("surfaceWind", (iwxxm(name, tuple(parts), variable),))

    def _visibility(self, metres: int | None) -> Iterable[Node]:
        if metres is None:
            return
        yield iwxxm("prevailingVisibility", str(metres), {"uom": "m"})
        if metres == _FULL_SIGHT and not self.korean:
            yield iwxxm("prevailingVisibilityOperator", "ABOVE")

    def _rvr(self, runway: str, mean: int) -> Node:
        designator = Node("aixm:designator", runway)
        piece = Node("aixm:RunwayDirectionTimeSlice", (designator,), self.id())
        direction = Node("aixm:RunwayDirection", (Node("aixm:timeSlice", (piece,)),), self.id())
        parts = (
            iwxxm("runway", (direction,)),
            iwxxm("meanRVR", self.number(mean, 4), {"uom": "m"}),
        )
        inner = iwxxm("AerodromeRunwayVisualRange", parts, {"pastTendency": "NO_CHANGE"})
        return iwxxm("rvr", (inner,))

    def _clouds(self, values: Conditions, name: str, *, ncd: bool = False) -> list[Node]:
        if values.cavok:
            return []
        if values.vertical_visibility is not None:
            height = self.number(values.vertical_visibility, 3)
            inner: tuple[Node, ...] = (iwxxm("verticalVisibility", height, {"uom": "[ft_i]"}),)
        elif not values.clouds:
            why = "notDetectedByAutoSystem" if ncd else "nothingOfOperationalSignificance"
            return [iwxxm("cloud", "", nil(why))]
        else:
            inner = tuple(self._layer(cloud) for cloud in values.clouds)
        return [iwxxm("cloud", (iwxxm(name, inner, self.id()),))]

    def _layer(self, cloud: Cloud) -> Node:
        amount, base, kind = cloud
        amount_uri = f"{_BUFR}0-20-008/{_BUFR_AMOUNTS[amount]}" if self.old else _AMOUNT + amount
        parts = [
            iwxxm("amount", "", {"xlink:href": amount_uri}),
            iwxxm("base", str(base), {"uom": "[ft_i]"}),
        ]
        if kind:
            uri = f"{_BUFR}0-20-012/{_BUFR_TYPES[kind]}" if self.old else _CLOUD_TYPE + kind
            parts.append(iwxxm("cloudType", "", {"xlink:href": uri}))
        return iwxxm("layer", (iwxxm("CloudLayer", tuple(parts)),))


def iwxxm(
    name: str, content: str | tuple[Node, ...] = "", attributes: dict[str, str] | None = None
) -> Node:
    """Return an element of the IWXXM namespace."""
    return Node(f"iwxxm:{name}", content, attributes or {})


def weather_codes(name: str, codes: Iterable[str]) -> list[Node]:
    """Return an element for each code of WMO table 4678."""
    return [iwxxm(name, "", {"xlink:href": _WEATHER + code}) for code in codes]


def nil(why: str) -> dict[str, str]:
    """Return the attribute with the reason for a missing value."""
    return {"nilReason": _NIL + why}


def iso(moment: datetime) -> str:
    """Return a UTC time as documents write it: ``2026-03-02T00:30:00Z``."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
