"""Pushes by Firebase: its own modules; Google's two hosts are answered here."""

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
from panel import CSE, INDEX, Panel, topics
from playwright.sync_api import BrowserContext, Route
from push_site import FIREBASE_CSP, PushSite

CONFIG: Final = {
    "push": {
        "firebase": {
            "apiKey": "not-a-key",
            "appId": "1:1:web:1",
            "projectId": "lantern",
            "messagingSenderId": "1",
        },
        "vapidKey": "BA" + "A" * 85,
    }
}
_PUSH_SERVICE: Final = """
  globalThis.endpoint = localStorage.getItem("endpoint");
  const subscription = () => endpoint && ({
    endpoint, options: {}, toJSON: () => ({}), unsubscribe: async () => {
      localStorage.removeItem("endpoint"); globalThis.endpoint = null; return true; },
    getKey: (name) => new Uint8Array(name === "auth" ? 16 : 65).buffer});
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async () => {
    if (globalThis.refusal) throw new DOMException(refusal, "AbortError");
    globalThis.endpoint = "https://push.example/" + Math.random();
    localStorage.setItem("endpoint", endpoint);
    return subscription();
  };
"""
_CORS: Final = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "*",
    "access-control-allow-methods": "*",
}


class Google:
    """Firebase's two hosts, as its modules ask them.

    Attributes:
        registered: the browser's endpoints, one a registration.
        deleted: how many registrations were deleted.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.registered: list[str] = []
        self.deleted = 0
        self._id = ""
        context.route("https://firebaseinstallations.googleapis.com/**", self._installations)
        context.route("https://fcmregistrations.googleapis.com/**", self._registrations)

    def _installations(self, route: Route) -> None:
        asked: dict[str, Any] = json.loads(route.request.post_data or "{}")
        # The browser makes the id, and takes no other one.
        self._id = asked.get("fid", self._id)
        token = {"token": "t", "expiresIn": "604800s"}
        made = {"fid": self._id, "refreshToken": "r", "authToken": token}
        route.fulfill(
            headers=_CORS, json=token if route.request.url.endswith(":generate") else made
        )

    def _registrations(self, route: Route) -> None:
        if route.request.method == "DELETE":
            self.deleted += 1
        elif route.request.method == "POST":
            asked = json.loads(route.request.post_data or "{}")
            self.registered.append(asked["web"]["endpoint"])
        route.fulfill(headers=_CORS, json={"name": f"projects/1/registrations/{self._id}"})


@pytest.fixture
def site() -> Iterator[PushSite]:
    """A site with pushes by Firebase."""
    site = PushSite()
    site.put("index.json", INDEX)
    site.config = CONFIG
    site.csp = FIREBASE_CSP
    yield site
    site.close()


@pytest.fixture
def google(context: BrowserContext) -> Google:
    """Answer what leaves the browser for Google."""
    context.add_init_script(_PUSH_SERVICE)
    return Google(context)


@pytest.fixture
def panel(google: Google, context: BrowserContext, site: PushSite) -> Panel:  # noqa: ARG001 (answers)
    """Return an open part of the settings."""
    return Panel(context, site)


def loaded_firebase(site: PushSite) -> bool:
    """Return whether a page has asked for Firebase's modules."""
    return any("firebase" in path for _, path, _, _ in site.log)


def test_firebase_is_loaded_on_the_click_and_not_before(
    panel: Panel, site: PushSite, google: Google
) -> None:
    """The id is Firebase's; it is subscribed by our own API."""
    panel.follow(CSE)
    assert not loaded_firebase(site)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE})
    assert loaded_firebase(site)
    assert len(google.registered) == 1
    state = panel.kept("settings")["push"]
    assert state["endpoint"] == google.registered[0]
    assert [each["id"] for each in site.requests_of_api()] == [state["id"]]


def test_a_start_within_a_day_asks_nobody(panel: Panel, site: PushSite, google: Google) -> None:
    """A subscription that is still there needs no Firebase."""
    panel.follow(CSE)
    panel.turn("on")
    panel.sent(CSE)
    site.log.clear()
    panel.open()
    assert panel.state == "on"
    assert not loaded_firebase(site)
    assert len(google.registered) == 1


def test_a_start_after_a_day_registers_again(panel: Panel) -> None:
    """Firebase refreshes what is a week old, when the page calls it."""
    panel.follow(CSE)
    panel.turn("on")
    panel.sent(CSE)
    state = panel.kept("settings")["push"]
    before = state["registered"] - 2 * 86_400_000
    panel.keep("settings", "push", {**state, "registered": before})
    panel.open()
    panel.until(lambda: panel.kept("settings")["push"]["registered"] > before)


def test_a_subscription_that_vanished_is_told_and_registered_anew(
    panel: Panel, site: PushSite, google: Google
) -> None:
    """Browsers take subscriptions away without a word; all topics are sent again."""
    panel.follow(CSE)
    panel.turn("on")
    panel.sent(CSE)
    panel.page.evaluate("localStorage.removeItem('endpoint')")
    panel.open()
    panel.until(lambda: len(google.registered) == 2)
    panel.until(lambda: len(site.requests_of_api()) == 2)
    assert site.requests_of_api()[1]["subscribe"] == [CSE]
    assert [each["problem"] for each in panel.kept("log").values()] == ["lost"]


def test_a_push_service_that_refuses_is_told(panel: Panel, site: PushSite) -> None:
    """The browser's own words, and the button once more."""
    panel.page.evaluate("void (globalThis.refusal = 'Registration failed')")
    panel.page.locator("#panel .card > button").click()
    panel.page.get_by_text("Registration failed").wait_for()
    assert panel.state == "off"
    assert site.requests_of_api() == []


def test_off_ends_the_subscription_and_the_registration(
    panel: Panel, site: PushSite, google: Google
) -> None:
    """Neither the push service nor Google keeps this device."""
    panel.follow(CSE)
    panel.turn("on")
    panel.until(lambda: topics(site) == {CSE})
    panel.turn("off")
    assert topics(site) == set()
    assert google.deleted == 1
    assert panel.page.evaluate("localStorage.getItem('endpoint')") is None
