"""Runways, the sea, where the aerodrome lies, and a wind that varies."""

from typing import Any

import pytest
from fakes.iwxxm_documents import BODY, NIL, metar, tree

from uring.weather.iwxxm.document import read_report

RUNWAY = "<runway><RunwayDirection><designator>15L</designator></RunwayDirection></runway>"
CODES = "http://codes.wmo.int/bufr4/codeflag/0-20-0"
ARP = """<locationIndicatorICAO>RKZA</locationIndicatorICAO><ARP><ElevatedPoint
srsName="http://www.opengis.net/def/crs/EPSG/0/4326"><pos>35.5 126.75</pos>
<elevation uom="M">30</elevation></ElevatedPoint></ARP>"""
NOTHING = {
    "runway": "15L",
    "snow_closed": False,
    "cleared": False,
    "deposit": None,
    "extent": None,
    "depth": None,
    "friction": None,
    "braking": None,
}


def observed(extra: str) -> dict[str, Any]:
    report, notes = read_report(tree(metar(body=BODY + extra)))
    assert not notes
    return report.model_dump(mode="json") | {"raw": report.raw}


def state(inner: str, attributes: str = "") -> str:
    tag = "AerodromeRunwayState"
    return f"<runwayState><{tag} {attributes}>{inner}</{tag}></runwayState>"


@pytest.mark.parametrize(
    ("group", "told"),
    [
        (
            state(
                f'{RUNWAY}<depositType href="{CODES}86/6"/><contamination href="{CODES}87/5"/>'
                '<depthOfDeposit uom="mm">12</depthOfDeposit>'
                f'<estimatedSurfaceFrictionOrBrakingAction href="{CODES}89/35"/>'
            ),
            {"deposit": "SLUSH", "extent": 50, "depth": 12, "friction": 0.35},
        ),
        (
            state(
                f'{RUNWAY}<depositType href="{CODES}86/7"/><depthOfDeposit '
                f'nilReason="{NIL}notObservable"/>'
                f'<estimatedSurfaceFrictionOrBrakingAction href="{CODES}89/91"/>'
            ),
            {"deposit": "ICE", "braking": "POOR"},
        ),
        (state(RUNWAY, 'cleared="true"'), {"cleared": True}),
        (
            state(f'{RUNWAY}<estimatedSurfaceFrictionOrBrakingAction href="{CODES}89/99"/>'),
            {},
        ),
        (state("", 'allRunways="true" snowClosure="true"'), {"runway": None, "snow_closed": True}),
        (f'<runwayState nilReason="{NIL}inapplicable"/>', {"runway": None, "snow_closed": True}),
    ],
    ids=["figures", "words", "cleared", "unreliable", "closed", "R/SNOCLO"],
)
def test_the_state_of_a_runway(group: str, told: dict[str, Any]) -> None:
    report = observed(group)
    assert report["observation"]["runway_state"] == [NOTHING | told]
    assert report["raw"].endswith("/SNOCLO") == told.get("snow_closed", False)


@pytest.mark.parametrize("why", ["missing", "unknown", "notObservable", "withheld"])
def test_a_runway_state_that_is_not_told_closes_no_runway(why: str) -> None:
    report = observed(f'<runwayState nilReason="{NIL}{why}"/>')
    assert report["observation"]["runway_state"] == []
    assert report["observation"]["missing"] == ["runway_state"]
    assert "SNOCLO" not in report["raw"]


@pytest.mark.parametrize("names", [("seaCondition", "AerodromeSeaCondition"), ("seaState", "X")])
def test_the_sea(names: tuple[str, str]) -> None:
    outer, inner = names
    group = (
        f'<{outer}><{inner}><seaSurfaceTemperature uom="Cel">-1</seaSurfaceTemperature>'
        f'<significantWaveHeight uom="m">2.5</significantWaveHeight></{inner}></{outer}>'
    )
    report = observed(group)
    assert report["observation"]["sea"] == {"temperature": -1.0, "wave_height": 2.5, "state": None}
    assert report["raw"].endswith("WM01/H25")


def test_where_the_aerodrome_lies() -> None:
    place = ("<locationIndicatorICAO>RKZA</locationIndicatorICAO>", ARP)
    report, notes = read_report(tree(metar(), place))
    assert not notes
    position = report.model_dump(mode="json")["header"]["position"]
    assert position == {"latitude": 35.5, "longitude": 126.75, "elevation": 98}


@pytest.mark.parametrize(
    "swap",
    [("EPSG/0/4326", "EPSG/0/3857"), ("<pos>35.5 126.75</pos>", ""), ("35.5 126.75", "35.5,126")],
)
def test_a_place_in_other_words_is_not_told(swap: tuple[str, str]) -> None:
    place = ("<locationIndicatorICAO>RKZA</locationIndicatorICAO>", ARP.replace(*swap))
    report, _ = read_report(tree(metar(), place))
    assert report.header.position is None
    assert report.header.icao == "RKZA"


@pytest.mark.parametrize(
    ("swaps", "wind"),
    [
        ((('Direction="false"', 'Direction="true"'),), (240, False, "24009KT")),
        (
            (
                ('Direction="false"', 'Direction="true"'),
                ('<meanWindDirection uom="deg">240</meanWindDirection>', ""),
            ),
            (None, True, "VRB09KT"),
        ),
        (
            (
                ('Direction="false"', 'Direction="true"'),
                (
                    "</AerodromeSurfaceWind>",
                    (
                        '<extremeClockwiseWindDirection uom="deg">290'
                        "</extremeClockwiseWindDirection>"
                        '<extremeCounterClockwiseWindDirection uom="deg">190'
                        "</extremeCounterClockwiseWindDirection></AerodromeSurfaceWind>"
                    ),
                ),
            ),
            (240, False, "24009KT 190V290"),
        ),
    ],
)
def test_variable_means_that_no_direction_can_be_given(
    swaps: tuple[tuple[str, str], ...], wind: tuple[int | None, bool, str]
) -> None:
    """Writers set the flag of every wind that varies by 60 degrees, with its mean direction."""
    report, _ = read_report(tree(metar(), *swaps))
    told = report.model_dump(mode="json")["observation"]["wind"]
    assert (told["direction"], told["variable"], told["raw"]) == wind
