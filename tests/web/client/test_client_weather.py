"""The weather of all airports: what a card tells, how old it is, and what bad data may not do."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from site_of_client import Site
from weather_of_client import metar, observation, publish, taf, warning

Opened = Callable[[str], Page]
CARDS = "li[data-airport]"


def card(page: Page, icao: str) -> str:
    """Return what an airport's card says."""
    return page.locator(f"li[data-airport={icao}]").inner_text()


def test_a_card_says_category_wind_visibility_ceiling_temperature_and_pressure(
    site: Site, opened: Opened
) -> None:
    """All of it in words; the category is a word beside its colour."""
    seen = observation(
        wind={"direction": 300, "speed": 26, "gust": 42},
        visibility={"value": 1500},
        clouds=[{"amount": "FEW", "base": 300}, {"amount": "OVC", "base": 800}],
    )
    publish(site, {"RKPC": metar("RKPC", "IFR", observation=seen)})
    page = opened("#/weather")
    told = card(page, "RKPC")
    for part in ("제주", "북서풍 300°, 26 kt, 돌풍 42 kt", "1,500 m", "800 ft", "1031 hPa"):
        assert part in told
    assert "2 °C, 이슬점 \N{MINUS SIGN}5 °C" in told
    assert page.locator(".card .flight").inner_text() == "IFR"
    assert page.locator(".card .arrow path").get_attribute("transform") == "rotate(120 12 12)"


def test_an_observations_age_counts_to_the_servers_clock_and_not_to_the_devices(
    site: Site, opened: Opened
) -> None:
    """The device is in another month: eleven minutes all the same, and nothing is wrong."""
    publish(site, {"RKSI": metar("RKSI")})
    page = opened("#/weather")
    told = card(page, "RKSI")
    assert "3월 2일 09:30 (02/00:30Z) 관측 · 11분 전" in told
    assert "3월 2일 09:41 (02/00:41Z)에 마지막으로 확인" in page.locator("main").inner_text()
    assert page.locator(".lack").count() == 0


def test_airports_stand_as_published_and_favourites_before_them(site: Site, opened: Opened) -> None:
    """A star moves a card to the front, and is kept over a reload."""
    publish(site, {icao: metar(icao) for icao in ("RKSI", "RKSS", "RKPC")})
    page = opened("#/weather")
    order = f"[...document.querySelectorAll('{CARDS}')].map(one => one.dataset.airport)"
    assert page.evaluate(order) == ["RKSI", "RKSS", "RKPC"]
    page.locator("li[data-airport=RKPC] .star").click()
    page.wait_for_selector("li[data-airport=RKPC] .star[aria-pressed=true]")
    assert page.evaluate(order) == ["RKPC", "RKSI", "RKSS"]
    page.reload()
    page.wait_for_selector(CARDS)
    assert page.evaluate(order) == ["RKPC", "RKSI", "RKSS"]


def test_the_facts_of_a_card_stand_below_one_another(site: Site, opened: Opened) -> None:
    """On a phone: one column of terms, one of values."""
    publish(site, {"RKSI": metar("RKSI")})
    page = opened("#/weather")
    for part in ("dt", "dd"):
        boxes = [one.bounding_box() or {} for one in page.locator(f".card .facts {part}").all()]
        assert len({box["x"] for box in boxes}) == 1
        assert len({box["y"] for box in boxes}) == len(boxes) == 5


def test_a_starred_airport_is_no_board(site: Site, opened: Opened) -> None:
    """Who follows airports alone is still asked for boards; none is loaded, listed or counted."""
    publish(site, {"RKSI": metar("RKSI")})
    metars = {"id": "metar", "name": "METAR", "status": "ok", "topics": ["RKSI"]}
    site.put("index.json", {"departments": [{"id": "cse", "name": "컴퓨터"}], "weather": [metars]})
    page = opened("#/weather")
    page.locator("li[data-airport=RKSI] .star").click()
    page.wait_for_selector(".star[aria-pressed=true]")
    page = opened("#/")
    assert page.locator("h1").inner_text() == "어느 학과의 소식을 볼까요?"
    assert page.locator(".dock").count() == 0
    page.get_by_role("button", name="받아 보기").click()
    page.get_by_role("button", name="1곳의 공지 보기").click()
    page.wait_for_selector(".tools")
    assert site.requests("cse/latest.json") == [403]
    assert site.requests("RKSI/latest.json") == []
    page = opened("#/settings")
    assert page.locator("main .list .title").all_inner_texts() == ["컴퓨터"]


def test_an_airport_that_does_not_answer_says_since_when_and_why(
    site: Site, opened: Opened
) -> None:
    """A stale card has its mark, one without `_stale` only where the index names it."""
    stale = metar("RKTU", _stale=True, _stale_since="2026-03-02T00:11:00Z")
    failed = {"RKSS": {"reason": "timeout", "since": "2026-03-02T00:21:00Z"}}
    publish(site, {"RKSI": metar("RKSI"), "RKTU": stale, "RKSS": metar("RKSS")}, failed=failed)
    page = opened("#/weather")
    assert "09:11 (02/00:11Z)부터 새 자료가 없습니다" in card(page, "RKTU")
    assert "09:21 (02/00:21Z)부터" in card(page, "RKSS")
    assert "timeout" in card(page, "RKSS")
    assert page.locator("li[data-airport=RKSI] .stale").count() == 0


def test_a_warning_says_its_end_and_whether_it_has_begun_or_is_over(
    site: Site, opened: Opened
) -> None:
    """Judged at the last check: 00:41 UTC."""
    rows = [
        warning("STRONG_WIND", "2026-03-02T00:00:00Z", "2026-03-02T09:00:00Z"),
        warning("HEAVY_SNOW", "2026-03-02T03:00:00Z", "2026-03-02T09:00:00Z"),
        warning("YELLOW_DUST", "2026-03-01T03:00:00Z", "2026-03-02T00:41:00Z"),
        warning("UNKNOWN", "2026-03-02T00:00:00Z", "no time", wrng_type_name="우박"),
    ]
    publish(site, {"RKPC": metar("RKPC")}, warnings={"RKPC": rows})
    page = opened("#/weather")
    told = page.locator(".warnings li").all_inner_texts()
    assert [one.split("\n")[0] for one in told] == [
        "강풍 · 발효 중",
        "대설 · 예정",
        "황사 · 끝남",
        "우박 · 발효 중",
    ]
    assert "3월 2일 18:00 (02/09:00Z)까지" in told[0]
    assert "끝나는 때를 알 수 없음" in told[3]
    assert "경보 발효 중인 공항 1곳" in page.locator("main").inner_text()


def test_one_product_that_is_missing_takes_no_other_with_it(site: Site, opened: Opened) -> None:
    """Observations are there, forecasts and warnings are told as missing."""
    publish(site, {"RKSI": metar("RKSI")})
    del site.data["taf/latest.json"]
    site.data["warning/latest.json"] = b"{broken"
    page = opened("#/weather")
    assert "인천" in card(page, "RKSI")
    told = page.locator(".lack[data-state]").all_inner_texts()
    assert [one.partition(":")[0] for one in told] == ["예보", "경보"]


def test_without_any_data_the_page_says_so(opened: Opened) -> None:
    """No index, no product: sentences, no empty page."""
    page = opened("#/weather")
    assert page.locator(".empty").inner_text() == "공항 자료가 없습니다."
    assert page.locator(".lack[data-state=missing]").count() == 3


def test_new_weather_comes_while_the_page_is_looked_at_and_the_rest_is_not_sent_again(
    site: Site, opened: Opened
) -> None:
    """A page that is seen again asks with validators: METAR is sent, TAF is a 304."""
    publish(site, {"RKSI": metar("RKSI")}, {"RKSI": taf("RKSI")})
    page = opened("#/weather")
    before = site.data["taf/latest.json"]
    publish(site, {"RKSI": metar("RKSI", "LIFR")}, {"RKSI": taf("RKSI")})
    assert site.data["taf/latest.json"] == before
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(".card .flight:text('LIFR')")
    page.wait_for_selector("#said:text('새 기상 자료를 받았습니다.')", state="attached")
    assert site.requests("metar/latest.json") == [200, 200]
    assert site.requests("taf/latest.json") == [200, 304]


HOSTILE: list[Any] = [
    None,
    "METAR",
    7,
    [],
    {"header": None, "observation": None, "flight_category": {"a": 1}},
    {"header": [1], "observation": "wind", "flight_category": "constructor", "_stale": "yes"},
    metar("RKSI", "VVFR", observation={"wind": 7, "visibility": [], "clouds": {}, "qnh": "x"}),
    metar(
        "RKSI",
        "<img src=x onerror=alert(1)>",
        observation=observation(
            wind={"direction": 1e300, "speed": -1e11, "gust": "99", "speed_operator": "SIDEWAYS"},
            weather=[{"phenomena": ["<script>", "constructor", None], "raw": 5}, None],
            clouds=[{"amount": "__proto__", "base": 1e308, "type": "toString"}],
            temperature={"air": "hot", "dewpoint": None},
        ),
    ),
]


@pytest.mark.parametrize("report", HOSTILE, ids=range(len(HOSTILE)))
def test_a_report_of_any_shape_costs_no_other_card_and_makes_no_markup(
    site: Site, opened: Opened, report: Any
) -> None:
    """The other airport is whole, and nothing of the data became an element."""
    rows = [None, 5, {"valid_end": {}, "wrng_type_name": "<b>bold</b>", "raw_message": []}]
    publish(
        site,
        {"RKSI": report, "RKPC": metar("RKPC"), "<img src=x>": metar("RKSS")},
        {"RKSI": report},
        {"RKSI": rows},
    )
    page = opened("#/weather")
    assert "동풍 070°, 10 kt" in card(page, "RKPC")
    assert page.locator(CARDS).count() == 2
    # 1e300 is no quantity.
    assert "e+" not in card(page, "RKSI")
    assert page.locator("main :is(img, script, b)").count() == 0
    page.goto(site.url + "#/weather/RKSI")
    page.wait_for_selector("body[data-ready='#/weather/RKSI']")
    assert page.locator("h1").inner_text().startswith("인천")
    assert page.locator("main section").count() == 3
