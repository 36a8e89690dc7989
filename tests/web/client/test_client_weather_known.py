"""What is not known of the weather looks unknown, in every view, one product at a time."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any, Final

import pytest
from axe import violations
from playwright.sync_api import Browser, Page
from site_of_client import WEB, Site
from weather_of_client import CHECKED, entries, metar, publish, taf, warning

Opened = Callable[[str], Page]
ROUTES: Final = {"weather": "#/weather", "airport": "#/weather/RKSI"}
PRODUCTS: Final = ("metar", "taf", "warning")
SEOUL: Final = timezone(timedelta(hours=9))
BEFORE: Final = "2026-03-01T22:41:00Z"
# Selectors of what a view says only of a product that is known to be as it was checked.
CALM: Final = {
    ("weather", "metar"): (".flight.good",),
    ("weather", "taf"): (),
    ("weather", "warning"): ("text=발효 중인 경보 없음",),
    ("airport", "metar"): ("section[data-product=metar] .flight.good", "text=시계비행"),
    ("airport", "taf"): ("section[data-product=taf] .flight.good", "text=/^지금$/"),
    ("airport", "warning"): ("text=발효 중인 경보가 없습니다.",),
}


def edit(site: Site, path: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Publish a document again with a change."""
    document = json.loads(site.data[path])
    change(document)
    site.put(path, document)


def mark(**marks: Any) -> Callable[[Site, str], None]:
    """Return what puts marks on the airport's part of a product."""

    def marked(site: Site, product: str) -> None:
        edit(site, f"{product}/latest.json", lambda one: one["airports"]["RKSI"].update(marks))

    return marked


def in_index(**entry: Any) -> Callable[[Site, str], None]:
    """Return what makes the airport one of the index's `failed`."""

    def listed(site: Site, product: str) -> None:
        site.put("index.json", {"weather": entries({"RKSI": entry}, product)})

    return listed


def silence(site: Site, product: str) -> None:
    """Stop the checks of a product two hours before."""
    site.put("index.json", {"weather": entries({}, product, last_success=BEFORE)})
    edit(site, f"{product}/latest.json", lambda one: one.update(fetched_at=BEFORE))


def drop_airport(site: Site, product: str) -> None:
    """Take the airport out of a product's file."""
    edit(site, f"{product}/latest.json", lambda one: one["airports"].pop("RKSI"))


def delete(site: Site, product: str) -> None:
    """Take a product's file away."""
    del site.data[f"{product}/latest.json"]


def tear(site: Site, product: str) -> None:
    """Cut a product's file in the middle."""
    path = f"{product}/latest.json"
    site.data[path] = site.data[path][:40]


TROUBLES: Final[dict[str, Callable[[Site, str], None]]] = {
    "stale": mark(_stale=True, _stale_since=BEFORE),
    "stale in the index": in_index(reason="timeout", since=BEFORE),
    "overdue": mark(_overdue=True, _overdue_since=BEFORE),
    "overdue in the index": in_index(reason="overdue", since=BEFORE),
    "silent": silence,
    "no airport": drop_airport,
    "no file": delete,
    "torn file": tear,
}


def shown(page: Page, view: str, product: str) -> list[str]:
    """Return those of a product's calm words that the view says."""
    return [one for one in CALM[view, product] if page.locator(one).count()]


def marks(page: Page, product: str) -> list[str]:
    """Return the marks of a product."""
    return page.locator(f"main .stale[data-of~={product}]").all_inner_texts()


def test_each_view_that_loads_weather_is_judged_here() -> None:
    """A new one is an error until it stands in `ROUTES`."""
    views = (WEB / "app" / "views").glob("*.js")
    loading = {one.stem for one in views if re.search(r"\bloadWeather\b", one.read_text("utf-8"))}
    assert loading == {*ROUTES}


@pytest.mark.parametrize("view", ROUTES)
def test_with_everything_current_a_view_is_calm_and_has_no_mark(
    site: Site, opened: Opened, view: str
) -> None:
    """The words that the next test forbids are said here."""
    publish(site, {"RKSI": metar("RKSI")})
    page = opened(ROUTES[view])
    for product in PRODUCTS:
        assert shown(page, view, product) == [*CALM[view, product]]
        assert marks(page, product) == []


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("view", ROUTES)
def test_no_view_is_calm_about_a_product_that_is_not_known(
    browser: Browser, site: Site, view: str, product: str
) -> None:
    """Each trouble of one product has its mark and no calm word; the other two stay as they are."""
    wrong = {}
    for trouble, make in TROUBLES.items():
        publish(site, {"RKSI": metar("RKSI")})
        make(site, product)
        context = browser.new_context(locale="ko-KR", service_workers="block")
        page = context.new_page()
        page.goto(site.url + ROUTES[view])
        page.wait_for_selector(f"body[data-ready='{ROUTES[view]}']")
        if (calm := shown(page, view, product)) or not marks(page, product):
            wrong[trouble, product] = calm or ["no mark"]
        for other in {*PRODUCTS} - {product}:
            if marks(page, other) or shown(page, view, other) != [*CALM[view, other]]:
                wrong[trouble, other] = marks(page, other)
        # Its own copies would stand in for the next trouble's.
        context.close()
    assert wrong == {}


def test_the_summary_counts_only_what_is_known(site: Site, opened: Opened) -> None:
    """Of three airports one has no current METAR, another no warnings, a third an old forecast."""
    old = warning("STRONG_WIND", "2026-03-02T00:00:00Z", "2026-03-02T09:00:00Z")
    publish(
        site,
        {
            "RKSI": metar("RKSI", _overdue=True, _overdue_since="2026-03-02T00:35:00Z"),
            "RKSS": metar("RKSS"),
            "RKPC": metar("RKPC"),
        },
        warnings={"RKSI": [], "RKSS": [old], "RKPC": []},
    )
    airports = json.loads(site.data["warning/latest.json"])["airports"]
    airports["RKSS"] |= {"_stale": True, "_stale_since": BEFORE}
    edit(site, "warning/latest.json", lambda one: one.update(airports=airports))
    drop = json.loads(site.data["taf/latest.json"])["airports"]
    drop["RKPC"]["_expired"] = True
    edit(site, "taf/latest.json", lambda one: one.update(airports=drop))
    page = opened("#/weather")
    summary = page.locator("main > .page > .row").nth(1).inner_text()
    assert re.search(r"^VFR\s+2\b", summary)
    for part in (
        "관측이 최신이 아닌 공항 1곳",
        "예보가 최신이 아닌 공항 1곳",
        "경보를 알 수 없는 공항 1곳",
    ):
        assert part in summary
    assert "발효 중" not in summary
    assert marks(page, "warning") == ["경보: 3월 2일 07:41 (01/22:41Z)부터 알 수 없습니다."]
    told = page.locator("li[data-airport=RKSS] .warnings").inner_text()
    assert "강풍 · 확인 안 됨" in told


def test_an_overdue_report_is_told_with_the_last_one_and_its_due_time(
    site: Site, opened: Opened
) -> None:
    """It is no failed call: no reason stands beside it, also where the index names it."""
    publish(
        site,
        {"RKSI": metar("RKSI", _overdue=True, _overdue_since="2026-03-02T00:40:00Z")},
        failed={"RKSI": {"reason": "overdue", "since": "2026-03-02T00:40:00Z"}},
    )
    said = (
        "관측: 3월 2일 09:30 (02/00:30Z) 이후 보고가 없습니다. "
        "3월 2일 09:40 (02/00:40Z)까지 나왔어야 합니다."
    )
    for route in ROUTES.values():
        page = opened(route)
        assert marks(page, "metar") == [said]
        assert "VFR · 최신 아님" in page.locator("main").inner_text()


@pytest.mark.parametrize(
    ("fields", "end", "said"),
    [
        ({"_expired": True}, None, "예보: 끝났습니다."),
        ({}, "2026-03-02T00:00:00Z", "예보: 3월 2일 09:00 (02/00:00Z)에 끝났습니다."),
    ],
    ids=["mark", "end"],
)
def test_a_forecast_that_is_over_has_no_category_and_no_timeline(
    site: Site, opened: Opened, fields: dict[str, Any], end: str | None, said: str
) -> None:
    """By its mark, or by its end and the server's clock; its text stays."""
    report = taf("RKSI", **fields)
    report["header"]["valid_end"] = end
    publish(site, {"RKSI": metar("RKSI")}, {"RKSI": report})
    for route in ROUTES.values():
        page = opened(route)
        assert marks(page, "taf") == [said]
    assert page.locator(".timeline").count() == 0
    assert page.locator("section[data-product=taf] .flight").count() == 0
    assert report["raw"] in page.locator("section[data-product=taf]").inner_text()


def check_before(site: Site, minutes: dict[str, int]) -> None:
    """Publish that each product was checked, and its file stored, some minutes before."""
    checked = {
        product: (datetime.fromisoformat(CHECKED) - timedelta(minutes=count)).isoformat()
        for product, count in minutes.items()
    }
    listed = entries({})
    site.put(
        "index.json", {"weather": [{**one, "last_success": checked[one["id"]]} for one in listed]}
    )
    for product, at in checked.items():
        edit(site, f"{product}/latest.json", lambda one, at=at: one.update(fetched_at=at))


@pytest.mark.parametrize(
    ("minutes", "silent"),
    [
        ((29, 49, 24), ""),
        ((31, 49, 24), "metar"),
        ((29, 51, 24), "taf"),
        ((29, 49, 26), "warning"),
        ((31, 51, 26), "metar taf warning"),
    ],
)
def test_silence_is_seen_twenty_minutes_after_the_next_check_was_due(
    site: Site, opened: Opened, minutes: tuple[int, int, int], silent: str
) -> None:
    """Ten, thirty and five minutes are the intervals; the index comes up to ten minutes later."""
    publish(site, {"RKSI": metar("RKSI")})
    check_before(site, dict(zip(PRODUCTS, minutes, strict=True)))
    page = opened("#/weather")
    found = {one for one in PRODUCTS if marks(page, one)}
    assert found == {*silent.split()}


def test_after_hours_of_silence_nothing_is_certainly_in_force(site: Site, opened: Opened) -> None:
    """The last check has its age; warnings that ended since are over, others unconfirmed."""
    rows = [
        warning("STRONG_WIND", "2026-03-01T18:00:00Z", "2026-03-01T21:00:00Z"),
        warning("HEAVY_SNOW", "2026-03-01T22:00:00Z", "2026-03-02T09:00:00Z"),
    ]
    publish(site, {"RKSI": metar("RKSI")}, warnings={"RKSI": rows})
    check_before(site, dict.fromkeys(PRODUCTS, 345))
    page = opened("#/weather")
    said = (
        "관측, 예보, 경보: 3월 2일 03:56 (01/18:56Z) 이후 확인하지 못했습니다 (5시간 45분). "
        "지금은 다를 수 있습니다."
    )
    assert page.locator("main .stale").all_inner_texts() == [said, said]
    told = page.locator(".warnings").inner_text()
    assert "강풍 · 끝남" in told
    assert "대설 · 확인 안 됨" in told
    for route in ROUTES.values():
        tags = opened(route).locator("main .tag").all_inner_texts()
        assert not any("발효 중" in tag for tag in tags)


def test_where_products_were_checked_at_other_times_each_time_is_told(
    site: Site, opened: Opened
) -> None:
    """The check of one says nothing of another's."""
    publish(site, {"RKSI": metar("RKSI")})
    check_before(site, {"metar": 0, "taf": 20, "warning": 0})
    told = opened("#/weather").locator("main .quiet").first.inner_text()
    assert told.startswith(
        "마지막 확인: 관측 3월 2일 09:41 (02/00:41Z), 예보 3월 2일 09:21 (02/00:21Z), 경보"
    )


def test_a_list_of_warnings_that_cannot_be_read_is_no_empty_one(site: Site, opened: Opened) -> None:
    """Null, a text, or a row that is no object."""
    for rows in (None, "none", [None]):
        publish(site, {"RKSI": metar("RKSI")})
        mark(warnings=rows)(site, "warning")
        page = opened("#/weather/RKSI")
        assert marks(page, "warning")
        assert shown(page, "airport", "warning") == []


def test_without_the_index_the_time_of_the_file_is_the_last_check(
    site: Site, opened: Opened
) -> None:
    """The file of warnings is of two hours before: nobody says that it was checked since."""
    publish(site, {"RKSI": metar("RKSI")})
    edit(site, "warning/latest.json", lambda one: one.update(fetched_at=BEFORE))
    del site.data["index.json"]
    page = opened("#/weather")
    assert [bool(marks(page, one)) for one in PRODUCTS] == [False, False, True]


def test_a_device_whose_clock_is_wrong_judges_by_the_servers(browser: Browser, site: Site) -> None:
    """Behind and ahead of checks an hour and a minute old: told as they are, without index, too."""
    for behind, minutes, is_silent in ((50, 60, True), (-50, 1, False), (-2_880, 1, False)):
        publish(site, {"RKSI": metar("RKSI")})
        check_before(site, dict.fromkeys(PRODUCTS, minutes))
        if behind == -2_880:
            del site.data["index.json"]
        context = browser.new_context(locale="ko-KR", service_workers="block")
        page = context.new_page()
        page.clock.install(time=datetime.fromisoformat(CHECKED) - timedelta(minutes=behind))
        page.goto(site.url + "#/weather")
        page.wait_for_selector("li[data-airport=RKSI]")
        assert (marks(page, "warning") != []) is is_silent
        context.close()


def test_a_copy_of_the_device_is_as_old_as_it_is_though_the_index_is_new(
    browser: Browser, site: Site
) -> None:
    """Warnings cannot be fetched for 20, then 30 minutes: their last check is the copy's."""
    publish(site, {"RKSI": metar("RKSI")})
    context = browser.new_context(locale="ko-KR", service_workers="block")
    page = context.new_page()
    at = datetime.fromisoformat(CHECKED)
    page.clock.install(time=at)
    page.goto(site.url + "#/weather")
    page.wait_for_selector("li[data-airport=RKSI]")
    assert marks(page, "warning") == []
    site.answers["/data/warning/latest.json"] = (503, b"")
    for minutes, marked in ((20, False), (30, True)):
        later = at + timedelta(minutes=minutes)
        listed = [{**one, "last_success": later.isoformat()} for one in entries({})]
        site.put("index.json", {"weather": listed})
        site.date = format_datetime(later, usegmt=True)
        page.clock.set_fixed_time(later)
        page.get_by_role("button", name="새로 고침").click()
        page.wait_for_selector(f"text=관측 3월 2일 {later.astimezone(SEOUL):%H:%M}")
        assert (marks(page, "warning") != []) is marked
    assert marks(page, "metar") == []
    context.close()


def test_without_the_servers_date_the_devices_clock_is_asked(browser: Browser, site: Site) -> None:
    """An odd proxy drops it: two hours of silence are seen all the same."""
    publish(site, {"RKSI": metar("RKSI")})
    context = browser.new_context(locale="ko-KR", service_workers="block")
    page = context.new_page()
    page.add_init_script(
        """const get = Headers.prototype.get;
        Headers.prototype.get = function (name) {
          return name === "date" ? null : get.call(this, name);
        };"""
    )
    for minutes, is_silent in ((10, False), (120, True)):
        page.clock.set_fixed_time(datetime.fromisoformat(CHECKED) + timedelta(minutes=minutes))
        page.goto("about:blank")
        page.goto(site.url + "#/weather")
        page.wait_for_selector("li[data-airport=RKSI]")
        assert (marks(page, "warning") != []) is is_silent
    context.close()


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_can_be_read_by_everybody(
    browser: Browser, site: Site, width: int, scheme: Any
) -> None:
    """Nothing that axe-core finds, nothing to scroll sideways, in either language."""
    row = warning("STRONG_WIND", "2026-03-02T00:00:00Z", "2026-03-02T09:00:00Z")
    publish(site, {"RKSI": metar("RKSI"), "RKSS": metar("RKSS")}, warnings={"RKSI": [row]})
    for product in ("metar", "taf"):
        mark(_stale=True, _overdue=True, _overdue_since=BEFORE)(site, product)
    mark(_expired=True)(site, "taf")
    failed = {"RKSI": {"reason": "timeout", "since": BEFORE}}
    site.put("index.json", {"weather": entries(failed, "warning", last_success=BEFORE)})
    for language in ("ko-KR", "en-US"):
        context = browser.new_context(
            locale=language, color_scheme=scheme, viewport={"width": width, "height": 800}
        )
        page = context.new_page()
        for route in ROUTES.values():
            page.goto(site.url + route)
            page.wait_for_selector(f"body[data-ready='{route}']")
            assert all(marks(page, product) for product in PRODUCTS)
            assert violations(page) == []
            assert page.evaluate("document.scrollingElement.scrollWidth") == width
        context.close()
