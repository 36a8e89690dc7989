"""A forecast by its hours, what holds at an hour, and the wind along and across each runway."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page
from site_of_client import Site
from test_client_airport import header, section
from weather_day import ago, piece, timeline
from weather_of_client import entries, metar, observation, publish, taf

Opened = Callable[[str], Page]
ROUTE: Final = "#/weather/RKSI"
SKY: Final[tuple[Any, list[Any]]] = ("VFR", [0])


def at(day: int, hour: int) -> str:
    """Return an hour of March 2026."""
    return f"2026-03-{day:02}T{hour:02}:00:00Z"


def minute(number: int) -> str:
    """Return a minute, counted from the last check."""
    return ago(minutes=-number)


def opened_taf(site: Site, opened: Opened, report: dict[str, Any]) -> Page:
    """Open the airport with a forecast."""
    publish(site, {"RKSI": metar("RKSI")}, {"RKSI": report})
    return opened(ROUTE)


def rows(page: Page) -> list[str]:
    """Return the rows of the table of pieces."""
    page.get_by_text("구간과 그 근거").click()
    return page.locator("table.pieces tbody tr").all_inner_texts()


def test_each_piece_has_its_categories_and_the_groups_they_come_from(
    site: Site, opened: Opened
) -> None:
    """In words, in both times; a group has its name in the TAF, for several may be of one kind."""
    page = opened_taf(site, opened, taf("RKSI", timeline=timeline()))
    drawn = page.locator("svg.strip text").all_text_contents()
    assert [drawn.index(name) for name in ("우세", "최악")] == [0, 6]
    assert {"VFR", "MVFR", "IFR", "L"} <= {*drawn}
    told = [" ".join(row.split()) for row in rows(page)]
    assert told[0] == (
        "3월 2일 09:00 \N{EN DASH} 13:00 (02/00:00Z \N{EN DASH} 02/04:00Z) "
        "VFR 전체 기간 IFR 전체 기간 · TEMPO 0200/0204"
    )
    assert told[3].endswith(
        "MVFR 전체 기간 · BECMG 0205/0208 LIFR 전체 기간 · BECMG 0205/0208 · PROB30 0213/0214"
    )
    assert len(told) == 5


@pytest.mark.parametrize(
    ("group", "name"),
    [
        ({"type": "TEMPO", "start": at(2, 22), "end": at(3, 0)}, "TEMPO 0222/0224"),
        ({"type": "PROB40_TEMPO", "start": at(2, 0), "end": at(2, 6)}, "PROB40 TEMPO 0200/0206"),
        ({"type": "FM", "start": "2026-03-02T05:30:00Z", "end": at(3, 6)}, "FM020530"),
        ({"type": "BECMG", "start": None, "end": "later"}, "BECMG"),
        ({"type": 7}, "알 수 없는 종류"),
    ],
)
def test_a_group_is_named_as_its_forecast_writes_it(
    site: Site, opened: Opened, group: dict[str, Any], name: str
) -> None:
    """The day's end is hour 24; a time that is not known is left out."""
    given = [piece(at(2, 0), at(3, 6), SKY, ("IFR", [1]))]
    page = opened_taf(site, opened, taf("RKSI", changes=[group], timeline=given))
    assert page.locator(".condition > p:first-child").last.inner_text() == name


def test_what_holds_now_and_at_an_hour_is_said_in_words(site: Site, opened: Opened) -> None:
    """The groups with their conditions; the hour that was chosen stays."""
    page = opened_taf(site, opened, taf("RKSI", timeline=timeline()))
    holds = page.locator(".holds")
    now = " ".join(holds.inner_text().split())
    assert now.startswith("우세 VFR 전체 기간 바람 동풍 070°, 10 kt 시정 10 km 이상")
    assert now.endswith("최악 IFR TEMPO 0200/0204 바람 북서풍 300°, 26 kt, 돌풍 42 kt")
    hours = page.get_by_label("이때의 조건")
    options = hours.locator("option").all_inner_texts()
    assert options[0] == "지금 · 3월 2일 09:41 (02/00:41Z)"
    assert len(options) == 1 + 30
    hours.select_option(label="3월 2일 22:00 (02/13:00Z)")
    then = " ".join(holds.inner_text().split())
    assert then.startswith("우세 MVFR 아래의 것이 위의 것을 바꿉니다. 전체 기간 바람 동풍")
    assert "BECMG 0205/0208" in then
    assert "최악 LIFR PROB30 0213/0214" in then
    with page.expect_response("**/taf/RKSI/day.json"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_load_state("networkidle")
    assert " ".join(holds.inner_text().split()) == then
    hours.select_option(label="3월 2일 13:00 (02/04:00Z)")
    assert holds.inner_text().endswith("일시적인 변화가 없습니다.")


def test_of_a_forecast_of_later_hours_the_first_one_is_shown(site: Site, opened: Opened) -> None:
    """It holds nothing now."""
    later = [piece(at(2, 6), at(2, 12), ("MVFR", [0]), ("MVFR", [0]))]
    page = opened_taf(site, opened, taf("RKSI", timeline=later))
    hours = page.get_by_label("이때의 조건")
    assert hours.locator("option").count() == 6
    assert (
        hours.evaluate("one => one.selectedOptions[0].text.trim()") == "3월 2일 15:00 (02/06:00Z)"
    )
    assert "MVFR" in page.locator(".holds").inner_text()


def test_without_a_timeline_the_groups_stand_as_before(site: Site, opened: Opened) -> None:
    """A server of the release before sends none."""
    page = opened_taf(site, opened, taf("RKSI"))
    assert page.locator("svg.strip, #hour, .pieces").count() == 0
    assert page.locator(".timeline > li").count() == 4


@pytest.mark.parametrize(
    "report",
    [
        taf("RKSI", timeline=timeline(), _stale=True, _stale_since=at(1, 22)),
        taf("RKSI", timeline=timeline(), _overdue=True, _overdue_since=at(1, 22)),
        taf("RKSI", timeline=timeline(), _expired=True),
        header(taf("RKSI", timeline=timeline()), valid_end=at(2, 0)),
        header(taf("RKSI", timeline=timeline()), cancelled=True),
        header(taf("RKSI", timeline=timeline()), nil=True),
    ],
)
def test_what_does_not_hold_has_no_timeline(
    site: Site, opened: Opened, report: dict[str, Any]
) -> None:
    """Stale, overdue, over, cancelled, nil: their marks, and no hour to ask for."""
    page = opened_taf(site, opened, report)
    assert page.locator("svg.strip, #hour, .pieces").count() == 0
    words = "끝났|취소된|새 자료가 없|나왔어야|보고가 없"
    assert page.locator(f"section[data-product=taf] >> text=/{words}/").count() == 1


def test_where_checks_stand_still_there_is_no_timeline(site: Site, opened: Opened) -> None:
    """The index knows that the forecast's calls fail."""
    publish(site, {"RKSI": metar("RKSI")}, {"RKSI": taf("RKSI", timeline=timeline())})
    failed = {"RKSI": {"reason": "timeout", "since": at(1, 22)}}
    site.put("index.json", {"weather": entries(failed, "taf")})
    assert opened(ROUTE).locator("svg.strip").count() == 0


_GOOD: Final = piece(at(2, 0), at(2, 6), SKY, SKY)


@pytest.mark.parametrize(
    ("given", "pieces"),
    [
        ([_GOOD, piece(at(2, 5), at(2, 9), SKY, SKY)], 1),
        ([_GOOD, piece(at(2, 9), at(2, 7), SKY, SKY)], 1),
        ([_GOOD, piece("later", at(2, 7), SKY, SKY), None, 7, {}], 1),
        ([_GOOD, {"start": at(2, 6), "end": at(2, 7)}], 2),
        ([_GOOD, piece(at(2, 8), at(9, 9), ("XFR", [9, -1, 0.5, "0", None]), (7, [0, 0]))], 2),
        ([{**_GOOD, "prevailing": 7, "worst": [], "later": 1}], 1),
        ([piece("0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", SKY, SKY)], 1),
        ([piece("+275760-09-12T00:00:00Z", "+275760-09-13T00:00:00Z", SKY, SKY)], 1),
        ([piece(minute(n), minute(n + 1), SKY, SKY) for n in range(3000)], 100),
        ("PT6H", 0),
        ({"0": _GOOD}, 0),
        ([], 0),
    ],
)
def test_of_an_odd_timeline_there_is_what_is_good_of_it(
    site: Site, opened: Opened, given: Any, pieces: int
) -> None:
    """Overlaps, backward and endless pieces, groups that the TAF has not."""
    page = opened_taf(site, opened, taf("RKSI", timeline=given))
    assert (len(rows(page)) if pieces else page.locator(".pieces").count()) == pieces
    assert page.locator("#hour option").count() <= 49
    assert page.locator(".timeline > li").count() == 4
    for word in ("NaN", "undefined", "null"):
        assert word not in page.locator("main").inner_text()


def test_an_hour_between_two_pieces_is_not_known(site: Site, opened: Opened) -> None:
    """A gap is no calm."""
    given = [_GOOD, piece(at(2, 8), at(2, 9), SKY, SKY)]
    page = opened_taf(site, opened, taf("RKSI", timeline=given))
    page.get_by_label("이때의 조건").select_option(label="3월 2일 16:00 (02/07:00Z)")
    assert page.locator(".holds").inner_text() == "이때의 조건을 알 수 없습니다."


def test_each_runway_has_its_wind_along_and_across(site: Site, opened: Opened) -> None:
    """Head and tail, from the right and the left, gusts; what is not known is not said."""
    runways = [
        {"runway": "15L", "headwind": 8, "crosswind": 12, "gust_crosswind": 20},
        {"runway": "33R", "headwind": -8, "crosswind": -12, "gust_crosswind": None},
        {"runway": "07", "headwind": 14, "crosswind": 0, "gust_crosswind": 0},
        {"runway": "18", "headwind": None, "crosswind": None, "gust_crosswind": None},
        {"runway": 7, "headwind": "fast", "crosswind": [], "gust_crosswind": {}},
        None,
        "36",
    ]
    wind = {**observation()["wind"], "runways": runways}
    publish(site, {"RKSI": metar("RKSI", observation=observation(wind=wind))})
    told = " ".join(section(opened(ROUTE), "metar").split())
    assert (
        "활주로 15L 정풍 8 kt, 오른쪽 측풍 12 kt, 측풍 돌풍 20 kt "
        "활주로 33R 배풍 8 kt, 왼쪽 측풍 12 kt "
        "활주로 07 정풍 14 kt, 측풍 없음, 측풍 돌풍 0 kt 시정" in told
    )


def test_a_hostile_list_of_runways_is_bounded(site: Site, opened: Opened) -> None:
    """Thirty lines, whatever comes; anything but a list has none."""
    runways: Any = [{"runway": "15L", "headwind": 8, "crosswind": 1}] * 9000
    wind = {**observation()["wind"], "runways": runways}
    publish(site, {"RKSI": metar("RKSI", observation=observation(wind=wind))})
    page = opened(ROUTE)
    assert page.locator("section[data-product=metar] dt", has_text="활주로 15L").count() == 30
    wind["runways"] = {"15L": 8}
    publish(site, {"RKSI": metar("RKSI", observation=observation(wind=wind))})
    assert "활주로 15L" not in section(opened(ROUTE), "metar")
