"""Two windows of one browser: what one of them chose or read, the other does not take back."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from notices_published import NAMES, Opened, campus, choose, follow, notice, publish
from playwright.sync_api import Page, expect
from site_of_client import Site
from waiting import until

LATER: Final = "2026-03-21T01:00:00Z"
_WITH: Final = """
  const at = (path) => new URL(path, document.baseURI).href;
  const [{open}, {settingsOf}, {marksOf}, {setRule, setQuiet}] = await Promise.all(
    ["store", "settings", "notices/marks", "notices/rules"].map(
      (name) => import(at(`./app/${name}.js`))));
  const windowOf = async () => {
    const store = await open();
    return {store, settings: await settingsOf(store)};
  };
  const [one, other] = [await windowOf(), await windowOf()];
"""


@pytest.fixture
def run(opened: Opened) -> Callable[[str], Any]:
    """Run the body of an asynchronous function beside the settings of two windows."""
    page = opened("#/")
    return lambda body: page.evaluate(f"async () => {{ {_WITH} {body} }}")


def has_heard(page: Page, source: str) -> bool:
    """Return whether a window at the first run knows that a source is followed.

    It tells so where it is drawn anew, as by a letter.
    """
    page.get_by_role("searchbox").dispatch_event("input")
    button = page.locator(".choice", has_text=NAMES[source]).get_by_role("button")
    return button.get_attribute("aria-pressed") == "true"


def test_two_windows_follow_and_both_are_followed(site: Site, opened: Opened) -> None:
    """With the rule of each, which the service worker obeys; the lists have both at once."""
    campus(site)
    windows = [opened("#/"), opened("#/")]
    choose(windows[0], "cse")
    choose(windows[1], "law")
    until(windows[0], lambda: has_heard(windows[0], "law"))
    for page in windows:
        page.locator(".dock button").click()
        expect(page.locator(".notice")).to_have_count(4)
    kept = windows[0].evaluate(
        """async () => {
            const {open} = await import("./app/store.js");
            const store = await open();
            const {sources} = await store.get("settings", "rules");
            return [await store.get("settings", "favourites"), Object.keys(sources)];
        }"""
    )
    assert kept == [["cse", "law"], ["cse", "law"]]


def test_changes_at_the_same_moment_are_all_kept(run: Callable[[str], Any]) -> None:
    """Each is made to what the device has, one after the other."""
    assert run(
        """const add = (id) => (before) => [...before, id];
        await Promise.all([
          one.settings.change("favourites", add("a")),
          other.settings.change("favourites", add("b")),
          setRule(one, {id: "a", name: "A"}, () => ({mode: "off"})),
          setRule(other, {id: "b", name: "B"}),
          setQuiet(other, () => ({from: "23:00", to: "07:00"})),
        ]);
        const {sources, quiet} = await one.store.get("settings", "rules");
        return [await one.store.get("settings", "favourites"), Object.keys(sources), quiet.from];"""
    ) == [["a", "b"], ["a", "b"], "23:00"]


def test_a_window_hears_of_what_another_chose(run: Callable[[str], Any]) -> None:
    """And that it was another: the window that chose is the one that sends topics."""
    assert run(
        """const heard = new Promise((resolve) =>
          other.settings.onChange((key, isElsewhere) => resolve([key, isElsewhere])));
        await one.settings.set("favourites", ["a"]);
        return [await heard, other.settings.get("favourites")];"""
    ) == [["favourites", True], ["a"]]


def test_what_another_window_read_stays_read(run: Callable[[str], Any]) -> None:
    """Marks are of one notice each; forgetting and beginning are of one source each."""
    assert run(
        """const [mine, yours] = [await marksOf(one), await marksOf(other)];
        await mine.open("cse", {id: "7", revision: 1});
        await yours.open("cse", {id: "8", revision: 2});
        await yours.close("cse", {id: "9"});
        await Promise.all([mine.begin("cse", "2026-03-01"), yours.begin("law", "2026-03-02")]);
        return [await one.store.get("read", "cse"), await one.store.get("settings", "since")];"""
    ) == [{"7": 1, "8": 2}, {"cse": "2026-03-01", "law": "2026-03-02"}]


def test_taking_back_leaves_what_another_window_did_since(run: Callable[[str], Any]) -> None:
    """Only what this window marked is unmarked again."""
    assert run(
        """await one.settings.set("since", {cse: "2026-03-01", law: "2026-03-01"});
        const mine = await marksOf(one);
        const ahead = {id: "7", revision: 1, first_seen: "2199-01-01"};
        const undo = await mine.openAll([
          {id: "cse", updated: "2026-03-05", notices: [ahead]},
          {id: "law", updated: "2026-03-05", notices: []},
        ]);
        const yours = await marksOf(other);
        await yours.open("cse", {id: "8", revision: 1});
        await other.settings.change("since", (all) => ({...all, law: "2026-03-09", art: "2026"}));
        await undo();
        return [await one.store.get("read", "cse"), await one.store.get("settings", "since")];"""
    ) == [{"8": 1}, {"cse": "2026-03-01", "law": "2026-03-09", "art": "2026"}]


def test_an_instant_that_another_window_set_is_not_put_back(run: Callable[[str], Any]) -> None:
    """Though this window has not heard of it: neither by its first look nor by marking all."""
    assert run(
        """await one.settings.set("since", {});
        const mine = await marksOf(one);
        await one.store.put("settings", "since", {cse: "2026-03-09"});
        await mine.begin("cse", "2026-03-01");
        const begun = await one.store.get("settings", "since");
        await one.store.put("settings", "since", {cse: "2026-03-19"});
        await mine.openAll([{id: "cse", updated: "2026-03-10", notices: []}]);
        return [begun, await one.store.get("settings", "since")];"""
    ) == [{"cse": "2026-03-09"}, {"cse": "2026-03-19"}]


def test_following_adds_to_what_this_window_has_not_heard_of(run: Callable[[str], Any]) -> None:
    """What another window follows stays; following twice is following once."""
    assert run(
        """const {toggle} = await import(at("./app/notices/follow.js"));
        const page = {...one, say: () => {}};
        await one.store.put("settings", "favourites", ["a", "b"]);
        await toggle(page, {id: "b", name: "B"});
        const followed = await one.store.get("settings", "favourites");
        await one.store.put("settings", "favourites", ["a", "b", "c"]);
        await toggle(page, {id: "b", name: "B"});
        return [followed, await one.store.get("settings", "favourites")];"""
    ) == [["a", "b"], ["a", "c"]]


def test_a_notice_read_in_one_window_is_read_in_both(site: Site, opened: Opened) -> None:
    """After each read one of two, none is unread."""
    campus(site)
    first = follow(opened("#/"), "cse")
    items = [notice(3, first_seen=LATER), notice(4, first_seen=LATER), notice(1)]
    publish(site, "cse", items, last_updated=LATER)
    first.reload()
    expect(first.locator(".unread")).to_have_count(2)
    second = opened("#/")
    expect(second.locator(".unread")).to_have_count(2)
    for page, title in ((first, "공지 3"), (second, "공지 4")):
        page.locator(".notice", has_text=title).locator(".title").focus()
        page.keyboard.press("m")
        expect(page.locator(".unread")).to_have_count(1 if page is first else 0)
    first.reload()
    first.wait_for_selector(".notice")
    assert first.locator(".unread").count() == 0
