"""A state that broke and was put back: nothing announced again, nothing lost, revisions count on.

The real workers and the notifier over the fakes, judged by their whole history (`tests/faults`).
"""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from cloud import Cloud
from fakes import Died, MemoryBucket, Notice
from faulty import Faults, FaultyBucket
from verdict import judge
from weather_world import AIRPORTS, Page, WeatherScenario, WeatherWorld
from world import Board, Scenario, World

from uring.changes.register import Superseded
from uring.changes.retry import Backoff
from uring.errors import CorruptState, NewerRelease, UringError
from uring.records import apply
from uring_local.operate import past_state
from uring_local.operate import state as commands
from uring_local.operate.bucket import ObjectVersion

STATE = "state/notices/cs.json"
LATEST = "data/cs/latest.json"

SEEN = "state/notices/cs.seen.json"
ARCHIVE = "data/cs/archive/202603.jsonl"
METAR = "state/weather/metar.json"
HOT_ITEMS = 4
KNOWN_BEYOND_PAGE = 2


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply, "HOT_ITEMS", HOT_ITEMS)
    monkeypatch.setattr(apply, "KNOWN_BEYOND_PAGE", KNOWN_BEYOND_PAGE)


class Site(World):
    """A department whose page is edited by hand, with a history: edits, a pin, a full memory."""

    def __init__(self) -> None:
        super().__init__(Scenario("by hand", pages=()))
        self.shown = [Notice(str(number), f"글 {number}") for number in range(9, 0, -1)]
        self.round()
        self.shown = [Notice("10", "새 글"), Notice("9", "고침"), *self.shown[1:4]]
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
    """Implements `uring_local.operate.bucket.VersionedBucket` over the fake; its I/O may break.

    What was planted is no version: the newest is what an application wrote last.
    """

    def __init__(self, objects: MemoryBucket, faults: Faults | None = None) -> None:
        self._faults = faults or Faults()
        faulty = FaultyBucket(objects, self._faults)
        self.get, self.put, self.list = faulty.get, faulty.put, faulty.list
        self._objects = objects

    def versions(self, key: str) -> list[ObjectVersion]:
        past = self._faults.call("bucket.list", lambda: self._objects.versions.get(key, []))
        return [ObjectVersion(str(n), each.at) for n, each in enumerate(past)][::-1]

    def body(self, key: str, version: ObjectVersion) -> bytes:
        past = self._faults.call("objects.get", lambda: self._objects.versions[key])
        return past[int(version.id)].body


def mend(
    world: Cloud, faults: Faults | None = None, *, source: str = "cs", write: bool = True
) -> bool:
    return _run(commands.repair_state, Operator(world.objects, faults), source, write=write)


def healthy(world: Cloud, source: str = "cs") -> bool:
    return _run(commands.show_state, Operator(world.objects), source)


def _run(command: Callable[..., bool], bucket: Operator, source: str, **more: Any) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "open_bucket", lambda _: bucket)
        patch.setattr(past_state, "Backoff", lambda: Backoff(lambda _: None))
        return command(source, stack="uring-here", family=None, as_json=True, **more)


def changed(**fields: Any) -> Callable[[Site], None]:
    def corrupt(world: Site) -> None:
        world.objects.plant(STATE, json.dumps(world.state() | fields).encode())

    return corrupt


def torn(*keys: str) -> Callable[[Site], None]:
    def corrupt(world: Site) -> None:
        for key in keys:
            world.objects.plant(key, world.objects.body(key)[:-50])

    return corrupt


def gone(*keys: str) -> Callable[[Site], None]:
    def corrupt(world: Site) -> None:
        for key in keys:
            world.objects.remove(key)

    return corrupt


def published(meta: dict[str, Any], item: dict[str, Any]) -> Callable[[Site], None]:
    def corrupt(world: Site) -> None:
        document = json.loads(world.objects.body(LATEST))
        document["meta"] |= meta
        document["items"][0] |= item
        world.objects.plant(LATEST, json.dumps(document).encode())

    return corrupt


def spoiled(world: Cloud, key: str, since: int) -> None:
    """Make the versions from that number on unreadable, the present one among them."""
    past = world.objects.versions[key]
    past[since:] = [replace(each, body=each.body[:-9]) for each in past[since:]]
    world.objects.plant(key, past[-1].body)


UNREADABLE: dict[str, Callable[[Site], None]] = {
    "truncated": torn(STATE),
    "empty": lambda world: world.objects.plant(STATE, b""),
    "wrong types": changed(known=["9", "10"]),
    "another source": changed(source="ee"),
    "an item twice": lambda world: changed(hot=world.state()["hot"][:1] * 2)(world),
    "state and memory": torn(STATE, SEEN),
}
GONE: dict[str, Callable[[Site], None]] = {
    "deleted": gone(STATE),
    "memory torn": torn(SEEN),
    "memory deleted": gone(SEEN),
    "both deleted": gone(STATE, SEEN),
}
ELSEWHERE: dict[str, Callable[[Site], None]] = {
    "latest torn": torn(LATEST),
    "latest deleted": gone(LATEST),
    "latest of another seq": published({"seq": 9_000_000_000}, {}),
    "latest of another time": published({"last_updated": "2026-03-01T00:00:00Z"}, {}),
    "latest rewritten": published({}, {"title": "남의 글", "revision": 99, "hash": "0" * 40}),
    "items of another kind": published({}, {"id": None}),
}


def test_a_state_that_nobody_touched_is_healthy_and_not_repaired() -> None:
    world = Site()
    before = world.objects.bodies()
    assert healthy(world)
    assert mend(world)
    assert world.objects.bodies() == before


@pytest.mark.parametrize("case", [*UNREADABLE, *GONE])
def test_what_broke_is_seen_repaired_once_and_keeps_every_promise(case: str) -> None:
    world = Site()
    (UNREADABLE | GONE)[case](world)
    assert not healthy(world)
    if case in UNREADABLE:
        world.tick()
        world.poll()
    world.edit()
    assert mend(world)
    before = world.objects.bodies()
    assert healthy(world)
    assert mend(world)
    assert world.objects.bodies() == before, "a repair of what is whole"
    world.settle()
    verdict = judge(world, hot_items=HOT_ITEMS)
    assert not verdict.wrong, str(verdict)
    assert not verdict.doubled
    assert [letter.group for letter in world.dead_jobs.messages] == ["cs"] * (case in UNREADABLE)
    assert healthy(world)


@pytest.mark.parametrize("case", ELSEWHERE)
def test_what_readers_see_otherwise_is_said_and_marked_to_be_published_again(case: str) -> None:
    """The repair writes nothing that readers see: the next check does."""
    world = Site()
    ELSEWHERE[case](world)
    before, known = world.objects.bodies(), world.state()
    assert not healthy(world)
    assert mend(world)
    after = world.objects.bodies()
    assert {key for key in after if after[key] != before.get(key)} == {STATE}
    own = {"seq", "writer", "republish"}
    assert {key for key, value in world.state().items() if value != known.get(key)} <= own
    world.edit()
    world.settle()
    assert healthy(world)


def test_what_is_put_back_is_what_there_was_but_for_seq_and_writer() -> None:
    world = Site()
    before, memory = world.state(), world.objects.body(SEEN)
    torn(STATE, SEEN)(world)
    mend(world)
    after = world.state()
    assert after.pop("seq") > before.pop("seq")
    assert after.pop("writer") != before.pop("writer")
    assert after == before
    assert world.objects.body(SEEN) == memory


@pytest.mark.parametrize("where", ["the broken state", "latest.json"])
def test_seq_comes_out_above_all_that_was_seen(where: str) -> None:
    """Else a projection of the repaired state would pass for an older one."""
    world, ahead = Site(), 9_000_000_000
    if where == "latest.json":
        published({"seq": ahead}, {})(world)
        torn(STATE)(world)
    else:
        changed(seq=ahead, known=3)(world)
    assert mend(world)
    assert world.state()["seq"] == ahead + 1
    world.edit()
    world.settle()
    assert healthy(world)


@pytest.mark.parametrize("case", ["truncated", "state and memory"])
@pytest.mark.parametrize("kind", ["die_before", "die_after"])
def test_what_a_check_had_committed_and_not_announced_survives_the_repair(
    case: str, kind: str
) -> None:
    """At every I/O of the check: the outbox is part of the version that is put back."""
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


@pytest.mark.parametrize("case", ["state and memory", "both deleted", "memory torn"])
@pytest.mark.parametrize(
    "kind", ["die_before", "die_after", "lost_answer", "no_answer", "refused", "contended", "pause"]
)
def test_a_repair_that_dies_anywhere_is_repeated(case: str, kind: str) -> None:
    """A pause lets a whole check run: what it commits is never overwritten."""
    probe, faults = Site(), Faults()
    (UNREADABLE | GONE)[case](probe)
    mend(probe, faults)
    broken = 0
    for number in range(len(faults.calls)):
        world = Site()
        (UNREADABLE | GONE)[case](world)
        world.edit()
        faults = Faults({number: kind}, world.round)
        with suppress(Died, UringError):
            mend(world, faults)
        broken += len(faults.broken)
        assert mend(world)
        world.settle()
        assert healthy(world)
        verdict = judge(world, hot_items=HOT_ITEMS)
        assert not verdict.wrong, f"{number}: {verdict}"
        assert not verdict.doubled
    assert broken


@pytest.mark.parametrize("case", ["state and memory", "both deleted"])
def test_the_memory_comes_before_the_state_that_relies_on_it(case: str) -> None:
    """A check between the two finds a state as broken as before, or restores it by itself."""
    world = Site()
    pushes = len(world.fcm.accepted)
    (UNREADABLE | GONE)[case](world)
    world.shown[3] = Notice("1", "글 1")
    probe = Faults()
    mend(_like(world, case), probe)
    puts = [number for number, call in enumerate(probe.calls) if call == "objects.put"]
    assert len(puts) == 2
    faults = Faults({puts[1]: "pause"}, world.round)
    with suppress(Superseded):
        mend(world, faults)
    assert faults.broken
    assert len(world.dead_jobs.messages) == (case == "state and memory")
    world.settle()
    assert len(world.fcm.accepted) == pushes


def test_a_check_that_commits_meanwhile_is_not_overwritten() -> None:
    world = Site()
    gone(STATE)(world)
    world.edit()
    probe = Faults()
    mend(world, probe, write=False)
    faults = Faults({len(probe.calls): "pause"}, world.round)
    with pytest.raises(Superseded, match=f"{STATE}: another run wrote it meanwhile"):
        mend(world, faults)
    assert world.state()["known"]["11"][1] == 1


def test_a_memory_that_another_put_back_meanwhile_is_not_overwritten() -> None:
    world = Site()
    torn(SEEN)(world)

    def others() -> None:
        assert mend(world)
        world.shown = [Notice(str(number), f"글 {number}") for number in range(30, 20, -1)]
        world.round()

    probe = Faults()
    mend(world, probe, write=False)
    faults = Faults({len(probe.calls): "pause"}, others)
    with pytest.raises(Superseded, match=f"{SEEN}: another run wrote it meanwhile"):
        mend(world, faults)
    assert faults.calls[-1] == "objects.put"
    assert "7" in json.loads(world.objects.body(SEEN)), "it left the state in between"


def test_without_yes_nothing_is_written() -> None:
    world = Site()
    torn(STATE, SEEN)(world)
    before = world.objects.bodies()
    assert not mend(world, write=False)
    assert world.objects.bodies() == before


class TestOlderVersions:
    """The versions that a release wrote last are unreadable: what they say of it has to hold."""

    def test_what_was_pushed_since_is_not_pushed_again(self) -> None:
        world = Site()
        before = len(world.objects.versions[STATE])
        world.edit()
        world.settle()
        pushes, archive = len(world.fcm.accepted), world.objects.body(ARCHIVE)
        spoiled(world, STATE, before)
        assert mend(world)
        assert "11" not in world.state()["known"]
        world.settle()
        assert healthy(world)
        assert len(world.fcm.accepted) == pushes
        assert world.objects.body(ARCHIVE) == archive
        assert world.state()["known"]["11"][1] == 1

    def test_not_even_a_record_that_changed_more_than_once(self) -> None:
        world = Site()
        before = len(world.objects.versions[STATE])
        for title in ("하나", "둘"):
            world.shown[0] = Notice("10", title)
            world.round()
        pushes = len(world.fcm.accepted)
        spoiled(world, STATE, before)
        assert mend(world)
        world.settle()
        assert len(world.fcm.accepted) == pushes
        assert world.state()["known"]["10"][1] == 3

    def test_a_record_that_left_the_state_since_counts_as_new(self) -> None:
        world = Site()
        world.settle()
        before = len(world.objects.versions[SEEN])
        world.shown = [Notice(str(number), f"글 {number}") for number in range(30, 20, -1)]
        world.settle()
        lost = json.loads(world.objects.body(SEEN)).keys() - json.loads(_past(world, before))
        assert "7" in lost
        world.objects.versions[SEEN][before:] = []
        torn(SEEN)(world)
        assert mend(world)
        world.shown[0] = Notice("7", "글 7")
        world.round()
        assert [post.data["id"] for post in world.fcm.accepted][-1] == "7"

    def test_nor_weather(self) -> None:
        world = _weather()
        past = world.objects.versions[METAR]
        before = next(n for n, each in enumerate(past) if b'"speci"' in each.body)
        assert [post.data["kind"] for post in world.fcm.accepted] == ["speci"]
        spoiled(world, METAR, before)
        assert not healthy(world, "metar")
        assert mend(world, source="metar")
        world.round()
        assert [post.data["kind"] for post in world.fcm.accepted] == ["speci"]
        assert healthy(world, "metar")


class TestRefused:
    def test_a_newer_releases_state_is_left_alone_with_the_remedy(self) -> None:
        world = Site()
        changed(schema=2)(world)
        before = world.objects.bodies()
        for command in (healthy, mend):
            with pytest.raises(NewerRelease, match="deploy the newer release again"):
                command(world)
        assert world.objects.bodies() == before

    def test_nothing_older_replaces_what_a_newer_release_wrote(self) -> None:
        world = Site()
        past = world.objects.versions[STATE]
        past[-1] = replace(past[-1], body=json.dumps(world.state() | {"schema": 2}).encode())
        torn(STATE)(world)
        with pytest.raises(NewerRelease):
            mend(world)

    def test_evicted_records_without_a_readable_version_have_to_be_deleted(self) -> None:
        world = Site()
        spoiled(world, SEEN, 0)
        before = world.objects.bodies()
        with pytest.raises(CorruptState, match=f"{SEEN}: .*no version of it can be read; delete"):
            mend(world)
        assert world.objects.bodies() == before
        world.objects.remove(SEEN)
        pushes = len(world.fcm.accepted)
        world.settle()
        assert healthy(world)
        assert len(world.fcm.accepted) == pushes

    @pytest.mark.parametrize("key", [LATEST, ARCHIVE])
    def test_without_versions_and_without_what_readers_see_it_is_said(self, key: str) -> None:
        world = Site()
        spoiled(world, STATE, 0)
        gone(STATE, key)(world)
        with pytest.raises(CorruptState, match="is not enough to make it again; delete data/cs/"):
            mend(world)


@pytest.mark.parametrize("way", ["gone", "marked", "broken"])
def test_without_a_version_it_is_made_from_what_readers_see(way: str) -> None:
    """Only what came since is pushed; nothing is archived twice, and event ids go on."""
    world = Site()
    was = world.state()
    spoiled(world, STATE, 0)
    if way != "broken":
        gone(STATE)(world)
    if way == "marked":
        world.settle()
        assert world.state()["health"]["reason"] == "state_lost"
    world.edit()
    pushes = len(world.fcm.accepted)
    assert mend(world)
    assert healthy(world)
    now = world.state()
    assert (now["history"], now["baseline_at"]) == (was["history"], was["baseline_at"])
    world.settle()
    assert len(world.fcm.accepted) == pushes + 2
    lines = world.objects.body(ARCHIVE).splitlines()
    ids = [json.loads(line)["event_id"] for line in lines]
    assert len(ids) == len(set(ids))
    assert healthy(world)


def test_a_memory_that_is_not_due_may_be_missing() -> None:
    """It was deleted with its state, and the next check was a first one by the operator's word."""
    world = Site()
    for key in (STATE, SEEN):
        world.objects.versions[key].clear()
    gone(STATE, SEEN, LATEST)(world)
    world.shown = world.shown[:2]
    world.settle()
    assert not world.state()["spilled"]
    assert healthy(world)
    assert mend(world)
    assert SEEN not in world.objects.bodies()


def _like(world: Site, case: str) -> Site:
    """Another site in the same trouble."""
    other = Site()
    (UNREADABLE | GONE)[case](other)
    other.shown = list(world.shown)
    return other


def _past(world: Cloud, number: int) -> bytes:
    return world.objects.versions[SEEN][number - 1].body


def _weather() -> WeatherWorld:
    """A product that was stored, and then a SPECI of the first airport."""

    def page(hour: int, kind: str = "METAR") -> Page:
        when = f"2026-03-31T{hour:02}:00:00Z"
        header = {"report_type": kind, "report_status": "NORMAL", "observation_time": when}
        report = {"header": {**header, "issue_time": when}, "raw": f"{kind} {hour}"}
        return dict.fromkeys(AIRPORTS[:1], report)

    pages = (page(22), page(23, "SPECI"))
    world = WeatherWorld(WeatherScenario("by hand", "metar", pages))
    world.run()
    return world


def _calls_of_a_check() -> int:
    world = Site()
    world.edit()
    before = len(world.faults.calls)
    world.tick()
    world.poll()
    return len(world.faults.calls) - before
