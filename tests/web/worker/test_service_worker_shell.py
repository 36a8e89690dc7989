"""The shell: the page's files without a network, whole releases, and what passes through."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Page
from site_of_client import WEB, Site
from waiting import until

from uring_local.web.release import read_release

Opened = Callable[[str], Page]

ASSETS: Final = re.findall(
    r'"\./([^"]+)"', (WEB / "sw.js").read_text().partition("const ASSETS = [")[2].partition("]")[0]
)
# Entry files are kept under their own rule; Firebase is loaded on a click, which needs a network;
# the operator's page is no part of the client.
ENTRIES: Final = {"index.html", "sw.js", "manifest.webmanifest", "config.json"}
_CACHES: Final = """async () => {
  const all = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys())
      all.push([name, new URL(request.url).pathname]);
  return all;
}"""
_CONTROLLED: Final = """new Promise((resolve) => {
  const container = navigator.serviceWorker;
  if (container.controller) resolve(null);
  else container.addEventListener("controllerchange", () => resolve(null));
})"""
_NO_WORKER: Final = """async () => {
  return !(await navigator.serviceWorker.getRegistration());
}"""
_UPDATED: Final = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const worker = await new Promise((resolve) => {
    registration.addEventListener("updatefound", () => resolve(registration.installing));
    registration.update().catch(() => resolve(null));
  });
  if (!worker) return "failed";
  const last = ["activated", "redundant"];
  if (!last.includes(worker.state))
    await new Promise((resolve) => worker.addEventListener("statechange", () => {
      if (last.includes(worker.state)) resolve();
    }));
  return worker.state;
}"""


def kept_files() -> set[str]:
    """Return the files that the client can need without a network."""
    files = (file.relative_to(WEB) for file in WEB.rglob("*") if file.is_file())
    return {
        str(file)
        for file in files
        if file.suffix in {".js", ".css", ".svg", ".png"}
        and file.parts[0] != "status"
        and not file.name.startswith("firebase-")
    } - ENTRIES


class Releases:
    """Releases of the client, one after the other on one site, each with a word of its own."""

    def __init__(self, site: Site, folder: Path) -> None:
        self._site = site
        self._folder = folder
        shutil.copytree(WEB, folder)

    def publish(self, word: str, *, page: bool = True) -> str:
        """Upload a release, and return its folder; `page=False` ends before the page is put."""
        main = self._folder / "app" / "main.js"
        main.write_text((WEB / "app" / "main.js").read_text().replace('"새 소식"', f'"{word}"'))
        release = read_release(self._folder, are_joined=True)
        for file in release.files:
            name = file.key.removeprefix("web/")
            if page or name != "index.html":
                self._site.files[name] = file.body
        return f"r/{release.id}"


@pytest.fixture
def releases(site: Site, tmp_path: Path) -> Releases:
    """Return releases on the site."""
    return Releases(site, tmp_path / "web")


def first_place(page: Page) -> str:
    """Return the first word of the menu, which each release here has another for."""
    return page.locator("#nav a").first.inner_text()


def test_the_list_has_every_file_that_the_client_can_need() -> None:
    """A new module belongs into ASSETS of sw.js, or the page is broken without a network."""
    assert len(ASSETS) == len(set(ASSETS))
    assert {*ASSETS} == kept_files(), {*ASSETS} ^ kept_files()
    assert ASSETS[0] == "app/main.js"


def test_without_a_network_the_page_opens_and_shows_what_was_seen(
    site: Site, context: BrowserContext, opened: Opened
) -> None:
    """A reload without a network has the menu of the index that was read before."""
    site.put("index.json", {"departments": [], "weather": [{"id": "metar"}]})
    page = opened("#/")
    page.wait_for_selector("#nav a[data-name=weather]")
    page.evaluate(_CONTROLLED)
    context.set_offline(offline=True)
    page.reload()
    page.wait_for_selector("#nav a[data-name=weather]")
    assert first_place(page) == "새 소식"


def test_public_data_pass_through(site: Site, opened: Opened) -> None:
    """The worker keeps files of the client alone: data are the page's own to keep."""
    site.put("index.json", {"departments": []})
    page = opened("#/")
    page.evaluate(_CONTROLLED)
    page.evaluate("fetch('./data/index.json', {cache: 'no-cache'}).then((r) => r.text())")
    paths = {path for _, path in page.evaluate(_CACHES)}
    assert paths == {f"/{asset}" for asset in ASSETS} | {
        "/",
        "/manifest.webmanifest",
        "/config.json",
    }


def test_a_release_replaces_the_one_before(
    releases: Releases, context: BrowserContext, opened: Opened
) -> None:
    """Its files are kept under their own name, the former ones are deleted, the page is new."""
    former = releases.publish("첫판")
    page = opened("#/")
    page.evaluate(_CONTROLLED)
    assert first_place(page) == "첫판"
    new = releases.publish("둘째판")
    assert page.evaluate(_UPDATED) == "activated"
    names = {name for name, _ in page.evaluate(_CACHES)}
    assert [new in name for name in names] == [True]
    assert not any(former in path for _, path in page.evaluate(_CACHES))
    context.set_offline(offline=True)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert first_place(page) == "둘째판"


def test_a_page_of_the_release_before_goes_on_with_its_own_files(
    site: Site, releases: Releases, opened: Opened
) -> None:
    """The new worker has dropped them; the bucket has every release, so a view comes from there."""
    former = releases.publish("첫판")
    page = opened("#/")
    page.evaluate(_CONTROLLED)
    releases.publish("둘째판")
    assert page.evaluate(_UPDATED) == "activated"
    site.log.clear()
    page.locator("#nav a[data-name=settings]").click()
    page.wait_for_selector("#transfer h2")
    assert first_place(page) == "첫판"
    assert f"/{former}/app/rest.js" in {path for _, path, _, _ in site.log}


def test_an_upload_under_way_leaves_the_former_release_whole(
    releases: Releases, context: BrowserContext, opened: Opened
) -> None:
    """A new worker that finds the former page does not install, and does after the upload."""
    releases.publish("첫판")
    page = opened("#/")
    page.evaluate(_CONTROLLED)
    releases.publish("둘째판", page=False)
    assert page.evaluate(_UPDATED) in {"redundant", "failed"}
    context.set_offline(offline=True)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert first_place(page) == "첫판"
    context.set_offline(offline=False)
    releases.publish("둘째판")
    assert page.evaluate(_UPDATED) == "activated"
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert first_place(page) == "둘째판"


def test_a_page_of_the_next_release_is_shown_and_not_kept(
    site: Site, releases: Releases, context: BrowserContext, opened: Opened
) -> None:
    """Its files are kept by its worker alone; until that came, the former page is there offline."""
    releases.publish("첫판")
    page = opened("#/")
    page.evaluate(_CONTROLLED)
    worker = site.files["sw.js"]
    releases.publish("둘째판")
    site.files["sw.js"] = worker
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert first_place(page) == "둘째판"
    context.set_offline(offline=True)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert first_place(page) == "첫판"


def test_a_failing_server_is_no_reason_to_show_nothing(site: Site, opened: Opened) -> None:
    """Where the page is a 503, the kept one is shown."""
    page = opened("#/")
    page.evaluate(_CONTROLLED)
    site.answers["/"] = (503, b"overloaded")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert first_place(page) == "새 소식"


def test_a_file_that_is_missing_keeps_the_worker_from_starting(site: Site, opened: Opened) -> None:
    """Half a shell is none; the page itself works without."""
    site.answers["/icons/icon-512.png"] = (503, b"")
    page = opened("#/")
    until(page, lambda: "/icons/icon-512.png" in {path for _, path, _, _ in site.log})
    until(page, lambda: page.evaluate(_NO_WORKER))
    assert first_place(page) == "새 소식"
    assert page.evaluate(_CACHES) == []


def test_a_reload_asks_for_the_release_once(site: Site, releases: Releases, opened: Opened) -> None:
    """Files of a release come from the device; the page and what names it are revalidated."""
    name = releases.publish("첫판")
    page = opened("#/")
    page.evaluate(_CONTROLLED)
    site.log.clear()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert [path for _, path, _, _ in site.log if name in path] == []
    assert [status for _, path, status, _ in site.log if path == "/"] == [304]


def test_no_file_is_of_a_kind_that_nobody_decided_on() -> None:
    """A font or a picture of another kind needs a word here: kept without a network, or not."""
    known = {".js", ".css", ".svg", ".png", ".html", ".json", ".webmanifest", ".LICENSE"}
    assert {file.suffix for file in WEB.rglob("*") if file.is_file()} <= known
