"""Statuses of jobs: read once more, kept a day, and never back from an end (D6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

import pytest
from fakes.documents import Office
from fakes.tables import MemoryTable

from uring.documents.jobs import Jobs
from uring.documents.messages import Operation
from uring.documents.names import JOBS
from uring.errors import Unavailable, WriteConflict
from uring.tables import Item, Part, Write

PAGE = "page-1"


@pytest.fixture
def office() -> Office:
    return Office()


def _nothing() -> None: ...


@dataclass
class FlakyTable(MemoryTable):
    """A table that calls back before each transaction, and may lose an answer."""

    before: Callable[[], None] = _nothing
    is_lost: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        before, self.before = self.before, _nothing
        before()
        is_written = super().transact(partition, parts)
        if self.is_lost:
            self.is_lost = False
            raise Unavailable("no answer")
        return is_written


@dataclass
class Held:
    """Jobs over a flaky table."""

    table: FlakyTable
    jobs: Jobs


@pytest.fixture
def held(office: Office) -> Held:
    table = FlakyTable()
    return Held(table, Jobs(table, office.queue, clock=office.clock))


def test_a_job_that_nobody_reads_is_there_for_a_day(office: Office) -> None:
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    office.clock.advance(hours=24, seconds=-1)
    assert office.jobs.read(message.job) is not None
    office.clock.advance(1)
    assert office.jobs.read(message.job) is None
    assert not office.jobs.is_open(message.job)


def test_a_result_can_be_read_again_for_ten_minutes_from_the_first_time(office: Office) -> None:
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    office.jobs.finish(message.job, {"policies": 3})
    for minutes in (5, 4):
        status = office.jobs.read(message.job)
        assert status is not None
        assert status.result == {"policies": 3}
        office.clock.advance(minutes=minutes)
    assert office.jobs.read(message.job) is not None
    office.clock.advance(minutes=1)
    assert office.jobs.read(message.job) is None


def test_reading_a_job_under_way_does_not_shorten_its_life(office: Office) -> None:
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    office.jobs.begin(message.job, "extracting a")
    office.jobs.read(message.job)
    office.clock.advance(hours=23)
    status = office.jobs.read(message.job)
    assert status is not None
    assert (status.state, status.activity) == ("running", "extracting a")


def test_an_answer_that_is_lost_while_reading_is_asked_for_again(
    office: Office, held: Held
) -> None:
    message = office.job(1, PAGE, "policies")
    held.jobs.submit(message)
    held.jobs.finish(message.job, {"policies": 3})
    held.table.is_lost = True
    with pytest.raises(Unavailable):
        held.jobs.read(message.job)
    status = held.jobs.read(message.job)
    assert status is not None
    assert status.result == {"policies": 3}


@pytest.mark.parametrize("end", ["done", "failed"])
def test_a_job_never_goes_back_from_its_end(office: Office, end: str) -> None:
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    if end == "done":
        office.jobs.finish(message.job, {"policies": 3})
    else:
        office.jobs.fail(message.job, "NoText", "none", [])
    before = office.table.get(JOBS, message.job)
    office.jobs.begin(message.job, "again")
    office.jobs.finish(message.job, {})
    office.jobs.fail(message.job, "Late", "late", [])
    office.jobs.spent(message.job, 5)
    assert office.jobs.submit(message).state == end
    assert office.table.get(JOBS, message.job) == before


def test_an_end_that_comes_between_read_and_write_stays(office: Office, held: Held) -> None:
    message = office.job(1, PAGE, "policies")
    held.jobs.submit(message)
    held.table.before = lambda: held.jobs.finish(message.job, {})
    held.jobs.begin(message.job, "still at it")
    status = held.jobs.read(message.job)
    assert status is not None
    assert status.state == "done"


def test_writers_that_never_let_one_through_are_a_conflict(office: Office, held: Held) -> None:
    message = office.job(1, PAGE, "policies")
    held.jobs.submit(message)
    numbers = count(1)

    def others() -> None:
        item = held.table.items[JOBS, message.job]
        held.table.items[JOBS, message.job] = {**item, "activity": f"{next(numbers)}"}
        held.table.before = others

    held.table.before = others
    with pytest.raises(WriteConflict):
        held.jobs.begin(message.job, "x")


def test_a_job_is_noted_before_it_is_sent_and_sent_again_where_that_failed(
    office: Office, held: Held
) -> None:
    message = office.job(1, PAGE, "policies")
    held.table.is_lost = True
    with pytest.raises(Unavailable):
        held.jobs.submit(message)
    assert office.queue.sent == {}
    assert held.jobs.is_open(message.job)
    assert held.jobs.submit(message).state == "submitted"
    assert [*office.queue.sent] == [message.name]


def test_one_that_expired_and_was_not_removed_yet_is_submitted_anew(office: Office) -> None:
    """DynamoDB removes it days later; without a status the worker would drop the message."""
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    office.jobs.finish(message.job, {"policies": 0})
    office.clock.advance(days=2)
    later = message.model_copy(update={"submitted_at": office.clock(), "cause": "later"})
    assert office.jobs.submit(later).state == "submitted"
    assert office.jobs.is_open(message.job)
    office.work()
    status = office.jobs.read(message.job)
    assert status is not None
    assert status.state == "done"


def test_what_a_job_spent_adds_up_and_leaves_nothing_of_one_that_is_gone(office: Office) -> None:
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    office.jobs.spent(message.job, 3)
    office.jobs.spent(message.job, 4)
    status = office.jobs.read(message.job)
    assert status is not None
    assert status.cost_micros == 7
    office.table.transact(JOBS, [Write(message.job, None)])
    office.jobs.spent(message.job, 5)
    assert office.table.get(JOBS, message.job) is None


def test_long_words_are_cut_where_they_are_stored(office: Office) -> None:
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    office.jobs.begin(message.job, "x" * 5_000)
    office.jobs.fail(message.job, "Long", "y" * 50_000, ["f:1"] * 500)
    status = office.jobs.read(message.job)
    assert status is not None
    assert status.error is not None
    assert len(status.error["detail"]) == 2_000
    assert len(status.error["trace"]) == 20


def test_of_two_equal_requests_at_once_one_makes_the_job(office: Office, held: Held) -> None:
    """The second comes between the first one's look and its write."""
    first, second = (office.job(number, PAGE, "policies") for number in (1, 2))
    held.table.before = lambda: held.jobs.submit(second, is_shared=True)  # type: ignore[assignment, return-value]
    assert held.jobs.submit(first, is_shared=True).id == second.job
    assert held.table.get(JOBS, first.job) is None
    assert [message.job for message in office.queue.sent.values()] == [second.job]  # type: ignore[attr-defined]


def test_a_shared_job_that_expired_is_no_answer(office: Office) -> None:
    """DynamoDB removes the status and its note days later."""
    first, second = (office.job(number, PAGE, "policies") for number in (1, 2))
    office.jobs.submit(first, is_shared=True)
    office.clock.advance(days=1)
    assert office.jobs.submit(second, is_shared=True).id == second.job


@pytest.mark.parametrize("note", [{}, {"job": 7}, {"job": "x"}, {"job": None, "later": 1}])
def test_a_note_that_names_no_job_is_overwritten(office: Office, note: Item) -> None:
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message, is_shared=True)
    ((key, _),) = office.table.query(JOBS, "open:")
    office.table.transact(JOBS, [Write(key, {**note, "expires_at": 1})])
    again = office.job(2, PAGE, "policies")
    assert office.jobs.submit(again, is_shared=True).id == again.job
    stored = office.table.get(JOBS, key)
    assert stored is not None
    assert stored["job"] == again.job


@pytest.mark.parametrize(
    "damage", [{"state": "weird"}, {"schema_version": 2}, {"cost_micros": "x"}]
)
def test_a_shared_job_that_cannot_be_read_refuses_no_request(office: Office, damage: Item) -> None:
    """Malformed, or of a newer release: the request is a new job, which later ones share."""
    first, second, third = (office.job(number, PAGE, "issues") for number in (1, 2, 3))
    office.jobs.submit(first, is_shared=True)
    item = office.table.get(JOBS, first.job) or {}
    office.table.transact(JOBS, [Write(first.job, {**item, **damage})])
    assert office.jobs.submit(second, is_shared=True).id == second.job
    assert office.jobs.submit(third, is_shared=True).id == second.job
    assert office.table.get(JOBS, first.job) == {**item, **damage}


@pytest.mark.parametrize("operation", ["policies", "issues", "clear"])
def test_a_job_under_way_is_not_shared_and_the_next_one_is(
    office: Office, operation: Operation
) -> None:
    """It may have read what the caller has changed since."""
    first, second, third = (office.job(number, PAGE, operation) for number in (1, 2, 3))
    office.jobs.submit(first, is_shared=True)
    office.jobs.begin(first.job, "clearing")
    assert office.jobs.submit(second, is_shared=True).id == second.job
    assert office.jobs.submit(third, is_shared=True).id == second.job
