"""Pushes in the service worker: each shows something, and each event is a banner once."""

import json
from collections.abc import Callable
from typing import Final

import pytest
from kept import keep_favourites
from playwright.sync_api import BrowserContext
from pushing import Pushing
from shards_published import publish
from site_of_client import Site
from waiting import until

DEPT: Final = "lantern_cse"
SCHOLARSHIP: Final = {
    "event_id": "e1",
    "dept": DEPT,
    "id": "7",
    "revision": "1",
    "kind": "new",
    "changes": "1",
    "title": "장학금 신청 안내",
    "link": "https://lantern.example.ac.kr/7",
}
KEYWORDS: Final = {"sources": {DEPT: {"mode": "keywords", "keywords": ["장학"]}}, "quiet": None}
Start = Callable[[], Pushing]


@pytest.fixture
def start(context: BrowserContext, site: Site) -> Start:
    """Open a page that has a worker, when the site is as the test wants it."""
    site.keep_few_files()
    site.wait_for_the_disk()
    site.put("index.json", {"departments": [{"id": DEPT, "name": "등대대학교", "topic": DEPT}]})
    return lambda: Pushing(context, site)


@pytest.fixture
def pushing(start: Start) -> Pushing:
    """Return a page with an active worker."""
    return start()


def sabotage(site: Site, script: str) -> None:
    """Run a script in the worker before anything of ours."""
    site.files["saboteur.js"] = script.encode()
    site.files["sw.js"] = b'import "./saboteur.js";\n' + site.files["sw.js"]


def test_a_message_without_rules_is_a_banner(pushing: Pushing) -> None:
    """Its title, where it comes from, the notice's own view, and the board by a second button."""
    pushing.receive(**SCHOLARSHIP)
    [banner] = pushing.shown()
    assert banner["title"] == "장학금 신청 안내"
    assert "등대대학교" in banner["body"]
    assert banner["tag"] == f"{DEPT}:7"
    assert banner["data"]["route"] == f"#/item/{DEPT}/7"
    assert banner["data"]["url"] == "https://lantern.example.ac.kr/7"
    assert banner["actions"] == ["board"]


def test_a_board_of_a_shard_has_its_name_and_its_route(start: Start, site: Site) -> None:
    """The page keeps the shards of what is followed; the worker looks there, too."""
    publish(site)
    pushing = start()
    publish(site)
    keep_favourites(pushing.page, ["nursing"])
    pushing.open()
    pushing.page.locator(".health.bad").wait_for()
    site.data.clear()
    pushing.receive(**{**SCHOLARSHIP, "dept": "nursing"})
    [banner] = pushing.shown()
    assert "누리솔대 간호학과" in banner["body"]
    assert banner["data"]["route"] == "#/item/nursing/7"


def test_a_keyword_that_does_not_match_gives_no_banner(pushing: Pushing) -> None:
    """The others are one silent line, with their number."""
    pushing.keep("settings", "rules", KEYWORDS)
    pushing.receive(**SCHOLARSHIP)
    pushing.receive(**{**SCHOLARSHIP, "event_id": "e2", "id": "8", "title": "휴강"})
    pushing.receive(**{**SCHOLARSHIP, "event_id": "e3", "id": "9", "title": "도서관"})
    by_tag = {shown["tag"]: shown for shown in pushing.shown()}
    assert set(by_tag) == {f"{DEPT}:7", "rest"}
    assert by_tag["rest"]["title"] == "다른 소식 2건"
    assert by_tag["rest"]["silent"]
    assert by_tag["rest"]["data"].items() >= {"count": 2, "route": "#/"}.items()
    assert by_tag["rest"]["data"]["events"] == ["e2", "e3"]


def test_the_same_event_twice_is_one_banner(pushing: Pushing) -> None:
    """The second one shows the silent line, and counts nothing."""
    pushing.receive(**SCHOLARSHIP)
    pushing.receive(**SCHOLARSHIP)
    pushing.receive(**SCHOLARSHIP)
    assert [(shown["tag"], shown["title"]) for shown in pushing.shown()] == [
        (f"{DEPT}:7", "장학금 신청 안내"),
        ("rest", "다른 소식"),
    ]


def test_the_same_event_at_once_is_one_banner(pushing: Pushing) -> None:
    """Two deliveries that overlap are judged one after the other."""
    message = json.dumps({"data": SCHOLARSHIP})
    pushing.send(message)
    pushing.send(message)
    assert pushing.wait(2) == [DEPT, DEPT]
    assert [shown["tag"] for shown in pushing.shown()] == [f"{DEPT}:7", "rest"]


def test_an_event_is_remembered_by_the_device_and_not_by_the_worker(pushing: Pushing) -> None:
    """A worker that was ended knows from storage what was shown."""
    pushing.receive(**SCHOLARSHIP)
    pushing.stop_worker()
    pushing.receive(**SCHOLARSHIP)
    assert [shown["tag"] for shown in pushing.shown()] == [f"{DEPT}:7", "rest"]
    assert list(pushing.kept("seen")) == ["e1"]


def test_who_dies_before_it_is_remembered_shows_it_again(site: Site, start: Start) -> None:
    """Shown twice is better than never: an event counts as seen after it was shown."""
    sabotage(
        site,
        "const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function(...of) {"
        " if (this.name === 'seen') throw new Error('died'); return put.apply(this, of); };",
    )
    pushing = start()
    pushing.receive(**SCHOLARSHIP)
    pushing.stop_worker()
    pushing.receive(**SCHOLARSHIP)
    assert [(shown["tag"], shown["renotify"]) for shown in pushing.shown()] == [(f"{DEPT}:7", True)]


@pytest.mark.parametrize("payload", ["", "not json", "null", "5", '"text"', "[]", '{"data": 3}'])
def test_an_unreadable_push_is_a_silent_line(pushing: Pushing, payload: str) -> None:
    """It may not be shown as nothing, and says nothing that is not there."""
    pushing.deliver(payload)
    [line] = pushing.shown()
    assert line["tag"] == "rest"
    assert line["body"] == "읽을 수 없는 소식"


def test_where_storage_is_refused_all_is_shown_and_repeats_are_not(
    site: Site, start: Start
) -> None:
    """Without rules each message is a banner; the worker itself remembers what it has shown."""
    sabotage(site, "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };")
    pushing = start()
    pushing.receive(**SCHOLARSHIP)
    pushing.receive(**SCHOLARSHIP)
    assert [shown["tag"] for shown in pushing.shown()] == [f"{DEPT}:7", "rest"]


def test_storage_that_never_answers_costs_seconds_and_no_push(site: Site, start: Start) -> None:
    """A database can hang while a device wakes up; the push is shown without it."""
    sabotage(site, "indexedDB.open = () => ({});")
    del site.files["app/push/received.js"]
    pushing = start()
    pushing.receive(**SCHOLARSHIP)
    assert [shown["title"] for shown in pushing.shown()] == ["장학금 신청 안내"]


def test_a_decision_that_fails_is_a_banner_and_a_problem(site: Site, start: Start) -> None:
    """A fault in the rules' own code costs the filter, not the news; the settings say so."""
    site.files["uring/decide.js"] = (
        b"export function decide() { throw new Error('boom'); }\n"
        b"export function restTitle() { return 'rest'; }\n"
    )
    pushing = start()
    pushing.receive(**SCHOLARSHIP)
    assert [shown["title"] for shown in pushing.shown()] == ["장학금 신청 안내"]
    [problem] = pushing.kept("log").values()
    assert (problem["problem"], problem["detail"]) == ("unread", "boom")


def test_an_option_that_a_browser_refuses_costs_its_comfort(site: Site, start: Start) -> None:
    """Shown without icon and buttons is better than not shown."""
    sabotage(
        site,
        "const show = ServiceWorkerRegistration.prototype.showNotification;"
        "ServiceWorkerRegistration.prototype.showNotification = function(title, options) {"
        " if (options.icon) throw new TypeError(); return show.call(this, title, options); };",
    )
    pushing = start()
    pushing.receive(**SCHOLARSHIP)
    assert [shown["title"] for shown in pushing.shown()] == ["장학금 신청 안내"]


def test_what_was_not_shown_counts_as_unseen_and_is_told(site: Site, start: Start) -> None:
    """A push that the browser would not show is a banner when it comes again."""
    sabotage(
        site,
        "const show = ServiceWorkerRegistration.prototype.showNotification; let refused = 2;"
        "ServiceWorkerRegistration.prototype.showNotification = function(...of) {"
        " if (refused-- > 0) throw new TypeError('not now'); return show.apply(this, of); };",
    )
    pushing = start()
    pushing.receive(**SCHOLARSHIP)
    assert pushing.shown() == []
    assert [each["problem"] for each in pushing.kept("log").values()] == ["unshown"]
    pushing.receive(**SCHOLARSHIP)
    assert [shown["tag"] for shown in pushing.shown()] == [f"{DEPT}:7"]


def test_markup_and_hostile_links_are_text(pushing: Pushing) -> None:
    """A title is never more than its characters, and a link is http(s) or none."""
    pushing.receive(
        **{**SCHOLARSHIP, "title": "<img src=x onerror=alert(1)>", "link": "javascript:alert(1)"}
    )
    [banner] = pushing.shown()
    assert banner["title"] == "<img src=x onerror=alert(1)>"
    assert banner["data"]["route"] == f"#/item/{DEPT}/7"
    assert banner["data"]["url"] is None
    assert banner["actions"] == []


def test_a_push_puts_a_dot_and_no_number_on_the_app(site: Site, start: Start) -> None:
    """The number is the list's alone: what is unread, which no worker knows."""
    sabotage(
        site,
        "navigator.setAppBadge = async (...of) =>"
        " (await caches.open('badge')).put('badge', new Response(JSON.stringify(of)));",
    )
    pushing = start()
    pushing.receive(**SCHOLARSHIP)
    badge = "caches.match('badge').then((kept) => kept.json())"
    assert pushing.page.evaluate(badge) == []


def test_a_digest_is_one_banner_that_opens_the_list(pushing: Pushing) -> None:
    """Twenty-five changes are one line, also where keywords are set."""
    pushing.keep("settings", "rules", KEYWORDS)
    pushing.receive(**{**SCHOLARSHIP, "kind": "digest", "changes": "25", "title": "개강"})
    [banner] = pushing.shown()
    assert "25" in banner["title"]
    assert banner["data"]["route"] == f"#/source/{DEPT}"


def test_weather_opens_its_airport(pushing: Pushing) -> None:
    """A product's message is of an airport, and its rule the airport's."""
    pushing.receive(
        event_id="w1",
        dept="warning",
        id="RKSI.warning_raised.1.2026-03-02T00:01:00Z",
        kind="warning_raised",
        title="RKSI 강풍",
        time="2026-03-02T00:00:00Z",
        until="2026-03-02T06:00:00Z",
    )
    [banner] = pushing.shown()
    assert banner["title"] == "RKSI 강풍"
    assert banner["data"]["route"] == "#/weather/RKSI"


def test_a_regulation_opens_its_own_view(pushing: Pushing) -> None:
    """The text's message leads to the regulation that it is of."""
    pushing.receive(
        event_id="r1",
        dept="lantern_rules",
        id="text/42",
        kind="text_changed",
        title="학칙",
        fileNo="900",
        articles_changed="3",
        effective="2026-03-01",
        effective_text="",
    )
    [banner] = pushing.shown()
    assert banner["body"].endswith("3개 조 · 시행 2026. 3. 1.")
    assert banner["data"]["route"] == "#/rule/lantern_rules/42"


# A press on a banner, or on its button: the browser's part, which no script of a page can play.
TAP: Final = """
clients.openWindow = async (url) => {
  for (const page of await clients.matchAll({type: "window"})) page.postMessage({opened: url});
};
addEventListener("message", async ({data}) => {
  if (data.tap === undefined) return;
  const [notification] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent("notificationclick", {notification, action: data.tap}));
});
"""


@pytest.mark.parametrize(
    ("action", "board_first", "leads_to_the_board"),
    [("", False, False), ("", True, True), ("board", False, True)],
)
def test_a_tap_leads_to_the_notice_or_by_choice_to_the_board(
    start: Start, site: Site, action: str, *, board_first: bool, leads_to_the_board: bool
) -> None:
    """Where a browser draws no second button, the setting is the one way in one tap."""
    sabotage(site, TAP)
    pushing = start()
    pushing.keep("settings", "boardFirst", board_first)
    pushing.receive(**SCHOLARSHIP)
    wanted = SCHOLARSHIP["link"] if leads_to_the_board else f"#/item/{DEPT}/7"
    assert tapped(pushing, action) == wanted
    until(pushing.page, lambda: not pushing.shown())


def test_a_tap_leads_to_the_notice_where_the_choice_cannot_be_read(
    start: Start, site: Site
) -> None:
    """A browser that is waited for too long opens nothing."""
    sabotage(site, f"indexedDB.open = () => ({{}});\n{TAP}")
    pushing = start()
    pushing.page.evaluate(
        """async (data) => {
          const registration = await navigator.serviceWorker.ready;
          await registration.showNotification("x", {data});
        }""",
        {"route": f"#/item/{DEPT}/7", "url": SCHOLARSHIP["link"]},
    )
    assert tapped(pushing, "") == f"#/item/{DEPT}/7"


def tapped(pushing: Pushing, action: str) -> str:
    """Press the banner, or its button of this action; return the address that opens."""
    page = pushing.page
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.evaluate(
        """(tap) => {
          globalThis.opened = "";
          navigator.serviceWorker.addEventListener("message", ({data}) => {
            opened = data.opened ?? (data.type === "open" ? data.route : opened);
          });
          navigator.serviceWorker.controller.postMessage({tap});
        }""",
        action,
    )
    page.wait_for_function("() => opened !== ''")
    opened: str = page.evaluate("opened")
    return opened
