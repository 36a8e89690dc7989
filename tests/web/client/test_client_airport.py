"""One airport: an observation decoded, a forecast as a timeline, warnings, and what is missing."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from site_of_client import Site
from weather_of_client import metar, observation, publish, taf, warning

Opened = Callable[[str], Page]


def section(page: Page, product: str) -> str:
    """Return what the section of a product says."""
    return page.locator(f"section[data-product={product}]").inner_text()


def test_a_metar_is_decoded_and_its_text_stands_below_as_it_came(
    site: Site, opened: Opened
) -> None:
    """Runways, weather and clouds in words, the raw text in monospace."""
    seen = observation(
        weather=[{"intensity": "-", "descriptor": "SH", "phenomena": ["RA"], "raw": "-SHRA"}],
        rvr=[{"runway": "14R", "mean": 550, "operator": "BELOW", "tendency": "DOWNWARD"}],
        clouds=[{"amount": "SCT", "base": 2500, "type": "CB"}],
        wind_shear={"all_runways": True},
        runway_state=[{"runway": None, "deposit": "SLUSH", "extent": 25, "depth": 3}],
        sea={"temperature": 14.0, "wave_height": 1.5},
    )
    publish(site, {"RKSI": metar("RKSI", observation=seen)})
    page = opened("#/weather/RKSI")
    told = section(page, "metar")
    for part in (
        "약한 소낙성 비 (-SHRA)",
        "14R 550 m 미만 (나빠지는 중)",
        "절반 이하 (SCT) 2,500 ft 적란운",
        "모든 활주로 SLUSH 25% 이하 덮임 3 mm",
        "수온 14 °C, 파고 1.5 m",
        "원문",
    ):
        assert part in told
    raw = page.locator("section[data-product=metar] pre")
    assert raw.inner_text() == "METAR RKSI 020030Z 07010KT 9999 BKN045 02/M05 Q1031"
    assert "monospace" in raw.evaluate("one => getComputedStyle(one).fontFamily")


def test_parts_that_a_report_lacks_are_named(site: Site, opened: Opened) -> None:
    """No visibility and no pressure: said so, and not as zero; a later part by its own name."""
    seen = observation(visibility=None, qnh=None, missing=["visibility", "qnh", "later_part"])
    publish(site, {"RKSI": metar("RKSI", observation=seen)})
    told = section(opened("#/weather/RKSI"), "metar")
    assert "보고에 없는 것: 시정, 기압, later_part" in told
    assert "QNH" not in told


def test_a_taf_is_a_timeline_of_its_groups_in_korean_time_and_utc(
    site: Site, opened: Opened
) -> None:
    """Base, BECMG, TEMPO, PROB in their order; those that hold at the last check are marked."""
    publish(site, tafs={"RKSI": taf("RKSI")})
    page = opened("#/weather/RKSI")
    rows = page.locator(".timeline > li")
    kinds = [row.get_attribute("data-kind") for row in rows.all()]
    assert kinds == ["BASE", "BECMG", "TEMPO", "PROB30"]
    told = rows.all_inner_texts()
    assert "3월 2일 09:00 \N{EN DASH} 3월 3일 15:00 (02/00:00Z \N{EN DASH} 03/06:00Z)" in told[0]
    assert "3월 2일 14:00 \N{EN DASH} 17:00 (02/05:00Z \N{EN DASH} 02/08:00Z)" in told[1]
    assert "북서풍 300°, 26 kt, 돌풍 42 kt" in told[1]
    assert ["지금" in one for one in told] == [True, False, True, False]
    assert "최저 \N{MINUS SIGN}1 °C" in section(page, "taf")


def test_korean_time_is_korean_wherever_the_device_is(browser: Browser, site: Site) -> None:
    """A reader in New York reads the hours of Seoul, which the sentence names."""
    publish(site, {"RKSI": metar("RKSI")})
    abroad = browser.new_context(locale="en-US", timezone_id="America/New_York")
    page = abroad.new_page()
    page.goto(f"{site.url}#/weather/RKSI")
    page.wait_for_selector("body[data-ready='#/weather/RKSI']")
    assert "observed Mar 2, 09:30 (02/00:30Z)" in section(page, "metar")
    abroad.close()


def header(report: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the report with some fields of its header replaced."""
    return {**report, "header": {**report["header"], **fields}}


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (header(taf("RKSI"), cancelled=True), "취소된 예보입니다."),
        (header(taf("RKSI"), nil=True), "이 공항의 보고가 없습니다."),
        (header(taf("RKSI"), translation_failed=True), "원문만 보여 드립니다."),
        (header(taf("RKSI"), report_status="AMENDMENT"), "수정 (AMD)"),
        (header(taf("RKSI"), valid_start=None, valid_end="later"), "전체 기간"),
    ],
)
def test_a_forecast_that_is_none_says_so_and_keeps_its_text(
    site: Site, opened: Opened, report: dict[str, Any], sentence: str
) -> None:
    """Cancelled, nil, not decoded, amended, without a period."""
    publish(site, tafs={"RKSI": report})
    told = section(opened("#/weather/RKSI"), "taf")
    assert sentence in told
    assert report["raw"] in told


def test_warnings_have_their_period_and_text_and_their_absence_is_told(
    site: Site, opened: Opened
) -> None:
    """One airport has a warning, another an empty list."""
    row = warning("STRONG_WIND", "2026-03-02T00:00:00Z", "2026-03-02T09:00:00Z")
    publish(site, {"RKSI": metar("RKSI")}, warnings={"RKPC": [row], "RKSI": []})
    told = section(opened("#/weather/RKPC"), "warning")
    assert "3월 2일 09:00 \N{EN DASH} 18:00 (02/00:00Z \N{EN DASH} 02/09:00Z)" in told
    assert "RKPC AD WRNG 1 VALID 020000/020900" in told
    told = section(opened("#/weather/RKSI"), "warning")
    assert "발효 중인 경보가 없습니다." in told


def test_an_airport_that_no_product_has_is_told(site: Site, opened: Opened) -> None:
    """A link of another stack leads to a sentence."""
    publish(site, {"RKSI": metar("RKSI")})
    page = opened("#/weather/KJFK")
    assert page.locator(".empty").inner_text() == "이 공항의 자료가 없습니다."


def test_lists_without_end_cost_a_bounded_page(site: Site, opened: Opened) -> None:
    """Thousands of warnings, groups and gaps: some dozens of rows."""
    row = warning("STRONG_WIND", "2026-03-02T00:00:00Z", "2026-03-02T09:00:00Z")
    seen = observation(missing=["wind"] * 9000, rvr=[{"runway": "14R", "mean": 550}] * 9000)
    groups = taf("RKSI")["changes"] * 3000
    publish(
        site,
        {"RKSI": metar("RKSI", observation=seen, trend=groups)},
        {"RKSI": taf("RKSI", changes=groups)},
        {"RKSI": [row] * 9000},
    )
    page = opened("#/weather/RKSI")
    assert page.locator("section[data-product=warning] li").count() == 50
    assert page.locator(".timeline > li").count() == 41
    assert page.locator("section[data-product=metar] li").count() == 30
    assert len(section(page, "metar")) < 10_000


@pytest.mark.parametrize(
    ("seen", "ceiling"),
    [
        (observation(), "4,500 ft"),
        (observation(clouds=[], vertical_visibility=100), "100 ft"),
        (observation(clouds=[], nsc=True), "없음"),
        (observation(clouds=[{"amount": "FEW", "base": 900}]), "없음"),
        (observation(clouds=[{"amount": "BKN", "base": None}]), ""),
        (observation(clouds=[], missing=["clouds"]), ""),
        (observation(clouds=[], visibility={"cavok": True}), "없음"),
    ],
)
def test_a_ceiling_is_never_told_where_it_is_not_known(
    opened: Opened, seen: dict[str, Any], ceiling: str
) -> None:
    """Broken or overcast, or vertical visibility; unknown clouds are no clear sky."""
    page = opened("#/")
    text = page.evaluate(
        "async (seen) => (await import('./app/weather/parts.js')).ceilingText(seen)", seen
    )
    assert " ".join(text.split()) == ceiling
