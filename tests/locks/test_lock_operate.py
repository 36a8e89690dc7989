"""What an operator sees of locks, and breaks by its fence."""

from collections.abc import Callable, Sequence

import pytest
from fakes.tables import MemoryTable

from uring.errors import Unavailable
from uring.locks import HeldLock, Lease, LeaseLost, Locks, LockTimeoutError, Waiting, write
from uring.tables import Part, Write

ROOT = "page"


class Clocked(MemoryTable):
    """A table with a clock; the answers of the next transactions are lost.

    Attributes:
        before: what others do before the next transaction.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ms = 1_700_000_000_000
        self.lost = 0
        self.is_down = False
        self.before: list[Lease] = []

    def locks(self, name: str, sleep: Callable[[float], None] | None = None) -> Locks:
        return Locks(
            self,
            now_ms=lambda: self.ms,
            monotonic=lambda: self.ms / 1000,
            sleep=sleep or self.sleep,
            jitter=lambda _, most: most,
            name=lambda: name,
        )

    def sleep(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        if self.is_down:
            raise Unavailable("down")
        while self.before:
            self.before.pop().release()
        done = super().transact(partition, parts)
        if self.lost:
            self.lost -= 1
            raise Unavailable("lost")
        return done

    def take(self, name: str, *path: str) -> Lease:
        lease = self.locks(name).attempt(ROOT, path, what=f"work of {name}")
        assert lease is not None
        return lease


@pytest.fixture
def table() -> Clocked:
    return Clocked()


def waits(table: Clocked, name: str, *path: str) -> None:
    """Take a ticket, and die."""

    class Died(BaseException):
        pass

    def die(_: float) -> None:
        table.is_down = True
        raise Died

    with pytest.raises(Died):
        table.locks(name, die).acquire(ROOT, path, wait_seconds=60)
    table.is_down = False


def test_locks_are_shown_with_age_and_end_and_waiters_in_their_order(table: Clocked) -> None:
    assert table.locks("x").show(ROOT) == ([], [])
    first = table.take("a", "policies", "1")
    table.ms += 30_000
    second = table.take("b", "issues")
    assert table.locks("x").show(ROOT) == (
        [
            HeldLock(("policies", "1"), "work of a", first.fence, "a", 30, 90),
            HeldLock(("issues",), "work of b", second.fence, "b", 0, 120),
        ],
        [],
    )
    table.ms += 200_000
    held, _ = table.locks("x").show(ROOT)
    assert [(lock.age_seconds, lock.seconds_left) for lock in held] == [(230, 0), (200, 0)]


def test_a_broken_lock_is_free_and_its_holder_writes_nothing_more(table: Clocked) -> None:
    lease, other = table.take("a", "policies", "1"), table.take("b", "issues")
    broken = table.locks("x").break_lock(ROOT, lease.fence)
    assert broken == HeldLock(("policies", "1"), "work of a", lease.fence, "a", 0, 120)
    with pytest.raises(LeaseLost):
        write(table, lease, [Write("data", {"fence": lease.fence})])
    assert table.get(ROOT, "data") is None
    assert write(table, other, [Write("data", {"fence": other.fence})])
    assert table.take("c", "policies").fence > lease.fence


@pytest.mark.parametrize("fence", [0, -1, 10**15])
def test_a_fence_that_no_lock_has_breaks_nothing(table: Clocked, fence: int) -> None:
    table.take("a", "policies", "1")
    before = dict(table.items)
    assert table.locks("x").break_lock(ROOT, fence) is None
    assert table.items == before
    assert table.locks("x").break_lock("another page", fence) is None


def test_the_next_holder_of_the_same_path_is_not_broken(table: Clocked) -> None:
    """The operator saw a lock that was released since."""
    lease = table.take("a", "policies")
    seen = lease.fence
    lease.release()
    newer = table.take("b", "policies")
    assert table.locks("x").break_lock(ROOT, seen) is None
    assert write(table, newer, [Write("data", {"fence": newer.fence})])


def test_a_lock_that_is_released_while_it_is_broken_was_not_broken(table: Clocked) -> None:
    table.before = [table.take("a", "policies")]
    assert table.locks("x").break_lock(ROOT, table.before[0].fence) is None


def test_a_lost_answer_does_not_hide_what_was_broken(table: Clocked) -> None:
    lease = table.take("a", "policies")
    table.lost = 1
    broken = table.locks("x").break_lock(ROOT, lease.fence)
    assert broken is not None
    assert broken.owner == "a"


def test_the_line_moves_on_to_the_first_that_waits(table: Clocked) -> None:
    lease = table.take("a", "policies")
    waits(table, "first", "policies", "1")
    table.ms += 2_000
    waits(table, "second", "policies")
    _, waiting = table.locks("x").show(ROOT)
    assert waiting == [
        Waiting(("policies", "1"), "first", 2, 18),
        Waiting(("policies",), "second", 0, 20),
    ]
    table.locks("x").break_lock(ROOT, lease.fence)
    with pytest.raises(LockTimeoutError, match="first has waited"):
        table.locks("second").acquire(ROOT, ("policies",), wait_seconds=0)
    assert table.locks("first").attempt(ROOT, ("policies", "1")) is not None
