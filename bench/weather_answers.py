"""Answers of a weather gateway made from a seed: IWXXM 2023-1 as long as the Korean service's.

A METAR has 6 to 7 KB, a TAF 16 to 17 KB. ``hour`` moves their times and values on; ``copy`` changes
what differs from one answer to the next although it says the same: the ids.
"""

import random
from datetime import UTC, datetime, timedelta
from textwrap import indent

_NAMES = "RKSI RKSS RKPC RKPK RKNY RKNW RKTU RKTN RKTH RKJJ RKJB RKJY RKPU RKPS RKJK"
AIRPORTS = tuple(_NAMES.split())  # those of the template
_SEED = "uring-bench-weather"
_START = datetime(2024, 3, 4, tzinfo=UTC)
# The worker's clock: after every report, and not so long that they would be refused as past.
NOW = _START + timedelta(days=3)
_CODES = "http://codes.wmo.int/"
_SPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "iwxxm": "http://icao.int/iwxxm/2023-1",
        "aixm": "http://www.aixm.aero/schema/5.1.1",
        "gml": "http://www.opengis.net/gml/3.2",
        "xlink": "http://www.w3.org/1999/xlink",
        "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    }.items()
)
_SCHEMA = 'xsi:schemaLocation="http://icao.int/iwxxm/2023-1 http://schemas.wmo.int/iwxxm/2023-1/iwxxm.xsd"'
_CHANGES = (
    ("BECOMING", 2, 2),
    ("TEMPORARY_FLUCTUATIONS", 4, 4),
    ("BECOMING", 10, 2),
    ("PROBABILITY_30_TEMPORARY_FLUCTUATIONS", 14, 4),
    ("FROM", 20, 6),
)


def metar(icao: str, *, hour: int = 0, copy: int = 0, kind: str = "METAR") -> str:
    """A METAR or SPECI of the hour."""
    paper = _Paper(icao, hour, copy)
    at = _START + timedelta(hours=hour, minutes=23 if kind == "SPECI" else 0)
    runways = "".join(
        paper.put(
            "rvr",
            paper.put(
                "AerodromeRunwayVisualRange",
                paper.put("runway", paper.runway(name))
                + paper.number("meanRVR", "m", 600, 1_800, 50),
                ' pastTendency="NO_CHANGE"',
            ),
        )
        for name in ("33L", "33R", "34")
    )
    observed = paper.put(
        "MeteorologicalAerodromeObservation",
        paper.number("airTemperature", "Cel", -9, 35)
        + paper.number("dewpointTemperature", "Cel", -19, -10)
        + paper.number("qnh", "hPa", 990, 1_030)
        + paper.wind("AerodromeSurfaceWind")
        + paper.put(
            "visibility",
            paper.put(
                "AerodromeHorizontalVisibility",
                paper.number("prevailingVisibility", "m", 1_500, 9_000, 100)
                + paper.number("minimumVisibility", "m", 600, 1_400, 100)
                + paper.number("minimumVisibilityDirection", "deg", 45, 315, 45),
            ),
        )
        + runways
        + paper.code("presentWeather", "306/4678/-SHRA")
        + paper.code("presentWeather", "306/4678/BR")
        + paper.clouds("AerodromeCloud", 3),
        f' {paper.id()} cloudAndVisibilityOK="false"',
    )
    inner = (
        paper.put("issueTime", paper.instant(at + timedelta(minutes=2)))
        + paper.put("aerodrome", paper.aerodrome())
        + paper.put("observationTime", paper.instant(at))
        + paper.put("observation", observed)
        + f'<iwxxm:trendForecast nilReason="{_CODES}common/nil/noSignificantChange"/>\n'
    )
    return paper.report(kind, inner, ' automatedStation="false"')


def taf(icao: str, *, hour: int = 0, copy: int = 0) -> str:
    """A TAF of 30 hours with five change groups."""
    paper = _Paper(icao, hour, copy)
    at = _START + timedelta(hours=hour)
    groups = "".join(
        paper.put(
            "changeForecast",
            paper.forecast(
                paper.put(
                    "phenomenonTime",
                    paper.period(at + timedelta(hours=start), at + timedelta(hours=start + hours)),
                ),
                f' changeIndicator="{indicator}"',
            ),
        )
        for indicator, start, hours in _CHANGES
    )
    extremes = "".join(
        paper.number(f"{name}AirTemperature", "Cel", low, low + 9)
        + f"<iwxxm:{name}AirTemperatureTime>{at + timedelta(hours=hours):%d%H}"
        f"</iwxxm:{name}AirTemperatureTime>\n"
        for name, low, hours in (("maximum", 9, 6), ("minimum", -5, 20))
    )
    temperature = paper.put("temperature", paper.put("AerodromeAirTemperatureForecast", extremes))
    inner = (
        paper.put("issueTime", paper.instant(at - timedelta(hours=1)))
        + paper.put("aerodrome", paper.aerodrome())
        + paper.put("validPeriod", paper.period(at, at + timedelta(hours=30)))
        + paper.put("baseForecast", paper.forecast(temperature))
        + groups
    )
    return paper.report("TAF", inner)


def envelope(icao: str, field: str, messages: list[str]) -> bytes:
    """The answer around messages, an item each."""
    items = "".join(
        f"<item><icaoCode>{icao}</icaoCode><airportName>{icao}</airportName>"
        f"<{field}>{message}</{field}></item>\n"
        for message in messages
    )
    return _answer(items, len(messages))


def warnings(number: int) -> bytes:
    """So many wind warnings in force, one after the other through the airports."""
    items = "".join(
        f"<item><icaoCode>{icao}</icaoCode><airportName>{icao}</airportName>"
        "<tm>202403040255</tm><wrngType>2</wrngType>"
        f"<wrngMsg>{icao} AD WRNG {place} 040255 VALID 040300/041100 SFC WSPD 26KT=</wrngMsg>"
        "<validTm1>202403040300</validTm1><validTm2>202403041100</validTm2></item>\n"
        for place, icao in ((each, AIRPORTS[each % len(AIRPORTS)]) for each in range(number))
    )
    return _answer(items, number)


def _answer(items: str, number: int) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<response><header>'
        "<resultCode>00</resultCode><resultMsg>NORMAL_SERVICE</resultMsg></header><body>"
        f"<dataType>XML</dataType><items>{items}</items><pageNo>1</pageNo>"
        f"<numOfRows>{number}</numOfRows><totalCount>{number}</totalCount></body></response>"
    ).encode()


class _Paper:
    """Parts of one report."""

    def __init__(self, icao: str, hour: int, copy: int) -> None:
        self._icao = icao
        self._dice = random.Random(f"{_SEED}:{icao}:{hour}")
        self._ids = random.Random(f"{_SEED}:{icao}:{hour}:{copy}")

    def put(self, name: str, inner: str, attributes: str = "") -> str:
        name = name if ":" in name else f"iwxxm:{name}"
        return f"<{name}{attributes}>\n{indent(inner, '  ')}</{name}>\n"

    def report(self, kind: str, inner: str, attributes: str = "") -> str:
        known = 'reportStatus="NORMAL" permissibleUsage="OPERATIONAL"'
        return self.put(kind, inner, f" {_SPACES} {_SCHEMA} {self.id()} {known}{attributes}")

    def id(self) -> str:
        return f'gml:id="uuid.{self._ids.getrandbits(128):032x}"'

    def number(self, name: str, unit: str, low: int, high: int, step: int = 1) -> str:
        value = self._dice.randrange(low, high + 1, step)
        return f'<iwxxm:{name} uom="{unit}">{value}</iwxxm:{name}>\n'

    def code(self, name: str, code: str) -> str:
        return f'<iwxxm:{name} xlink:href="{_CODES}{code}"/>\n'

    def instant(self, at: datetime) -> str:
        position = f"<gml:timePosition>{at:%Y-%m-%dT%H:%M:%SZ}</gml:timePosition>\n"
        return self.put("gml:TimeInstant", position, f" {self.id()}")

    def period(self, start: datetime, end: datetime) -> str:
        inner = "".join(
            f"<gml:{name}Position>{at:%Y-%m-%dT%H:%M:%SZ}</gml:{name}Position>\n"
            for name, at in (("begin", start), ("end", end))
        )
        return self.put("gml:TimePeriod", inner, f" {self.id()}")

    def aerodrome(self) -> str:
        texts = {
            "interpretation": "SNAPSHOT",
            "designator": self._icao,
            "name": self._icao,
            "locationIndicatorICAO": self._icao,
        }
        inner = "".join(f"<aixm:{name}>{text}</aixm:{name}>\n" for name, text in texts.items())
        point = self.put(
            "aixm:ElevatedPoint",
            "<gml:pos>37.4 126.4</gml:pos>\n",
            f' {self.id()} axisLabels="Lat Long" srsDimension="2" '
            'srsName="http://www.opengis.net/def/crs/EPSG/0/4326"',
        )
        return self._aixm("AirportHeliport", inner + self.put("aixm:ARP", point))

    def runway(self, name: str) -> str:
        inner = f"<aixm:designator>{name}</aixm:designator>\n"
        return self._aixm("RunwayDirection", inner)

    def _aixm(self, name: str, inner: str) -> str:
        inner = f"<gml:validTime/>\n{inner}"
        piece = self.put(f"aixm:{name}TimeSlice", inner, f" {self.id()}")
        return self.put(f"aixm:{name}", self.put("aixm:timeSlice", piece), f" {self.id()}")

    def wind(self, name: str) -> str:
        inner = (
            self.number("meanWindDirection", "deg", 10, 360, 10)
            + self.number("meanWindSpeed", "[kn_i]", 3, 25)
            + self.number("windGustSpeed", "[kn_i]", 26, 45)
        )
        return self.put("surfaceWind", self.put(name, inner, ' variableWindDirection="false"'))

    def clouds(self, name: str, number: int) -> str:
        layers = ""
        for place in range(number):
            amount = ("FEW", "SCT", "BKN", "OVC")[place]
            layers += self.put(
                "layer",
                self.put(
                    "CloudLayer",
                    self.code("amount", f"49-2/CloudAmountReportedAtAerodrome/{amount}")
                    + self.number(
                        "base", "[ft_i]", 1_000 * place + 500, 1_000 * place + 1_400, 100
                    ),
                ),
            )
        return self.put("cloud", self.put(name, layers, f" {self.id()}"))

    def forecast(self, more: str, attributes: str = "") -> str:
        return self.put(
            "MeteorologicalAerodromeForecast",
            more
            + self.number("prevailingVisibility", "m", 1_500, 9_000, 100)
            + self.wind("AerodromeSurfaceWindForecast")
            + self.code("weather", "306/4678/-RA")
            + self.code("weather", "306/4678/BR")
            + self.clouds("AerodromeCloudForecast", 4),
            f' {self.id()} cloudAndVisibilityOK="false"{attributes}',
        )
