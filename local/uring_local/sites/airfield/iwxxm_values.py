"""Wind, visibility, weather, cloud and the rest in IWXXM's elements."""

from collections.abc import Iterable
from typing import Final

from uring_local.sites.airfield.iwxxm_parts import Generation, iso, iwxxm, nil, weather_codes
from uring_local.sites.airfield.model import Cloud, Conditions, Group, Report
from uring_local.sites.airfield.nodes import Node

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


class Values(Generation):
    """The values of reports."""

    def observation(self, suffix: str, report: Report) -> Node:
        """Return what was observed; the suffix makes the element's name that of the generation."""
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
        """Return the base forecast and the extremes of the whole period."""
        parts = self._forecast_parts(report)
        parts += weather_codes("weather", report.weather or ())
        parts += self._clouds(report, "AerodromeCloudForecast")
        parts += self._extremes(report)
        attributes = {**self.id(), "cloudAndVisibilityOK": str(report.cavok).lower()}
        return iwxxm(self._forecast_name, tuple(parts), attributes)

    def group(self, group: Group) -> Node:
        """Return a change group: what is not told is left out."""
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
        """TX and TN in pairs, the one of which there are more with the other's first."""
        highs, lows = (
            [each for each in report.temperatures if each[0] == kind] for kind in ("TX", "TN")
        )
        found = []
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
            found.append(iwxxm("temperature", (pair,)))
        return found

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
