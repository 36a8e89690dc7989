"""The invented weather itself."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from airfield_reader import MINUTE, OPENED

from uring_local.sites.airfield import Airfield, Bulletin, Report
from uring_local.sites.airfield.model import Edition, newest
from uring_local.sites.airfield.scripts.warnings import lists, warnings


def three_days() -> Iterator[tuple[datetime, dict[str, dict[str, Any]]]]:
    with Airfield(7, opened=OPENED) as airfield:
        for step in range(3 * 24 * 60 // 2):
            now = OPENED + step * 2 * MINUTE
            airfield.advance(now)
            yield now, {product: airfield.truth(product) for product in ("metar", "taf", "warning")}


def test_three_days_have_all_that_the_facts_list() -> None:
    reports: set[Report] = set()
    bulletins: dict[Bulletin, list[datetime]] = {}
    twins = calm = 0
    newest: dict[tuple[str, str], tuple[datetime, bool]] = {}
    for now, truth in three_days():
        for report in (*truth["metar"].values(), *truth["taf"].values()):
            reports.add(report)
            age = (report.time, report.status == "CORRECTION")
            place = (report.icao, "TAF" if report.kind == "TAF" else "METAR")
            assert age >= newest.get(place, age), f"{report} replaced a later one"
            newest[place] = age
        listed = [each for row in truth["warning"].values() for each in row]
        calm += not listed
        for each in listed:
            bulletins.setdefault(each, []).append(now)
            but_text = [(other.icao, other.type, other.issued) for other in listed]
            twins += but_text.count((each.icao, each.type, each.issued)) > 1
    seen = Counter((report.kind, report.status) for report in reports)
    for kind, status in [
        ("SPECI", "NORMAL"),
        ("METAR", "CORRECTION"),
        ("METAR", "NIL"),
        ("TAF", "NORMAL"),
        ("TAF", "AMENDMENT"),
        ("TAF", "CORRECTION"),
        ("TAF", "CANCEL"),
        ("TAF", "NIL"),
    ]:
        assert seen[kind, status], f"no {kind} {status}"
    metars = [report for report in reports if report.kind != "TAF"]
    for name in ("automated", "cavok", "variable", "gust", "rvr", "ncd", "nsc"):
        assert any(getattr(report, name) for report in metars), f"no {name}"
    assert any(report.vertical_visibility for report in metars)
    assert any(report.weather is None and report.status != "NIL" for report in metars)
    assert {report.iwxxm_version for report in metars} == {
        "2.1",
        "3.0",
        "2021-2",
        "2023-1",
        "2025-2",
    }
    groups = {group.type for report in reports for group in report.groups}
    assert groups >= {"BECMG", "TEMPO", "FM", "PROB30", "PROB40", "PROB30_TEMPO", "PROB40_TEMPO"}
    assert calm
    assert twins
    last = {each: times[-1] for each, times in bulletins.items()}
    ran_out = [each for each, time in last.items() if each.end - time <= 2 * MINUTE]
    assert all(time < each.end for each, time in last.items()), "listed after its end"
    changed = [
        each
        for each in bulletins
        if any(
            (other.icao, other.type, other.start) == (each.icao, each.type, each.start)
            and (other.end, other.text) != (each.end, each.text)
            and last[each] < other.issued <= last[each] + 2 * MINUTE
            for other in bulletins
        )
    ]
    extended = {each.extends for each in bulletins if each.extends}
    still_listed = OPENED + (3 * 24 * 60 - 2) * MINUTE
    lifted = {
        each: time
        for each, time in last.items()
        if each not in ran_out and each not in changed and time < still_listed
        # Taken off the list a little early: another continues it.
        if each not in extended
    }
    assert all(time <= each.end - 90 * MINUTE for each, time in lifted.items())
    assert ran_out
    assert lifted
    assert extended
    assert all(each.cancels is None for each in bulletins)
    assert changed
    assert any(each.type == "11" for each in bulletins)


def test_a_late_correction_does_not_hide_a_later_observation() -> None:
    first = Report(
        icao="RKSI",
        kind="METAR",
        status="NORMAL",
        time=OPENED,
        issued=OPENED + 2 * MINUTE,
        iwxxm_version="2023-1",
    )
    special = replace(first, kind="SPECI", time=OPENED + 12 * MINUTE, issued=OPENED + 14 * MINUTE)
    corrected = replace(first, status="CORRECTION", issued=OPENED + 19 * MINUTE)
    editions = [
        Edition(OPENED + 4 * MINUTE, first),
        Edition(OPENED + 20 * MINUTE, corrected),
        Edition(OPENED + 16 * MINUTE, special),
    ]
    assert newest(editions, OPENED + 15 * MINUTE) == [first]
    assert newest(editions, OPENED + 30 * MINUTE) == [first, corrected, special]


def test_a_cancelled_warning_is_over_though_it_is_still_listed() -> None:
    over = {row for at in half_hours() for listed in lists(7, at).values() for row in listed}
    cancelled = {row.cancels for row in over if row.cancels}
    assert cancelled
    still_listed = 0
    for at in half_hours():
        truth, rows = warnings(7, at), lists(7, at)
        for icao, listed in rows.items():
            called_over = {row.cancels for row in listed if row.cancels}
            assert called_over.isdisjoint(truth[icao])
            still_listed += len(called_over & {*listed})
    assert still_listed


def half_hours() -> list[datetime]:
    return [OPENED + step * 30 * MINUTE for step in range(3 * 48)]
