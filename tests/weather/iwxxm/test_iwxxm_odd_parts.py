"""A part that cannot be so costs itself: it is null, named in `missing`, and noted."""

from typing import Any

import pytest
from fakes.iwxxm_documents import (
    BODY,
    CLOUD,
    NIL,
    THERMO,
    VISIBILITY,
    WIND,
    change,
    metar,
    taf,
    tree,
)

from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.tree import Element

TREND = """<trendForecast><MeteorologicalAerodromeTrendForecast changeIndicator="BECOMING">
<prevailingVisibility uom="m">800</prevailingVisibility>
</MeteorologicalAerodromeTrendForecast></trendForecast>"""
RVR = """<rvr><AerodromeRunwayVisualRange pastTendency="UPWARD"><runway><RunwayDirection>
<designator>15</designator></RunwayDirection></runway><meanRVR uom="m">900</meanRVR>
</AerodromeRunwayVisualRange></rvr>"""
RAIN = '<presentWeather href="http://codes.wmo.int/306/4678/-RA"/>'
STATE = """<runwayState><AerodromeRunwayState><runway><RunwayDirection><designator>15</designator>
</RunwayDirection></runway><depositType href="x/4"/></AerodromeRunwayState></runwayState>"""
SEA = """<seaCondition><AerodromeSeaCondition><seaSurfaceTemperature uom="Cel">9
</seaSurfaceTemperature><seaState href="x/5"/></AerodromeSeaCondition></seaCondition>"""
CHANGED = change("BECOMING", BODY.replace(THERMO, ""))
TEMPERATURES = """<temperature><X><maximumAirTemperature uom="Cel">21</maximumAirTemperature>
<minimumAirTemperature uom="Cel">9</minimumAirTemperature></X></temperature>"""


def read(document: Element) -> tuple[dict[str, Any], tuple[str, ...]]:
    report, notes = read_report(document, expected="RKZA")
    return report.model_dump(mode="json"), notes


@pytest.mark.parametrize(
    ("body", "swap", "part", "seen"),
    [
        (BODY, (">240<", ">north<"), "wind", "meanWindDirection is 'north'"),
        (BODY, (">240<", ">nan<"), "wind", "'nan'"),
        (BODY, (">240<", ">370<"), "wind", "Wind.direction is 370"),
        (BODY, ("[kn_i]", "furlong/d"), "wind", "meanWindSpeed has the unit 'furlong/d'"),
        (BODY, ('uom="[kn_i]"', ""), "wind", "meanWindSpeed has the unit ''"),
        (BODY, (">9000<", ">far<"), "visibility", "prevailingVisibility is 'far'"),
        (BODY, (">9000<", ">900000<"), "visibility", "Visibility.value is 900000"),
        (BODY, (">1016<", ">29.92<"), "qnh", "Qnh.value is 29.92"),
        (BODY, ('uom="hPa"', 'uom="inHg"'), "qnh", "qnh has the unit 'inHg'"),
        (BODY, (">18<", ">118<"), "air", "Temperature.air is 118"),
        (BODY, (">11<", ">cold<"), "dewpoint", "dewpointTemperature is 'cold'"),
        (BODY, ("Aerodrome/SCT", "Aerodrome/LOTS"), "clouds", "'LOTS'"),
        (BODY, (">4000<", ">high<"), "clouds", "base is 'high'"),
        (BODY + RAIN, ("-RA", "R" * 90), "weather", "a weather code is 'RRR"),
        (BODY + RVR, (">15<", ">north end<"), "rvr", "runway is 'north end'"),
        (BODY + RVR, ("UPWARD", "SIDEWAYS"), "rvr", "'SIDEWAYS'"),
        (BODY + STATE, ("x/4", "x/44"), "runway_state", "deposit is '44'"),
        (BODY + SEA, ("x/5", "x/rough"), "sea", "sea state is 'rough'"),
    ],
)
def test_a_part_of_a_metar_costs_itself(
    body: str, swap: tuple[str, str], part: str, seen: str
) -> None:
    whole, none = read(tree(metar(body=body)))
    report, notes = read(tree(metar(body=body), swap))
    assert not none
    (note,) = notes
    assert note.startswith(f"RKZA: METAR: {part}: ")
    assert seen in note
    observation, right = report["observation"], whole["observation"]
    assert part in observation["missing"]
    assert part not in right["missing"]
    changed = {name for name, value in right.items() if value != observation[name]}
    assert changed == {"temperature" if part in {"air", "dewpoint"} else part, "missing"}


def test_a_layer_that_cannot_be_so_hides_no_ceiling() -> None:
    low = CLOUD.replace("SCT", "OVC").replace("4000", "300")
    odd = "<layer><CloudLayer><amount href='x/LOTS'/></CloudLayer></layer></AerodromeCloud>"
    report, notes = read(
        tree(metar(body=BODY.replace(CLOUD, low.replace("</AerodromeCloud>", odd))))
    )
    assert [each["raw"] for each in report["observation"]["clouds"]] == ["OVC003"]
    assert report["observation"]["missing"] == ["clouds"]
    assert report["flight_category"] == "LIFR"
    assert len(notes) == 1


def test_a_cavok_that_values_contradict_is_not_in_the_line() -> None:
    cavok = ('AndVisibilityOK="false"', 'AndVisibilityOK="true"')
    report, _ = read(tree(metar(), cavok, (">9000<", ">300<")))
    assert "CAVOK" not in report["raw"]
    assert report["flight_category"] == "LIFR"


def test_a_word_that_is_no_weather_is_not_in_the_line() -> None:
    report, _ = read(tree(metar(body=BODY + RAIN.replace("-RA", "NOSIG="))))
    assert report["observation"]["weather"][0]["raw"] == "NOSIG="
    assert "NOSIG" not in report["raw"]


def test_an_odd_place_refuses_no_report_without_values() -> None:
    arp = "</locationIndicatorICAO><ARP><ElevatedPoint srsName='x/EPSG/0/4326'><pos>1 2</pos>"
    arp += "<elevation uom='yd'>3</elevation></ElevatedPoint></ARP>"
    nothing = f'<surfaceWind nilReason="{NIL}notObservable"/>'
    report, notes = read(tree(metar(body=nothing), ("</locationIndicatorICAO>", arp)))
    assert report["header"]["position"] is None
    assert report["observation"]["wind"] is None
    assert len(notes) == 1


@pytest.mark.parametrize("trend", ["<trendForecast/>", TREND.replace("BECOMING", "PERHAPS")])
def test_a_trend_costs_itself(trend: str) -> None:
    report, notes = read(tree(metar(trend=trend + TREND)))
    assert report["observation"]["missing"] == ["trend"]
    assert [each["visibility"]["value"] for each in report["trend"]] == [800]
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("swap", "part"),
    [
        ((">240<", ">north<"), "wind"),
        (("[kn_i]", "furlong/d"), "wind"),
        (("Aerodrome/SCT", "Aerodrome/LOTS"), "clouds"),
    ],
)
def test_a_part_of_a_taf_costs_itself_in_its_group_alone(swap: tuple[str, str], part: str) -> None:
    base, _ = read(tree(taf(), swap))
    assert base["base"]["missing"] == [part]
    assert base["base"]["visibility"]["value"] == 9000
    changed, notes = read(tree(taf(changes=CHANGED.replace(*swap))))
    assert changed["base"]["missing"] == []
    (group,) = changed["changes"]
    assert part in group["missing"]
    assert group.get(part) is None
    assert len(notes) == 1


def test_an_extreme_costs_itself() -> None:
    report, notes = read(tree(taf(base=WIND + TEMPERATURES.replace(">9<", ">warm<"))))
    assert [each["type"] for each in report["header"]["temperatures"]] == ["TX"]
    assert notes == ("RKZA: TAF: TN: minimumAirTemperature is 'warm', not a number",)


@pytest.mark.parametrize("body", [WIND, CLOUD, VISIBILITY, THERMO])
def test_a_report_of_which_nothing_can_be_so_is_refused(body: str) -> None:
    broken = body
    for value in (">240<", ">9<", ">4000<", ">9000<", ">18<", ">11<", ">1016<"):
        broken = broken.replace(value, ">?<")
    with pytest.raises(ReportRefused, match="every part is impossible") as caught:
        read(tree(metar(body=broken)))
    assert caught.value.reason == "value"


@pytest.mark.parametrize("version", ["2031-1", "2025-3", "4.0"])
def test_a_version_that_was_not_checked_is_read_and_noted(version: str) -> None:
    report, notes = read(tree(metar(), ("iwxxm/2023-1", f"iwxxm/{version}")))
    assert report["header"]["iwxxm_version"] == version
    assert report["observation"]["qnh"]["value"] == 1016
    assert notes == (f"RKZA: METAR: IWXXM '{version}' is read as 2.0 to 2025-2 are",)
