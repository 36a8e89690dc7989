"""Topics of boards whose shard of the index did not come: unknown is not gone."""

from typing import Any

import pytest
from panel import Panel, topics
from push_site import PushSite
from shards_published import entry, publish, put


@pytest.fixture
def panel(panel: Panel, site: PushSite) -> Panel:
    """Return the part of the settings on a site with shards; a board of each of two is on."""
    publish(site)
    panel.open()
    panel.follow("cse", "nursing")
    panel.turn("on")
    panel.sent("cse-topic", "nursing-topic")
    return panel


def sync(panel: Panel) -> None:
    """Start again, and wait for the turn after the start's."""
    panel.open()
    panel.page.evaluate(
        """async () => {
             dispatchEvent(new Event("online"));
             await navigator.locks.request("uring topics", () => {});
           }"""
    )


def told(site: PushSite) -> list[tuple[Any, Any]]:
    """Return what the API was asked since the first request."""
    return [(each["subscribe"], each["unsubscribe"]) for each in site.requests_of_api()[1:]]


@pytest.mark.parametrize("body", [None, b'{"departments": []}'])
def test_a_board_that_no_shard_has_stays_subscribed(
    panel: Panel, site: PushSite, body: bytes | None
) -> None:
    """Missing, or being divided; others are subscribed and unsubscribed meanwhile."""
    site.data.pop("index.m.json")
    if body is not None:
        site.data["index.m.json"] = body
    # What the device has would do for an answer.
    panel.page.evaluate(
        """async () => (await (await import(new URL("./app/store.js", document.baseURI).href))
             .open()).remove("objects", "index.m.json")"""
    )
    sync(panel)
    assert told(site) == []
    panel.follow("law", "nursing")
    panel.until(lambda: topics(site) == {"law-topic", "nursing-topic"})
    panel.follow("law")
    panel.until(lambda: topics(site) == {"law-topic"})


def test_a_board_that_is_off_is_unsubscribed_without_its_shard(
    panel: Panel, site: PushSite
) -> None:
    """Which topic is whose was written down."""
    site.data.pop("index.m.json")
    sync(panel)
    panel.follow("cse", "nursing", nursing="off")
    panel.until(lambda: topics(site) == {"cse-topic"})


def test_a_topic_that_the_server_does_not_know_either_is_given_up(
    panel: Panel, site: PushSite
) -> None:
    """A week later all is sent again; then a board that was removed costs no further request."""
    put(site, "index.m.json", entry("other"))
    site.refused_topics = {"nursing-topic"}
    panel.keep("settings", "push", {**panel.kept("settings")["push"], "at": 0})
    sync(panel)
    panel.until(lambda: panel.kept("settings")["push"]["topics"] == ["cse-topic"])
    panel.until(lambda: bool(panel.kept("settings")["push"]["at"]))
    count = len(site.requests_of_api())
    sync(panel)
    assert len(site.requests_of_api()) == count
    assert panel.kept("settings")["push"]["pending"] == []


def test_topics_of_the_release_before_stay_while_a_shard_is_missing(
    panel: Panel, site: PushSite
) -> None:
    """Nobody wrote down whose they are: none is given up before the shard has come."""
    state = panel.kept("settings")["push"]
    body = site.data.pop("index.m.json")
    panel.keep("settings", "push", {key: value for key, value in state.items() if key != "ids"})
    sync(panel)
    assert told(site) == []
    site.data["index.m.json"] = body
    panel.open()
    panel.until(lambda: panel.kept("settings")["push"]["ids"] == state["ids"])
    assert told(site) == []
