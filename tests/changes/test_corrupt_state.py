"""A state that cannot be trusted stops its own source, says so every tick, and stays as it is."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fakes import ENTRY, Message, Notice
from fakes.worlds import NoticeWorld

from uring.changes.state import event_id
from uring.records import apply

STATE = "state/notices/cs.json"
SEEN = "state/notices/cs.seen.json"
LATEST = "data/cs/latest.json"
ARCHIVE = "data/cs/archive/202603.jsonl"
TICKS = 4


class World(NoticeWorld):
    """Two departments, cs and ee, behind the real worker; both show the same board."""

    def __init__(self) -> None:
        super().__init__()
        self.notices = [Notice("2", "둘"), Notice("1", "하나")]
        self.tick()

    def tick(self) -> None:
        """A job for each, and all that comes of it until the next tick."""
        self.show(*self.notices)
        for source in ("cs", "ee"):
            job = self.job(source, entry={**ENTRY, "id": source})
            self.work.send(source, job.job_id, job.body())
        self.poll()
        self.clock.advance(minutes=10)

    def checks(self, source: str) -> list[str]:
        """Outcomes so far."""
        lines = self.telemetry.named("checked")
        return [line["outcome"] for line in lines if line["source"] == source]

    def announced_of(self, source: str) -> list[tuple[str, str]]:
        return [(change.id, change.kind) for change in self.messages() if change.source == source]

    def edit(self, **fields: Any) -> bytes:
        """The state with these keys changed by hand."""
        return json.dumps(self.document(STATE) | fields).encode()

    def item(self) -> dict[str, Any]:
        """An item of hot, as it is stored."""
        found: dict[str, Any] = self.document(STATE)["hot"][0]
        return found

    def pending(self) -> dict[str, Any]:
        """An event of an outbox, as it is stored."""
        hot = self.item()
        when = self.document(STATE)["changed_at"]
        event = event_id("cs", hot["id"], hot["revision"], hot["hash"])
        return {**hot, "event_id": event, "kind": "new", "detected_at": when, "push": True}


BROKEN: dict[str, Callable[[World], bytes]] = {
    "empty": lambda _: b"",
    "truncated": lambda world: world.bucket.body(STATE)[:-40],
    "a schema that never was": lambda world: world.edit(schema=0),
    "another source's": lambda world: world.bucket.body("state/notices/ee.json"),
    "a key lost": lambda world: json.dumps(
        {k: v for k, v in world.document(STATE).items() if k != "outbox"}
    ).encode(),
    "a list of ids": lambda world: world.edit(known=["1", "2"]),
    "a revision 0": lambda world: world.edit(
        known={"1": ["h", 0, False, "2026-03-02T01:00:00Z", "2026-03-02T01:00:00Z"]}
    ),
    "a day that is none": lambda world: world.edit(changed_at="2026-02-30T00:00:00Z"),
    "an item twice": lambda world: world.edit(hot=[world.item()] * 2),
    "an event twice": lambda world: world.edit(outbox=[world.pending()] * 2),
    "an event of another content": lambda world: world.edit(
        outbox=[world.pending() | {"hash": "0" * 40}]
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_state_stops_its_source_alone_and_is_never_overwritten(case: str) -> None:
    world = World()
    world.bucket.plant(STATE, BROKEN[case](world))
    before = {key: body for key, body in world.bucket.bodies().items() if "cs" in key}
    fetched = len(world.fetcher.requests)
    for number in range(TICKS):
        world.notices.insert(0, Notice(str(10 + number), f"새 글 {number}"))
        world.tick()
    after = world.bucket.bodies()
    assert {key: after[key] for key in after if "cs" in key} == before
    assert world.checks("cs") == ["baseline"]
    assert world.checks("ee") == ["baseline", *["changed"] * TICKS]
    assert len(world.fetcher.requests) - fetched == TICKS, "the site of cs was asked in vain"
    assert world.announced_of("cs") == []


@pytest.mark.parametrize("case", BROKEN)
def test_each_tick_makes_one_dead_letter_that_names_object_place_and_remedy(case: str) -> None:
    """More would be a flood; fewer, and the alarm would go out while the source still stands."""
    world = World()
    world.bucket.plant(STATE, BROKEN[case](world))
    for _ in range(TICKS):
        world.tick()
    assert [letter.group for letter in world.dead.messages] == ["cs"] * TICKS
    for letter in world.dead.messages:
        reason = letter.attributes["reason"]
        assert reason.startswith(f"{STATE}: ")
        assert "`uring state repair`" in reason
    assert world.work.messages == []
    problems = world.telemetry.named("record_failed")
    assert [(p["group"], p["error"], p["trace"]) for p in problems] == [
        ("cs", "CorruptState", False)
    ] * TICKS


@pytest.mark.parametrize("interval", [10, 30, 60])
def test_a_newer_releases_state_waits_for_it_and_is_never_a_dead_letter(interval: int) -> None:
    """Two releases side by side, or a deployment that was rolled back: the source comes to rest."""
    world = World()
    world.bucket.plant(STATE, world.edit(schema=2))
    before = {key: body for key, body in world.bucket.bodies().items() if "cs" in key}
    for minute in range(240):
        if minute % interval == 0:
            job = world.job("cs", interval_minutes=interval, entry=ENTRY)
            world.work.send("cs", job.job_id, job.body())
        world.poll()
        # A queue is never there on the second.
        world.clock.advance(61)
    after = world.bucket.bodies()
    assert {key: after[key] for key in after if "cs" in key} == before
    assert world.dead.messages == []
    problems = world.telemetry.named("record_failed")
    assert {(p["group"], p["error"], p["trace"]) for p in problems} == {
        ("cs", "NewerRelease", False)
    }


def test_once_mended_there_are_no_more_dead_letters_and_a_redrive_clears_the_alarm() -> None:
    """The alarm counts dead letters: jobs that come back by a redrive are overdue and harmless."""
    world = World()
    good = world.bucket.body(STATE)
    world.bucket.plant(STATE, good[:-40])
    world.tick()
    world.tick()
    world.bucket.plant(STATE, good)
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    assert len(world.dead.messages) == 2
    assert world.announced_of("cs") == [("3", "new")]
    _redrive(world, world.dead.messages)
    assert world.checks("cs")[-2:] == ["dropped", "dropped"]
    assert world.dead.messages == []


def _redrive(world: World, letters: list[Message]) -> None:
    moved, letters[:] = letters[:], []
    for letter in moved:
        world.work.send(letter.group, letter.message_id, letter.body)
    world.poll()


def test_a_broken_memory_stops_the_source_once_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read only for an id that is not in the state: until then the source goes on."""
    monkeypatch.setattr(apply, "KNOWN_BEYOND_PAGE", 0)
    world = World()
    world.notices = [Notice("3", "셋")]
    world.tick()
    assert SEEN in world.bucket.bodies()
    world.bucket.plant(SEEN, b'{"1": ["h", 0]}')
    world.tick()
    assert world.checks("cs")[-1] == "unchanged"
    world.notices = [Notice("4", "넷"), Notice("3", "셋")]
    before = world.bucket.bodies()
    world.tick()
    (letter,) = world.dead.messages
    assert letter.attributes["reason"].startswith(f"{SEEN}: ")
    after = world.bucket.bodies()
    assert {key: after[key] for key in after if "ee" not in key} == {
        key: before[key] for key in before if "ee" not in key
    }


def test_a_broken_projection_is_written_anew_with_the_next_change() -> None:
    """`latest.json` is made from the state, so here nothing is guessed."""
    world = World()
    world.bucket.plant(LATEST, b'{"meta": {"se')
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    items = world.document(LATEST)["items"]
    assert [item["id"] for item in items] == ["3", "2", "1"]
    assert world.announced_of("cs") == [("3", "new")]


def test_a_torn_archive_is_added_to_and_not_a_byte_of_it_is_touched() -> None:
    world = World()
    torn = world.bucket.body(ARCHIVE)[:-30]
    world.bucket.plant(ARCHIVE, torn)
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    body = world.bucket.body(ARCHIVE)
    assert body.startswith(torn + b"\n")
    assert json.loads(body.splitlines()[-1])["id"] == "3"


def test_a_lowered_seq_is_overtaken_by_the_time() -> None:
    """Else readers would keep what they have: latest.json is replaced by a higher seq only."""
    world = World()
    published = world.document(LATEST)["meta"]["seq"]
    world.bucket.plant(STATE, world.edit(seq=1))
    world.clock.now += timedelta(days=1)
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    document = world.document(LATEST)
    assert document["meta"]["seq"] > published
    assert document["items"][0]["id"] == "3"
