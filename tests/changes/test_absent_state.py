"""A known source whose state is gone is not new: a version comes back, or a person decides."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fakes import ENTRY, Died, MemoryBucket, Notice
from fakes.worlds import NoticeWorld

from uring.errors import NewerRelease
from uring.objects import Stored

STATE, SEEN, LATEST = "state/notices/cs.json", "state/notices/cs.seen.json", "data/cs/latest.json"
ARCHIVE = "data/cs/archive/202603.jsonl"
ONE, TWO, THREE, FOUR = (Notice(str(number), f"공지 {number}") for number in range(1, 5))


class Watched(MemoryBucket):
    """A bucket that counts its calls, and dies or calls somebody before a write of the state."""

    def __init__(self, *more: Any) -> None:
        super().__init__(*more)
        self.seen = Counter[str]()
        self.before = list[Callable[[], None]]()

    def get(self, key: str) -> Stored | None:
        self.seen[f"get {key}"] += 1
        return super().get(key)

    def past(self, key: str) -> Iterator[bytes]:
        self.seen[f"past {key}"] += 1
        return super().past(key)

    def put(self, key: str, body: bytes, **more: Any) -> str:
        if key == STATE and self.before:
            self.before.pop(0)()
        return super().put(key, body, **more)


class World(NoticeWorld):
    """A department that was checked twice."""

    bucket: Watched

    def __init__(self) -> None:
        super().__init__(bucket=Watched())
        self.bucket.clock = self.clock
        self.see(TWO, ONE)
        self.see(THREE, TWO, ONE)

    def see(self, *notices: Notice) -> Any:
        self.clock.advance(600)
        self.show(*notices)
        self.bucket.seen.clear()
        return self.check()

    def lose(self, *, versions: bool = True) -> None:
        """Delete what a recursive removal below state/ deletes."""
        for key in (STATE, SEEN):
            self.bucket.remove(key)
            if not versions:
                self.bucket.versions.pop(key, None)

    def archived(self) -> list[str]:
        lines = self.bucket.body(ARCHIVE).splitlines()
        return [json.loads(line)["id"] for line in lines]


def test_the_news_of_that_very_check_is_pushed_and_nothing_is_archived_twice() -> None:
    world = World()
    before = world.state
    world.lose()
    check = world.see(FOUR, THREE, TWO, ONE)
    assert check.outcome == "changed"
    assert [line.name for line in check.lines] == ["state_restored"]
    assert world.pushes() == [("3", "new"), ("4", "new")]
    assert world.archived() == ["1", "2", "3", "4"]
    after = world.state
    assert (after.baseline_at, after.history) == (before.baseline_at, before.history)
    assert after.known["1"].first_seen == before.known["1"].first_seen
    assert after.seq > before.seq
    assert after.restored_at is not None


def test_an_unchanged_page_restores_the_state_as_well() -> None:
    world = World()
    before = world.state
    world.lose()
    assert world.see(THREE, TWO, ONE).outcome == "unchanged"
    assert world.state.known == before.known


def test_a_version_that_cannot_be_read_is_passed_over_and_what_it_had_is_taken_from_readers() -> (
    None
):
    world = World()
    versions = world.bucket.versions[STATE]
    first = [each for each in versions if b'"3"' not in each.body]
    world.bucket.versions[STATE] = [*first, *versions[-1:]]
    object.__setattr__(versions[-1], "body", b"{")
    world.lose()
    check = world.see(FOUR, THREE, TWO, ONE)
    assert [line.name for line in check.lines] == ["state_restored", "put_back"]
    assert set(world.pushes()) == {("3", "new"), ("4", "new")}
    assert world.archived() == ["1", "2", "3", "4"]


def test_a_version_of_a_newer_release_waits_for_it() -> None:
    world = World()
    newest = json.loads(world.bucket.versions[STATE][-1].body) | {"schema": 99}
    world.bucket.write(STATE, json.dumps(newest).encode(), "application/json")
    world.lose()
    with pytest.raises(NewerRelease):
        world.see(FOUR, THREE, TWO, ONE)
    assert STATE not in world.bucket.bodies()


def test_a_first_sight_reads_latest_json_once_more_and_asks_for_no_version() -> None:
    world = NoticeWorld(bucket=Watched())
    assert world.check().outcome == "baseline"
    assert world.bucket.seen == {f"get {STATE}": 1, f"get {LATEST}": 1}  # type: ignore[attr-defined]


def test_an_ordinary_check_costs_no_call_more() -> None:
    world = World()
    world.see(THREE, TWO, ONE)
    assert world.bucket.seen == {f"get {STATE}": 1}


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_death_at_the_restoring_leaves_the_news_to_the_next_check(when: str) -> None:
    world = World()
    world.lose()

    def die() -> None:
        raise Died(when)

    if when == "after":
        world.bucket.before.append(lambda: None)
    world.bucket.before.append(die)
    with pytest.raises(Died):
        world.see(FOUR, THREE, TWO, ONE)
    assert (STATE in world.bucket.bodies()) is (when == "after")
    world.see(FOUR, THREE, TWO, ONE)
    assert world.pushes() == [("3", "new"), ("4", "new")]
    assert world.archived() == ["1", "2", "3", "4"]


def test_of_two_workers_at_once_one_restores_and_one_pushes() -> None:
    world = World()
    world.lose()
    world.bucket.before.append(lambda: world.check() and None)
    world.see(FOUR, THREE, TWO, ONE)
    assert world.pushes() == [("3", "new"), ("4", "new")]
    assert world.archived() == ["1", "2", "3", "4"]


def test_a_job_that_is_delivered_twice_restores_once() -> None:
    world = World()
    world.lose()
    world.show(FOUR, THREE, TWO, ONE)
    world.clock.advance(600)
    job = world.job("cs", entry=ENTRY)
    outcomes = [world.checker.check(job).outcome for _ in range(2)]
    assert outcomes[0] == "changed"
    assert world.pushes() == [("3", "new"), ("4", "new")]


def test_a_state_that_is_deleted_under_a_check_comes_back_before_its_commit() -> None:
    world = World()
    world.bucket.before.append(world.lose)
    check = world.see(FOUR, THREE, TWO, ONE)
    assert [line.name for line in check.lines] == ["state_restored"]
    assert world.pushes() == [("3", "new"), ("4", "new")]
    assert world.archived() == ["1", "2", "3", "4"]


def test_an_operator_s_version_that_comes_back_under_a_check_stays() -> None:
    world = World()
    stored = world.bucket.get(STATE)
    assert stored is not None
    world.lose()
    world.bucket.before.append(lambda: world.bucket.restore(STATE, stored))
    world.see(FOUR, THREE, TWO, ONE)
    assert world.pushes() == [("3", "new"), ("4", "new")]
    assert world.state.restored_at is None, "the operator's own is not restored again"


class TestWithoutAVersion:
    """The check fails for a person; nothing is taken for new, and nothing is published."""

    def lost(self) -> World:
        world = World()
        world.lose(versions=False)
        return world

    def test_it_is_no_baseline_and_published_documents_stay(self) -> None:
        world = self.lost()
        before = {key: body for key, body in world.bucket.bodies().items() if key[:5] == "data/"}
        check = world.see(FOUR, THREE, TWO, ONE)
        assert (check.outcome, check.reason, check.is_failing) == ("failed", "state_lost", True)
        assert "uring state repair cs" in check.detail
        after = {key: body for key, body in world.bucket.bodies().items() if key[:5] == "data/"}
        assert after == before
        assert world.pushes() == [("3", "new")]

    def test_it_stays_lost_however_often_it_is_checked(self) -> None:
        world = self.lost()
        for _ in range(4):
            world.clock.advance(7200)
            assert world.see(FOUR, THREE, TWO, ONE).reason == "state_lost"
        assert world.state.is_lost
        assert world.state.health.failures == 4
        assert world.archived() == ["1", "2", "3"]

    def test_it_waits_between_its_tries_as_any_failing_source(self) -> None:
        world = self.lost()
        outcomes = [world.see(THREE, TWO, ONE).outcome for _ in range(6)]
        assert outcomes[:2] == ["failed", "failed"]
        assert "waiting" in outcomes

    def test_the_mark_of_the_loss_is_never_restored(self) -> None:
        world = self.lost()
        world.see(THREE, TWO, ONE)
        world.bucket.remove(STATE)
        world.clock.advance(7200)
        assert world.see(THREE, TWO, ONE).reason == "state_lost"

    def test_a_version_that_can_be_read_again_ends_it(self) -> None:
        """Such as after a missing permission."""
        world = World()
        past = list(world.bucket.versions[STATE])
        world.lose(versions=False)
        world.see(THREE, TWO, ONE)
        world.bucket.versions[STATE] = [*past, *world.bucket.versions[STATE]]
        world.clock.advance(7200)
        world.see(FOUR, THREE, TWO, ONE)
        assert world.pushes() == [("3", "new"), ("4", "new")]

    def test_without_latest_json_it_is_a_first_sight_by_the_operator_s_word(self) -> None:
        world = self.lost()
        world.see(THREE, TWO, ONE)
        world.bucket.remove(LATEST)
        world.clock.advance(7200)
        assert world.see(FOUR, THREE, TWO, ONE).outcome == "baseline"
        assert world.pushes() == [("3", "new")]


class TestEvictedRecords:
    """``.seen`` alone is gone, or with the state."""

    @pytest.mark.parametrize("keys", [(SEEN,), (STATE, SEEN)])
    def test_one_that_returns_is_no_news(
        self, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("uring.records.apply.KNOWN_BEYOND_PAGE", 1)
        monkeypatch.setattr("uring.records.apply.HOT_ITEMS", 1)
        world = World()
        numbers = [Notice(str(number), f"공지 {number}") for number in range(4, 9)]
        world.see(*reversed(numbers))
        evicted = next(iter(world.document(SEEN)))
        pushed = world.pushes()
        for key in keys:
            world.bucket.remove(key)
        world.see(*reversed(numbers), Notice(evicted, f"공지 {evicted}"))
        assert world.pushes() == pushed
        assert SEEN in world.bucket.bodies()
