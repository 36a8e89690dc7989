"""Pushes in the page: turned on by a click, kept as the sources change, off without a rest."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from push_site import API, PushSite, Refusal
from pushing import Pushing
from site_of_client import WEB
from waiting import until

CSE: Final = "lantern_cse"
LAW: Final = "lantern_law"
INDEX: Final = {
    "departments": [{"id": id_, "name": id_, "topic": id_} for id_ in (CSE, LAW)],
    "weather": [{"id": "metar", "topics": ["RKSI", "RKPC"]}],
}
_PANEL: Final = """async () => {
  const at = (path) => new URL(path, document.baseURI).href;
  const [{pushSettings}, {open}, {settingsOf}] = await Promise.all(
    ["./app/push.js", "./app/store.js", "./app/settings.js"].map((path) => import(at(path))));
  const store = await open();
  const settings = await settingsOf(store);
  const published = await fetch("./data/index.json", {cache: "no-cache"});
  const index = await published.json().catch(() => ({}));
  globalThis.client = {store, settings, index, say: (text) => (globalThis.said = text)};
  client.ready = Promise.resolve();
  const root = document.createElement("div");
  root.id = "panel";
  document.body.append(root);
  await pushSettings(root, client);
}"""
# The turn after a sync's is given when that sync has ended.
_SYNC: Final = """async () => {
  dispatchEvent(new Event("online"));
  await navigator.locks.request("uring topics", () => {});
}"""
_FOLLOW: Final = """async ([favourites, sources]) => {
  await client.settings.set("rules", {sources, quiet: null});
  await client.settings.set("favourites", favourites);
}"""


@pytest.fixture
def site() -> Iterator[PushSite]:
    """A site with pushes by server-sent events."""
    site = PushSite()
    site.put("index.json", INDEX)
    yield site
    site.close()


class Panel(Pushing):
    """A page with the settings' part about pushes, on a page where nothing else syncs."""

    def open(self, route: str = "#/") -> None:
        """Open the page, and the part."""
        super().open(route)
        self.page.evaluate(_PANEL)
        self.page.wait_for_selector("#panel [data-push]:not([data-push=working])")

    @property
    def state(self) -> str | None:
        """What the part says that pushes are."""
        return self.page.locator("#panel [data-push]").get_attribute("data-push")

    def follow(self, *favourites: str, **modes: str) -> None:
        """Choose the followed sources, and their modes."""
        sources = {id_: {"mode": mode, "keywords": []} for id_, mode in modes.items()}
        self.page.evaluate(_FOLLOW, [[*favourites], sources])

    def turn(self, state: str) -> None:
        """Click, and wait until pushes are on or off."""
        self.page.locator("#panel .card > button").click()
        self.page.wait_for_selector(f"#panel [data-push={state}] > button:not([disabled])")

    def sent(self, *topics: str) -> None:
        """Wait until the site has these topics, and the device has written down that it has."""
        site = self._site
        assert isinstance(site, PushSite)
        self.until(lambda: next(iter(site.topics.values()), set()) == {*topics})
        self.until(lambda: bool((self.kept("settings")["push"] or {}).get("at")))

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for what the site is told; the page goes on meanwhile."""
        until(self.page, is_so)


@pytest.fixture
def panel(context: BrowserContext, site: PushSite) -> Panel:
    """Return an open part of the settings."""
    return Panel(context, site)


def topics(site: PushSite) -> set[str]:
    """Return the topics of the one device."""
    return next(iter(site.topics.values()), set())


def test_a_click_turns_pushes_on_for_the_followed_sources(panel: Panel, site: PushSite) -> None:
    """Topics are those of followed sources and airports, but for those that are off."""
    panel.follow(CSE, LAW, "RKSI", "gone", **{LAW: "off"})
    assert panel.state == "off"
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE, "RKSI"})
    [asked] = site.requests_of_api()
    assert sorted(asked["subscribe"]) == ["RKSI", CSE]
    assert asked["unsubscribe"] == []


def test_only_what_differs_is_sent(panel: Panel, site: PushSite) -> None:
    """Following another source is one topic more; following none unsubscribes all."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE})
    panel.follow(CSE, LAW)
    panel.until(lambda: topics(site) == {CSE, LAW})
    panel.follow()
    panel.until(lambda: topics(site) == set())
    sent = [(each["subscribe"], each["unsubscribe"]) for each in site.requests_of_api()]
    assert sent == [([CSE], []), ([LAW], []), ([], [CSE, LAW])]


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


def test_off_without_a_server_is_told_later(panel: Panel, site: PushSite) -> None:
    """What could not be sent is sent at the next start, and pushes are off at once."""
    panel.follow(CSE)
    panel.turn("on")
    panel.sent(CSE)
    site.refusals = [Refusal(503, {"Retry-After": "1"})]
    panel.turn("off")
    assert topics(site) == {CSE}
    panel.open()
    panel.until(lambda: topics(site) == set())


def test_an_answer_that_got_lost_is_asked_for_again(panel: Panel, site: PushSite) -> None:
    """The request was done, nobody knows: a source left meanwhile is unsubscribed all the same."""
    panel.follow(CSE)
    site.loses = 9
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE})
    panel.follow()
    panel.keep("settings", "push", {**panel.kept("settings")["push"], "notBefore": 0})
    site.loses = 0
    panel.open()
    panel.until(lambda: topics(site) == set())


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_when_it_says(
    panel: Panel, site: PushSite, status: int
) -> None:
    """Retry-After counts, and the reader is told that it is not done yet."""
    panel.follow(CSE)
    site.refusals = [Refusal(status, {"Retry-After": "1"})]
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE})
    assert len(site.requests_of_api()) == 2
    assert [each["problem"] for each in panel.kept("log").values()] == ["later"]


def test_before_that_time_nothing_is_asked(panel: Panel, site: PushSite) -> None:
    """A page that is opened again keeps to it."""
    panel.follow(CSE)
    site.refusals = [Refusal(429, {"Retry-After": "3000"})]
    panel.turn("on")
    panel.until(lambda: len(site.requests_of_api()) == 1)
    panel.until(lambda: bool(panel.kept("settings")["push"]["notBefore"]))
    site.listening.clear()
    panel.open()
    panel.until(site.listening.is_set)
    assert len(site.requests_of_api()) == 1


def test_a_refused_topic_costs_no_other(panel: Panel, site: PushSite) -> None:
    """The request is taken apart; the topic is logged, and the others are subscribed."""
    site.refused_topics = {LAW}
    panel.follow(CSE, LAW, "RKSI")
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE, "RKSI"})
    # Taken apart once: a sync that came too early for the others would have logged it twice.
    panel.until(lambda: bool(panel.kept("settings")["push"]["at"]))
    assert [each["detail"] for each in panel.kept("log").values()] == [f"422 {LAW}"]


def test_a_device_that_the_server_forgot_registers_anew(panel: Panel, site: PushSite) -> None:
    """After a 404 all topics are sent again."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE})
    site.topics.clear()
    site.refusals = [Refusal(404, {})]
    panel.follow(CSE, LAW)
    panel.until(lambda: topics(site) == {CSE, LAW})
    assert [each["problem"] for each in panel.kept("log").values()] == ["unknown"]


def test_a_device_that_a_resumed_run_forgot_subscribes_again(panel: Panel, site: PushSite) -> None:
    """Under its own id: it is the topics that are gone."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE} and site.listening.is_set())
    panel.until(lambda: panel.kept("settings")["push"]["topics"] == [CSE])
    [id_] = site.topics
    site.forget()
    panel.until(lambda: site.topics == {id_: {CSE}})


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


def test_a_device_that_stays_unknown_is_not_registered_for_ever(
    panel: Panel, site: PushSite
) -> None:
    """Once a page; a server that knows nobody is not asked again and again."""
    panel.follow(CSE)
    site.refusals = [Refusal(404, {})] * 50
    panel.turn("on")
    panel.until(lambda: len(site.requests_of_api()) == 2)
    panel.until(lambda: len(panel.kept("log")) == 2)
    panel.page.evaluate(_SYNC)
    assert len(site.requests_of_api()) == 2


@pytest.mark.parametrize("days", [8, -1])
def test_after_a_week_everything_is_sent_again(panel: Panel, site: PushSite, days: int) -> None:
    """FCM may have forgotten; so it is where the clock was set back."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: bool((panel.kept("settings")["push"] or {}).get("at")))
    state = panel.kept("settings")["push"]
    panel.keep("settings", "push", {**state, "at": state["at"] - days * 86_400_000})
    panel.open()
    panel.until(lambda: len(site.requests_of_api()) == 2)
    assert site.requests_of_api()[1]["subscribe"] == [CSE]


def test_an_index_that_is_not_known_unsubscribes_nothing(panel: Panel) -> None:
    """Without the index nobody knows the topics, not even that there are none."""
    wanted = """async () => {
      const {wantedTopics} = await import(new URL("./app/push/topics.js", document.baseURI).href);
      return [{}, undefined, {departments: []}].map((index) => wantedTopics(index, [], {}));
    }"""
    unknown, absent, empty = panel.page.evaluate(wanted)
    assert unknown is absent is None
    assert empty is not None


def test_topics_follow_what_the_device_has(panel: Panel, site: PushSite) -> None:
    """Not this window's copy: what another window chose is neither lost nor unsubscribed."""
    panel.follow(CSE)
    panel.turn("on")
    panel.sent(CSE)
    panel.keep("settings", "favourites", [CSE, LAW])
    panel.page.evaluate("dispatchEvent(new Event('online'))")
    panel.until(lambda: topics(site) == {CSE, LAW})
    assert [each["unsubscribe"] for each in site.requests_of_api()] == [[], []]


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
    page.evaluate(_PANEL)
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


def test_requests_stay_within_four_kilobytes(panel: Panel, site: PushSite) -> None:
    """A hundred and twenty sources are several requests of 50 topics at the most."""
    ids = [f"lantern_department_{number}" for number in range(120)]
    site.put("index.json", {"departments": [{"id": id_, "topic": id_} for id_ in ids]})
    panel.open()
    panel.follow(*ids)
    panel.turn("on")
    panel.until(lambda: len(topics(site)) == 120)
    assert all(len(body) <= 4096 for path, body in site.posted if path == API)
    assert all(json.loads(body)["id"] for _, body in site.posted)
