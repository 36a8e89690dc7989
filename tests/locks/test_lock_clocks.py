"""A clock that is set back, or a machine that is suspended, lengthens no wait and no lease."""

from dataclasses import dataclass, field

import pytest
from fakes.tables import MemoryTable

from uring.locks import FoundValue, Lease, LeaseLost, Locks, LockTimeoutError, Once, write
from uring.tables import Part, Write

ROOT = "page"
PATH = ("policies", "1")
HOUR = 3_600


@dataclass
class Machine:
    """A machine's two clocks; a sleep moves both.

    Attributes:
        set_back: the seconds by which its clock is set back at the first sleep.
    """

    table: MemoryTable = field(default_factory=MemoryTable)
    wall: float = 1_700_000_000
    uptime: float = 50
    set_back: float = 0

    def __post_init__(self) -> None:
        self.locks = Locks(
            self.table,
            now_ms=lambda: round(self.wall * 1000),
            monotonic=lambda: self.uptime,
            sleep=self.sleep,
            jitter=lambda _, most: most,
        )

    def sleep(self, seconds: float) -> None:
        self.wall += seconds - self.set_back
        self.uptime += seconds
        self.set_back = 0

    def take(self) -> Lease:
        lease = self.locks.attempt(ROOT, PATH)
        assert lease is not None
        return lease


class Missing:
    """Work that another process does, and does not end."""

    def read(self) -> FoundValue[int] | None:
        return None

    def compute(self, lease: Lease) -> int:
        raise NotImplementedError

    def parts(self, value: int, lease: Lease) -> list[Part]:
        raise NotImplementedError


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.mark.parametrize("set_back", [HOUR, -30])
def test_a_wait_is_as_long_as_it_was_asked_for(machine: Machine, set_back: float) -> None:
    machine.take()
    began, machine.set_back = machine.uptime, set_back
    with pytest.raises(LockTimeoutError):
        machine.locks.acquire(ROOT, (), wait_seconds=5)
    assert 5 <= machine.uptime - began < 5.1


@pytest.mark.parametrize("set_back", [HOUR, -30])
def test_a_wait_for_another_s_work_is_as_long_as_it_was_asked_for(
    machine: Machine, set_back: float
) -> None:
    machine.take()
    began, machine.set_back = machine.uptime, set_back
    once = Once(machine.locks, machine.table)
    with pytest.raises(LockTimeoutError):
        once.get_or_compute(ROOT, PATH, Missing(), wait_seconds=5)
    assert 5 <= machine.uptime - began < 5.1


@pytest.mark.parametrize("renewals", [0, 1, 3])
def test_a_lease_ends_in_time_though_the_clock_was_set_back(
    machine: Machine, renewals: int
) -> None:
    lease = machine.take()
    machine.set_back = HOUR
    for _ in range(renewals):
        machine.sleep(40)
        lease.renew()
    machine.sleep(114.9)
    assert 0 < lease.seconds_left < 0.2
    machine.sleep(0.2)
    assert lease.seconds_left == 0
    with pytest.raises(LeaseLost):
        write(machine.table, lease, [Write("data", {"fence": lease.fence})])


def test_a_lease_does_not_outlive_the_sleep_of_its_machine(machine: Machine) -> None:
    """The monotonic clock stands while Lambda suspends the process; the other one does not."""
    lease = machine.take()
    machine.wall += 115
    assert lease.seconds_left == 0


def test_a_lock_that_is_found_again_lasts_as_long_as_it_was_given(machine: Machine) -> None:
    """Its first try was written a while ago, and its answer was lost."""
    locks = Locks(
        machine.table,
        now_ms=lambda: round(machine.wall * 1000),
        monotonic=lambda: machine.uptime,
        sleep=machine.sleep,
        jitter=lambda _, most: most,
        name=lambda: "the same",
    )
    assert locks.attempt(ROOT, PATH) is not None
    machine.sleep(50)
    again = locks.attempt(ROOT, PATH)
    assert again is not None
    machine.set_back = HOUR
    machine.sleep(65)
    assert again.seconds_left == 0
