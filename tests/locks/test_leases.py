"""A lease: who may renew, release and write under it, whatever answers are lost."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from fakes.tables import MemoryTable

from uring.errors import CorruptState, Unavailable, WriteConflict
from uring.locks import Lease, LeaseLost, Locks, LockTimeoutError, conflicts, write
from uring.locks.catalogue import KEY, MOST_ENTRIES, fence_check
from uring.locks.paths import MOST_BYTES, joined, parse_path
from uring.tables import NOTHING, Item, Part, Table, Write

ROOT = "page"
LEAF = ("policies", "1")


class Flaky(Table):
    """A table whose next calls fail as told: ``lost`` after the work was done, else before."""

    def __init__(self) -> None:
        self.table = MemoryTable()
        self.faults: list[str] = []
        self.ms = 1_700_000_000_000

    def get(self, partition: str, key: str) -> Item | None:
        self._fail("unread")
        return self.table.get(partition, key)

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        return self.table.query(partition, prefix, after)

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        self._fail("refused")
        done = self.table.transact(partition, parts)
        self._fail("lost")
        return done

    def _fail(self, fault: str) -> None:
        if self.faults and self.faults[0] == fault:
            self.faults.pop(0)
            raise Unavailable(fault)

    @property
    def catalogue(self) -> dict[str, str | int | None]:
        return dict(self.table.items[ROOT, KEY])


@pytest.fixture
def table() -> Flaky:
    return Flaky()


@pytest.fixture
def locks(table: Flaky) -> Locks:
    return Locks(
        table,
        now_ms=lambda: table.ms,
        monotonic=lambda: table.ms / 1000,
        sleep=lambda _: None,
        jitter=lambda *_: 0,
    )


def taken(locks: Locks, path: tuple[str, ...] = LEAF, what: str = "") -> Lease:
    lease = locks.attempt(ROOT, path, what=what)
    assert lease is not None
    return lease


def entries(table: Flaky) -> list[str]:
    return sorted(name for name in table.catalogue if ":" in name)


@pytest.mark.parametrize(
    ("one", "other", "do"),
    [
        ((), (), True),
        ((), LEAF, True),
        (("policies",), LEAF, True),
        (LEAF, LEAF, True),
        (LEAF, ("policies", "12"), False),
        (("policies", "1", "en"), LEAF, True),
        (("issues",), LEAF, False),
    ],
)
def test_equal_ancestor_and_descendant_conflict_by_whole_segments(
    locks: Locks, one: tuple[str, ...], other: tuple[str, ...], *, do: bool
) -> None:
    assert conflicts(one, other) is conflicts(other, one) is do
    taken(locks, one)
    assert (locks.attempt(ROOT, other) is None) is do
    assert locks.attempt("another page", other) is not None


@pytest.mark.parametrize("path", [("",), ("a/b",), ("a\n",), ("x" * MOST_BYTES, "y"), ("\0",)])
def test_a_path_that_cannot_be_stored_is_refused(locks: Locks, path: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="path"):
        locks.attempt(ROOT, path)


@pytest.mark.parametrize("path", [(), ("a",), ("정책", "1", "ko")])
def test_a_path_is_parsed_as_it_was_joined(path: tuple[str, ...]) -> None:
    assert parse_path(joined(path)) == path


def test_a_lock_gets_a_higher_fence_than_all_before(locks: Locks) -> None:
    fences = []
    for path in (LEAF, (), LEAF):
        lease = taken(locks, path)
        fences.append(lease.fence)
        lease.release()
    assert fences == sorted(set(fences))


def test_a_catalogue_that_was_removed_gives_no_fence_twice(table: Flaky, locks: Locks) -> None:
    paused = taken(locks)
    table.table.items.clear()
    table.ms += 2
    newer = taken(locks)
    assert newer.fence > paused.fence
    assert not table.transact(ROOT, [paused.check()])


def test_a_catalogue_expires_a_week_after_it_was_written_last(table: Flaky, locks: Locks) -> None:
    """So a root without anything else, a page that never was, leaves nothing behind."""
    lease = taken(locks)
    for step in (lease.renew, lease.release):
        table.ms += 60_000
        step()
        assert table.catalogue["expires_at"] == table.ms // 1000 + 7 * 86_400


def test_a_lock_is_taken_over_after_its_lease_and_the_skew_alone(
    table: Flaky, locks: Locks
) -> None:
    lease = taken(locks)
    table.ms += 115_000 - 1
    lease.ensure()
    table.ms += 1
    with pytest.raises(LeaseLost, match="policies/1"):
        lease.ensure()
    table.ms += 10_000 - 1
    assert locks.attempt(ROOT, ()) is None
    table.ms += 1
    assert taken(locks, ()).fence > lease.fence


def test_a_write_under_a_lock_that_was_taken_over_is_refused(table: Flaky, locks: Locks) -> None:
    """Its holder is sure of it: its clock stands still."""
    asleep = Locks(
        table, now_ms=lambda: 1_700_000_000_000, sleep=lambda _: None, jitter=lambda *_: 0
    )
    lease = taken(asleep)
    table.ms += 125_000
    taken(locks, ())
    lease.ensure()
    with pytest.raises(LeaseLost):
        write(table, lease, [Write("data", {"fence": lease.fence})])
    with pytest.raises(LeaseLost):
        lease.ensure()
    assert table.get(ROOT, "data") is None


def test_a_write_tells_the_callers_condition_from_the_leases(table: Flaky, locks: Locks) -> None:
    lease = taken(locks)
    assert write(table, lease, [Write("data", {"fence": lease.fence}, NOTHING)])
    assert not write(table, lease, [Write("data", {"fence": lease.fence}, NOTHING)])
    lease.ensure()


def test_other_locks_come_and_go_under_a_write(table: Flaky, locks: Locks) -> None:
    lease = taken(locks)
    taken(locks, ("issues",)).release()
    assert write(table, lease, [Write("data", {})])


def test_a_renewal_keeps_the_lock_and_its_fence(table: Flaky, locks: Locks) -> None:
    lease = taken(locks)
    for _ in range(5):
        table.ms += 100_000
        lease.renew()
    lease.ensure()
    assert table.get(ROOT, KEY) is not None
    assert table.transact(ROOT, [fence_check(LEAF, lease.fence)])
    assert locks.attempt(ROOT, LEAF) is None


@pytest.mark.parametrize("action", [Lease.renew, Lease.release])
def test_a_stranger_changes_nothing(
    table: Flaky, locks: Locks, action: Callable[[Lease], None]
) -> None:
    late = taken(locks)
    table.ms += 125_000
    newer = taken(locks)
    before = table.catalogue
    with pytest.raises(LeaseLost):
        action(late)
    assert table.catalogue == before
    newer.ensure()


def test_a_lease_is_released_once(locks: Locks) -> None:
    lease = taken(locks)
    lease.release()
    with pytest.raises(LeaseLost):
        lease.release()
    with pytest.raises(LeaseLost):
        lease.ensure()


@pytest.mark.parametrize("fault", ["unread", "refused", "lost"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_lost_answer_costs_another_try(
    table: Flaky, locks: Locks, fault: str, times: int
) -> None:
    table.faults = [fault] * times
    lease = taken(locks)
    assert len(entries(table)) == 2
    table.faults = [fault] * times
    lease.renew()
    table.faults = [fault] * times
    lease.release()
    assert entries(table) == []


def test_no_answer_at_all_leaves_no_lock_once_there_is_one_again(
    table: Flaky, locks: Locks
) -> None:
    table.faults = ["lost", "unread", "unread"]
    with pytest.raises(Unavailable):
        locks.attempt(ROOT, LEAF)
    assert entries(table) == []


def test_a_lost_renewal_shows_at_the_next_step(table: Flaky, locks: Locks) -> None:
    lease = taken(locks)
    table.ms += 100_000
    table.faults = ["refused"] * 3
    with pytest.raises(Unavailable):
        lease.renew()
    lease.ensure()
    table.ms += 15_000
    with pytest.raises(LeaseLost):
        lease.ensure()


def test_others_writes_in_the_way_again_and_again_are_another_runs_matter(
    table: Flaky, locks: Locks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "transact", lambda *_: False)
    with pytest.raises(WriteConflict):
        locks.attempt(ROOT, LEAF)
    monkeypatch.setattr(Locks, "pause", lambda *_: None)
    ticking = Locks(table, monotonic=lambda: ticked(table) / 1000, sleep=lambda _: None)
    with pytest.raises(LockTimeoutError, match="came first in every try"):
        ticking.acquire(ROOT, LEAF, wait_seconds=30)


def ticked(table: Flaky) -> int:
    table.ms += 1_000
    return table.ms


def test_a_block_is_renewed_and_released(table: Flaky) -> None:
    """By real time: the lease is three hundredths of a second, the thread as slow as it likes."""
    locks = Locks(table, now_ms=lambda: table.ms, lease_seconds=0.03, skew_seconds=0)
    renewed = threading.Event()
    original = table.transact

    def noting(partition: str, parts: Sequence[Part]) -> bool:
        done = original(partition, parts)
        if threading.current_thread().name == "lease":
            renewed.set()
        return done

    table.transact = noting  # type: ignore[method-assign]
    with locks.hold(ROOT, LEAF, wait_seconds=0, what="work") as lease:
        table.ms += 20
        # The first may have read the clock before, the second's end is known by the third.
        for _ in range(3):
            renewed.clear()
            assert renewed.wait(60)
        table.ms += 20
        lease.ensure()
        assert json.loads(str(table.catalogue["held:policies/1"]))["what"] == "work"
    assert entries(table) == []


def test_the_error_of_a_block_is_not_hidden_by_its_release(table: Flaky, locks: Locks) -> None:
    def fail() -> None:
        table.faults = ["unread"] * 3
        raise KeyError("work")

    with pytest.raises(KeyError, match="work"), locks.hold(ROOT, LEAF, wait_seconds=0):
        fail()


def test_a_full_catalogue_refuses_and_still_releases(table: Flaky, locks: Locks) -> None:
    """And its largest one is an item that DynamoDB takes, of 400 KB."""
    leases = []
    for number in range(MOST_ENTRIES):
        segment = f"{number:03}" + '"' * (MOST_BYTES - 3)
        leases.append(taken(locks, (segment,), what='"\\' * 100))
    with pytest.raises(Unavailable, match=f"{MOST_ENTRIES} locks"):
        locks.attempt(ROOT, LEAF)
    with pytest.raises(Unavailable, match=f"{MOST_ENTRIES} locks"):
        locks.acquire(ROOT, (), wait_seconds=1)
    size = sum(
        len(name.encode()) + len(str(value).encode()) for name, value in table.catalogue.items()
    )
    assert size < 390_000
    leases[0].renew()
    leases[0].release()
    taken(locks)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("version", "1"),
        ("version", None),
        ("fence", -1),
        ("ticket", 2**60),
        ("held:policies/1", "{}"),
        ("held:policies/1", "nonsense"),
        ("held:policies/1", 7),
        ("held:policies/1", "[" * 100_000),
        ("held:policies/1", '{"owner":"a","fence":true,"expires_at_ms":1,"since_ms":1}'),
        ("held:policies/1", '{"owner":"a","fence":1,"expires_at_ms":1e400,"since_ms":1}'),
        (
            "held:policies/1",
            '{"owner":"a","fence":' + "9" * 5000 + ',"expires_at_ms":1,"since_ms":1}',
        ),
        ("held:policies//1", '{"owner":"a","fence":1,"expires_at_ms":1,"since_ms":1}'),
        ("waiting:x", '{"owner":"a","path":"p","expires_at_ms":1,"since_ms":1}'),
        ("waiting:" + "9" * 5000, '{"owner":"a","path":"p","expires_at_ms":1,"since_ms":1}'),
        ("waiting:1", '{"owner":"a","path":"p//q","expires_at_ms":1,"since_ms":1}'),
        ("waiting:1", '{"owner":"a","expires_at_ms":1,"since_ms":1}'),
    ],
)
def test_a_damaged_attribute_is_named_and_left_as_it_is(
    table: Flaky, locks: Locks, name: str, value: str | int | None
) -> None:
    taken(locks, ("issues",)).release()
    table.table.items[ROOT, KEY] = {**table.catalogue, name: value}
    before = table.catalogue
    with pytest.raises(CorruptState, match=f"{name[:20]}.*(remove the attribute|set it to)"):
        locks.attempt(ROOT, LEAF)
    assert table.catalogue == before


@pytest.mark.parametrize("name", ["version", "fence", "ticket"])
@pytest.mark.parametrize("value", [None, "1", -1, 2**60])
def test_after_the_remedy_for_a_counter_fences_and_versions_only_rise(
    table: Flaky, name: str, value: str | int | None
) -> None:
    """The fence was begun by the fastest clock, the remedy is told by the slowest."""
    fast, slow = (
        Locks(table, now_ms=lambda skew=skew: table.ms + skew, sleep=lambda _: None)  # type: ignore[misc]
        for skew in (5_000, -5_000)
    )
    paused, before = taken(fast), table.catalogue
    table.table.items[ROOT, KEY] = {**table.catalogue, name: value}
    with pytest.raises(CorruptState, match=f"{name}.*set it to (\\d+)") as caught:
        slow.attempt(ROOT, ())
    told = re.search(r"set it to (\d+)", str(caught.value))
    assert told is not None
    # The console leaves no empty attribute either.
    table.table.items[ROOT, KEY] = {**table.catalogue, name: int(told[1])}
    paused.ensure()
    newer = taken(slow, ("issues",))
    assert newer.fence > paused.fence
    assert int(table.catalogue["version"] or 0) > int(before["version"] or 0)
    paused.release()


def test_no_remedy_removes_the_counters(table: Flaky, locks: Locks) -> None:
    """A new item counts from the clock, and one that is slower would give lower fences."""
    taken(locks)
    table.table.items[ROOT, KEY] = {**table.catalogue, "held:issues": "{}"}
    with pytest.raises(CorruptState) as caught:
        locks.attempt(ROOT, LEAF)
    assert "remove the attribute, and leave the item" in str(caught.value)


def test_another_releases_attributes_and_keys_are_kept(table: Flaky, locks: Locks) -> None:
    lease = taken(locks, ("issues",))
    entry = json.loads(str(table.catalogue["held:issues"])) | {"mode": "shared"}
    table.table.items[ROOT, KEY] = {
        **table.catalogue,
        "held:issues": json.dumps(entry),
        "schema": 2,
        "note:x": "y",
    }
    taken(locks).release()
    lease.renew()
    assert (table.catalogue["schema"], table.catalogue["note:x"]) == (2, "y")
    assert json.loads(str(table.catalogue["held:issues"]))["mode"] == "shared"


def test_a_lock_that_was_broken_by_hand_is_free(table: Flaky, locks: Locks) -> None:
    lease = taken(locks)
    item = table.catalogue
    del item["held:policies/1"]
    table.table.items[ROOT, KEY] = item
    assert taken(locks, ()).fence > lease.fence
    assert not table.transact(ROOT, [lease.check()])


def test_a_lease_must_outlast_the_skew(table: Flaky) -> None:
    with pytest.raises(ValueError, match="lease_seconds"):
        Locks(table, lease_seconds=15, skew_seconds=5)


def test_a_description_is_a_short_line(table: Flaky, locks: Locks) -> None:
    taken(locks, what="번역\n" * 100)
    what = json.loads(str(table.catalogue["held:policies/1"]))["what"]
    assert what.startswith("번역 번역")
    assert len(what.encode()) <= 90
