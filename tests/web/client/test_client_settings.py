"""Settings hold at once and for good; a file brings them back, a hostile one changes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from notices_published import NAMES, Opened, campus, follow, keep, notice, publish
from playwright.sync_api import Page, expect
from site_of_client import Site
from waiting import until

EMPTY: dict[str, Any] = {"format": "uring-client", "version": 1, "settings": {}}
QUIET = {"from": "22:30", "to": "07:00"}


@pytest.fixture
def settings(site: Site, opened: Opened) -> Page:
    """The settings of a reader who follows one department and keeps a notice."""
    campus(site)
    page = follow(opened("#/"), "cse")
    keep(page, "공지 1")
    return shown(page)


def shown(page: Page) -> Page:
    """Go to the settings, and wait for their last part."""
    page.locator("#nav a[data-name=settings]").click()
    page.wait_for_selector("#transfer h2")
    return page


def load(page: Page, file: object) -> None:
    """Import a file."""
    text = file if isinstance(file, str) else json.dumps(file)
    page.locator("input[type=file]").set_input_files(
        {"name": "uring.json", "mimeType": "application/json", "buffer": text.encode()}
    )


def settled(page: Page) -> Any:
    """Return all that the device keeps, but copies of public data."""
    return page.evaluate(
        """async () => {
            const {open} = await import("./app/store.js");
            const store = await open();
            const all = {};
            for (const name of ["settings", "read", "kept"]) {
                all[name] = Object.fromEntries(await store.entries(name));
            }
            return all;
        }"""
    )


def quiet(page: Page) -> object:
    """Return the quiet hours that the device keeps; None where it keeps none."""
    return settled(page)["settings"].get("rules", {}).get("quiet")


def test_language_and_brightness_hold_at_once_and_for_good(settings: Page) -> None:
    """The page says which language it speaks; a reload changes neither."""
    settings.get_by_label("언어 / Language").select_option("en")
    expect(settings.locator("h1")).to_have_text("Settings")
    settings.get_by_label("Brightness").select_option("dark")
    expect(settings.locator("html")).to_have_attribute("data-theme", "dark")
    settings.reload()
    expect(settings.locator("h1")).to_have_text("Settings")
    assert settings.locator("html").get_attribute("lang") == "en"
    background = "getComputedStyle(document.body).backgroundColor"
    assert settings.evaluate(background) == "rgb(18, 21, 27)"


def test_the_operators_page_is_a_click_away(settings: Page) -> None:
    """It has no place in the menu."""
    settings.get_by_role("link", name="운영 상태").click()
    expect(settings.locator("h1")).to_have_text("운영 상태")


def test_quiet_hours_are_what_the_service_worker_obeys(settings: Page) -> None:
    """Off at first; from 23:00 to 07:00, or as the reader says."""
    settings.get_by_label("정한 시간에는 소리 없이 모아 두기").check()
    settings.get_by_label("시작").fill("22:30")
    settings.get_by_label("시작").blur()
    until(settings, lambda: quiet(settings) == QUIET)
    settings.reload()
    expect(settings.get_by_label("시작")).to_have_value("22:30")
    assert quiet(settings) == QUIET


def test_both_ends_of_the_quiet_hours_hold_when_they_change_at_once(settings: Page) -> None:
    """The second does not bring the first one's former time back."""
    settings.get_by_label("정한 시간에는 소리 없이 모아 두기").check()
    at_once = """(of) => Object.entries(of).forEach(([name, time]) => {
      const [label] = [...document.querySelectorAll("label")].filter(
        (one) => one.innerText.trim() === name);
      label.control.value = time;
      label.control.dispatchEvent(new Event("change"));
    })"""
    settings.get_by_label("시작").wait_for()
    settings.evaluate(at_once, {"시작": "21:00", "끝": "06:30"})
    until(settings, lambda: quiet(settings) == {"from": "21:00", "to": "06:30"})
    settings.get_by_label("시작").fill("")
    expect(settings.get_by_label("시작")).to_have_value("21:00")
    assert quiet(settings) == {"from": "21:00", "to": "06:30"}


def test_single_keys_can_be_switched_off(settings: Page) -> None:
    """Then they do nothing in a list."""
    settings.get_by_label("단축키 쓰기").uncheck()
    settings.locator("#nav a[data-name=home]").click()
    settings.wait_for_selector(".notice")
    settings.keyboard.press("?")
    settings.keyboard.press("j")
    assert settings.get_by_role("dialog").count() == 0
    assert settings.evaluate("document.activeElement.closest('.notice')") is None


def test_unfollowing_stays_in_view_until_one_leaves(settings: Page) -> None:
    """A slip is undone where it happened."""
    button = settings.locator("#view .follow")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def test_what_a_file_or_another_window_changes_is_shown_at_once(
    opened: Opened, settings: Page
) -> None:
    """Also what was chosen here before: the brightness, the mode, the boards, the hours."""
    settings.get_by_label("밝기").select_option("dark")
    settings.locator(".rule select").select_option("off")
    rules = {"sources": {"cse": {"mode": "keywords", "keywords": ["장학"]}}, "quiet": QUIET}
    chosen = {"theme": "light", "favourites": ["cse", "art"], "rules": rules}
    load(settings, {**EMPTY, "settings": chosen})
    expect(settings.get_by_label("밝기")).to_have_value("light")
    expect(settings.locator(".rule select").first).to_have_value("keywords")
    expect(settings.get_by_label("시작")).to_have_value("22:30")
    expect(settings.locator("#view .list .title")).to_have_text([NAMES["cse"], NAMES["art"]])
    other = opened("#/settings")
    other.get_by_label("밝기").select_option("dark")
    other.locator("#view .follow").last.click()
    expect(settings.get_by_label("밝기")).to_have_value("dark")
    expect(settings.locator("#view .follow").last).to_have_attribute("aria-pressed", "false")


def test_an_emptied_time_shows_the_one_that_holds(settings: Page) -> None:
    settings.get_by_label("정한 시간에는 소리 없이 모아 두기").check()
    settings.get_by_label("시작").fill("")
    settings.get_by_label("시작").blur()
    expect(settings.get_by_label("시작")).to_have_value("23:00")


def test_notifications_reminders_and_quiet_hours_stand_above_the_followed_boards(
    settings: Page,
) -> None:
    """With forty boards they would be five thousand pixels down."""
    headings = settings.locator("#view h2")
    for place, said in enumerate(("알림", "마감 알림", "조용한 시간", "받아 보는 학과")):
        expect(headings.nth(place)).to_have_text(said)


def test_an_exported_file_brings_everything_back(
    site: Site, settings: Page, tmp_path: Path
) -> None:
    """After everything was cleared: the same settings, marks and kept notices."""
    publish(site, "cse", [notice(3, first_seen="2026-03-21T00:00:00Z"), notice(1)])
    settings.get_by_label("알림을 누르면 게시판을 바로 열기").check()
    settings.get_by_label("보관한 공지의 마감을").check()
    until(settings, lambda: settled(settings)["settings"].get("reminders"))
    before = settled(settings)
    assert before["settings"]["boardFirst"] is True
    with settings.expect_download() as download:
        settings.get_by_role("button", name="파일로 내보내기").click()
    file = tmp_path / "uring.json"
    download.value.save_as(file)
    settings.get_by_role("button", name="모두 지우기").click()
    settings.get_by_role("button", name="모두 지웁니다").click()
    settings.wait_for_selector(".choice")
    assert settled(settings) == {"settings": {}, "read": {}, "kept": {}}
    load(shown(settings), file.read_text())
    expect(settings.locator("#transfer [role=status]")).to_contain_text(
        "가져왔습니다: 학과 1곳, 보관한 공지 1건."
    )
    after = settled(settings)
    assert after == before
    settings.locator("#nav a[data-name=home]").click()
    expect(settings.locator(".star[aria-pressed=true]")).to_have_count(1)


def test_an_older_file_takes_nothing_later_away(settings: Page) -> None:
    """Not the higher revision that was read, nor the later one of what is kept."""
    former = settled(settings)
    [[key, kept]] = former["kept"].items()
    older = {**kept, "notice": {**kept["notice"], "title": "이전 제목"}}
    later = {**kept, "notice": {**kept["notice"], "title": "나중 제목", "revision": 3}}
    for one, revision, theme in ((later, 3, "dark"), (older, 1, "light")):
        file = {
            **EMPTY,
            # Written last.
            "settings": {"theme": theme},
            "read": {"cse": {"1": revision, str(revision): 1, "constructor": 2}},
            "kept": [one],
        }
        load(settings, file)
        until(settings, lambda last=theme: settled(settings)["settings"].get("theme") == last)
    after = settled(settings)
    assert after["read"]["cse"] == {"1": 3, "3": 1, "constructor": 2}
    assert after["kept"] == {key: later}


def test_clearing_asks_first(settings: Page) -> None:
    """The way back has the focus, and changes nothing."""
    before = settled(settings)
    settings.get_by_role("button", name="모두 지우기").click()
    expect(settings.get_by_role("button", name="그만두기")).to_be_focused()
    settings.keyboard.press("Enter")
    expect(settings.get_by_role("button", name="모두 지우기")).to_be_focused()
    assert settled(settings) == before


HOSTILE = {
    "JSON 파일이 아닙니다": "{",
    "format:": {"format": "other"},
    "version: 더 새로운": {**EMPTY, "version": 99},
    "너무 큽니다": " " * 2_000_001,
    'settings.theme: "", "light", "dark" 가운데': {**EMPTY, "settings": {"theme": "<script>"}},
    "settings.shortcuts: true나 false": {**EMPTY, "settings": {"shortcuts": "yes"}},
    "settings.favourites[1]: konkuk_cse 꼴": {**EMPTY, "settings": {"favourites": ["cse", "../x"]}},
    "settings.favourites: 목록": {**EMPTY, "settings": {"favourites": {"length": 3}}},
    "settings.rules.quiet.from: 23:00 꼴": {
        **EMPTY,
        "settings": {"rules": {"sources": {}, "quiet": {"from": "25:00", "to": "07:00"}}},
    },
    "settings.rules.sources.cse.keywords[0]": {
        **EMPTY,
        "settings": {"rules": {"sources": {"cse": {"mode": "all", "keywords": [7]}}}},
    },
    "settings.rules.sources.__proto__": (
        '{"format": "uring-client", "version": 1, "settings":'
        ' {"rules": {"sources": {"__proto__": {"mode": "off", "keywords": []}}}}}'
    ),
    "settings.since.cse: 2026-03-02T00:00:00Z 꼴": {
        **EMPTY,
        "settings": {"since": {"cse": "soon"}},
    },
    "read.cse.7: 1부터의 정수": {**EMPTY, "read": {"cse": {"7": -1}}},
    "kept[0].notice": {
        **EMPTY,
        "kept": [{"source": {"id": "cse", "name": "x"}, "notice": {"title": "x"}, "savedAt": 1}],
    },
    "kept: 목록": {**EMPTY, "kept": [0] * 1001},
}


def test_a_wrong_file_names_field_and_remedy_and_changes_nothing(settings: Page) -> None:
    """Each is refused whole, in a sentence."""
    before = settled(settings)
    for said, file in HOSTILE.items():
        load(settings, file)
        told = settings.locator("#transfer [role=status]")
        expect(told).to_contain_text("바뀐 것은 없습니다")
        expect(told.locator("li").first).to_contain_text(said)
        assert settled(settings) == before, said
    assert settings.evaluate("({}).mode") is None


def test_a_file_of_a_later_release_of_this_version_is_read(settings: Page) -> None:
    """What is not known of it is left out."""
    kept = {
        "source": {"id": "law", "name": "법학과", "moons": 1},
        "notice": {**notice(9, "<b>굵게</b>", link="javascript:alert(1)"), "moons": 2},
        "savedAt": 5,
    }
    chosen = {"favourites": ["cse", "law"], "moons": {"a": 1}}
    load(settings, {**EMPTY, "settings": chosen, "kept": [kept], "planets": []})
    expect(settings.locator("#transfer [role=status]")).to_contain_text("학과 2곳")
    settings.goto(settings.url.partition("#")[0] + "#/kept")
    expect(settings.locator(".notice .title").last).to_have_text("<b>굵게</b>")
    expect(settings.locator(".notice .title").last).to_have_attribute("href", "#/item/law/9")
