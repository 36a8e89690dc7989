"""The monitor: health, index, feeds and alerts follow the states, and never go back (N24, N25)."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from fakes import (
    ENTRY,
    MemoryObjects,
    MemoryOutlet,
    MemoryQueue,
    Notice,
    RecordingTelemetry,
    ScriptedFetcher,
    VirtualClock,
    page_of,
    visitor,
)

from uring.changes.publisher import Publisher
from uring.changes.register import Register
from uring.changes.retry import Backoff
from uring.contracts import CollectNotices
from uring.errors import FetchFailed, Misconfigured, Unavailable
from uring.notices.collect import NoticeCollector
from uring.watch.monitor import MEMORY_KEY, NoticeMonitor

if TYPE_CHECKING:
    from fakes.fetcher import Answer

ATOM = "{http://www.w3.org/2005/Atom}"
DOWN = FetchFailed("timeout", "no answer from 10.0.0.7")


class Mail:
    """Alerts that were sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.refuses = False

    def send(self, subject: str, text: str) -> None:
        if self.refuses:
            raise Unavailable("no answer")
        self.sent.append((subject, text))

    @property
    def lines(self) -> list[str]:
        return [line for _, text in self.sent for line in text.splitlines()]


class World:
    """Two departments, the real collector and the real monitor over fakes."""

    def __init__(self, *ids: str) -> None:
        self.clock = VirtualClock(datetime(2026, 3, 2, 1, 5, tzinfo=UTC))
        self.objects = MemoryObjects(self.clock)
        self.mail = Mail()
        self.telemetry = RecordingTelemetry()
        self.ids = ids or ("cs", "ee")
        self.sites: dict[str, Answer] = dict.fromkeys(
            self.ids, page_of([Notice("2", "둘"), Notice("1", "하나 <&>")])
        )
        self.upload()
        self.monitor = NoticeMonitor(
            self.objects,
            self.mail,
            self.telemetry,
            config_key="config/sitemap.json",
            clock=self.clock,
        )

    def entry(self, source: str) -> dict[str, Any]:
        return {**ENTRY, "id": source, "name": f"{source} 학과"}

    def upload(self) -> None:
        document = {"sources": [self.entry(source) for source in self.ids]}
        self.objects.plant("config/sitemap.json", json.dumps(document).encode())

    def check(self, times: int = 1) -> None:
        for _ in range(times):
            for source in self.ids:
                self._check(source)
            self.clock.advance(600)

    def _check(self, source: str) -> None:
        backoff = Backoff(self.clock.sleep)
        register = Register(self.objects, "notices", clock=self.clock, backoff=backoff)
        outlet = MemoryOutlet(MemoryQueue(self.clock))
        NoticeCollector(
            visitor(ScriptedFetcher(lambda: self.sites[source])),
            Publisher(self.objects, outlet, register, backoff=backoff),
            clock=self.clock,
            backoff=backoff,
        ).collect(CollectNotices(scheduled_at=self.clock(), source=self.entry(source)))

    def json(self, key: str) -> Any:
        return json.loads(self.objects.body(key))

    def index(self) -> dict[str, Any]:
        return {each["id"]: each for each in self.json("data/index.json")["departments"]}

    def index_ids(self) -> set[str]:
        return set(self.index()) if "data/index.json" in self.objects.bodies() else set()


class TestDocuments:
    def test_what_is_well(self) -> None:
        world = World()
        world.check()
        assert world.monitor.run(lambda: 60) == {"ok": 2}
        assert world.json("data/cs/health.json") == {
            "id": "cs",
            "name": "cs 학과",
            "status": "ok",
            "class": "ok",
            "reason": None,
            "since": "2026-03-02T01:05:00Z",
            "consecutive_failures": 0,
            "last_success": "2026-03-02T01:05:00Z",
            "last_change": "2026-03-02T01:05:00Z",
            "stale_since": None,
            "seq": world.json("state/notices/cs.json")["seq"],
        }
        entry = world.index()["ee"]
        assert (entry["topic"], entry["latest"]) == ("ee", "ee/latest.json")
        assert all(
            f"data/{entry[name]}" in world.objects.bodies()
            for name in ("latest", "health", "atom", "json_feed")
        )
        assert world.mail.sent == []

    def test_a_source_never_checked_is_pending(self) -> None:
        world = World()
        assert world.monitor.run(lambda: 60) == {"pending": 2}
        assert world.index()["cs"]["status"] == "pending"

    def test_what_fails_says_so_and_names_no_inner_address(self) -> None:
        world = World()
        world.check()
        world.sites["cs"] = DOWN
        world.check()
        assert world.monitor.run(lambda: 60) == {"ok": 1, "failed": 1}
        health = world.json("data/cs/health.json")
        assert (health["class"], health["reason"]) == ("transient", "timeout")
        assert health["consecutive_failures"] == 1
        assert b"10.0.0.7" not in b"".join(world.objects.bodies().values())

    def test_a_source_that_left_the_sitemap_leaves_the_index(self) -> None:
        world = World()
        world.check()
        world.monitor.run(lambda: 60)
        world.ids = ("ee",)
        world.upload()
        world.monitor.run(lambda: 60)
        assert world.index().keys() == {"ee"}

    def test_without_a_sitemap_it_says_what_to_do(self) -> None:
        world = World()
        world.objects.remove("config/sitemap.json")
        with pytest.raises(Misconfigured, match="uring config upload"):
            world.monitor.run(lambda: 60)


class TestCost:
    def test_nothing_new_is_three_reads_and_no_write(self) -> None:
        world = World()
        world.check()
        world.monitor.run(lambda: 60)
        reads, writes = world.objects.reads, world.objects.writes
        world.monitor.run(lambda: 60)
        assert (world.objects.reads - reads, world.objects.writes - writes) == (3, 0)

    def test_only_what_changed_is_read_again(self) -> None:
        world = World()
        world.check()
        world.monitor.run(lambda: 60)
        before = world.objects.bodies()
        world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘")])
        world.check()
        reads = world.objects.reads
        world.monitor.run(lambda: 60)
        assert world.objects.reads - reads == 3 + 4
        changed = {key for key, body in world.objects.bodies().items() if before.get(key) != body}
        assert not {key for key in changed if key.startswith("data/ee/")}


def test_a_run_that_is_short_of_time_is_taken_up_by_the_next() -> None:
    world = World(*(f"d{number}" for number in range(10)))
    world.check()
    rounds = 0
    while len(world.index_ids()) < 10:
        seconds = iter((60, 60, 60, 60, *[5] * 90))
        world.monitor.run(lambda seconds=seconds: next(seconds))
        rounds += 1
    assert rounds == 3
    assert all(f"data/{name}/feed.atom" in world.objects.bodies() for name in world.ids)


class TestFeeds:
    def feeds(self, world: World) -> tuple[dict[str, Any], ET.Element]:
        world.monitor.run(lambda: 60)
        atom = ET.fromstring(world.objects.body("data/cs/feed.atom"))  # noqa: S314 - our own
        return world.json("data/cs/feed.json"), atom

    def test_both_tell_the_same_notices(self) -> None:
        world = World()
        world.check()
        feed, atom = self.feeds(world)
        assert feed["version"] == "https://jsonfeed.org/version/1.1"
        entries = atom.findall(f"{ATOM}entry")
        titles = [entry.findtext(f"{ATOM}title") for entry in entries]
        assert titles == [item["title"] for item in feed["items"]] == ["둘", "하나 <&>"]
        assert [entry.findtext(f"{ATOM}id") for entry in entries] == [
            "urn:uring:notices:cs:2",
            "urn:uring:notices:cs:1",
        ]
        for element in (atom, *entries):
            assert element.findtext(f"{ATOM}id")
            assert element.findtext(f"{ATOM}title")
            assert datetime.fromisoformat(element.findtext(f"{ATOM}updated") or "")

    def test_an_edited_notice_is_dated_once_and_keeps_its_id(self) -> None:
        world = World()
        world.check()
        first, _ = self.feeds(world)
        world.sites["cs"] = page_of([Notice("2", "둘 [마감]"), Notice("1", "하나 <&>")])
        world.check()
        edited, _ = self.feeds(world)
        world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘 [마감]")])
        world.check()
        later, _ = self.feeds(world)
        dates = [
            {item["id"]: item["date_modified"] for item in feed["items"]}["urn:uring:notices:cs:2"]
            for feed in (first, edited, later)
        ]
        assert dates == ["2026-03-02T01:05:00Z", "2026-03-02T01:25:00Z", "2026-03-02T01:25:00Z"]

    def test_a_hostile_title_makes_a_feed_that_can_be_read(self) -> None:
        world = World()
        title = "]]>\uffff\ufffe\u202e<script>" + "a" * 300
        world.sites["cs"] = page_of([Notice("7", title), Notice("a:/ <b>", "둘")])
        world.check()
        feed, atom = self.feeds(world)
        assert "<script>" in (atom.findtext(f"{ATOM}entry/{ATOM}title") or "")
        assert feed["items"][1]["id"] == "urn:uring:notices:cs:a%3A%2F%20%3Cb%3E"

    def test_a_notice_is_published_on_its_own_day_in_the_zone_of_its_board(self) -> None:
        world = World()
        days = {"1": "2019-05-06", "2": "2026-03-02", "3": "2026-03-09"}
        world.sites["cs"] = page_of([Notice(key, key, date=day) for key, day in days.items()])
        world.check()
        feed, atom = self.feeds(world)
        published = [item["date_published"] for item in feed["items"]]
        # A day to come is no day of publication: then it is when the notice was first seen.
        assert sorted(published) == [
            "2019-05-06T00:00:00+09:00",
            "2026-03-02T00:00:00+09:00",
            "2026-03-02T01:05:00Z",
        ]
        moments = [entry.findtext(f"{ATOM}published") for entry in atom.findall(f"{ATOM}entry")]
        assert [datetime.fromisoformat(text or "") for text in moments] == [
            datetime.fromisoformat(text) for text in published
        ]

    def test_each_object_says_what_it_is_and_how_long_it_holds(self) -> None:
        world = World("cs")
        world.check()
        world.monitor.run(lambda: 60)
        kinds = {
            key: (versions[-1].content_type.partition(";")[0], versions[-1].cache_control)
            for key, versions in world.objects.versions.items()
            if key.startswith("data/") and not key.endswith((".jsonl", "latest.json"))
        }
        assert kinds == {
            "data/cs/feed.atom": ("application/atom+xml", "public, max-age=300"),
            "data/cs/feed.json": ("application/feed+json", "public, max-age=300"),
            "data/cs/health.json": ("application/json", "public, max-age=60"),
            "data/index.json": ("application/json", "public, max-age=60"),
        }

    @pytest.mark.parametrize("body", [b"{", b"[]", b'{"items": [{}]}', b'{"items": 3}'])
    def test_a_damaged_feed_is_made_anew(self, body: bytes) -> None:
        world = World()
        world.check()
        world.objects.plant("data/cs/feed.json", body)
        feed, _ = self.feeds(world)
        assert len(feed["items"]) == 2


class TestAlerts:
    def test_one_down_after_three_in_a_row_and_one_up(self) -> None:
        world = World()
        world.check()
        good, world.sites["cs"] = world.sites["cs"], DOWN
        for _ in range(2):
            world.check()
            world.monitor.run(lambda: 60)
        assert world.mail.sent == []
        for _ in range(6):
            world.check()
            world.monitor.run(lambda: 60)
        (line,) = world.mail.lines
        assert line.startswith("DOWN cs (cs 학과): timeout (transient) since 2026-03-02T01:15:00Z")
        assert world.mail.sent[0][0] == "uRing: 1 sources down, 0 up"
        world.sites["cs"] = good
        for _ in range(8):
            world.check()
            world.monitor.run(lambda: 60)
        assert len(world.mail.lines) == 2
        assert world.mail.lines[1].startswith("UP cs (cs 학과): well again, was transient")

    def test_what_falls_together_is_told_together(self) -> None:
        world = World(*(f"d{number}" for number in range(60)))
        world.check()
        world.sites = dict.fromkeys(world.ids, DOWN)
        world.check(3)
        world.monitor.run(lambda: 60)
        assert len(world.mail.sent) == 1
        assert len(world.mail.lines) == 60

    def test_another_reason_is_no_other_alert(self) -> None:
        world = World()
        world.check()
        world.sites["cs"] = DOWN
        world.check(3)
        world.monitor.run(lambda: 60)
        world.sites["cs"] = page_of([])
        world.check(8)
        world.monitor.run(lambda: 60)
        assert len(world.mail.lines) == 1

    def test_a_state_that_cannot_be_read_is_down(self) -> None:
        world = World()
        world.check()
        world.monitor.run(lambda: 60)
        good = world.objects.body("state/notices/cs.json")
        world.objects.plant("state/notices/cs.json", good[:-9])
        assert world.monitor.run(lambda: 60) == {"corrupt": 1, "ok": 1}
        assert "uring state show cs" in world.mail.lines[0]
        world.objects.plant("state/notices/cs.json", good)
        assert world.monitor.run(lambda: 60) == {"ok": 2}
        assert world.mail.lines[1].startswith("UP cs")

    def test_a_source_that_nobody_checks_is_down(self) -> None:
        world = World()
        world.check()
        world.monitor.run(lambda: 60)
        world.clock.advance(hours=4)
        assert world.monitor.run(lambda: 60) == {"unchecked": 2}
        assert world.json("data/cs/health.json")["status"] == "unchecked"
        world.check()
        assert world.monitor.run(lambda: 60) == {"ok": 2}
        assert [line[:5] for line in world.mail.lines] == ["DOWN ", "DOWN ", "UP cs", "UP ee"]

    def test_a_source_that_failed_and_is_checked_no_more_is_down(self) -> None:
        world = World("cs")
        world.check()
        good, world.sites["cs"] = world.sites["cs"], DOWN
        world.check(2)
        assert world.monitor.run(lambda: 60) == {"failed": 1}
        assert world.mail.sent == []
        world.clock.advance(hours=4)
        assert world.monitor.run(lambda: 60) == {"unchecked": 1}
        world.sites["cs"] = good
        world.check()
        assert world.monitor.run(lambda: 60) == {"ok": 1}
        assert [line[:7] for line in world.mail.lines] == ["DOWN cs", "UP cs ("]

    def test_a_failure_is_no_recovery(self) -> None:
        world = World("cs")
        world.check()
        world.monitor.run(lambda: 60)
        world.clock.advance(hours=4)
        world.monitor.run(lambda: 60)
        good, world.sites["cs"] = world.sites["cs"], DOWN
        world.check()
        assert world.monitor.run(lambda: 60) == {"failed": 1}
        assert [line[:7] for line in world.mail.lines] == ["DOWN cs"]
        world.sites["cs"] = good
        world.check()
        world.monitor.run(lambda: 60)
        assert [line[:7] for line in world.mail.lines] == ["DOWN cs", "UP cs ("]

    def test_a_board_that_fell_silent_is_stale(self) -> None:
        world = World("cs")
        days = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=3 * n) for n in range(12)]
        world.sites["cs"] = page_of(
            [Notice(str(n), f"{n}번", date=f"{day:%Y-%m-%d}") for n, day in enumerate(days)]
        )
        world.clock.now = datetime(2026, 4, 18, tzinfo=UTC)
        world.check()
        world.monitor.run(lambda: 60)
        assert world.json("data/cs/health.json")["stale_since"] is None
        world.clock.advance(86_400)
        world.check()
        world.monitor.run(lambda: 60)
        assert world.json("data/cs/health.json")["stale_since"] == "2026-04-19"
        assert "moved elsewhere" in world.mail.lines[0]

    def test_what_could_not_be_sent_is_sent_by_the_next_run(self) -> None:
        world = World()
        world.check()
        world.sites["cs"] = DOWN
        world.check(3)
        world.mail.refuses = True
        with pytest.raises(Unavailable):
            world.monitor.run(lambda: 60)
        world.mail.refuses = False
        world.monitor.run(lambda: 60)
        world.monitor.run(lambda: 60)
        assert len(world.mail.sent) == 1

    def test_a_death_before_it_is_remembered_tells_again_and_loses_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = World()
        world.check()
        world.sites["cs"] = DOWN
        world.check(3)
        _dying_at(world, MEMORY_KEY, monkeypatch)
        with pytest.raises(SystemExit):
            world.monitor.run(lambda: 60)
        monkeypatch.undo()
        world.monitor.run(lambda: 60)
        world.monitor.run(lambda: 60)
        assert len(world.mail.sent) == 2

    @pytest.mark.parametrize("body", [b"{", b"[]", b'{"facts": {"cs": 3}}'])
    def test_a_damaged_memory_is_made_again(self, body: bytes) -> None:
        world = World()
        world.check()
        world.monitor.run(lambda: 60)
        world.objects.plant(MEMORY_KEY, body)
        assert world.monitor.run(lambda: 60) == {"ok": 2}
        assert world.telemetry.named("memory_damaged")
        assert json.loads(world.objects.body(MEMORY_KEY))["facts"].keys() == {"cs", "ee"}


def _dying_at(world: World, key: str, patch: pytest.MonkeyPatch) -> None:
    put = world.objects.put

    def dying(at: str, body: bytes, **more: Any) -> str:
        if at == key:
            raise SystemExit
        return put(at, body, **more)

    patch.setattr(world.objects, "put", dying)


def _interrupted(
    world: World, at: str, other: Callable[[], Any], patch: pytest.MonkeyPatch
) -> None:
    """Let another run happen just before the first read or write of this key."""
    pending = [other]

    def before(call: Callable[..., Any]) -> Callable[..., Any]:
        def around(key: str, *rest: Any, **more: Any) -> Any:
            if key == at and pending:
                pending.pop()()
            return call(key, *rest, **more)

        return around

    patch.setattr(world.objects, "get", before(world.objects.get))
    patch.setattr(world.objects, "put", before(world.objects.put))


@pytest.mark.parametrize(
    "at",
    [
        "data/cs/health.json",
        "data/cs/feed.json",
        "data/cs/feed.atom",
        "state/notices/cs.json",
        "data/index.json",
        MEMORY_KEY,
    ],
)
def test_nothing_newer_is_ever_replaced(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check and a whole other run in between: whatever this run then writes, it is not older."""
    world = World("cs")
    world.check()
    world.monitor.run(lambda: 60)
    world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘")])
    world.check()

    def other() -> None:
        world.sites["cs"] = page_of([Notice("4", "넷"), Notice("3", "셋")])
        world.check()
        world.monitor.run(lambda: 60)

    _interrupted(world, at, other, monkeypatch)
    world.monitor.run(lambda: 60)
    monkeypatch.undo()
    titles = [item["title"] for item in world.json("data/cs/feed.json")["items"]]
    assert titles[0] == "넷"
    assert "넷" in world.objects.body("data/cs/feed.atom").decode()
    changed_at = world.json("state/notices/cs.json")["changed_at"]
    assert world.json("data/cs/health.json")["last_change"] == changed_at
    world.monitor.run(lambda: 60)
    assert world.index()["cs"]["last_change"] == changed_at


def test_an_index_is_never_made_of_older_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run with an old memory reads the newest index, and is then too late for the feed."""
    world = World("cs")
    world.check()
    world.monitor.run(lambda: 60)
    world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘")])
    world.check()

    def whole_run() -> None:
        world.monitor.run(lambda: 60)
        _interrupted(world, "state/notices/cs.json", another_change, monkeypatch)

    def another_change() -> None:
        world.sites["cs"] = page_of([Notice("4", "넷"), Notice("3", "셋")])
        world.check()
        _interrupted(world, "data/cs/feed.json", quicker, monkeypatch)

    def quicker() -> None:
        world.objects.plant("data/cs/feed.json", b"{}")

    _interrupted(world, "data/index.json", whole_run, monkeypatch)
    world.monitor.run(lambda: 60)
    assert world.index()["cs"]["last_change"] == "2026-03-02T01:15:00Z"
