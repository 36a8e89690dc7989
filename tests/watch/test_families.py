"""Every family is watched alike: health, index and alerts, and none costs another (N25)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fakes.watched_world import DOWN, Watched

from uring.errors import ConfigInvalid, FetchFailed, Misconfigured, Unavailable
from uring.functions.families import FAMILIES, family
from uring.objects import Listed
from uring.watch.memory import memory_key
from uring.weather.gateway.collect import CollectedReports
from uring.weather.registration import WeatherRegistration

AIRPORTS = ("RKSI", "RKSS", "RKPC")
SITEMAP = "config/sitemap.json"


def metar(minute: int) -> dict[str, object]:
    when = f"2026-03-02T01:{minute:02}:00Z"
    return {"header": {"observation_time": when}, "raw": "METAR"}


class Both(Watched):
    """Departments and the products of the weather."""

    families = ("notices", "weather")

    def __init__(self) -> None:
        super().__init__()
        self.weather.reports = dict.fromkeys(AIRPORTS, metar(0))

    def ask(self, times: int = 1) -> None:
        """Ask for every METAR, then let ten minutes pass."""
        for _ in range(times):
            self.weather.check()
            self.clock.advance(600)


def test_a_family_that_is_not_there_is_named_with_those_that_are() -> None:
    assert family("weather").name == "weather"
    known = ", ".join(each.name for each in FAMILIES)
    with pytest.raises(Misconfigured, match=f"^'wether' is not a family; known families: {known}$"):
        family("wether")


def test_a_family_whose_states_cannot_be_read_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Both()
    world.tick()
    world.ask()
    world.watch()
    metar, listed = world.index("weather")["metar"], world.bucket.list
    world.sites["cs"] = DOWN
    world.tick(3)

    def some(prefix: str, after: str) -> Iterator[Listed]:
        return _raise(Unavailable(prefix)) if "weather" in prefix else listed(prefix, after)

    monkeypatch.setattr(world.bucket, "list", some)
    with pytest.raises(Unavailable):
        world.watch()
    assert [line[:7] for line in world.mail.lines] == ["DOWN cs"]
    assert world.index()["cs"]["status"] == "failed"
    assert world.index("weather")["metar"] == metar


def test_the_index_says_of_each_list_its_family_view_and_word() -> None:
    world = Both()
    world.watch()
    assert world.document("data/index.json")["families"] == {
        "departments": {
            "family": "notices",
            "view": "notices",
            "word": {"ko": "학과", "en": "Departments"},
        },
        "weather": {
            "family": "weather",
            "view": "weather",
            "word": {"ko": "항공기상", "en": "Weather"},
        },
    }


def test_an_index_of_the_release_before_is_described_and_loses_no_list() -> None:
    """The departments cannot be read in the run that describes them."""
    world = Both()
    world.tick()
    world.watch()
    index = world.document("data/index.json")
    before = {key: value for key, value in index.items() if key != "families"}
    world.bucket.plant("data/index.json", json.dumps(before).encode())
    world.bucket.remove(SITEMAP)
    with pytest.raises(Misconfigured):
        world.watch()
    assert {**world.document("data/index.json"), "generated_at": index["generated_at"]} == index


def _raise(error: Exception) -> Any:
    raise error


class TestWeather:
    def test_who_reads_it_knows_when_it_was_asked_for_last_and_how_many_failed(self) -> None:
        world = Both()
        del world.weather.reports["RKPC"]
        world.ask()
        seq = world.weather.state_of("metar").seq
        assert world.watch() == {"ok": 1, "pending": 4}
        health = {
            "id": "metar",
            "name": "METAR",
            "status": "ok",
            "class": "ok",
            "reason": None,
            "since": "2026-03-02T01:05:00Z",
            "consecutive_failures": 0,
            "last_success": "2026-03-02T01:05:00Z",
            "last_change": "2026-03-02T01:05:00Z",
            "stale_since": None,
            "seq": seq,
            "parts": 3,
            "failing": 1,
            "failed": {"RKPC": {"reason": "timeout", "since": "2026-03-02T01:05:00Z"}},
        }
        beats = [{"at": "2026-03-02T01:05:00Z", "outcome": "baseline", "ms": 0}]
        assert world.document("data/metar/health.json") == {**health, "beats": beats}
        assert world.index("weather")["metar"] == {
            **health,
            "interval_minutes": 10,
            "base_url": "https://amo.kma.go.kr",
            "topics": ["RKSI", "RKPC"],
            "latest": "metar/latest.json",
            "health": "metar/health.json",
        }
        assert [*world.index("weather")] == ["warning", "metar", "taf"]
        assert world.index("weather")["warning"]["status"] == "pending"

    def test_asked_again_in_vain_it_still_says_when(self) -> None:
        """No report changed: a reader tells "asked just now" from "nobody could ask"."""
        world = Both()
        world.ask(times=2)
        world.watch()
        health = world.document("data/metar/health.json")
        assert health["last_change"] == "2026-03-02T01:05:00Z"
        assert health["last_success"] == "2026-03-02T01:15:00Z"
        assert (health["parts"], health["failing"]) == (3, 0)

    def test_it_has_no_feed(self) -> None:
        world = Both()
        world.ask()
        world.watch()
        assert {key for key in world.bucket.bodies() if "feed" in key} == set()

    def test_one_down_after_three_in_a_row_and_one_up(self) -> None:
        world = Both()
        world.tick()
        world.ask()
        reports, world.weather.reports = world.weather.reports, {}
        world.ask(times=2)
        world.watch()
        assert world.mail.sent == []
        world.ask()
        world.watch()
        (line,) = world.mail.lines
        assert line.startswith("DOWN metar (METAR): timeout (transient) since")
        assert world.document("data/metar/health.json")["failing"] == 3
        world.weather.reports = reports
        world.ask()
        world.watch()
        assert world.mail.lines[1:] == ["UP metar (METAR): up again, was transient"]

    def test_a_state_of_its_first_release_is_not_down_before_it_is_asked_for(self) -> None:
        """It had no health; TAF is asked for every half hour, and the monitor runs before that."""
        world = Both()
        world.ask()
        key = "state/weather/metar.json"
        document = world.document(key)
        del document["health"]
        world.bucket.plant(key, json.dumps(document).encode())
        assert world.watch() == {"pending": 5}
        assert world.mail.sent == []
        world.ask()
        assert world.watch() == {"ok": 1, "pending": 4}
        assert world.document("data/metar/health.json")["since"] == "2026-03-02T01:15:00Z"

    def test_people_are_told_what_helps_in_its_own_words(self) -> None:
        world = Both()
        world.tick()
        world.sites["cs"] = FetchFailed("forbidden", "x")
        world.weather.collected = CollectedReports(
            {}, dict.fromkeys(AIRPORTS, FetchFailed("key", "not registered"))
        )
        world.tick(3)
        world.ask(times=3)
        world.watch()
        first, second = world.mail.lines
        assert first.endswith("; ask the site's operator; see request in its entry")
        assert second.endswith("; see the gateway's key in its secret, and its day's quota")


@pytest.mark.parametrize(
    ("body", "error"), [(None, Misconfigured), (b"{", ConfigInvalid)], ids=["gone", "no JSON"]
)
class TestAFamilyWithoutItsConfiguration:
    def broken(self, body: bytes | None) -> Both:
        world = Both()
        world.tick()
        world.ask()
        world.watch()
        world.bucket.remove(SITEMAP)
        if body is not None:
            world.bucket.plant(SITEMAP, body)
        return world

    def test_it_stops_no_other(self, body: bytes | None, error: type[Exception]) -> None:
        world = self.broken(body)
        departments = world.index()
        world.weather.reports = {}
        world.ask(times=3)
        with pytest.raises(error):
            world.watch()
        assert world.mail.lines[0].startswith("DOWN metar")
        assert world.document("data/metar/health.json")["status"] == "failed"
        assert world.index("weather")["metar"]["status"] == "failed"
        assert world.index() == departments, "what readers knew of the others stays"
        assert world.telemetry.named("watched")[-1]["sources"] == 3
        world.telemetry.counts.clear()
        with pytest.raises(error):
            world.watch()
        assert "SourcesDown" not in world.telemetry.counts, "its silence is an alarm"
        assert len(world.mail.lines) == 1, "what was told is remembered"

    def test_without_any_family_nothing_is_said(
        self, body: bytes | None, error: type[Exception], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = self.broken(body)
        world.bucket.remove("data/index.json")
        monkeypatch.setattr(
            WeatherRegistration, "watched", lambda *_: _raise(Misconfigured("no minutes"))
        )
        with pytest.raises(error):
            world.watch()
        assert "data/index.json" not in world.bucket.bodies()

    def test_mended_it_goes_on_where_it_was(
        self, body: bytes | None, error: type[Exception]
    ) -> None:
        world = self.broken(body)
        remembered = world.bucket.body(memory_key("notices"))
        with pytest.raises(error):
            world.watch()
        assert world.bucket.body(memory_key("notices")) == remembered
        world.bucket.remove(SITEMAP)
        world.upload()
        world.sites["cs"] = DOWN
        world.tick(3)
        world.watch()
        assert [line[:7] for line in world.mail.lines] == ["DOWN cs"]
