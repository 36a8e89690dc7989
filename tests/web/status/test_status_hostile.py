"""The operator's page with thousands of sources, and with an index that is not to be believed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from index_of_status import ago, entry, failing, index, product
from playwright.sync_api import Page, expect
from site_of_client import Site

Status = Callable[[], Page]
MARKUP = "<img src=x onerror='window.hit=1'><b>굵게</b>"


def test_a_thousand_sources_stay_usable(site: Site, status: Status) -> None:
    """A request for all, one for each row in sight; search, filter and order reach every one."""
    departments = [entry(f"d{number}", f"{number}번 학과") for number in range(988)]
    ill = [failing(f"ill{number}", "timeout") for number in range(12)]
    site.put("index.json", index([*departments, *ill]))
    page = status()
    rows = page.locator(".sources > li")
    assert rows.count() == 30
    assert page.locator(".sources > li[data-kind=failed]").count() == 12
    asked = [path for _, path, _, _ in site.log if path.startswith("/data/")]
    assert asked.count("/data/index.json") == 1
    assert len(asked) < 12
    page.locator("#more").click()
    assert rows.count() == 60
    page.locator("#search").fill("987ㅂ ㅎㄱ")
    assert rows.count() == 1
    expect(rows).to_contain_text("987번 학과")
    page.locator("#search").fill("")
    page.locator("#kind").select_option("needs")
    assert rows.count() == 12
    page.locator("#kind").select_option("")
    page.locator("#order").select_option("name")
    assert "0번 학과" in (rows.first.text_content() or "")


def test_the_changes_of_a_day_are_counted_on_demand(site: Site, status: Status) -> None:
    """Twenty sources a click, two months at most of each, only lines of today, each event once."""
    # A minute ahead, and in both months: no midnight comes between this and the page.
    now = ago(seconds=-60)
    changed = [entry(f"d{number:02}", last_change=ago(seconds=number - 60)) for number in range(25)]
    weather = product("metar", 1, {}, last_change=now)
    site.put("index.json", index([*changed, entry("quiet")], weather=[weather]))
    line = {"id": "1", "revision": 1}
    for month in {each[:4] + each[5:7] for each in (ago(seconds=0), now)}:
        site.put(
            f"d00/archive/{month}.jsonl",
            [
                {"event_id": "a", "kind": "new", "detected_at": now, **line},
                {"event_id": "b", "kind": "edited", "detected_at": now, **line},
                {"event_id": "b", "kind": "edited", "detected_at": now, **line},
                {"event_id": "c", "kind": "new", "detected_at": ago(days=2), **line},
            ],
        )
        earlier = {"file": f"{month}.{'0' * 32}.jsonl", "until": now}
        first = {"event_id": "a", "kind": "new", "detected_at": now, **line}
        site.put(f"d01/archive/{month}.jsonl", [{**first, "earlier": earlier}])
    page = status()
    assert "소스 26개가 오늘 바뀌었습니다." in page.locator("#verdict").inner_text()
    page.locator("#count").click()
    expect(page.locator(".counts > li")).to_have_count(20)
    told = [" ".join(text.split()) for text in page.locator(".counts > li").all_inner_texts()]
    assert told[:3] == ["d00 학과 2 new 1 · edited 1", "d01 학과 1 이상 new 1", "d02 학과 0"]
    assert "센 소스 20개의 오늘 변경 3건 이상" in page.locator("main").inner_text()
    asked = [path for _, path, _, _ in site.log if "/archive/" in path]
    assert 20 <= len(asked) <= 40
    assert len(set(asked)) == len(asked)
    page.locator("#count").click()
    expect(page.locator(".counts > li")).to_have_count(25)
    assert page.locator("#count").count() == 0


def test_nothing_of_an_index_is_executed_or_followed(site: Site, status: Status) -> None:
    """Markup stays text, and only a web address is a link."""
    departments = [
        failing("markup", MARKUP, base_url="javascript:alert(1)", **{"class": MARKUP}),
        entry("data", MARKUP, base_url="data:text/html,x", status=MARKUP),
        entry("slash", base_url="//elsewhere.example"),
    ]
    failed = {MARKUP: {"reason": MARKUP, "since": MARKUP}}
    site.put("index.json", index(departments, weather=[product("metar", 1, failed)]))
    for source in ("markup", "data", "slash"):
        site.put(f"{source}/health.json", {"id": MARKUP})
    page = status()
    for source in ("markup", "data", "slash"):
        page.locator(f"[data-source='departments/{source}'] [aria-expanded]").click()
        expect(page.locator(f"[data-source='departments/{source}'] .raw")).to_contain_text("<img")
    assert page.locator("main img, main b b").count() == 0
    assert page.evaluate("window.hit") is None
    links = page.locator("main a").evaluate_all("all => all.map((a) => a.href)")
    assert len(links) == 6
    assert all(link.startswith(f"{site.url}data/") for link in links)


@pytest.mark.parametrize(
    "document",
    [
        [],
        None,
        "x",
        7,
        {},
        {"departments": None, "weather": {}, "registries": 3},
        {"generated_at": 5, "departments": [None, 1, "x", [], {}, {"id": 7}, {"id": "../x"}]},
        {"generated_at": "soon", "departments": [{"id": "constructor"}, {"id": "__proto__"}]},
    ],
    ids=json.dumps,
)
def test_an_index_of_wrong_types_costs_its_wrong_entries_alone(
    site: Site, status: Status, document: Any
) -> None:
    """What can be read is shown; the rest is counted."""
    site.put("index.json", document)
    page = status()
    entries = document.get("departments") or [] if isinstance(document, dict) else []
    usable = [each for each in entries if each == {"id": "constructor"}]
    assert page.locator(".sources > li").count() == len(usable)
    if len(entries) > len(usable):
        lost = len(entries) - len(usable)
        assert f"항목 {lost}개는 빠져 있습니다." in page.locator("#verdict").inner_text()


def test_fields_of_wrong_types_are_left_out(site: Site, status: Status) -> None:
    """A source with broken fields is a row like any other."""
    wrong: list[Any] = [None, [], {}, 10**400, -1, True, "constructor", "2026-99-99T00:00:00Z"]
    fields = [name for name in entry("x") if name != "id"]
    departments = [
        {"id": f"w{number}", **dict.fromkeys([*fields, "failed", "parts", "failing"], value)}
        for number, value in enumerate(wrong)
    ]
    site.put("index.json", index(departments, weather=departments, watches=departments))
    page = status()
    assert "소스 24개" in page.locator("#verdict").inner_text()
    page.locator("#more").wait_for(state="detached")
    text = page.locator("main").text_content() or ""
    assert "NaN" not in text
    assert "undefined" not in text
    assert "Invalid" not in text


def test_a_later_release_is_shown_as_it_is(site: Site, status: Status) -> None:
    """A status, a reason, a class and a family that this page does not know."""
    later = failing("new", "quantum_noise", **{"class": "weird"})
    paused = entry("rest", status="paused")
    site.put("index.json", index([later, paused], beacons=[failing("b1", "timeout")], notes=["x"]))
    page = status()
    assert "quantum_noise" in (page.locator("[data-source='departments/new']").text_content() or "")
    assert page.locator("[data-source='departments/rest'] .tag").inner_text() == "paused"
    assert "이 페이지가 모르는 상태 1개." in page.locator("#verdict").inner_text()
    beacon = page.locator("[data-source='beacons/b1']").text_content() or ""
    assert "uring state show b1 --stack NAME" in beacon
    assert page.locator("[data-family=beacons]").count() == 1


def test_a_gateway_with_thousands_of_parts_is_one_line_a_reason(site: Site, status: Status) -> None:
    """What is rendered is bounded, whatever is published."""
    failed = {f"P{number}": {"reason": "timeout", "since": ago(hours=2)} for number in range(5000)}
    many = {f"Q{number}": {"reason": f"r{number}", "since": None} for number in range(5000)}
    weather = [product("metar", 6000, failed), product("taf", 6000, many)]
    site.put("index.json", index([], weather=weather))
    page = status()
    metar = page.locator("[data-source='weather/metar'] .airports > li")
    assert metar.count() == 1
    assert "외 4970곳" in (metar.text_content() or "")
    assert page.locator("[data-source='weather/taf'] .airports > li").count() == 30
