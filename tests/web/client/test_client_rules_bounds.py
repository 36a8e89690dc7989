"""Registries that are too large, too old or not reachable: bounded and told."""

from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Page
from rules_of_client import DIFFERENCE, REGISTRY, item, line, publish, route, text_line
from site_of_client import Site

Opened = Callable[[str], Page]
MARCH = "2026-03-08T16:00:00Z"


# Three years and a quarter.
MONTHS: Final = [f"{2023 + at // 12}{at % 12 + 1:02}" for at in range(39)]


def test_an_old_record_is_read_a_year_at_a_time(site: Site, opened: Opened) -> None:
    """Three years of another regulation's events: a dozen files, then more by a click."""
    months: dict[str, list[Any]] = {
        month: [line("도서관 규정", "edited", f"{month[:4]}-{month[4:]}-05T16:00:00Z")]
        for month in MONTHS
    }
    months["202301"].append(line("학칙", "baseline", "2023-01-05T16:00:00Z"))
    publish(site, [item("학칙", first_seen="2023-01-05T16:00:00Z")], months)
    page = opened(route("학칙"))
    older = page.locator("button:text('더 오래된 기록')")
    older.wait_for()
    asked = [path for _, path, _, _ in site.log if "/archive/" in path]
    assert len(asked) <= 13
    for _ in range(len(MONTHS)):
        if not older.count():
            break
        read = len(site.log)
        older.click()
        page.wait_for_selector("main:not(:has([aria-busy]))")
        assert len(site.log) > read
    page.wait_for_selector("#history .tag:text('처음 확인')")
    assert older.count() == 0


def test_a_month_that_fails_is_told_and_can_be_asked_again(site: Site, opened: Opened) -> None:
    """An outage is no missing month: a sentence, and a button that goes on."""
    publish(
        site,
        [item("학칙")],
        {"202601": [line("학칙", "baseline", "2026-01-05T16:00:00Z")]},
    )
    site.put(f"{REGISTRY}/archive/202603.jsonl", [line("학칙", "edited", MARCH, revision=2)])
    site.answers[f"/data/{REGISTRY}/archive/202602.jsonl"] = (500, b"")
    page = opened(route("학칙"))
    page.wait_for_selector("#history li")
    assert "일부 기록을 가져오지 못했습니다" in page.locator(".lack").inner_text()
    assert page.locator("#history .tag").all_inner_texts() == ["개정"]
    del site.answers[f"/data/{REGISTRY}/archive/202602.jsonl"]
    page.locator("button:text('더 오래된 기록')").click()
    page.wait_for_selector("#history .tag:text('처음 확인')")
    assert page.locator(".lack").count() == 0


def test_a_difference_without_end_is_cut_and_says_where_the_rest_is(
    site: Site, opened: Opened
) -> None:
    """1,000 articles of which one has 1,000 lines: 200 and 300 are shown, the rest is counted."""
    short: dict[str, Any] = {"key": "제1조", "change": "changed", "diff": ["+새 줄"]}
    articles = [{**short, "diff": ["+새 줄"] * 1000}, *[short] * 999]
    path = DIFFERENCE.removeprefix("/data/").replace(".html", ".json")
    site.put(path, {"before": 1, "after": 1000, "articles": articles})
    publish(site, [item("학칙", "12")], {"202603": [text_line("학칙", MARCH)]})
    page = opened(route("학칙"))
    page.locator("#history button").click()
    page.wait_for_selector(".difference")
    assert page.locator(".article").count() == 200
    assert page.locator(".article").first.locator("ins").count() == 300
    assert "700줄은 생략" in page.locator(".article").first.inner_text()
    rest = page.locator(".difference > p a").last
    assert "조문 800개" in rest.inner_text()
    assert rest.get_attribute("href") == f"./data/{path}"


def test_a_registry_of_thousands_shows_a_part_and_searches_all(site: Site, opened: Opened) -> None:
    """1,000 regulations: 200 rows at once, the last one is found."""
    publish(site, [item(f"규정 {number}") for number in range(1000)])
    page = opened(f"#/rules/{REGISTRY}")
    assert page.locator("#regulations li").count() == 200
    page.locator("button:text('더 보기')").click()
    assert page.locator("#regulations li").count() == 400
    page.locator("input[type=search]").fill("규정 999")
    # A row that was never in view has no text before it is painted.
    page.locator("#regulations a:text-is('규정 999')").wait_for()
    assert page.locator("#regulations a").all_inner_texts() == ["규정 999"]
