"""Who waits for a lock gets it in the order of tickets, in bounded time (D8)."""

from collections.abc import Callable

import pytest
from hall import ROOT, Hall

from uring.locks import LockTimeoutError, Path
from uring.locks.decide import LockRequest, decide
from uring.locks.store import CatalogueChange, CatalogueStore

LEASE = 120
LOOK = 5
"""The longest pause between two looks, and the skew that is allowed for."""


@pytest.fixture
def hall() -> Hall:
    return Hall()


Granted = dict[int, float]


def caller(
    hall: Hall, granted: Granted, number: int, path: Path, *, at: float, holds: float
) -> Callable[[], None]:
    """Come at a time, lock, hold, release; a negative hold is a death."""

    def program() -> None:
        hall.sleep(at)
        lease = hall.locks().acquire(ROOT, path, wait_seconds=1_000)
        granted[number] = hall.seconds
        if holds >= 0:
            hall.sleep(holds)
            lease.release()

    return program


def test_a_lock_of_the_whole_page_is_granted_under_a_stream_of_fine_ones(hall: Hall) -> None:
    """Fifty callers of five paths: at no moment all are free by themselves."""
    granted: Granted = {}
    fine = [
        caller(hall, granted, number, ("p", str(number % 5)), at=number * 0.4, holds=2.0)
        for number in range(1, 50)
    ]
    hall.run([caller(hall, granted, 0, (), at=5.0, holds=1.0), *fine])
    # Twelve came before it, five at a time.
    assert 5 < granted[0] < 5 + 3 * 2 + LOOK
    assert len(granted) == 50


def test_fifty_waiters_of_one_path_get_it_in_the_order_in_which_they_came(hall: Hall) -> None:
    granted: Granted = {}
    hall.run([caller(hall, granted, n, ("p",), at=n * 0.5, holds=0.7) for n in range(1, 51)])
    assert [*granted] == sorted(granted)
    assert max(granted.values()) < 50 * 1.4


def test_a_waiter_does_not_wait_for_earlier_ones_of_paths_beside_it(hall: Hall) -> None:
    granted: Granted = {}
    paths: list[Path] = [("p", "1"), ("p", "1"), ("p", "12")]
    hall.run([caller(hall, granted, n, path, at=n, holds=9) for n, path in enumerate(paths)])
    assert granted[1] > 9
    assert granted[2] < 2.1


def test_a_dead_holder_is_in_the_way_for_a_lease_and_the_skew_alone(hall: Hall) -> None:
    granted: Granted = {}
    waiters = [
        caller(hall, granted, number, ("p", str(number)), at=1, holds=0.1)
        for number in range(1, 11)
    ]
    hall.run([caller(hall, granted, 0, (), at=0, holds=-1), *waiters])
    late = [granted[number] - granted[0] - LEASE for number in range(1, 11)]
    assert min(late) > 5 - 0.1
    assert max(late) < 5 + 2 * LOOK


@pytest.mark.parametrize(
    ("lease", "skew", "ticket"), [(120, 5, 20), (600, 5, 100), (12, 2, 2), (1.2, 0.3, 1)]
)
def test_a_dead_waiter_is_in_the_way_for_its_ticket_and_the_skew_alone(
    hall: Hall, lease: float, skew: float, ticket: float
) -> None:
    granted: Granted = {}
    hall.lease_seconds, hall.skew_seconds = lease, skew
    unit = lease / 120

    def dies() -> None:
        """Take a ticket, and never be heard of again."""
        hall.sleep(unit)
        store = CatalogueStore(hall, lambda: hall.ms, hall.monotonic, hall.sleep, lambda *_: 0)
        request = LockRequest(
            ROOT, (), "dead", "", round(lease * 1000), round(skew * 1000), is_waiting=True
        )
        store.change(
            ROOT,
            lambda view: CatalogueChange(
                decide(view.catalogue, request, view.now_ms).catalogue, None
            ),
        )

    hall.run(
        [
            caller(hall, granted, 0, ("p",), at=0, holds=3 * unit),
            dies,
            caller(hall, granted, 1, ("p", "1"), at=2 * unit, holds=0),
        ]
    )
    assert unit + ticket + skew - 0.1 < granted[1] < unit + ticket + skew + ticket / 4


@pytest.mark.parametrize("lease", [1.2, 12])
def test_no_waiter_loses_its_place_while_it_lives(hall: Hall, lease: float) -> None:
    """Twenty of them wait for many lives of a ticket."""
    granted: Granted = {}
    hall.lease_seconds, hall.skew_seconds = lease, lease / 4
    hall.run(
        [caller(hall, granted, n, ("p",), at=n * lease / 20, holds=lease / 2) for n in range(20)]
    )
    assert [*granted] == sorted(granted)


@pytest.mark.parametrize("waits", [0, 0.5, 30])
def test_a_deadline_is_kept_and_leaves_neither_ticket_nor_lock(hall: Hall, waits: float) -> None:
    granted: Granted = {}
    errors = []

    def late() -> None:
        hall.sleep(0.5)
        with pytest.raises(LockTimeoutError, match="has held page/p for") as caught:
            hall.locks().acquire(ROOT, ("p", "1"), wait_seconds=waits)
        errors.append(caught.value)
        assert waits - 0.01 <= hall.seconds - 0.5 < waits + 0.1

    hall.run([caller(hall, granted, 0, ("p",), at=0.1, holds=60), late])
    (error,) = errors
    assert error.blocker is not None
    assert (error.root, error.path, error.blocker.path) == (ROOT, ("p", "1"), ("p",))
    assert error.blocker.fence is not None
    kept = hall.table.items[ROOT, "locks"]
    assert [name for name in kept if ":" in name] == []
