"""The part of the settings about pushes, on a page of its own."""

from collections.abc import Callable
from typing import Final

from push_site import PushSite
from pushing import Pushing
from waiting import until

CSE: Final = "lantern_cse"
LAW: Final = "lantern_law"
INDEX: Final = {
    "departments": [{"id": id_, "name": id_, "topic": id_} for id_ in (CSE, LAW)],
    "weather": [{"id": "metar", "topics": ["RKSI", "RKPC"]}],
}
PANEL: Final = """async () => {
  const at = (path) => new URL(path, document.baseURI).href;
  const names = ["push", "store", "settings", "data", "published"];
  const [{pushSettings}, {open}, {settingsOf}, {dataOf}, {publish}] = await Promise.all(
    names.map((name) => import(at(`./app/${name}.js`))));
  const store = await open();
  const settings = await settingsOf(store);
  // Whatever the page before had kept.
  const data = dataOf(store, (path) => fetch(path, {cache: "no-cache"}));
  globalThis.client = {store, settings, data, say: (text) => (globalThis.said = text)};
  publish(client, undefined, () => {});
  await client.ready;
  const root = document.createElement("div");
  root.id = "panel";
  document.body.append(root);
  await pushSettings(root, client);
}"""
_FOLLOW: Final = """async ([favourites, sources]) => {
  await client.settings.set("rules", {sources, quiet: null});
  await client.settings.set("favourites", favourites);
}"""


class Panel(Pushing):
    """A page with the settings' part about pushes, on a page where nothing else syncs."""

    def open(self, route: str = "#/") -> None:
        """Open the page, and the part."""
        super().open(route)
        self.page.evaluate(PANEL)
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


def topics(site: PushSite) -> set[str]:
    """Return the topics of the one device."""
    return next(iter(site.topics.values()), set())
