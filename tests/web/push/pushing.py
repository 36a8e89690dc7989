"""A page and its service worker under pushes: delivered as the browser does, counted as shown."""

import json
from typing import Any, Final

from kept import keep
from playwright.sync_api import BrowserContext, Page
from site_of_client import Site
from waiting import until

# The worker tells the windows after it has shown and remembered a push.
_COUNT: Final = """
  globalThis.pushed = [];
  globalThis.wake = () => {};
  navigator.serviceWorker?.addEventListener("message", ({data}) => {
    if (data.type === "pushed") { pushed.push(data.source); wake(); }
  });
"""
_WAIT: Final = """(count) => new Promise((resolve) => {
  wake = () => pushed.length >= count && resolve([...pushed]);
  wake();
})"""
_SHOWN: Final = """async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map((shown) => ({
    title: shown.title, body: shown.body, tag: shown.tag, silent: shown.silent,
    renotify: shown.renotify, data: shown.data, actions: shown.actions.map(({action}) => action),
  }));
}"""
_CLOSE: Final = """async () => {
  const registration = await navigator.serviceWorker.ready;
  for (;;) {
    const left = await registration.getNotifications();
    if (left.length === 0) return;
    for (const shown of left) shown.close();
  }
}"""
_KEPT: Final = """async (store) => {
  const {open} = await import(new URL("./app/store.js", document.baseURI).href);
  return [...await (await open()).entries(store)];
}"""


class Pushing:
    """One page with an active worker."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self._site = site
        self._registrations: list[str] = []
        self._delivered = 0
        self.page: Page = context.new_page()
        self.page.add_init_script(_COUNT)
        self._cdp = context.new_cdp_session(self.page)
        self._cdp.on("ServiceWorker.workerRegistrationUpdated", self._registered)
        self._cdp.send("ServiceWorker.enable")
        self.open()

    def open(self, route: str = "#/") -> None:
        """Open the page anew, and wait for its worker."""
        self.page.goto("about:blank")
        self.page.goto(self._site.url + route)
        self.page.wait_for_selector(f"body[data-ready='{route}']")
        self.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        self._delivered = 0

    def deliver(self, payload: str) -> None:
        """Deliver one push to the worker, and wait until it was dealt with."""
        self.send(payload)
        self.page.evaluate(_WAIT, self._delivered)

    def send(self, payload: str) -> None:
        """Deliver one push and do not wait."""
        until(self.page, lambda: self._registrations)
        self._delivered += 1
        self._cdp.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": self._site.url,
                "registrationId": self._registrations[-1],
                "data": payload,
            },
        )

    def receive(self, **data: str) -> None:
        """Deliver one of FCM's messages."""
        message = {"data": data, "from": f"/topics/{data.get('dept')}", "fcmMessageId": "1"}
        self.deliver(json.dumps(message))

    def wait(self, count: int) -> list[str]:
        """Wait until the worker has dealt with so many pushes; return their sources."""
        sources: list[str] = self.page.evaluate(_WAIT, count)
        return sources

    def shown(self) -> list[dict[str, Any]]:
        """Return the notifications that are on the screen."""
        notifications: list[dict[str, Any]] = self.page.evaluate(_SHOWN)
        return notifications

    def close_all(self) -> None:
        """Close the notifications that are on the screen, and wait until none is left."""
        self.page.evaluate(_CLOSE)

    def keep(self, store: str, key: str, value: Any) -> None:
        """Put a value into the device's storage."""
        keep(self.page, store, key, value)

    def kept(self, store: str) -> dict[str, Any]:
        """Return what the device's storage has."""
        return dict(self.page.evaluate(_KEPT, store))

    def stop_worker(self) -> None:
        """End the worker as a browser does, at any time: what it had in memory is gone."""
        self._cdp.send("ServiceWorker.stopAllWorkers")

    def _registered(self, event: dict[str, Any]) -> None:
        self._registrations += [
            each["registrationId"]
            for each in event["registrations"]
            if each["scopeURL"].startswith(self._site.url) and not each["isDeleted"]
        ]
