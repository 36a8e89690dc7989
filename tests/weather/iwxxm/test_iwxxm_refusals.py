"""What is refused, under which word, naming the airport and what was seen."""

from datetime import datetime, timedelta

import pytest
from fakes.iwxxm_documents import (
    BODY,
    FULL_USAGE,
    ISSUED,
    NIL,
    OBSERVED,
    SCHEMA,
    change,
    instant,
    metar,
    taf,
    tree,
)

from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.iwxxm.tree import Element

CHANGED = change("BECOMING", '<prevailingVisibility uom="m">800</prevailingVisibility>')


def refused(document: Element, expected: str | None = "RKZA") -> ReportRefused:
    with pytest.raises(ReportRefused) as caught:
        read_report(document, expected=expected)
    return caught.value


@pytest.mark.parametrize(
    ("document", "reason", "seen"),
    [
        (tree("<html><body>점검</body></html>"), "root", "RKZA: 'html' holds no METAR"),
        (tree("<SIGMET/>"), "root", "'SIGMET'"),
        (tree(metar(), ("iwxxm/2023-1", "iwxxm/1.1")), "version", "'1.1'"),
        (
            tree(metar(), (FULL_USAGE, 'permissibleUsage="NON-OPERATIONAL" x="EXERCISE"')),
            "usage",
            "'NON-OPERATIONAL'",
        ),
        (tree(taf(), ("RKZA", "RKZB")), "airport", "RKZA: TAF: it is a report of RKZB"),
        (tree(metar(), (ISSUED, ""), (OBSERVED, "")), "time", "neither observation time"),
        (tree(metar(), (OBSERVED, "yesterday")), "time", "'yesterday'"),
        (tree(metar(), (OBSERVED, "2026-02-30T03:00:00Z")), "time", "'2026-02-30T03:00:00Z'"),
        (tree(taf(), ("2026-05-04T05:00:00Z", "")), "time", "no issue time"),
        (tree(taf(), ("2026-05-05T12:00:00Z", "2026-05-04T05:59:00Z")), "time", "valid period"),
        (tree(taf(), ("<validPeriod>", "<x>"), ("</validPeriod>", "</x>")), "time", "valid period"),
        (
            tree(taf(changes=CHANGED), ("2026-05-04T11:00:00Z", "2026-05-04T08:00:00Z")),
            "time",
            "change group ends",
        ),
        (tree(metar(), ('"NORMAL"', '"AMENDMENT"')), "status", "AMENDMENT"),
        (tree(taf(), ('"NORMAL"', '"PROVISIONAL"')), "status", "'PROVISIONAL'"),
        (tree(metar(body="")), "empty", "observation is empty"),
        (tree(taf(base="<phenomenonTime href='#v'/>")), "empty", "base forecast is empty"),
        (tree(metar(), (BODY, ""), ("observation>", "x>")), "empty", "no observation"),
        (tree(taf(changes="<changeForecast/>")), "empty", "change group"),
        (tree(taf(changes=CHANGED), ("BECOMING", "INTER")), "value", "'INTER'"),
    ],
)
def test_it_is_refused(document: Element, reason: str, seen: str) -> None:
    error = refused(document)
    assert error.reason == reason
    assert error.detail.startswith("RKZA: ")
    assert seen in error.detail


def test_a_report_that_names_no_airport_is_of_the_one_asked_for() -> None:
    document = tree(metar(), (">RKZA<", "><"))
    assert read_report(document, expected="RKZA").report.header.icao == "RKZA"
    assert refused(document, None).reason == "airport"


def test_the_designator_counts_without_an_indicator() -> None:
    document = tree(metar(), ("<locationIndicatorICAO>RKZA<", "<locationIndicatorICAO><"))
    assert read_report(document).report.header.icao == "RKZA"
    assert refused(document, "RKZB").detail == "RKZB: METAR: it is a report of RKZA"


def test_an_airport_that_is_no_location_indicator_is_refused() -> None:
    assert "'ZA'" in refused(tree(metar(), ("RKZA", "ZA")), None).detail


@pytest.mark.parametrize(
    ("text", "moment"), [(metar(), ISSUED), (taf(), "2026-05-04T05:00:00Z")], ids=["metar", "taf"]
)
def test_a_week_ago_is_the_least(text: str, moment: str) -> None:
    """A report of long ago tells nobody anything, and may be one with a wrong date."""
    limit = datetime.fromisoformat(moment) + timedelta(days=7, minutes=-5)
    assert read_report(tree(text), now=limit).report.header.icao == "RKZA"
    with pytest.raises(ReportRefused) as caught:
        read_report(tree(text), now=limit + timedelta(hours=3))
    assert caught.value.reason == "past"


@pytest.mark.parametrize(
    ("text", "moment"), [(metar(), ISSUED), (taf(), "2026-05-04T05:00:00Z")], ids=["metar", "taf"]
)
def test_half_an_hour_ahead_is_the_most(text: str, moment: str) -> None:
    limit = datetime.fromisoformat(moment) - timedelta(minutes=30)
    assert read_report(tree(text), now=limit).report.header.icao == "RKZA"
    with pytest.raises(ReportRefused) as caught:
        read_report(tree(text), now=limit - timedelta(seconds=1))
    assert caught.value.reason == "future"
    assert f"RKZA: {'TAF' if 'TAF' in text else 'METAR'}: of {moment}" in caught.value.detail


def test_an_observation_ahead_of_its_issue_counts_too() -> None:
    document = tree(metar(), (OBSERVED, "2026-05-04T09:00:00Z"))
    with pytest.raises(ReportRefused, match="of 2026-05-04T09:00:00Z"):
        read_report(document, now=datetime.fromisoformat(ISSUED))


def bulletin(*reports: str) -> Element:
    return tree(f"<MeteorologicalBulletin>{''.join(reports)}</MeteorologicalBulletin>")


def test_of_a_bulletin_the_newest_report_of_the_airport_counts() -> None:
    later = metar(name="SPECI").replace(OBSERVED, "2026-05-04T03:20:00Z")
    other = later.replace("RKZA", "RKZB").replace("03:20", "03:40")
    report, _ = read_report(bulletin(metar(), later, metar(), other), expected="RKZA")
    assert isinstance(report, Metar)
    assert (report.header.report_type, report.header.icao) == ("SPECI", "RKZA")
    assert refused(bulletin(other, other)).reason == "airport"
    assert refused(bulletin(metar(), other), None).reason == "root"


def test_of_two_reports_with_one_time_the_later_counts() -> None:
    corrected = metar().replace('"NORMAL"', '"CORRECTION"')
    report, _ = read_report(bulletin(metar(), corrected), expected="RKZA")
    assert report.header.report_status == "CORRECTION"


def test_an_empty_translation_failed_means_nothing() -> None:
    document = tree(metar(), (SCHEMA, f'{SCHEMA} translationFailedTAC=""'))
    report, _ = read_report(document)
    assert isinstance(report, Metar)
    assert report.observation is not None
    assert not report.header.translation_failed


def test_a_report_whose_sensors_all_failed_is_not_empty() -> None:
    body = f'<surfaceWind nilReason="{NIL}notObservable"/>'
    report, _ = read_report(tree(metar(body=body)))
    assert isinstance(report, Metar)
    assert report.observation is not None
    assert report.observation.wind is None
    assert set(report.observation.missing) == {
        "wind",
        "visibility",
        "clouds",
        "temperature",
        "qnh",
    }


def test_without_a_version_it_is_read() -> None:
    report, _ = read_report(tree(metar(), (SCHEMA, "")))
    assert report.header.iwxxm_version is None


def test_days_and_hours_are_near_the_issue_time() -> None:
    """`DDhh` of the month before or after, hour 24, and a month without such a day."""
    for issued, text, expected in [
        ("2026-02-28T23:00:00Z", "0106", "2026-03-01T06:00:00Z"),
        ("2026-03-01T01:00:00Z", "2822Z", "2026-02-28T22:00:00Z"),
        ("2026-04-30T23:00:00Z", "3024", "2026-05-01T00:00:00Z"),
        ("2026-05-04T05:00:00Z", "041530", "2026-05-04T15:30:00Z"),
    ]:
        base = (
            '<surfaceWind/><temperature><X><maximumAirTemperature uom="Cel">M05'
            f"</maximumAirTemperature><maximumAirTemperatureTime>{instant(text)}"
            "</maximumAirTemperatureTime></X></temperature>"
        )
        document = tree(
            taf(base),
            ("2026-05-04T05:00:00Z", issued),
            ("2026-05-04T06:00:00Z", issued),
            ("2026-05-05T12:00:00Z", issued),
        )
        report, _ = read_report(document)
        assert isinstance(report, Taf)
        (extreme,) = report.model_dump(mode="json")["header"]["temperatures"]
        assert extreme == {"type": "TX", "value": -5.0, "time": expected}
