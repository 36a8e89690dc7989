"""Topics of a device: what is sent of them, when again, and what the server makes of it."""

import json
from typing import Final

import pytest
from panel import CSE, LAW, Panel, topics
from push_site import API, PushSite, Refusal

# The turn after a sync's is given when that sync has ended.
_SYNC: Final = """async () => {
  dispatchEvent(new Event("online"));
  await navigator.locks.request("uring topics", () => {});
}"""


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
    panel.until(lambda: bool(panel.kept("settings")["push"]["notBefore"]))
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


def test_a_wait_that_is_not_told_grows_and_differs_from_browser_to_browser(panel: Panel) -> None:
    """API Gateway's own 429 has no Retry-After; a campus asks again behind one address."""
    waits = panel.page.evaluate(
        """async () => {
          const {waitOf} = await import(new URL("./app/push/requests.js", document.baseURI).href);
          const bounds = (told, refusals) => {
            const ms = Array.from({length: 400}, () => waitOf(told, refusals));
            return [Math.min(...ms), Math.max(...ms)].map((each) => Math.round(each / 1000));
          };
          const soon = new Date(Date.now() + 100_000).toUTCString();
          return [[null, 0], [null, 1], [null, 3], [null, 4], ["soon", 9], [null, 5_000],
                  ["600", 0], ["0", 3], ["3600", 0], [soon, 0]]
            .map(([told, refusals]) => bounds(told, refusals));
        }"""
    )
    expected = [(45, 75), (90, 150), (360, 600), (675, 1125), (675, 1125), (675, 1125)]
    expected += [(600, 750), (1, 1), (3600, 3600), (99, 125)]
    for (least, most), (low, high) in zip(waits, expected, strict=True):
        assert low <= least <= most <= high
        assert most - least >= (high - low) * 0.8


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
