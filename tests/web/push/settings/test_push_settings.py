"""Pushes in the page: turned on by a click, listened to in one window, off without a rest."""

from typing import Any, Final

import pytest
from panel import CSE, LAW, PANEL, Panel, topics
from playwright.sync_api import Browser, BrowserContext, Page
from push_site import PushSite
from site_of_client import WEB


def test_a_click_turns_pushes_on_for_the_followed_sources(panel: Panel, site: PushSite) -> None:
    """Topics are those of followed sources and airports, but for those that are off."""
    panel.follow(CSE, LAW, "RKSI", "gone", **{LAW: "off"})
    assert panel.state == "off"
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE, "RKSI"})
    [asked] = site.requests_of_api()
    assert sorted(asked["subscribe"]) == ["RKSI", CSE]
    assert asked["unsubscribe"] == []


def test_a_message_comes_by_server_sent_events_as_by_push(panel: Panel, site: PushSite) -> None:
    """The page hands it to the worker, which shows it; the same event again is no banner."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE} and site.listening.is_set())
    for _ in range(2):
        assert site.push({"event_id": "e1", "dept": CSE, "id": "7", "title": "공지"}, CSE) == 1
    panel.wait(2)
    assert [shown["tag"] for shown in panel.shown()] == [f"{CSE}:7", "rest"]


def test_a_page_that_is_opened_again_listens_again(panel: Panel, site: PushSite) -> None:
    """Pushes stay on, under the same id, without a request where nothing differs."""
    panel.follow(CSE)
    panel.turn("on")
    panel.sent(CSE)
    site.listening.clear()
    panel.open()
    panel.until(site.listening.is_set)
    assert panel.state == "on"
    assert len(site.requests_of_api()) == 1


def test_off_unsubscribes_from_everything(panel: Panel, site: PushSite) -> None:
    """The server is told, and the device keeps no id."""
    panel.follow(CSE, LAW)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE, LAW})
    panel.turn("off")
    panel.until(lambda: topics(site) == set())
    assert panel.kept("settings")["push"] is None


def test_off_is_not_undone_by_a_registration_under_way(panel: Panel, site: PushSite) -> None:
    """A registration that comes after it is ended, and writes nothing."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: bool(panel.kept("settings")["push"]["at"]))
    device = (WEB / "app" / "push" / "device.js").read_text()
    held = device.replace("async (former) => (", "async (former) => (await globalThis.held, ")
    counted = held.replace("unregister: async () => {}", "unregister: async () => void ended++")
    site.files["app/push/device.js"] = counted.encode()
    panel.keep("settings", "push", {**panel.kept("settings")["push"], "registered": 0})
    panel.page.add_init_script("ended = 0; held = new Promise((resolve) => (go = resolve));")
    panel.open()
    panel.turn("off")
    panel.until(lambda: topics(site) == set() and panel.kept("settings")["push"] is None)
    before = panel.page.evaluate("ended")
    panel.page.evaluate("go()")
    panel.until(lambda: panel.page.evaluate("ended") > before)
    assert panel.kept("settings")["push"] is None
    assert panel.state == "off"


def test_the_start_of_pushes_leaves_the_badge_to_the_list(panel: Panel) -> None:
    """The list counts what is unread, before or after."""
    panel.page.add_init_script("cleared = 0; navigator.clearAppBadge = async () => cleared++;")
    panel.open()
    assert panel.page.evaluate("cleared") == 0


def test_the_window_that_changed_a_choice_sends_it(panel: Panel) -> None:
    """Another one hears of it and starts nothing: a topic that is refused is not asked twice."""
    started = panel.page.evaluate(
        """async () => {
          const {settingsOf} = await import(new URL("./app/settings.js", document.baseURI).href);
          const elsewhere = await settingsOf(client.store);
          const timers = [];
          const real = setTimeout;
          globalThis.setTimeout = (run, ms) => { timers.push(ms); return real(run, ms); };
          const heard = new Promise((resolve) => client.settings.onChange(resolve));
          await elsewhere.set("favourites", ["a"]);
          await heard;
          const byOther = timers.includes(400);
          await client.settings.set("favourites", ["a", "b"]);
          return [byOther, timers.includes(400)];
        }"""
    )
    assert started == [False, True]


def test_a_click_that_fails_says_so(panel: Panel, site: PushSite) -> None:
    """Where the browser registers nothing, the button is there again, with the reason."""
    panel.page.evaluate("void (crypto.getRandomValues = () => { throw new Error('no service'); })")
    panel.page.locator("#panel .card > button").click()
    panel.page.get_by_text("켜지 못했습니다: no service").wait_for()
    assert panel.state == "off"
    assert site.requests_of_api() == []


def test_two_windows_listen_once(context: BrowserContext, panel: Panel, site: PushSite) -> None:
    """One window takes the events for all, so that none is taken twice."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE} and site.listening.is_set())
    site.listening.clear()
    other = Panel(context, site)
    other.until(lambda: other.state == "on")
    assert not site.listening.is_set()
    panel.page.close()
    other.until(site.listening.is_set)


def opened_in(browser: Browser, site: PushSite, script: str = "", **options: Any) -> Page:
    """Open the part in a browser of another kind."""
    context = browser.new_context(locale="ko-KR", **options)
    if script:
        context.add_init_script(script)
    page = context.new_page()
    page.goto(site.url)
    page.wait_for_selector("body[data-ready]")
    page.evaluate(PANEL)
    page.wait_for_selector("#panel [data-push]:not([data-push=working])")
    return page


_IPHONE: Final = (
    "Object.defineProperty(navigator, 'userAgent', {value: 'iPhone'});"
    "delete window.Notification; delete window.PushManager;"
)


@pytest.mark.parametrize(
    ("state", "words", "script", "config"),
    [
        ("none", "5분마다", "", {"push": None}),
        ("none", "5분마다", "", {"later": 1}),
        ("home", "홈 화면에 추가", _IPHONE, {"push": {"firebase": {}, "vapidKey": "k"}}),
        ("unsupported", "지원하지 않", "delete window.Notification;", None),
        (
            "denied",
            "막혀 있습니다",
            "Object.defineProperty(Notification, 'permission', {get: () => 'denied'});",
            None,
        ),
        (
            "insecure",
            "HTTPS",
            "Object.defineProperty(window, 'isSecureContext', {value: false});",
            None,
        ),
    ],
)
def test_where_pushes_cannot_be_it_says_why(
    browser: Browser,
    site: PushSite,
    state: str,
    words: str,
    script: str,
    config: dict[str, Any] | None,
) -> None:
    """There is no button that does nothing."""
    site.config = config or site.config
    page = opened_in(browser, site, script)
    part = page.locator("#panel [data-push]")
    assert part.get_attribute("data-push") == state
    assert words in part.inner_text()
    assert part.locator("button").count() == 0
    page.context.close()


def test_a_hostile_configuration_costs_pushes_alone(browser: Browser, site: PushSite) -> None:
    """A config.json that is no JSON is as good as none."""
    site.files["config.json"] = b"<html>"
    page = opened_in(browser, site)
    assert page.locator("#panel [data-push]").get_attribute("data-push") == "none"
    page.context.close()
