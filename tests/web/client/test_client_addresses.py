"""Addresses: unknown ones say so and offer nothing, a notice's own is passed on."""

import re

import weather_of_client
from kept import keep
from notices_published import Opened, campus, department, follow, notice, publish
from playwright.sync_api import expect
from site_of_client import WEB, Site


class TestUnknown:
    def test_a_board_that_is_not_there_is_said_so_and_not_offered(
        self, opened: Opened, site: Site
    ) -> None:
        campus(site)
        page = opened("#/source/none")
        expect(page.locator(".empty")).to_contain_text("‘none’라는 게시판이 없습니다")  # noqa: RUF001 - as it is shown
        expect(page.locator(".follow")).to_have_count(0)
        expect(page.locator("a[href*=feed]")).to_have_count(0)
        assert page.locator("#view a").get_attribute("href") == "#/sources"

    def test_a_board_that_was_not_checked_yet_is_known(self, opened: Opened, site: Site) -> None:
        site.put("index.json", {"departments": [department("cse", status="pending")]})
        page = opened("#/source/cse")
        expect(page.locator(".follow")).to_be_visible()

    def test_a_board_that_no_index_lists_is_known_by_its_notices(
        self, opened: Opened, site: Site
    ) -> None:
        publish(site, "law", [notice(1)])
        expect(opened("#/source/law").locator(".follow")).to_be_visible()

    def test_without_a_network_nothing_is_called_unknown(self, opened: Opened, site: Site) -> None:
        site.answers["/data/cse/latest.json"] = (500, b"")
        page = opened("#/source/cse")
        expect(page.locator("#view")).not_to_contain_text("게시판이 없습니다")

    def test_an_airport_that_is_not_there_has_no_star(self, opened: Opened, site: Site) -> None:
        weather_of_client.publish(site, {"RKSI": weather_of_client.metar("RKSI", "VFR")})
        page = opened("#/weather/XXXX")
        expect(page.locator("h1")).to_have_text("XXXX")
        expect(page.locator(".empty")).to_contain_text("자료가 없습니다")
        expect(page.locator(".star")).to_have_count(0)


class TestShare:
    def test_the_address_of_a_notice_is_copied(self, opened: Opened, site: Site) -> None:
        campus(site)
        page = opened("#/item/cse/1")
        page.evaluate("""Object.defineProperty(navigator, "clipboard", {value: {
          writeText: async (text) => { window.copied = text; }}})""")
        page.get_by_role("button", name="링크 복사").click()
        expect(page.locator("#said")).to_have_text("링크를 복사했습니다.")
        assert page.evaluate("window.copied") == f"{site.url}#/item/cse/1"

    def test_a_refused_copy_is_said(self, opened: Opened, site: Site) -> None:
        campus(site)
        page = opened("#/item/cse/1")
        page.evaluate("""Object.defineProperty(navigator, "clipboard", {value: {
          writeText: async () => { throw new Error("refused"); }}})""")
        page.get_by_role("button", name="링크 복사").click()
        expect(page.locator("#said")).to_contain_text("복사하지 못했습니다")

    def test_the_devices_own_sheet_gets_title_and_address(self, opened: Opened, site: Site) -> None:
        campus(site)
        page = opened()
        page.evaluate("""Object.defineProperty(navigator, "share", {value: async (of) => {
          window.shared = of; }})""")
        page.evaluate("location.hash = '#/item/cse/1'")
        page.get_by_role("button", name="공유").click()
        assert page.evaluate("window.shared") == {
            "title": "공지 1",
            "url": f"{site.url}#/item/cse/1",
        }


def test_the_menu_has_five_places_and_settings_lead_to_the_lists(
    opened: Opened, site: Site
) -> None:
    campus(site)
    names = ("departments", "registries", "weather", "watches")
    site.put("index.json", {name: [department(f"s-{name}")] for name in names})
    page = opened("#/settings")
    expect(page.locator("#nav a")).to_have_text(["새 소식", "학과", "규정", "항공기상", "설정"])
    page.get_by_role("link", name="목록 감시").click()
    marked = page.locator("#nav a:not([aria-current=false])")
    expect(marked).to_have_text(["설정"])


def test_the_tour_names_the_places_as_the_menu_does(opened: Opened, site: Site) -> None:
    """A Korean name with the English one behind it: what a newcomer looks for on the screen."""
    tour = (WEB.parent / "docs" / "tour.md").read_text("utf-8")
    told = dict(re.findall(r"([가-힣]+) \(([A-Z][a-z]+)\)", tour))
    campus(site)
    names = ("departments", "registries", "weather")
    site.put("index.json", {name: [department(f"s-{name}")] for name in names})
    page = opened()
    expect(page.locator("#nav a")).to_have_count(5)
    korean = page.locator("#nav a").all_inner_texts()
    keep(page, "settings", "language", "en")
    page.reload()
    page.wait_for_selector("html[lang=en] body[data-ready]")
    english = page.locator("#nav a").all_inner_texts()
    places = dict(zip(korean, english, strict=True))
    assert len(told) >= 4
    assert told == {name: places.get(name) for name in told}


def test_a_choice_of_the_board_is_kept(opened: Opened, site: Site) -> None:
    campus(site)
    page = follow(opened(), "cse")
    page.evaluate("location.hash = '#/settings'")
    page.get_by_label("알림을 누르면 게시판을 바로 열기").check()
    page.wait_for_function("""async () => {
      const {open} = await import(new URL("./app/store.js", document.baseURI).href);
      return (await open()).get("settings", "boardFirst");
    }""")
    page.reload()
    expect(page.get_by_label("알림을 누르면 게시판을 바로 열기")).to_be_checked()
