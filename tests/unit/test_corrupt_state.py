"""A state that cannot be trusted stops its own source, says so every tick, and stays as it is."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fakes import (
    ENTRY,
    MemoryObjects,
    MemoryOutlet,
    MemoryQueue,
    MemorySourceQueue,
    Message,
    Notice,
    RecordingTelemetry,
    ScriptedFetcher,
    VirtualClock,
    lambda_event,
    page_of,
    visitor,
)

from uring.changes.publisher import Publisher
from uring.changes.register import Register
from uring.changes.retry import Backoff
from uring.contracts import ChangePublished, CollectNotices
from uring.notices.collect import NoticeCollector
from uring.notices.worker import NoticeWorker
from uring.records import diff

STATE = "state/notices/cs.json"
SEEN = "state/notices/cs.seen.json"
LATEST = "data/cs/latest.json"
ARCHIVE = "data/cs/archive/202603.jsonl"
TICKS = 4


class World:
    """Two departments, cs and ee, behind the real worker; both show the same board."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.objects = MemoryObjects(self.clock)
        self.dead = MemoryQueue(self.clock)
        self.work = MemoryQueue(self.clock, dead_letters=self.dead)
        self.notify = MemoryQueue(self.clock)
        self.telemetry = RecordingTelemetry()
        self.notices = [Notice("2", "둘"), Notice("1", "하나")]
        self.fetcher = ScriptedFetcher(lambda: page_of(self.notices))
        backoff = Backoff(self.clock.sleep)
        register = Register(self.objects, "notices", clock=self.clock, backoff=backoff)
        publisher = Publisher(self.objects, MemoryOutlet(self.notify), register, backoff=backoff)
        self.worker = NoticeWorker(
            NoticeCollector(visitor(self.fetcher), publisher, clock=self.clock, backoff=backoff),
            MemorySourceQueue(self.work, self.dead),
            self.telemetry,
        )
        self.tick()

    def tick(self) -> None:
        """A job for each, and all that comes of it until the next tick."""
        for source in ("cs", "ee"):
            job = CollectNotices(scheduled_at=self.clock(), source={**ENTRY, "id": source})
            self.work.send(source, job.job_id, job.body())
        self.drain()
        self.clock.advance(minutes=10)

    def drain(self) -> None:
        while batch := self.work.receive():
            answer = self.worker.run(lambda_event(batch), time_left=lambda: 3600)
            failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
            for message in batch:
                if message.message_id not in failed:
                    self.work.delete(message.receipt_handle)

    def checks(self, source: str) -> list[str]:
        """Outcomes so far."""
        lines = self.telemetry.named("checked")
        return [line["outcome"] for line in lines if line["department_id"] == source]

    def announced(self, source: str) -> list[tuple[str, str]]:
        sent = [ChangePublished.parse(message.body) for message in self.notify.messages]
        return [(change.id, change.kind) for change in sent if change.source == source]

    def edit(self, **fields: Any) -> bytes:
        """The state with these keys changed by hand."""
        return json.dumps(json.loads(self.objects.body(STATE)) | fields).encode()

    def item(self) -> dict[str, Any]:
        """An item of hot, as it is stored."""
        found: dict[str, Any] = json.loads(self.objects.body(STATE))["hot"][0]
        return found

    def pending(self) -> dict[str, Any]:
        """An event of an outbox, as it is stored."""
        hot = self.item()
        when = json.loads(self.objects.body(STATE))["changed_at"]
        event = diff.event_id("cs", hot["id"], hot["revision"], hot["hash"])
        return {**hot, "event_id": event, "kind": "new", "detected_at": when, "push": True}


BROKEN: dict[str, Callable[[World], bytes]] = {
    "empty": lambda _: b"",
    "truncated": lambda world: world.objects.body(STATE)[:-40],
    "another schema version": lambda world: world.edit(schema=2),
    "another source's": lambda world: world.objects.body("state/notices/ee.json"),
    "a key lost": lambda world: json.dumps(
        {k: v for k, v in json.loads(world.objects.body(STATE)).items() if k != "outbox"}
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
    world.objects.plant(STATE, BROKEN[case](world))
    before = {key: body for key, body in world.objects.bodies().items() if "cs" in key}
    fetched = len(world.fetcher.requests)
    for number in range(TICKS):
        world.notices.insert(0, Notice(str(10 + number), f"새 글 {number}"))
        world.tick()
    after = world.objects.bodies()
    assert {key: after[key] for key in after if "cs" in key} == before
    assert world.checks("cs") == ["baseline"]
    assert world.checks("ee") == ["baseline", *["changed"] * TICKS]
    assert len(world.fetcher.requests) - fetched == TICKS, "the site of cs was asked in vain"
    assert world.announced("cs") == []


@pytest.mark.parametrize("case", BROKEN)
def test_each_tick_makes_one_dead_letter_that_names_object_place_and_remedy(case: str) -> None:
    """More would be a flood; fewer, and the alarm would go out while the source still stands."""
    world = World()
    world.objects.plant(STATE, BROKEN[case](world))
    for _ in range(TICKS):
        world.tick()
    assert [letter.group for letter in world.dead.messages] == ["cs"] * TICKS
    for letter in world.dead.messages:
        reason = letter.attributes["reason"]
        assert reason.startswith(f"{STATE}: ")
        assert "`uring state repair cs`" in reason
    assert world.work.messages == []
    problems = world.telemetry.named("record_failed")
    assert [(p["group"], p["error"], p["trace"]) for p in problems] == [
        ("cs", "CorruptState", False)
    ] * TICKS


def test_once_mended_there_are_no_more_dead_letters_and_a_redrive_clears_the_alarm() -> None:
    """The alarm counts dead letters: jobs that come back by a redrive are overdue and harmless."""
    world = World()
    good = world.objects.body(STATE)
    world.objects.plant(STATE, good[:-40])
    world.tick()
    world.tick()
    world.objects.plant(STATE, good)
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    assert len(world.dead.messages) == 2
    assert world.announced("cs") == [("3", "new")]
    _redrive(world, world.dead.messages)
    assert world.checks("cs")[-2:] == ["dropped", "dropped"]
    assert world.dead.messages == []


def _redrive(world: World, letters: list[Message]) -> None:
    moved, letters[:] = letters[:], []
    for letter in moved:
        world.work.send(letter.group, letter.message_id, letter.body)
    world.drain()


def test_a_broken_memory_stops_the_source_once_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read only for an id that is not in the state: until then the source goes on."""
    monkeypatch.setattr(diff, "KNOWN_BEYOND_PAGE", 0)
    world = World()
    world.notices = [Notice("3", "셋")]
    world.tick()
    assert SEEN in world.objects.bodies()
    world.objects.plant(SEEN, b'{"1": ["h", 0]}')
    world.tick()
    assert world.checks("cs")[-1] == "unchanged"
    world.notices = [Notice("4", "넷"), Notice("3", "셋")]
    before = world.objects.bodies()
    world.tick()
    (letter,) = world.dead.messages
    assert letter.attributes["reason"].startswith(f"{SEEN}: ")
    after = world.objects.bodies()
    assert {key: after[key] for key in after if "ee" not in key} == {
        key: before[key] for key in before if "ee" not in key
    }


def test_a_broken_projection_is_written_anew_with_the_next_change() -> None:
    """`latest.json` is made from the state, so here nothing is guessed."""
    world = World()
    world.objects.plant(LATEST, b'{"meta": {"se')
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    items = json.loads(world.objects.body(LATEST))["items"]
    assert [item["id"] for item in items] == ["3", "2", "1"]
    assert world.announced("cs") == [("3", "new")]


def test_a_torn_archive_is_added_to_and_not_a_byte_of_it_is_touched() -> None:
    world = World()
    torn = world.objects.body(ARCHIVE)[:-30]
    world.objects.plant(ARCHIVE, torn)
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    body = world.objects.body(ARCHIVE)
    assert body.startswith(torn + b"\n")
    assert json.loads(body.splitlines()[-1])["id"] == "3"


def test_a_lowered_seq_is_overtaken_by_the_time() -> None:
    """Else readers would keep what they have: latest.json is replaced by a higher seq only."""
    world = World()
    published = json.loads(world.objects.body(LATEST))["meta"]["seq"]
    world.objects.plant(STATE, world.edit(seq=1))
    world.clock.now += timedelta(days=1)
    world.notices.insert(0, Notice("3", "셋"))
    world.tick()
    document = json.loads(world.objects.body(LATEST))
    assert document["meta"]["seq"] > published
    assert document["items"][0]["id"] == "3"
