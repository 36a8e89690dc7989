"""The ways in which IWXXM leaves something out, and what stands in the report then."""

import time

import pytest
from fakes.iwxxm_documents import (
    BASE,
    BODY,
    CLOUD,
    NIL,
    OBSERVED,
    PLACE,
    SCHEMA,
    THERMO,
    VISIBILITY,
    WIND,
    instant,
    metar,
    period,
    taf,
    tree,
)

from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.names import IWXXM
from uring.weather.iwxxm.reports import Metar, MetarHeader, MetarObservation, Taf
from uring.weather.iwxxm.tree import parse_tree

AMOUNTS = "http://codes.wmo.int/bufr4/codeflag/0-20-008/"
WEATHER = "http://codes.wmo.int/306/4678/"


def read_metar(text: str, *swaps: tuple[str, str]) -> Metar:
    report, _ = read_report(tree(text, *swaps))
    assert isinstance(report, Metar)
    return report


def read_taf(text: str, *swaps: tuple[str, str]) -> Taf:
    report, _ = read_report(tree(text, *swaps))
    assert isinstance(report, Taf)
    return report


def observed(body: str) -> MetarObservation:
    observation = read_metar(metar(body=body)).observation
    assert observation is not None
    return observation


def surface_wind(inner: str) -> MetarObservation:
    group = f"<surfaceWind><AerodromeSurfaceWind>{inner}</AerodromeSurfaceWind></surfaceWind>"
    return observed(THERMO + VISIBILITY + CLOUD + group)


def test_a_whole_report_misses_nothing() -> None:
    assert observed(BODY).missing == ()


def test_a_wind_without_speed_is_no_calm() -> None:
    found = surface_wind(
        '<meanWindDirection uom="deg">90</meanWindDirection>'
        f'<meanWindSpeed uom="N/A" nilReason="{NIL}notObservable"/>'
    )
    assert found.wind is not None
    assert (found.wind.speed, found.wind.raw) == (None, "090//KT")
    assert found.missing == ("wind_speed",)


@pytest.mark.parametrize(
    "inner",
    [
        "",
        '<meanWindSpeed nil="1">0</meanWindSpeed>',
        '<meanWindDirection uom="deg"/><meanWindSpeed uom="[kn_i]"/>',
        '<meanWindDirection nil="true">0</meanWindDirection>',
    ],
)
def test_a_wind_that_tells_nothing_is_missing(inner: str) -> None:
    found = surface_wind(inner)
    assert found.wind is None
    assert found.missing == ("wind",)


@pytest.mark.parametrize(
    ("speed", "unit", "knots", "raw"),
    [
        ("5", "m/s", 10, "18005MPS"),
        ("5.1", "m/s", 10, "18005MPS"),
        ("49", "m/s", 95, "18049MPS"),
        ("10", "[kn_i]", 10, "18010KT"),
        ("18.52", "km/h", 10, "18010KT"),
    ],
)
def test_speeds_are_knots(speed: str, unit: str, knots: int, raw: str) -> None:
    found = surface_wind(
        '<meanWindDirection uom="deg">180</meanWindDirection>'
        f'<meanWindSpeed uom="{unit}">{speed}</meanWindSpeed>'
    )
    assert found.wind is not None
    assert (found.wind.speed, found.wind.raw) == (knots, raw)


def test_a_variable_wind_may_lack_its_speed() -> None:
    group = '<surfaceWind><W variableWindDirection="true"/></surfaceWind>'
    found = observed(THERMO + VISIBILITY + CLOUD + group)
    assert found.wind is not None
    assert (found.wind.variable, found.wind.raw) == (True, "VRB//KT")


def test_minus_nought_is_nought() -> None:
    found = observed(BODY.replace(">18<", ">-0<"))
    assert found.temperature is not None
    assert str(found.temperature.air) == "0.0"


def test_a_clear_sky_has_no_base_to_miss() -> None:
    layer = (
        f'<cloud><AerodromeCloud><layer><CloudLayer><amount href="{AMOUNTS}0"/>'
        f'<base nilReason="{NIL}inapplicable"/></CloudLayer></layer></AerodromeCloud></cloud>'
    )
    found = observed(THERMO + WIND + VISIBILITY + layer)
    assert found.clouds is not None
    assert [each.raw for each in found.clouds] == ["SKC"]
    assert found.missing == ()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("+TSRAGR", ("+", "TS", ("RA", "GR"))),
        ("VCTS", ("VC", "TS", ())),
        ("-FZDZ", ("-", "FZ", ("DZ",))),
        ("RERASN", (None, None, ("RA", "SN"))),
        ("UP", (None, None, ("UP",))),
        ("FROGS", (None, None, ())),
    ],
)
def test_weather_groups(code: str, told: tuple[str | None, str | None, tuple[str, ...]]) -> None:
    (group,) = observed(BODY + f'<recentWeather href="{WEATHER}{code}"/>').recent_weather
    assert group.raw == code
    assert (group.intensity, group.descriptor, group.phenomena) == told


def test_weather_alone_is_an_observation() -> None:
    found = observed(f'<presentWeather href="{WEATHER}FG"/>')
    assert found.weather is not None
    assert [each.raw for each in found.weather] == ["FG"]


def test_a_wind_shear_of_no_runway_is_none() -> None:
    assert observed(BODY + "<windShear><AerodromeWindShear/></windShear>").wind_shear is None


def test_a_trend_that_is_missing_is_not_nosig() -> None:
    def trends(why: str) -> list[str]:
        trend = f'<trendForecast nilReason="{NIL}{why}"/>'
        return [each.type for each in read_metar(metar(trend=trend)).trend]

    assert trends("noSignificantChange") == ["NOSIG"]
    assert trends("missing") == []


def test_a_change_group_that_is_missing_is_none() -> None:
    changes = f'<changeForecast nilReason="{NIL}missing"/>'
    assert read_taf(taf(changes=changes)).changes == ()


def test_the_time_of_an_extreme_may_stand_without_an_instant() -> None:
    extreme = (
        '<temperature><X><minimumAirTemperature uom="Cel">4</minimumAirTemperature>'
        "<minimumAirTemperatureTime>0421</minimumAirTemperatureTime></X></temperature>"
    )
    (found,) = read_taf(taf(BASE + extreme)).model_dump(mode="json")["header"]["temperatures"]
    assert found == {"type": "TN", "value": 4.0, "time": "2026-05-04T21:00:00Z"}


def test_days_are_those_of_utc() -> None:
    """Those without a date too, whatever zone the issue time is written in."""
    extreme = (
        '<temperature><X><maximumAirTemperature uom="Cel">4</maximumAirTemperature>'
        "<maximumAirTemperatureTime>0106</maximumAirTemperatureTime></X></temperature>"
    )
    korean = ("2026-05-04T05:00:00Z", "2026-05-01T03:00:00+09:00")
    (found,) = read_taf(taf(BASE + extreme), korean).header.temperatures
    assert str(found.time) == "2026-05-01 06:00:00+00:00"


def test_a_nil_report_has_no_trend() -> None:
    nil = ("<trendForecast/>", f'<trendForecast nilReason="{NIL}noSignificantChange"/>')
    text = metar(body="", trend="<trendForecast/>")
    gone = ("<observation>", f'<observation nilReason="{NIL}missing">')
    assert read_metar(text, nil, gone).trend == ()


def test_a_report_within_a_report_is_no_second_one() -> None:
    inner = f"<extension>{metar(name='SPECI')}</extension></METAR>"
    assert read_metar(metar(), ("</METAR>", inner)).header.report_type == "METAR"


def test_in_iwxxm_2_the_result_alone_may_say_nil() -> None:
    nil = metar(body="").replace("MeteorologicalAerodromeObservation", "OM_Observation")
    nil = nil.replace("</OM_Observation>", '<result nilReason="missing"/></OM_Observation>')
    found = read_metar(nil)
    assert found.header.nil
    assert found.observation is None


@pytest.mark.parametrize("text", [metar(body=""), taf(base="")], ids=["metar", "taf"])
def test_what_was_not_translated_is_not_nil(text: str) -> None:
    """IWXXM 2 gives both the status of a missing report."""
    report, _ = read_report(
        tree(
            text,
            ('reportStatus="NORMAL"', 'status="MISSING" translationFailedTAC="RKZA 2700KT"'),
        )
    )
    assert report.header.translation_failed
    assert not report.header.nil
    assert report.raw == "RKZA 2700KT"


def test_the_airport_may_be_a_reference_to_another_report() -> None:
    first = metar().replace("<AirportHeliport>", '<AirportHeliport id="a1">')
    second = metar(name="SPECI").replace(PLACE, '<aerodrome href="#a1"/>')
    second = second.replace(OBSERVED, "2026-05-04T03:01:00Z")
    report, _ = read_report(tree(f"<bulletin>{first}{second}</bulletin>"), expected="RKZA")
    assert isinstance(report, Metar)
    assert report.header.report_type == "SPECI"


def test_many_references_to_something_large_cost_little() -> None:
    large = f"<x id='x'>{'<y/>' * 20_000}</x>"
    trend = """<trendForecast><MeteorologicalAerodromeTrendForecast changeIndicator="BECOMING">
<phenomenonTime href="#x"/></MeteorologicalAerodromeTrendForecast></trendForecast>"""
    places = "<featureOfInterest href='#x'/>" * 5_000
    text = metar(trend=trend * 5_000 + large).replace(PLACE, places)
    document = tree(text)
    began = time.process_time()
    report, _ = read_report(document, expected="RKZA")
    assert time.process_time() - began < 5
    assert isinstance(report, Metar)
    assert len(report.trend) == 5_000


@pytest.mark.parametrize(
    "text", ["2026-05-04T12:00:00.000+09:00", "2026-05-04T03:00", "2026-05-04T03:00:00"]
)
def test_times_are_utc(text: str) -> None:
    header = read_metar(metar(), (instant(OBSERVED), instant(text))).header
    assert header.model_dump(mode="json")["observation_time"] == OBSERVED
    with_offset = header.model_dump() | {"observation_time": "2026-05-04T12:00:00+09:00"}
    assert MetarHeader.model_validate(with_offset) == header
    assert str(MetarHeader.model_validate(with_offset).observation_time).endswith("+00:00")


def layer(kind: str, *, base: str = '<base uom="[ft_i]">600</base>') -> MetarObservation:
    return observed(
        f'<cloud><AerodromeCloud><layer><CloudLayer><amount href="{AMOUNTS}1"/>{base}{kind}'
        "</CloudLayer></layer></AerodromeCloud></cloud>"
    )


@pytest.mark.parametrize("why", ["notObservable", "missing", "unknown", ""])
def test_a_cloud_type_that_a_station_cannot_see_is_missing(why: str) -> None:
    found = layer(f'<cloudType nilReason="{why and NIL + why}"/>')
    assert found.clouds is not None
    assert [(each.type, each.raw) for each in found.clouds] == [(None, "FEW006///")]
    assert "cloud_type" in found.missing


def test_a_layer_without_base_and_type_has_both_in_its_group() -> None:
    unseen = f'nilReason="{NIL}notObservable"'
    found = layer(f"<cloudType {unseen}/>", base=f"<base {unseen}/>")
    assert found.clouds is not None
    assert [each.raw for each in found.clouds] == ["FEW//////"]
    assert {"cloud_base", "cloud_type"} <= {*found.missing}


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("", "FEW006"),
        ("<cloudType/>", "FEW006"),
        (f'<cloudType nilReason="{NIL}inapplicable"/>', "FEW006"),
        (f'<cloudType nilReason="{NIL}notDetectedByAutoSystem"/>', "FEW006"),
        (f'<cloudType nilReason="{NIL}nothingOfOperationalSignificance"/>', "FEW006"),
        (f'<cloudType href="{AMOUNTS}TCU"/>', "FEW006TCU"),
    ],
)
def test_a_cloud_that_is_neither_cb_nor_tcu_misses_no_type(kind: str, raw: str) -> None:
    found = layer(kind)
    assert found.clouds is not None
    assert [each.raw for each in found.clouds] == [raw]
    assert "cloud_type" not in found.missing


@pytest.mark.parametrize(
    ("period_of", "line"),
    [
        (("04T22:30", "05T00:00"), "BECMG FM2230 TL2400"),
        (("05T00:00", "05T01:00"), "BECMG FM0000 TL0100"),
        (("05T00:00", "06T00:00"), "BECMG FM0000 TL2400"),
    ],
)
def test_midnight_ends_a_trend_as_hour_24_and_begins_one_as_hour_0(
    period_of: tuple[str, str], line: str
) -> None:
    """WMO-No. 306, FM 15, 15.14.5."""
    begin, end = (f"2026-05-{moment}:00Z" for moment in period_of)
    trend = (
        '<trendForecast><MeteorologicalAerodromeTrendForecast changeIndicator="BECOMING">'
        f"<phenomenonTime>{period(begin, end)}</phenomenonTime>"
        f"<timeIndicator>FROM_UNTIL</timeIndicator>{WIND}"
        "</MeteorologicalAerodromeTrendForecast></trendForecast>"
    )
    assert line in (read_metar(metar(trend=trend)).raw or "")


def bulletin(prefixes: dict[str, str], *, on_report: bool = False) -> str:
    """A bulletin with a METAR a prefix; its schemaLocation names the first version alone."""
    spaces = {
        prefix: f'xmlns:{prefix}="http://icao.int/iwxxm/{it}"' for prefix, it in prefixes.items()
    }
    first = next(iter(prefixes.values()))
    reports = []
    for prefix in prefixes:
        report = metar().replace(f" {SCHEMA}", f" {spaces[prefix]}" if on_report else "")
        report = report.replace("RKZA", f"RKZ{prefix[0].upper()}")
        reports.append(
            report.replace("<METAR", f"<{prefix}:METAR").replace("/METAR", f"/{prefix}:METAR")
        )
    around = "" if on_report else " ".join(spaces.values())
    schema = f'schemaLocation="http://icao.int/iwxxm/{first} http://127.0.0.1/{first}.xsd"'
    return f"<MeteorologicalBulletin {schema} {around}>{''.join(reports)}</MeteorologicalBulletin>"


@pytest.mark.parametrize("on_report", [False, True])
@pytest.mark.parametrize(
    "prefixes",
    [{"a": "2021-2", "b": "2023-1"}, {"iwxxm": "3.0", "b": "2025-2"}, {"a": "2.1", "iwxxm": "3.0"}],
)
def test_a_report_of_a_mixed_bulletin_has_the_version_of_its_namespace(
    prefixes: dict[str, str], *, on_report: bool
) -> None:
    document = parse_tree(bulletin(prefixes, on_report=on_report), known=IWXXM)
    for prefix, version in prefixes.items():
        read = read_report(document, expected=f"RKZ{prefix[0].upper()}")
        assert read.report.header.iwxxm_version == version
