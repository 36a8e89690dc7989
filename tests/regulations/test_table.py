"""The registry's table beside other runs: fence, queue, dead letters (R4, R5, R8 to R10)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from fakes.registry import REGISTRY, Rule
from fakes.tables import MemoryTable
from fakes.worlds import RegulationWorld

from uring.changes.register import Superseded
from uring.errors import WriteConflict
from uring.regulations.table import RegistryTable
from uring.regulations.texts.job import parse_jobs
from uring.regulations.values import QueueEntry, RegulationFile
from uring.tables import Item, Part, Table, Write

CHARTER, STAFF = Rule("학칙", "868"), Rule("직제 규정", "869")
REVISED = Rule("학칙", "900")


class Interrupted(Table):
    """A table with a run in between: it calls ``other`` once, before this transaction."""

    def __init__(
        self,
        table: Table,
        before: Callable[[Sequence[Part]], bool],
        other: Callable[[], None],
    ) -> None:
        self._table = table
        self._before = before
        self._other: Callable[[], None] | None = other

    def get(self, partition: str, key: str) -> Item | None:
        return self._table.get(partition, key)

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        return self._table.query(partition, prefix, after)

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        if self._other is not None and self._before(parts):
            other, self._other = self._other, None
            other()
        return self._table.transact(partition, parts)


@pytest.fixture
def world() -> RegulationWorld:
    return RegulationWorld()


def touches(prefix: str) -> Callable[[Sequence[Part]], bool]:
    """Return whether a transaction writes a key that begins so."""
    return lambda parts: any(
        isinstance(part, Write) and part.key.startswith(prefix) for part in parts
    )


def two_states(world: RegulationWorld) -> tuple[object, object]:
    world.day(CHARTER)
    older = world.state_of("rules")
    world.day(REVISED, STAFF)
    return older, world.state_of("rules")


@pytest.mark.parametrize("prefix", ["policy:", "metadata:sync:lastRun"])
def test_a_run_that_was_overtaken_writes_no_entry_and_no_metadata(
    world: RegulationWorld, prefix: str
) -> None:
    older, newer = two_states(world)
    items = MemoryTable()
    table = RegistryTable(items)
    overtaken = Interrupted(items, touches(prefix), lambda: table.project(newer))
    with pytest.raises(Superseded):
        RegistryTable(overtaken).project(older)
    assert table.last_run("rules") == newer.last_run
    listed = {entry.title: entry.file_no for entry in table.entries("rules")}
    assert listed == {"학칙": "900", "직제 규정": "869"}


def test_a_fence_that_another_raised_meanwhile_stays(world: RegulationWorld) -> None:
    older, newer = two_states(world)
    items = MemoryTable()
    table = RegistryTable(items)
    fence = "metadata:sync:seq"
    overtaken = Interrupted(items, touches(fence), lambda: table.project(newer))
    with pytest.raises(Superseded):
        RegistryTable(overtaken).project(older)
    assert items.get("rules", fence) == {"seq": newer.seq}
    assert table.last_run("rules") == newer.last_run


@pytest.mark.parametrize("left", ["soon", 1.5, None])
def test_a_fence_that_a_hand_has_broken_is_raised_again(world: RegulationWorld, left: Any) -> None:
    world.day(CHARTER)
    world.items.items["rules", "metadata:sync:seq"] = {"seq": left}
    world.day(REVISED)
    assert world.item("metadata:sync:seq") == {"seq": world.state_of("rules").seq - 1}


def test_a_fence_in_the_future_stops_the_runs_where_people_see_it(world: RegulationWorld) -> None:
    world.day(CHARTER)
    world.items.items["rules", "metadata:sync:seq"] = {"seq": 9_999_999_999}
    with pytest.raises(WriteConflict):
        world.day(REVISED)


def test_r4_the_fence_counts_among_the_items_of_a_transaction(world: RegulationWorld) -> None:
    rules = [Rule(f"규정 {number}", str(number)) for number in range(1, 201)]
    world.site.show(*rules)
    world.check()
    world.clock.advance(days=1)
    # An address is one item alone, so that a hundred fill a transaction to the last.
    world.site.show(*(Rule(rule.title, rule.file_no, "&v=2") for rule in rules))
    world.check()
    assert all(
        str(item["downloadUrl"]).endswith("&v=2")
        for _, item in world.items.query("rules", "policy:")
    )


def test_r9_a_rename_moves_entry_and_queue_entry_in_one_transaction(
    world: RegulationWorld,
) -> None:
    world.site.show(CHARTER, STAFF)
    world.check()
    world.clock.advance(days=1)
    world.site.show(Rule("학 칙", "900"), STAFF)
    world.check()
    assert world.keys("queue:") == ["queue:직제 규정", "queue:학 칙"]
    moved = {"policy:학칙", "queue:학칙", "policy:학 칙", "queue:학 칙"}
    assert any(moved <= {part.key for part in parts} for _, parts in world.items.history)


def test_r8_a_deleted_regulation_waits_no_longer(world: RegulationWorld) -> None:
    rules = [Rule(f"규정 {number}", str(number)) for number in range(1, 7)]
    world.site.show(*rules)
    world.check()
    for _ in range(2):
        world.clock.advance(days=1)
        world.site.show(*rules[:-1])
        world.check()
    assert "queue:규정 5" in world.keys("queue:")
    assert "queue:규정 6" not in world.keys("queue:")


def test_r8_a_regulation_that_returns_is_queued_as_a_new_one(world: RegulationWorld) -> None:
    rules = [Rule(f"규정 {number}", str(number)) for number in range(1, 7)]
    for shown in (rules, rules[:-1], rules[:-1]):
        world.day(*shown)
    world.site.show(*rules)
    world.check()
    waiting = world.table.waiting("rules", "규정 6")
    assert waiting is not None
    assert (waiting.operation, waiting.file_no) == ("add", "6")


def test_r10_a_queue_entry_goes_for_its_own_file_alone(world: RegulationWorld) -> None:
    world.site.show(CHARTER)
    world.check()
    world.table.done("rules", RegulationFile(title="학칙", file_no="867"))
    assert world.keys("queue:") == ["queue:학칙"]
    world.table.done("rules", RegulationFile(title="학칙", file_no="868"))
    assert world.keys("queue:") == []


@pytest.mark.parametrize("tries", [0, 2], ids=["first", "last"])
def test_r5_a_try_of_a_file_that_was_replaced_meanwhile_counts_for_nothing(
    world: RegulationWorld, tries: int
) -> None:
    world.site.show(CHARTER)
    world.check()
    before = world.table.waiting("rules", "학칙")
    assert before is not None
    world.clock.advance(days=1)
    world.site.show(REVISED)
    world.check()
    tried = before.model_copy(update={"retry_count": tries})
    assert world.table.failed("rules", tried, "timeout", is_permanent=False) == "superseded"
    waiting = world.table.waiting("rules", "학칙")
    assert waiting is not None
    assert (waiting.file_no, waiting.retry_count) == ("900", 0)
    assert world.keys("dead-letter:") == []


def letter(world: RegulationWorld) -> QueueEntry:
    world.site.files["868"] = "!encrypted"
    world.day(CHARTER)
    (dead,) = world.table.dead_letters("rules")
    return dead


def test_a_dead_letter_that_is_none_any_more_is_not_queued(world: RegulationWorld) -> None:
    dead = letter(world)
    world.day(REVISED)
    assert not world.table.retry("rules", dead)
    assert world.keys("queue:") == []


def test_a_retry_replaces_nothing_that_waits(world: RegulationWorld) -> None:
    dead = letter(world)
    newer = dead.model_copy(update={"file_no": "900", "retry_count": 1})
    world.items.transact("rules", [Write("queue:학칙", newer.item())])
    assert not world.table.retry("rules", dead)
    assert world.table.waiting("rules", "학칙") == newer
    assert world.keys("dead-letter:") == ["dead-letter:학칙"]


def test_a_job_is_made_for_what_is_listed_alone(world: RegulationWorld) -> None:
    world.day(CHARTER)
    state = world.state_of("rules")
    listed = QueueEntry(
        title="학칙", file_no="868", operation="add", created_at="2026-03-02T01:00:00Z"
    )
    others = [listed.model_copy(update=each) for each in ({"file_no": "867"}, {"title": "규칙"})]
    jobs = list(parse_jobs(state, [*others, listed, listed], REGISTRY, world.clock()))
    assert not [*parse_jobs(state, others, REGISTRY, world.clock())]
    assert [(job.source, job.entry["fileNo"]) for job in jobs] == [(state.texts["학칙"], "868")]


@pytest.mark.parametrize("key", ["policy:학칙", "queue:학칙"])
def test_an_item_that_a_hand_has_broken_is_made_anew_and_its_file_is_read(
    world: RegulationWorld, key: str
) -> None:
    world.site.files["868"] = "제1조(목적) 이 학칙은 교육을 정한다."
    world.day(CHARTER, STAFF)
    world.items.transact("rules", [Write(key, {"title": "학칙", "fileNo": 868})])
    asked = len(world.site.requests)
    world.day(CHARTER, STAFF)
    assert [world.item("queue:학칙"), len(world.site.requests)] == [None, asked + 2]
    entry = world.table.entry("rules", "학칙")
    assert entry is not None
    assert entry.file_no == "868"
