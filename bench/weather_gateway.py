"""A stand-in for a weather gateway that serves answers made before the measurement."""

from typing import Any

from weather_answers import AIRPORTS, envelope, metar, taf, warnings

from uring_local.loopback import Answer, Request

# Tags of an item and its share of what varies: a report is some bytes longer than another.
_AROUND_ITEM = 150
_METAR = "/AmmIwxxmService/getMetar"
_TAF = "/AmmIwxxmService/getTaf"
_WARNINGS = "/AmmService/getWarning"


class WeatherGateway:
    """Every airport's METAR and TAF, and a list of warnings."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], bytes] = {}

    def show(self, *, hour: int, copy: int, warned: int, fill: int, escaped: bool) -> None:
        """Make the answers.

        Args:
            hour: of the reports.
            copy: other ids, the same reports.
            warned: warnings in force.
            fill: bytes that a METAR's answer may have, with those of the hours before; 0 is one.
            escaped: METARs are text in their items, not elements.
        """
        made = {(_WARNINGS, ""): warnings(warned)}
        for icao in AIRPORTS:
            metars = [metar(icao, hour=hour, copy=copy)]
            item = len(metars[0]) + _AROUND_ITEM
            metars += [metar(icao, hour=hour - back, copy=copy) for back in range(1, fill // item)]
            if escaped:
                metars = [f"<![CDATA[{each}]]>" for each in metars]
            made[_METAR, icao] = envelope(icao, "metarMsg", metars)
            made[_TAF, icao] = envelope(icao, "tafMsg", [taf(icao, hour=hour, copy=copy)])
        self._answers = made

    def respond(self, request: Request) -> Answer:
        """One answer."""
        found = self._answers.get((request.path, request.query.get("icao", "")))
        if found is None:
            return Answer(404)
        return Answer(200, found, {"Content-Type": "application/xml;charset=UTF-8"})

    def described(self) -> dict[str, Any]:
        """The sizes of all answers of a kind."""
        return {
            name: [len(body) for (path, _), body in self._answers.items() if path == where]
            for name, where in (("metar", _METAR), ("taf", _TAF), ("warning", _WARNINGS))
        }
