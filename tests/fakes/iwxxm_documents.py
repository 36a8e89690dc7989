"""IWXXM of an invented airport, whole or with one thing changed."""

from uring.weather.iwxxm.tree import Element, parse_tree

NIL = "http://codes.wmo.int/common/nil/"
SCHEMA = 'schemaLocation="http://icao.int/iwxxm/2023-1 http://schemas.wmo.int/iwxxm/2023-1"'
PLACE = """<aerodrome><AirportHeliport><timeSlice><AirportHeliportTimeSlice>
<designator>RKZA</designator><name>HAETBIT</name>
<locationIndicatorICAO>RKZA</locationIndicatorICAO>
</AirportHeliportTimeSlice></timeSlice></AirportHeliport></aerodrome>"""
ISSUED = "2026-05-04T03:02:00Z"
OBSERVED = "2026-05-04T03:00:00Z"
WIND = """<surfaceWind><AerodromeSurfaceWind variableWindDirection="false">
<meanWindDirection uom="deg">240</meanWindDirection><meanWindSpeed uom="[kn_i]">9</meanWindSpeed>
</AerodromeSurfaceWind></surfaceWind>"""
VISIBILITY = """<visibility><AerodromeHorizontalVisibility>
<prevailingVisibility uom="m">9000</prevailingVisibility>
</AerodromeHorizontalVisibility></visibility>"""
CLOUD = """<cloud><AerodromeCloud><layer><CloudLayer>
<amount href="http://codes.wmo.int/49-2/CloudAmountReportedAtAerodrome/SCT"/>
<base uom="[ft_i]">4000</base></CloudLayer></layer></AerodromeCloud></cloud>"""
THERMO = """<airTemperature uom="Cel">18</airTemperature>
<dewpointTemperature uom="Cel">11</dewpointTemperature><qnh uom="hPa">1016</qnh>"""
BODY = THERMO + WIND + VISIBILITY + CLOUD
BASE = """<prevailingVisibility uom="m">9000</prevailingVisibility>""" + WIND + CLOUD
FULL_USAGE = 'permissibleUsage="OPERATIONAL"'


def instant(moment: str) -> str:
    return f"<TimeInstant><timePosition>{moment}</timePosition></TimeInstant>"


def period(begin: str, end: str) -> str:
    return (
        f"<TimePeriod><beginPosition>{begin}</beginPosition>"
        f"<endPosition>{end}</endPosition></TimePeriod>"
    )


def metar(body: str = BODY, *, trend: str = "", name: str = "METAR") -> str:
    return f"""<{name} {SCHEMA} reportStatus="NORMAL" {FULL_USAGE} automatedStation="false">
<issueTime>{instant(ISSUED)}</issueTime>{PLACE}
<observationTime>{instant(OBSERVED)}</observationTime>
<observation><MeteorologicalAerodromeObservation cloudAndVisibilityOK="false">{body}
</MeteorologicalAerodromeObservation></observation>{trend}</{name}>"""


def taf(base: str = BASE, changes: str = "") -> str:
    return f"""<TAF {SCHEMA} reportStatus="NORMAL" {FULL_USAGE}>
<issueTime>{instant("2026-05-04T05:00:00Z")}</issueTime>{PLACE}
<validPeriod>{period("2026-05-04T06:00:00Z", "2026-05-05T12:00:00Z")}</validPeriod>
<baseForecast><MeteorologicalAerodromeForecast cloudAndVisibilityOK="false">{base}
</MeteorologicalAerodromeForecast></baseForecast>{changes}</TAF>"""


def change(indicator: str, body: str) -> str:
    return f"""<changeForecast><MeteorologicalAerodromeForecast changeIndicator="{indicator}">
<phenomenonTime>{period("2026-05-04T09:00:00Z", "2026-05-04T11:00:00Z")}</phenomenonTime>{body}
</MeteorologicalAerodromeForecast></changeForecast>"""


def tree(text: str, *swaps: tuple[str, str]) -> Element:
    """The document with each first text swapped for the second."""
    for old, new in swaps:
        assert old in text, f"the document has no {old!r}"
        text = text.replace(old, new)
    return parse_tree(text)
