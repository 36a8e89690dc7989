"""Waits for locks, time-outs and lost leases are counted, and have lines that name the holder."""

from collections.abc import Callable
from typing import Any

import pytest
from fakes.documents import Office

from uring.documents.edits import IssueEditor
from uring.documents.names import issue_lock
from uring.documents.store.issues import IssueStore
from uring.locks import FoundValue, Lease, LeaseLost, Locks, LockTimeoutError, Once
from uring.tables import Part, Write

PAGE = "page-1"
LOCK = ("policies", "a")
BLOCKED = {"page": PAGE, "lock": ["policies"], "holder": "translate", "holder_lock": [*LOCK]}


@pytest.fixture
def office() -> Office:
    return Office()


def others(office: Office) -> Lease:
    """A lock of another process."""
    locks = Locks(office.table, now_ms=office.now_ms, monotonic=lambda: office.now_ms() / 1000)
    lease = locks.attempt(PAGE, LOCK, what="translate")
    assert lease is not None
    return lease


def later(office: Office, seconds: float, action: Callable[[], None]) -> None:
    """Do it at the first wait that ends after these seconds."""
    due = office.now_ms() + seconds * 1000

    def act() -> None:
        if office.now_ms() >= due:
            action()
        else:
            office.waiting.append(act)

    office.waiting.append(act)


class Number:
    """Work that is done at once."""

    def __init__(self, office: Office) -> None:
        self.office = office

    def read(self) -> FoundValue[int] | None:
        return self.office.table.get(PAGE, "number") and FoundValue(1, is_fresh=True)

    def compute(self, lease: Lease) -> int:
        return lease.fence

    def parts(self, value: int, lease: Lease) -> list[Part]:
        return [Write("number", {"number": value, "fence": lease.fence})]


def test_a_wait_is_counted_and_a_long_one_has_a_line(office: Office) -> None:
    later(office, 3, others(office).release)
    office.locks.acquire(PAGE, ("policies",), wait_seconds=60).release()
    counts = office.telemetry.counts
    assert counts["LockWaits"] == 1
    assert 3_000 <= counts["LockWaitMilliseconds"] < 4_000
    (line,) = office.telemetry.named("lock_waited")
    waited = line.pop("waited_seconds")
    assert 3 <= waited < 4
    assert line == {**BLOCKED, "age_seconds": int(waited - 0.3)}


def test_a_short_wait_has_no_line_and_none_is_not_counted(office: Office) -> None:
    office.locks.acquire(PAGE, ("policies",), wait_seconds=60).release()
    assert office.telemetry.counts == {}
    later(office, 0, others(office).release)
    office.locks.acquire(PAGE, ("policies",), wait_seconds=60).release()
    assert office.telemetry.counts["LockWaits"] == 1
    assert office.telemetry.named("lock_waited") == []


@pytest.mark.parametrize("ends", ["by the lock", "by the value"])
def test_a_wait_for_another_s_work_is_counted(office: Office, ends: str) -> None:
    lease, work = others(office), Number(office)
    if ends == "by the value":
        later(office, 3, lambda: assert_done(office.table.transact(PAGE, work.parts(1, lease))))
    else:
        later(office, 3, lease.release)
    Once(office.locks, office.table).get_or_compute(PAGE, LOCK, work, wait_seconds=60)
    assert office.telemetry.counts["LockWaits"] == 1
    assert len(office.telemetry.named("lock_waited")) == 1


def assert_done(done: object) -> None:
    assert done


def test_a_time_out_is_counted_and_names_the_holder(office: Office) -> None:
    others(office)
    with pytest.raises(LockTimeoutError):
        office.locks.acquire(PAGE, ("policies",), wait_seconds=5)
    once = Once(office.locks, office.table)
    with pytest.raises(LockTimeoutError):
        once.get_or_compute(PAGE, LOCK, Number(office), wait_seconds=5)
    assert office.telemetry.counts == {"LockTimeouts": 2}
    first, second = office.telemetry.named("lock_timed_out")
    assert first == {**BLOCKED, "waited_seconds": 5.0, "age_seconds": 5}
    assert second["lock"] == [*LOCK]


def test_a_lost_lease_is_told_once_and_a_released_one_is_not(office: Office) -> None:
    lease = office.locks.attempt(PAGE, LOCK)
    assert lease is not None
    office.clock.advance(126)
    for lost in (lease.ensure, lease.ensure, lease.release):
        try:
            lost()
        except LeaseLost:
            continue
    assert office.telemetry.counts["LeasesLost"] == 1
    (line,) = office.telemetry.named("lease_lost")
    assert line == {"page": PAGE, "lock": [*LOCK], "fence": lease.fence}
    other = office.locks.attempt(PAGE, ())
    assert other is not None
    other.release()
    with pytest.raises(LeaseLost):
        other.ensure()
    assert office.telemetry.counts["LeasesLost"] == 1


def test_a_renewal_in_the_middle_of_a_release_has_lost_nothing(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that renews may come behind the write and before its answer."""
    lease = office.locks.attempt(PAGE, LOCK)
    assert lease is not None
    transact = office.table.transact

    def written(*given: Any) -> bool:
        monkeypatch.setattr(office.table, "transact", transact)
        done = transact(*given)
        for late in (lease.renew, lease.ensure):
            with pytest.raises(LeaseLost):
                late()
        return done

    monkeypatch.setattr(office.table, "transact", written)
    lease.release()
    assert office.telemetry.counts == {}


def test_a_lease_whose_loss_shows_at_its_release_is_told_once(office: Office) -> None:
    lease = office.locks.attempt(PAGE, LOCK)
    assert lease is not None
    office.clock.advance(126)
    others(office)
    for _ in range(2):
        with pytest.raises(LeaseLost):
            lease.release()
    assert office.telemetry.counts == {"LeasesLost": 1}


def test_an_edit_that_another_one_keeps_out_is_counted(office: Office) -> None:
    """In the API it is a 423."""
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.submit(1, PAGE, "issues")
    (issue,) = IssueStore(office.table).all(PAGE)
    office.locks.acquire(PAGE, issue_lock(issue.id), wait_seconds=0, what="annotate")
    editor = IssueEditor(office.table, office.locks, clock=office.clock)
    with pytest.raises(LockTimeoutError):
        editor.classify(PAGE, issue.id, "low", lambda _: True)
    assert office.telemetry.counts["LockTimeouts"] == 1
