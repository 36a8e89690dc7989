"""Turns at a host: few at once, none too soon after another, and nobody waits for nothing."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from uring.errors import FetchFailed
from uring.fetch import host_locks
from uring.fetch.host_locks import HostLocks


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Asking:
    """Threads that ask one host, and stay with it until they are let go."""

    def __init__(self, locks: HostLocks, pool: ThreadPoolExecutor) -> None:
        self._locks = locks
        self._pool = pool
        self.inside: list[int] = []
        self._go = [threading.Event() for _ in range(10)]
        self._came = threading.Semaphore(0)

    def ask(self, number: int) -> Future[None]:
        return self._pool.submit(self._ask, number)

    def leave(self, number: int) -> None:
        self._go[number].set()

    def came(self) -> None:
        """Return once one more is inside."""
        assert self._came.acquire(timeout=30)

    def _ask(self, number: int) -> None:
        with self._locks.hold("site.test:80", lambda: 60.0):
            self.inside.append(number)
            self._came.release()
            self._go[number].wait(30)


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setattr(host_locks, "GAP_SECONDS", 1.0)
    return Hand()


def until(is_true: Callable[[], bool]) -> None:
    """Wait for something that another thread is about to do."""
    for _ in range(1_000):
        if is_true():
            return
        threading.Event().wait(0.01)
    raise AssertionError


def test_so_many_at_once_and_the_next_when_one_leaves(hand: Hand) -> None:
    locks = HostLocks(2, monotonic=hand)
    with ThreadPoolExecutor(4) as pool:
        asking = Asking(locks, pool)
        for number in range(2):
            asking.ask(number)
            asking.came()
            hand.now += 1
        asking.ask(2)
        until(lambda: locks.waiting("site.test:80") == 1)
        assert asking.inside == [0, 1]
        asking.leave(0)
        asking.came()
        assert asking.inside == [0, 1, 2]
        for number in (1, 2):
            asking.leave(number)


def test_beside_another_none_begins_too_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause is a real one here: a tenth of a second is waited for, and not for the other."""
    hand = Hand()
    locks = HostLocks(3, monotonic=hand)
    monkeypatch.setattr(host_locks, "GAP_SECONDS", 0.01)
    with ThreadPoolExecutor(2) as pool:
        asking = Asking(locks, pool)
        asking.ask(0)
        asking.came()
        asking.ask(1)
        until(lambda: locks.waiting("site.test:80") == 1)
        # It looks again and again, and the clock stands.
        threading.Event().wait(0.05)
        assert asking.inside == [0]
        hand.now += 0.011
        asking.came()
        assert asking.inside == [0, 1]
        for number in (0, 1):
            asking.leave(number)


def test_a_host_that_nobody_asks_is_asked_at_once(hand: Hand) -> None:
    locks = HostLocks(3, monotonic=hand)
    for _ in range(5):
        with locks.hold("site.test:80", lambda: 60.0):
            pass
    assert hand.now == 0


def test_nothing_is_kept_of_idle_hosts_however_many_at_once(hand: Hand) -> None:
    locks = HostLocks(3, monotonic=hand)
    with locks.hold("site.test:80", lambda: 1.0):
        hand.now += 1
        with locks.hold("site.test:80", lambda: 1.0), locks.hold("other.test:80", lambda: 1.0):
            pass
    assert not any(len(kept) for kept in vars(locks).values() if isinstance(kept, (dict, set)))


def test_who_waits_for_a_gap_to_the_deadline_is_told_of_a_busy_host(hand: Hand) -> None:
    def over() -> float:
        raise FetchFailed("timeout", "no time is left")

    locks = HostLocks(3, monotonic=hand)
    with locks.hold("site.test:80", lambda: 1.0), pytest.raises(FetchFailed) as failed:
        locks.hold("site.test:80", over).__enter__()
    assert failed.value.reason == "busy_host"
    assert locks.waiting("site.test:80") == 0
