"""An airport's day: its graph, the forecasts that held, a report in words, and torn files."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page
from site_of_client import Site
from weather_day import ago, issued, metar_day, report, rough_day, taf_day
from weather_of_client import metar, publish, taf

Opened = Callable[[str], Page]
ROUTE: Final = "#/weather/RKSI"
HALF_HOURS: Final = [ago(minutes=11 + 30 * step) for step in range(5, -1, -1)]
_HELD: Final = """async ([body, from, until]) => {
  const {heldOf} = await import("./app/weather/day.js");
  const held = heldOf(body, "RKSI", Date.parse(from), Date.parse(until));
  const iso = (at) => new Date(at).toISOString();
  return held.map(({start, end, prevailing, worst}) =>
    [iso(start), iso(end), prevailing.category, worst.category]);
}"""


def opened_with(site: Site, opened: Opened, metars: Any, tafs: Any = None) -> Page:
    """Open the airport with the day's files."""
    publish(site, {"RKSI": metar("RKSI")})
    site.put("metar/RKSI/day.json", metars)
    if tafs is not None:
        site.put("taf/RKSI/day.json", tafs)
    return opened(ROUTE)


def panel(page: Page, name: str) -> Any:
    """Return the plot whose caption begins so."""
    return page.locator("figure.panel", has_text=name).locator("svg.plot")


def plots(page: Page) -> list[str]:
    """Return what a screen reader hears of each plot."""
    told = [plot.get_attribute("aria-label") or "" for plot in page.locator("svg[role=img]").all()]
    return [" ".join(one.split()) for one in told]


def count(page: Page) -> int:
    """Return the number of reports in the graph; 0 without one."""
    slider = page.locator("section[data-part=day] input[type=range]")
    return int(slider.get_attribute("max") or 0) + 1 if slider.count() else 0


def test_a_day_has_a_plot_of_each_value_with_its_range_in_words(site: Site, opened: Opened) -> None:
    """Category, wind, visibility, temperature, pressure; a screen reader hears the range."""
    page = opened_with(site, opened, metar_day(rough_day()))
    told = plots(page)
    assert [one.partition(":")[0].partition(".")[0] for one in told] == [
        "비행 조건",
        "바람 (kt)",
        "시정",
        "기온과 이슬점 (°C)",
        "기압 (hPa)",
    ]
    assert told[1] == "바람 (kt): 8 \N{EN DASH} 28, 마지막 8. 돌풍 최대 42 kt."
    assert told[2] == "시정: 400 m \N{EN DASH} 10 km, 마지막 10 km."
    assert told[4] == "기압 (hPa): 1011 \N{EN DASH} 1024, 마지막 1019."
    assert panel(page, "바람").locator("line.gust").count() == 11
    assert 20 <= panel(page, "바람").locator(".blows").count() <= 25


def test_a_missing_report_is_a_gap_in_every_line(site: Site, opened: Opened) -> None:
    """Two hours without one: neither a line over them nor a category."""
    day = rough_day()
    page = opened_with(site, opened, metar_day(day))
    for name in ("바람", "시정", "기온", "기압"):
        assert panel(page, name).locator("line.first").count() == len(day) - 2
    starts = page.locator("svg.skies .sky").evaluate_all(
        "spans => spans.map((one) => parseFloat(one.getAttribute('x')))"
    )
    widths = page.locator("svg.skies .sky").evaluate_all(
        "spans => spans.map((one) => parseFloat(one.getAttribute('width')))"
    )
    # Of the first span the last report is at 17 hours before the check, and holds for its gap.
    assert starts[1] - (starts[0] + widths[0]) == pytest.approx(100 * 1.75 / 24, abs=0.1)


def test_a_value_that_is_not_known_breaks_its_own_line_alone(site: Site, opened: Opened) -> None:
    """A null pressure, a wind without a speed: the other lines go on."""
    reports = [report(time) for time in HALF_HOURS]
    reports[2]["qnh"] = None
    reports[3]["wind"] = None
    page = opened_with(site, opened, metar_day(reports))
    lines = [panel(page, name).locator("line.first").count() for name in ("기압", "바람", "시정")]
    assert lines == [3, 3, 5]


def test_an_hourly_airport_has_no_gap_between_its_hours(site: Site, opened: Opened) -> None:
    """Special reports, minutes apart, change no rhythm."""
    special = [report(ago(minutes=at), report_type="SPECI") for at in range(55, 15, -5)]
    hourly = [report(ago(hours=hour)) for hour in range(6, 0, -1)]
    page = opened_with(site, opened, metar_day([*hourly, *special]))
    assert panel(page, "기압").locator("line.first").count() == 5 + 8


@pytest.mark.parametrize(
    ("tafs", "held"),
    [
        # The newest that was issued before; until the later comes, the former holds.
        (
            [issued(ago(hours=30), "VFR", "VFR"), issued(ago(hours=12), "IFR", "LIFR")],
            [(24, 12, "VFR", "VFR"), (12, 0, "IFR", "LIFR")],
        ),
        # One that is over holds no longer.
        ([issued(ago(hours=36), "VFR", "MVFR")], [(24, 12, "VFR", "MVFR")]),
        # A forecast of later hours does not hold before them.
        (
            [
                issued(ago(hours=20), "VFR", "VFR"),
                issued(ago(hours=6), "IFR", "IFR", valid_start=ago(hours=5)),
            ],
            [(20, 5, "VFR", "VFR"), (5, 0, "IFR", "IFR")],
        ),
        # After a cancellation nothing holds, with times or without.
        (
            [
                issued(ago(hours=20), "VFR", "VFR"),
                issued(ago(hours=8), None, None, cancelled=True, valid_start=None, valid_end=None),
            ],
            [(20, 8, "VFR", "VFR")],
        ),
        # A correction of the same minute replaces.
        (
            [issued(ago(hours=10), "VFR", "VFR"), issued(ago(hours=10), "IFR", "IFR")],
            [(10, 0, "IFR", "IFR")],
        ),
        # One that could not be read does not let the former hold.
        (
            [issued(ago(hours=20), "VFR", "VFR"), issued(ago(hours=9), "", "", timeline=None)],
            [(20, 9, "VFR", "VFR")],
        ),
        # Not in the order of time.
        (
            [issued(ago(hours=4), "IFR", "IFR"), issued(ago(hours=20), "VFR", None)],
            [(20, 4, "VFR", ""), (4, 0, "IFR", "IFR")],
        ),
        ([None, 7, {}, {"issued": "soon"}, {"issued": ago(hours=1), "timeline": {}}], []),
    ],
)
def test_the_forecast_that_held_is_the_newest_that_was_issued_before(
    opened: Opened, tafs: list[Any], held: list[tuple[int, int, str, str]]
) -> None:
    """By issue, by validity, by cancellation; what is not known to have held is not drawn."""
    page = opened("#/")
    seen = page.evaluate(_HELD, [taf_day(tafs), ago(hours=24), ago()])
    expected = [[ago(hours=start), ago(hours=end), *skies] for start, end, *skies in held]
    assert [[one[:19] + "Z" for one in each[:2]] + each[2:] for each in seen] == expected


def test_the_forecast_is_drawn_under_what_came_in_words(site: Site, opened: Opened) -> None:
    """Each row is named, and a long piece has its whole word."""
    tafs = [issued(ago(hours=26), "VFR", "MVFR"), issued(ago(hours=12), "IFR", "LIFR")]
    page = opened_with(site, opened, metar_day([report(one) for one in HALF_HOURS]), taf_day(tafs))
    texts = page.locator("svg.skies text").all_text_contents()
    assert [one for one in texts if one in ("관측", "예보", "최악")] == ["관측", "예보", "최악"]
    assert [one for one in texts if "FR" in one][1:] == ["VFR", "IFR", "MVFR", "LIFR"]


@pytest.mark.parametrize(
    ("marks", "end"),
    [
        ({}, 100.0),
        ({"_stale": True, "_stale_since": ago(hours=6)}, 75.0),
        ({"_overdue": True, "_overdue_since": ago(hours=6)}, 100.0),
        ({"_stale": True}, 0.0),
    ],
)
def test_while_forecasts_are_not_known_none_is_drawn(
    site: Site, opened: Opened, marks: dict[str, Any], end: float
) -> None:
    """A newer one may have come since the calls fail; an overdue one still holds."""
    publish(site, {"RKSI": metar("RKSI")}, {"RKSI": taf("RKSI", **marks)})
    site.put("metar/RKSI/day.json", metar_day([report(time) for time in HALF_HOURS]))
    site.put("taf/RKSI/day.json", taf_day([issued(ago(hours=23), "IFR", "IFR")]))
    spans = opened(ROUTE).locator("svg.skies .sky.bad")
    ends = spans.evaluate_all(
        "all => all.map((one) => one.x.baseVal.valueInSpecifiedUnits"
        " + one.width.baseVal.valueInSpecifiedUnits)"
    )
    assert ends == ([pytest.approx(end, abs=0.1)] * 2 if end else [])


def test_a_report_is_chosen_by_keys_and_stays_chosen(site: Site, opened: Opened) -> None:
    """The slider goes from report to report; what comes each minute does not move it."""
    reports = [report(time, qnh=1020 + at, weather=["-SHRA"]) for at, time in enumerate(HALF_HOURS)]
    page = opened_with(
        site, opened, metar_day(reports), taf_day([issued(ago(hours=9), "IFR", "LIFR")])
    )
    picked = page.locator(".picked")
    assert "1025 hPa" in picked.inner_text()
    slider = page.get_by_label("보고 고르기")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    told = picked.inner_text()
    for part in ("1023 hPa", "3월 2일 08:30 (01/23:30Z)", "-SHRA", "4,500 ft", "IFR, 최악 LIFR"):
        assert part in told
    assert slider.get_attribute("aria-valuetext") == "3월 2일 08:30 (01/23:30Z)"
    site.log.clear()
    with page.expect_response("**/taf/RKSI/day.json"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_load_state("networkidle")
    assert "1023 hPa" in picked.inner_text()


def test_a_report_is_chosen_where_a_plot_is_touched(site: Site, opened: Opened) -> None:
    """The nearest one in time."""
    reports = [report(ago(hours=hour), qnh=1000 + hour) for hour in range(23, -1, -1)]
    page = opened_with(site, opened, metar_day(reports))
    plot = panel(page, "기압")
    plot.scroll_into_view_if_needed()
    size = plot.bounding_box() or {}
    plot.click(position={"x": size["width"] / 2, "y": 60})
    assert "1012 hPa" in page.locator(".picked").inner_text()


def test_the_table_has_every_report_with_both_times(site: Site, opened: Opened) -> None:
    """Newest first, for who cannot see the graph."""
    reports = [report(time) for time in HALF_HOURS]
    reports[0].update(flight_category=None, visibility=None, ceiling=None)
    page = opened_with(site, opened, metar_day(reports))
    page.get_by_text("지난 24시간의 표").click()
    rows = page.locator("section[data-part=day] tbody tr").all_inner_texts()
    assert len(rows) == 6
    assert rows[0].startswith("3월 2일 09:30 (02/00:30Z)\tVFR\t동풍 070°, 10 kt\t10 km 이상")
    assert rows[-1].startswith("3월 2일 07:00 (01/22:00Z)\t모름\t동풍 070°, 10 kt\t\t\t")


def test_without_the_days_files_the_page_is_as_before(site: Site, opened: Opened) -> None:
    """A server of the release before: one question each, and no word."""
    publish(site, {"RKSI": metar("RKSI")})
    page = opened(ROUTE)
    assert page.locator("section").count() == 3
    assert [site.requests(f"{one}/RKSI/day.json") for one in ("metar", "taf")] == [[403], [403]]


def many() -> list[dict[str, Any]]:
    """Return 10,000 reports of a day, seconds apart."""
    return [report(ago(seconds=8 * step)) for step in range(10_000, 0, -1)]


_SIX: Final = [report(time) for time in HALF_HOURS]
_ODD: Final = {
    "wind": ["", {"speed": "fast", "gust": -3, "direction": 1e9}, 9, {"speed": 1e308}],
    "visibility": [-1, 1e12, "far", [], 0],
    "temperature": [900, "2", None, {}],
    "qnh": [0, 1e11, "1013", None],
    "weather": [None, "RA", [7, None, "RA"], [["RA"]]],
    "flight_category": [7, {}, "constructor", None, "XVFR"],
    "report_type": [None, 7, "__proto__"],
}


def odd() -> list[Any]:
    """Return six good reports, and one of each odd value."""
    values = [(field, value) for field, some in _ODD.items() for value in some]
    times = [ago(minutes=200 + step) for step in range(len(values))]
    rows = [report(at, **{key: value}) for at, (key, value) in zip(times, values, strict=True)]
    return [*rows, None, 7, "METAR", [], {}, {"time": None}, {"time": 7}, *_SIX]


@pytest.mark.parametrize(
    ("body", "reports"),
    [
        (metar_day(_SIX), 6),
        (metar_day(_SIX, later={"key": 1}), 6),
        (metar_day([*reversed(_SIX)]), 6),
        (metar_day([*_SIX, {**_SIX[0], "report_status": "CORRECTION"}]), 6),
        (metar_day([*_SIX, {**_SIX[0], "report_type": "SPECI"}]), 7),
        (metar_day([*_SIX, report(ago(hours=-1)), report(ago(hours=25)), report("yesterday")]), 6),
        (metar_day(odd()), 6 + sum(map(len, _ODD.values()))),
        (metar_day(many()), 200),
        (metar_day(_SIX[:1]), 0),
        (metar_day([]), 0),
        (metar_day(_SIX, type="METAR_DAY_2"), 0),
        (metar_day(_SIX, icao="RKPC"), 0),
        (metar_day({"0": _SIX[0]}), 0),
        ([_SIX], 0),
        (None, 0),
        (7, 0),
    ],
)
def test_of_an_odd_day_there_is_what_is_good_of_it(
    site: Site, opened: Opened, body: Any, reports: int
) -> None:
    """Other types, backward times, values that no air has: never a broken page."""
    page = opened_with(site, opened, body, body)
    assert count(page) == reports
    assert page.locator("section[data-product]").count() == 3
    text = page.locator("main").inner_text()
    assert "NaN" not in text
    assert "undefined" not in text
    assert page.locator("main svg [y1*=NaN], main svg [cy*=NaN], main svg [x1*=NaN]").count() == 0


def test_odd_values_flatten_no_scale(site: Site, opened: Opened) -> None:
    """A pressure of 10¹¹ hPa and a gust of -3 kt are not known."""
    page = opened_with(site, opened, metar_day(odd()))
    assert plots(page)[1:] == [
        "바람 (kt): 10 \N{EN DASH} 10, 마지막 10.",
        "시정: 0 m \N{EN DASH} 10 km, 마지막 10 km.",
        "기온과 이슬점 (°C): 2 \N{EN DASH} 2, 마지막 2.",
        "기압 (hPa): 1013 \N{EN DASH} 1031, 마지막 1031.",
    ]


def test_a_torn_file_costs_the_graph_alone(site: Site, opened: Opened) -> None:
    """Cut in the middle: no graph, and the forecast's file is not missed."""
    publish(site, {"RKSI": metar("RKSI")})
    site.put("metar/RKSI/day.json", metar_day(_SIX))
    site.data["metar/RKSI/day.json"] = site.data["metar/RKSI/day.json"][:400]
    page = opened(ROUTE)
    assert count(page) == 0
    assert page.locator("section").count() == 3


def test_a_report_a_minute_ahead_is_the_days(site: Site, opened: Opened) -> None:
    """A station's clock may be ahead of the server's; one of later hours is no observation."""
    at = [ago(minutes=30), ago(minutes=-1), ago(minutes=-60)]
    page = opened_with(site, opened, metar_day([report(time) for time in at]))
    assert count(page) == 2
