"""Every job ends: done, failed with a reason, handed over; a bug is a dead letter, too (D6)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fakes.documents import Office, record

from uring.documents.jobs import JobStatus
from uring.documents.messages import MOST_PARTS, JobMessage
from uring.documents.worker import MOST_RECEIVES
from uring.errors import (
    CorruptState,
    InvalidRequest,
    MalformedMessage,
    Misconfigured,
    NewerRelease,
    Unavailable,
    WriteConflict,
)
from uring.locks import LeaseLost, LockTimeoutError, WorkFailed

PAGE = "page-1"
SECRET = "of the inside"


@pytest.fixture
def office() -> Office:
    return Office()


def submitted(office: Office) -> JobMessage:
    office.upload(PAGE, "a", "one")
    message = office.job(1, PAGE, "policy", source="a")
    office.jobs.submit(message)
    office.queue.take()
    return message


def run(
    office: Office,
    message: JobMessage,
    *,
    receive_count: int = 1,
    time_left: Callable[[], float] = lambda: 900,
) -> list[Any]:
    """One invocation; return what comes back to the queue."""
    event = {"Records": [record(message, receive_count)]}
    failures: list[Any] = office.worker.run(event, time_left=time_left)["batchItemFailures"]
    return failures


def status_of(office: Office, message: JobMessage) -> JobStatus:
    status = office.jobs.read(message.job)
    assert status is not None
    return status


def failing(office: Office, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(office.operations, "run", fail)


def test_a_bug_is_tried_again_then_fails_its_job_and_is_a_dead_letter(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = submitted(office)
    failing(office, monkeypatch, ValueError(SECRET))
    for receive_count in range(1, MOST_RECEIVES):
        assert len(run(office, message, receive_count=receive_count)) == 1
        status = status_of(office, message)
        assert status.state == "running"
        assert SECRET not in status.activity
    assert office.returned.rejected == []
    assert run(office, message, receive_count=MOST_RECEIVES) == []
    assert len(office.returned.rejected) == 1
    status = status_of(office, message)
    assert status.error is not None
    assert (status.state, status.error["code"]) == ("failed", "ValueError")
    assert SECRET not in json.dumps(status.error)
    assert status.error["trace"][-1].startswith("fail:")


@pytest.mark.parametrize(
    "error",
    [
        Unavailable("no answer"),
        WriteConflict("others"),
        Misconfigured("no table"),
        NewerRelease("schema 2"),
        LockTimeoutError(PAGE, (), None),
        LeaseLost("over"),
        WorkFailed(PAGE, "Unavailable", "no answer"),
    ],
)
def test_what_may_succeed_later_is_tried_for_an_hour_and_is_no_dead_letter(
    office: Office, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    message = submitted(office)
    failing(office, monkeypatch, error)
    for _ in range(6):
        for receive_count in range(1, MOST_RECEIVES + 1):
            run(office, message, receive_count=receive_count)
            assert status_of(office, message).state == "running"
            office.clock.advance(minutes=2)
    assert status_of(office, message).activity.startswith("waits for another try: ")
    office.clock.advance(minutes=20)
    assert run(office, message) == []
    status = status_of(office, message)
    assert status.error is not None
    assert status.state == "failed"
    assert office.returned.rejected == []
    assert office.returned.renewed != []


def test_a_failure_that_was_shared_is_told_by_the_name_of_its_cause(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = submitted(office)
    failing(office, monkeypatch, WorkFailed(PAGE, "CapReached", "5 dollars"))
    office.clock.advance(hours=2)
    run(office, message)
    error = status_of(office, message).error
    assert error is not None
    assert error["code"] == "CapReached"


def test_a_job_whose_worker_dies_again_and_again_fails_and_rings(office: Office) -> None:
    message = submitted(office)
    assert run(office, message, receive_count=MOST_RECEIVES + 1) == []
    error = status_of(office, message).error
    assert error is not None
    assert error["code"] == "WorkerDied"
    assert len(office.returned.rejected) == 1
    assert office.reader.calls == 0


def test_what_can_never_succeed_is_no_dead_letter(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = submitted(office)
    failing(office, monkeypatch, CorruptState("page-1:policy:a: etag: clear the page"))
    assert run(office, message) == []
    error = status_of(office, message).error
    assert error is not None
    assert error["detail"].endswith("clear the page")
    assert office.returned.rejected == []


def test_a_job_that_ended_or_that_nobody_knows_is_not_done(office: Office) -> None:
    message = submitted(office)
    office.jobs.fail(message.job, "NoText", "none", [])
    assert run(office, message) == []
    assert run(office, office.job(2, PAGE, "policy", source="a")) == []
    assert office.reader.calls == 0
    assert status_of(office, message).state == "failed"


def test_a_job_is_under_way_before_it_reads_its_input(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then an equal request shares it: what its caller has uploaded is read."""
    message = submitted(office)
    states, head = list[str](), office.bucket.head

    def read(key: str) -> Any:
        states.append(status_of(office, message).state)
        return head(key)

    monkeypatch.setattr(office.bucket, "head", read)
    run(office, message)
    assert set(states) == {"running"}


@pytest.mark.parametrize(("seconds", "least", "most"), [(0, 1, 1), (1, 6, 7), (4, 20, 21)])
def test_progress_is_noted_every_few_seconds_and_a_new_activity_at_once(
    office: Office, monkeypatch: pytest.MonkeyPatch, seconds: int, least: int, most: int
) -> None:
    """What is kept of an earlier try takes no time: it is not written piece by piece."""
    begun: list[str] = []
    message = submitted(office)
    office.upload(PAGE, "a", "\n\n".join(f"{n}" for n in range(20)))
    monkeypatch.setattr(office.jobs, "begin", lambda _job, activity: begun.append(activity))
    monkeypatch.setattr(office.jobs, "spent", lambda *_: office.clock.advance(seconds))
    run(office, message.model_copy(update={"language": "en"}))
    assert begun[:2] == ["starting", "extracting a"]
    assert begun[2] == "translating a into en: 0 of 20"
    assert least <= len(begun) - 2 <= most


def test_a_refresh_has_no_status_and_is_done_all_the_same(office: Office) -> None:
    office.upload(PAGE, "a", "one")
    message = office.job(1, PAGE, "refresh", source="a")
    assert run(office, message) == []
    assert office.reader.calls == 1
    assert office.jobs.read(message.job) is None


def test_an_end_whose_answer_is_lost_is_not_done_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = submitted(office)
    finish = office.jobs.finish

    def lost(job: str, result: dict[str, Any]) -> None:
        finish(job, result)
        raise Unavailable("no answer")

    monkeypatch.setattr(office.jobs, "finish", lost)
    assert len(run(office, message)) == 1
    assert status_of(office, message).state == "done"
    assert run(office, message, receive_count=2) == []
    assert office.reader.calls == 1
    assert status_of(office, message).state == "done"


def test_a_job_that_never_fits_into_its_invocations_fails_in_the_end(office: Office) -> None:
    message = submitted(office)

    def short() -> Callable[[], float]:
        left = iter([900.0])
        return lambda: next(left, 10.0)

    for _ in range(MOST_PARTS):
        assert run(office, message, time_left=short()) == []
        waiting = office.queue.take()
        if not waiting:
            break
        message = JobMessage.parse(waiting[0].body())
    assert message.part == MOST_PARTS - 1
    status = status_of(office, message)
    assert status.error is not None
    assert (status.state, status.error["code"]) == ("failed", "OutOfTime")


def test_a_handing_over_that_is_not_answered_is_tried_again_and_loses_nothing(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = submitted(office)
    left = iter([900.0])

    def lost(_: Any) -> None:
        raise Unavailable("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(office.queue, "send", lost)
        assert len(run(office, message, time_left=lambda: next(left, 10.0))) == 1
    assert run(office, message, receive_count=2) == []
    assert status_of(office, message).state == "done"


@pytest.mark.parametrize(
    "change",
    [
        {"page": "a:b"},
        {"page": "job"},
        {"page": "a#b"},
        {"page": "x" * 129},
        {"source": None},
        {"source": "a/b"},
        {"language": "tlh"},
        {"language": "../en"},
        {"operation": "drop"},
        {"job": "1"},
        {"part": -1},
        {"submitted_at": "today"},
    ],
)
def test_a_message_that_breaks_its_contract_is_a_dead_letter_and_changes_nothing(
    office: Office, change: dict[str, Any]
) -> None:
    message = submitted(office)
    odd = record(message)
    odd["body"] = json.dumps({**json.loads(odd["body"]), **change})
    answer = office.worker.run({"Records": [odd]}, time_left=lambda: 900)
    assert answer == {"batchItemFailures": []}
    ((_, error),) = office.returned.rejected
    assert isinstance(error, MalformedMessage)
    assert status_of(office, message).state == "submitted"


def test_a_write_that_the_table_refuses_as_invalid_fails_the_job_at_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no outage: an hour of tries would end in the same refusal."""
    message = submitted(office)
    transact = office.table.transact

    def refuse(partition: str, parts: Any) -> bool:
        if any(part.key == "policy:a" for part in parts):
            raise InvalidRequest("dynamodb:TransactWriteItems: ValidationException; change it")
        return transact(partition, parts)

    monkeypatch.setattr(office.table, "transact", refuse)
    assert run(office, message) == []
    status = status_of(office, message)
    assert (status.state, status.error and status.error["code"]) == ("failed", "InvalidRequest")
    assert office.returned.deferred == office.returned.rejected == []
