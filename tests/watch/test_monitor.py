"""The monitor: health, index and feeds follow the states, and never go back (N24, N25)."""

import json

import pytest
from fakes import Notice, page_of
from fakes.watched_world import DOWN, Watched, interrupted

from uring.changes.hint import hints_key
from uring.errors import Misconfigured
from uring.watch.memory import memory_key

MEMORY = memory_key("notices")
HINTS = hints_key("notices")


class TestDocuments:
    def test_what_is_well(self) -> None:
        world = Watched()
        world.tick()
        assert world.watch() == {"ok": 2}
        assert world.document("data/cs/health.json") == {
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
            "seq": world.document("state/notices/cs.json")["seq"],
            "beats": [{"at": "2026-03-02T01:05:00Z", "outcome": "baseline", "ms": 0, "rows": 2}],
        }
        entry = world.index()["ee"]
        assert (entry["topic"], entry["latest"]) == ("ee", "ee/latest.json")
        assert all(
            f"data/{entry[name]}" in world.bucket.bodies()
            for name in ("latest", "health", "atom", "json_feed")
        )
        assert world.mail.sent == []

    def test_a_source_never_checked_is_pending(self) -> None:
        world = Watched()
        assert world.watch() == {"pending": 2}
        assert world.index()["cs"]["status"] == "pending"

    def test_what_fails_says_so_and_names_no_inner_address(self) -> None:
        world = Watched()
        world.tick()
        world.sites["cs"] = DOWN
        world.tick()
        assert world.watch() == {"ok": 1, "failed": 1}
        health = world.document("data/cs/health.json")
        assert (health["class"], health["reason"]) == ("transient", "timeout")
        assert health["consecutive_failures"] == 1
        assert b"10.0.0.7" not in b"".join(world.bucket.bodies().values())

    def test_a_source_that_left_the_sitemap_leaves_the_index(self) -> None:
        world = Watched()
        world.tick()
        world.watch()
        world.ids = ("ee",)
        world.upload()
        world.watch()
        assert world.index().keys() == {"ee"}

    def test_without_a_sitemap_it_says_what_to_do(self) -> None:
        world = Watched()
        world.bucket.remove("config/sitemap.json")
        with pytest.raises(Misconfigured, match="uring config upload"):
            world.watch()


class TestCost:
    def test_nothing_new_is_four_reads_and_no_write(self) -> None:
        world = Watched()
        world.tick()
        world.watch()
        reads, writes = world.bucket.reads, world.bucket.writes
        world.clock.advance(600)
        world.watch()
        assert (world.bucket.reads - reads, world.bucket.writes - writes) == (4, 0)

    def test_only_what_changed_is_read_again(self) -> None:
        world = Watched()
        world.tick()
        world.watch()
        before = world.bucket.bodies()
        world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘")])
        world.tick()
        reads = world.bucket.reads
        world.watch()
        assert world.bucket.reads - reads == 4 + 6
        changed = {key for key, body in world.bucket.bodies().items() if before.get(key) != body}
        assert not {key for key in changed if key.startswith("data/ee/")}

    def test_what_says_the_same_is_not_written_again(self) -> None:
        """A success is written daily; the feeds of two thousand boards are not, for that."""
        world = Watched("cs")
        world.tick()
        world.watch()
        world.clock.advance(days=1)
        world.tick()
        reads = world.bucket.reads
        shown = {"data/cs/health.json", "data/index.json"}
        assert world.written().keys() == {*shown, MEMORY, HINTS}
        assert world.bucket.reads - reads == 4 + 2

    def test_a_number_that_grows_is_no_write_of_the_index(self) -> None:
        """Beyond the third failure a site that is down has one more beat, in its own document."""
        world = Watched("cs")
        world.tick()
        world.sites["cs"] = DOWN
        world.tick(3)
        world.watch()
        told = world.document("data/cs/health.json")
        assert told["consecutive_failures"] == 3
        world.tick(12)
        assert world.state.health.failures > 3
        assert world.written().keys() == {MEMORY, HINTS, "data/cs/health.json"}
        beats = world.document("data/cs/health.json")["beats"]
        assert len(beats) == 1 + world.state.health.failures
        assert beats[-1]["reason"] == "timeout"
        assert world.index()["cs"]["seq"] == told["seq"]
        world.sites["cs"] = page_of([Notice("2", "둘")])
        world.tick(12)
        world.watch()
        assert world.document("data/cs/health.json")["consecutive_failures"] == 0

    def test_what_is_forgotten_is_read_again_and_written_only_where_it_differs(self) -> None:
        world = Watched()
        world.tick()
        world.watch()
        world.bucket.remove(MEMORY)
        assert world.written().keys() == {MEMORY}


def test_a_newer_releases_state_is_left_to_its_monitor() -> None:
    world = Watched()
    world.tick()
    world.watch()
    shown = world.bucket.body("data/cs/health.json")
    document = world.document("state/notices/cs.json") | {"schema": 2}
    world.bucket.plant("state/notices/cs.json", json.dumps(document).encode())
    assert world.watch() == {"ok": 2}
    assert world.bucket.body("data/cs/health.json") == shown
    (problem,) = world.telemetry.named("newer_release")
    assert (problem["family"], problem["source"]) == ("notices", "cs")
    assert world.mail.sent == []


def test_a_newer_releases_state_keeps_nobody_else_from_being_shown() -> None:
    world = Watched()
    world.tick()
    world.watch()
    told = world.index()["cs"]
    document = world.document("state/notices/cs.json") | {"schema": 2}
    world.bucket.plant("state/notices/cs.json", json.dumps(document).encode())
    world.clock.advance(hours=4)
    world.site = DOWN
    world.check(**world.entry("ee"))
    world.watch()
    assert (world.index()["cs"], world.index()["ee"]["status"]) == (told, "failed")
    assert world.mail.sent == []


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"departments": 1}', b'{"departments": [1, {}]}'])
def test_a_damaged_index_is_made_again(body: bytes) -> None:
    world = Watched()
    world.tick()
    world.watch()
    index = world.index()
    world.bucket.plant("data/index.json", body)
    world.watch()
    assert world.index() == index


def test_a_run_that_is_short_of_time_is_taken_up_by_the_next() -> None:
    world = Watched(*(f"d{number}" for number in range(10)))
    world.tick()
    rounds = 0
    while "data/index.json" not in world.bucket.bodies():
        seconds = iter((60, 60, 60, 60, *[5] * 90))
        world.monitor.run(lambda seconds=seconds: next(seconds))
        rounds += 1
    assert rounds == 3
    assert world.index().keys() == {*world.ids}
    assert all(f"data/{name}/feed.atom" in world.bucket.bodies() for name in world.ids)


SHOWN = ("data/cs/health.json", "data/cs/feed.json", "data/cs/feed.atom")


@pytest.mark.parametrize(
    ("call", "at"),
    [
        *(("get", key) for key in (*SHOWN, "state/notices/cs.json", "data/index.json", MEMORY)),
        *(("put", key) for key in (*SHOWN, "data/index.json", MEMORY)),
    ],
)
def test_nothing_newer_is_ever_replaced(
    call: str, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check and a whole other run in between: whatever this run then writes, it is not older."""
    world = Watched("cs")
    world.tick()
    world.watch()
    world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘")])
    world.tick()

    def other() -> None:
        world.sites["cs"] = page_of([Notice("4", "넷"), Notice("3", "셋")])
        world.tick()
        world.watch()

    interrupted(world, at, other, monkeypatch, calls=[call])
    world.watch()
    monkeypatch.undo()
    titles = [item["title"] for item in world.document("data/cs/feed.json")["items"]]
    assert titles[0] == "넷"
    assert "넷" in world.bucket.body("data/cs/feed.atom").decode()
    changed_at = world.document("state/notices/cs.json")["changed_at"]
    assert world.document("data/cs/health.json")["last_change"] == changed_at
    world.watch()
    assert world.index()["cs"]["last_change"] == changed_at


def test_an_index_is_never_made_of_older_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run with an old memory reads the newest index, and is then too late for the feed.

    Another had made that index and died before it was remembered.
    """
    world = Watched("cs")
    world.tick()
    world.watch()
    world.sites["cs"] = page_of([Notice("3", "셋"), Notice("2", "둘")])
    world.tick()

    def whole_run() -> None:
        interrupted(world, MEMORY, die, monkeypatch, calls=["put"])
        with pytest.raises(SystemExit):
            world.watch()
        interrupted(world, "state/notices/cs.json", another_change, monkeypatch)

    def die() -> None:
        raise SystemExit

    def another_change() -> None:
        world.sites["cs"] = page_of([Notice("4", "넷"), Notice("3", "셋")])
        world.tick()
        interrupted(world, "data/cs/feed.json", quicker, monkeypatch, calls=["put"])

    def quicker() -> None:
        world.bucket.plant("data/cs/feed.json", b"{}")

    interrupted(world, "data/index.json", whole_run, monkeypatch)
    world.watch()
    assert world.index()["cs"]["last_change"] == "2026-03-02T01:15:00Z"
