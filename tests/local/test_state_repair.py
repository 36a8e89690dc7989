"""A state that broke and was rebuilt: nothing announced again, nothing lost, revisions count on.

The real worker and notifier over the fakes, judged by their whole history (`tests/faults`).
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fakes import Died, MemoryObjects, Notice

sys.path.append(str(Path(__file__).parents[1] / "faults"))

from faulty import Faults, FaultyObjects
from verdict import LATEST, STATE, judge
from world import Board, Scenario, World

from uring.changes.retry import Backoff
from uring.errors import UringError
from uring.records import diff
from uring_local.operate import repair as repair_module
from uring_local.operate.repair_run import Overtaken
from uring_local.operate.state import repair_state, show_state

SEEN = "state/notices/cs.seen.json"
ARCHIVE = "data/cs/archive/202603.jsonl"
HOT_ITEMS = 4
KNOWN_BEYOND_PAGE = 2


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (diff, repair_module):
        monkeypatch.setattr(module, "HOT_ITEMS", HOT_ITEMS)
        monkeypatch.setattr(module, "KNOWN_BEYOND_PAGE", KNOWN_BEYOND_PAGE)


class Site(World):
    """A department whose page is edited by hand, with a history: edits, a pin, a full memory."""

    def __init__(self) -> None:
        super().__init__(Scenario("by hand", pages=()))
        self.shown = [Notice(str(number), f"글 {number}") for number in range(9, 0, -1)]
        self.round()
        self.shown = [Notice("10", "새 글"), Notice("9", "고침"), *self.shown[1:3]]
        self.round()
        self.shown[1] = Notice("9", "다시 고침", is_pinned=True)
        self.round()
        assert SEEN in self.objects.bodies()

    def page(self) -> Board:
        return self.last_page()

    def last_page(self) -> Board:
        return tuple(self.shown)

    def edit(self) -> None:
        """A new one, an edited one, and one that was out of sight returns as it was."""
        self.shown = [
            Notice("11", "더 새 글"),
            Notice("10", "새 글, 고침"),
            self.shown[1],
            Notice("1", "글 1"),
        ]

    def settle(self) -> None:
        for _ in range(6):
            self.round()

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.objects.body(STATE))
        return found


class Operator:
    """Implements `uring_local.operate.bucket.Bucket` over the fake; its I/O may break."""

    def __init__(
        self, objects: MemoryObjects, faults: Faults | None = None, *, versions: bool = True
    ) -> None:
        faulty = FaultyObjects(objects, faults or Faults())
        self.get, self.put = faulty.get, faulty.put
        self._objects = objects
        self._versions = versions

    def keys(self, prefix: str) -> list[str]:
        return [key for key in self._objects.bodies() if key.startswith(prefix)]

    def earlier(self, key: str) -> Iterator[bytes]:
        past = self._objects.versions.get(key, []) if self._versions else []
        return (version.body for version in reversed(past))


def mend(world: World, bucket: Operator | None = None, **more: Any) -> bool:
    # Nobody is as quick as the next second.
    world.clock.advance(60)
    options = {"skip_damaged": False, "write": True, "as_json": True} | more
    return repair_state(
        bucket or Operator(world.objects),
        "notices",
        "cs",
        clock=world.clock,
        backoff=Backoff(lambda _: None),
        **options,
    )


def healthy(world: World) -> bool:
    return show_state(Operator(world.objects), "notices", "cs", as_json=True, clock=world.clock)


def changed(**fields: Any) -> Callable[[Site], None]:
    def corrupt(world: Site) -> None:
        world.objects.plant(STATE, json.dumps(world.state() | fields).encode())

    return corrupt


def truncated(world: Site, key: str = STATE) -> None:
    world.objects.plant(key, world.objects.body(key)[:-50])


def forgotten(world: Site) -> None:
    known = world.state()["known"]
    del known["8"]
    changed(known=known)(world)


def swapped(world: Site) -> None:
    known = world.state()["known"]
    known["9"][:2] = ["0" * 40, 1]
    changed(known=known)(world)


def doubled_key(world: Site) -> None:
    body = world.objects.body(STATE).replace(b'"known":{', b'"known":{"8":["h",1,false,"", ""],', 1)
    stamp = b'"2026-03-31T00:00:00Z"'
    world.objects.plant(STATE, body.replace(b'"", ""', stamp + b"," + stamp))


def published(meta: dict[str, Any], item: dict[str, Any]) -> Callable[[Site], None]:
    def corrupt(world: Site) -> None:
        document = json.loads(world.objects.body(LATEST))
        document["meta"] |= meta
        document["items"][0] |= item
        world.objects.plant(LATEST, json.dumps(document).encode())

    return corrupt


UNREADABLE: dict[str, Callable[[Site], None]] = {
    "truncated": truncated,
    "empty": lambda world: world.objects.plant(STATE, b""),
    "another schema": changed(schema=2),
    "wrong types": changed(known=["9", "10"]),
    "another source": changed(source="ee"),
    "an item twice": lambda world: changed(hot=world.state()["hot"][:1] * 2)(world),
}
READABLE: dict[str, Callable[[Site], None]] = {
    "deleted": lambda world: world.objects.remove(STATE),
    "a record forgotten": forgotten,
    "a record swapped": swapped,
    "all records forgotten": changed(known={}),
    "a record twice": doubled_key,
    "no baseline": changed(baseline_at=None),
    "hot emptied": changed(hot=[]),
    "memory torn": lambda world: truncated(world, SEEN),
    "memory deleted": lambda world: world.objects.remove(SEEN),
    "latest torn": lambda world: truncated(world, LATEST),
    "latest deleted": lambda world: world.objects.remove(LATEST),
    "latest of another seq": published({"seq": 9_000_000_000}, {}),
    "latest rewritten": published({}, {"title": "남의 글", "revision": 99, "hash": "0" * 40}),
}


def test_a_state_that_nobody_touched_is_healthy_and_not_repaired() -> None:
    world = Site()
    before = world.objects.bodies()
    assert healthy(world)
    assert mend(world)
    assert world.objects.bodies() == before


@pytest.mark.parametrize("case", [*UNREADABLE, *READABLE])
def test_what_broke_is_seen_repaired_once_and_keeps_every_promise(case: str) -> None:
    world = Site()
    (UNREADABLE | READABLE)[case](world)
    assert not healthy(world)
    if case in UNREADABLE:
        world.tick()
        world.poll()
    world.edit()
    assert mend(world)
    before = world.objects.bodies()
    assert healthy(world) or world.state()["outbox"]
    assert mend(world)
    assert world.objects.bodies() == before, "a repair of what is whole"
    world.settle()
    verdict = judge(world, hot_items=HOT_ITEMS)
    assert not verdict.wrong, str(verdict)
    assert not verdict.doubled
    assert [letter.group for letter in world.dead.messages] == ["cs"] * (case in UNREADABLE)
    assert healthy(world)


def test_what_is_rebuilt_is_what_there_was() -> None:
    """But for when each was last seen, and what makes the next check read the page anew."""
    world = Site()
    before, memory = world.state(), json.loads(world.objects.body(SEEN))
    truncated(world)
    mend(world)
    after = world.state()
    known = {key: value[:4] for key, value in before["known"].items()}
    again = json.loads(world.objects.body(SEEN)) | after["known"]
    assert known.items() <= {key: value[:4] for key, value in again.items()}.items()
    assert memory.items() <= json.loads(world.objects.body(SEEN)).items()
    for name in ("hot", "baseline_at", "changed_at", "spilled", "outbox"):
        assert after[name] == before[name], name
    assert after["seq"] > before["seq"]
    assert (after["fingerprint"], after["validators"]["etag"]) == ("", None)


def test_a_memory_that_can_be_read_is_kept_and_added_to() -> None:
    """It may be all that is left of a month whose archive is gone."""
    world = Site()
    memory = json.loads(world.objects.body(SEEN))
    record = ["h", 3, False, "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z"]
    world.objects.plant(SEEN, json.dumps(memory | {"gone": record}).encode())
    truncated(world)
    mend(world)
    assert json.loads(world.objects.body(SEEN))["gone"] == record


@pytest.mark.parametrize("case", UNREADABLE)
@pytest.mark.parametrize("kind", ["die_before", "die_after"])
def test_what_a_check_had_committed_and_not_announced_survives_the_repair(
    case: str, kind: str
) -> None:
    """At every I/O of the check; the outbox is taken from what is left, or an earlier version."""
    pending = 0
    for number in range(_calls_of_a_check()):
        world = Site()
        world.edit()
        world.faults.plan[len(world.faults.calls) + number] = kind
        world.tick()
        world.poll()
        pending += bool(world.state()["outbox"])
        UNREADABLE[case](world)
        mend(world)
        world.clock.advance(400)
        world.settle()
        verdict = judge(world, hot_items=HOT_ITEMS)
        assert not verdict.wrong, f"{number}: {verdict}"
        assert not verdict.doubled, str(number)
    assert pending >= 3


def test_a_commit_whose_outbox_somebody_emptied_is_found_again() -> None:
    """Nothing of it was archived: the next check sees the same changes again."""
    calls = Site().faults.calls
    for number in range(_calls_of_a_check()):
        world = Site()
        world.edit()
        world.faults.plan = {len(calls) + number: "die_after"}
        world.tick()
        world.poll()
        if world.state()["outbox"]:
            break
    changed(outbox=[])(world)
    assert not healthy(world)
    assert mend(world)
    world.clock.advance(400)
    world.settle()
    verdict = judge(world, hot_items=HOT_ITEMS)
    assert not verdict.wrong, str(verdict)


@pytest.mark.parametrize("case", ["truncated", "memory torn", "latest torn", "deleted"])
@pytest.mark.parametrize("kind", ["die_before", "die_after", "lost_answer", "no_answer", "pause"])
def test_a_repair_that_dies_anywhere_is_repeated(case: str, kind: str) -> None:
    """A pause lets a whole check run: what it commits is never overwritten."""
    everything = UNREADABLE | READABLE
    probe, faults = Site(), Faults()
    everything[case](probe)
    mend(probe, Operator(probe.objects, faults))
    broken = 0
    for number in range(len(faults.calls)):
        world = Site()
        everything[case](world)
        world.edit()
        faults = Faults({number: kind}, world.round)
        with suppress(Died, UringError):
            mend(world, Operator(world.objects, faults))
        broken += len(faults.broken)
        mend(world)
        copies = [key for key in world.objects.bodies() if f"{STATE}.broken" in key]
        assert len(copies) <= 1, copies
        world.settle()
        assert healthy(world)
        verdict = judge(world, hot_items=HOT_ITEMS)
        # A check that finds no state takes a baseline, in silence, before the repair is there.
        if (case, kind) != ("deleted", "pause"):
            assert not verdict.wrong, f"{number}: {verdict}"
            assert not verdict.doubled
    assert broken


def test_a_check_that_commits_meanwhile_is_not_overwritten() -> None:
    world = Site()
    forgotten(world)
    world.edit()
    probe = Faults()
    mend(Site(), Operator(world.objects, probe), write=False)
    reads = len(probe.calls)
    faults = Faults({reads: "pause"}, world.round)
    with pytest.raises(Overtaken, match="nothing of it was overwritten"):
        mend(world, Operator(world.objects, faults))
    assert world.state()["known"]["11"]


def test_without_yes_nothing_is_written() -> None:
    world = Site()
    truncated(world)
    before = world.objects.bodies()
    assert not mend(world, write=False)
    assert world.objects.bodies() == before


def test_what_was_broken_is_kept_beside_it() -> None:
    world = Site()
    truncated(world)
    broken = world.objects.body(STATE)
    mend(world)
    (copy,) = [key for key in world.objects.bodies() if ".broken-" in key]
    assert copy.startswith(f"{STATE}.broken-")
    assert world.objects.body(copy) == broken


class TestDamagedArchive:
    def damaged(self) -> Site:
        """The last line of 9, its third revision, cannot be read."""
        world = Site()
        body = world.objects.body(ARCHIVE)
        lines = body.splitlines(keepends=True)
        assert json.loads(lines[-1])["revision"] == 3
        world.objects.plant(ARCHIVE, b"".join(lines[:-1]) + lines[-1][:60] + b"\n")
        return world

    def test_the_line_is_named_and_nothing_done_unless_asked(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        world = self.damaged()
        truncated(world)
        before = world.objects.bodies()
        assert not mend(world, as_json=False)
        number = len(world.objects.body(ARCHIVE).splitlines())
        shown = capsys.readouterr().out
        assert f"{ARCHIVE} line {number}: " in shown
        assert "--skip-damaged" in shown
        assert world.objects.bodies() == before

    def test_passed_over_when_asked_its_revision_is_taken_from_latest(self) -> None:
        world = self.damaged()
        truncated(world)
        assert mend(world, skip_damaged=True)
        assert world.state()["known"]["9"][1:3] == [3, True]
        pushes = len(world.fcm.accepted)
        world.settle()
        assert len(world.fcm.accepted) == pushes

    def test_it_is_shown_for_a_sound_state_and_nothing_is_repaired(self) -> None:
        world = self.damaged()
        before = world.objects.bodies()
        assert not healthy(world)
        mend(world, skip_damaged=True)
        assert world.objects.bodies() == before


def test_a_lost_month_is_no_reason_to_announce_what_is_known() -> None:
    world = Site()
    world.objects.remove(ARCHIVE)
    assert not healthy(world)
    mend(world)
    pushes = len(world.fcm.accepted)
    world.shown += [Notice(str(number), f"글 {number}") for number in range(6, 0, -1)]
    world.settle()
    assert len(world.fcm.accepted) == pushes


def _calls_of_a_check() -> int:
    world = Site()
    world.edit()
    before = len(world.faults.calls)
    world.tick()
    world.poll()
    return len(world.faults.calls) - before


def test_what_read_the_state_is_kept_so_that_an_edited_entry_is_no_news() -> None:
    site = Site()
    before = site.state()
    assert before["reading"]
    site.objects.plant(STATE, json.dumps({**before, "hot": []}).encode())
    assert mend(site)
    assert site.state()["reading"] == before["reading"]
    broken = {**before, "known": 3}
    site.objects.plant(STATE, json.dumps(broken).encode())
    assert mend(site)
    assert site.state()["reading"] == before["reading"]
