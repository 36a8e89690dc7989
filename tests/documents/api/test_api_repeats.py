"""The same request again is done once: edits, jobs, Idempotency-Key (RFC 9110, 13.1.1)."""

from collections.abc import Sequence
from typing import Any

import pytest
from fakes.document_api import PAGE, ApiWorld, Reply, issue_path

from uring.documents.names import ISSUES_LOCK, issue_lock
from uring.documents.store.issues import StoredIssue
from uring.errors import Unavailable
from uring.tables import Part

JOBS_PATH = f"/api/v1/pages/{PAGE}/jobs"
EDITS = [
    ("classify", {"severity": "high"}),
    ("classify", {"severity": "low"}),
    ("annotate", {"notes": "mine"}),
    ("transition", {"state": "resolved"}),
]


@pytest.fixture
def world() -> ApiWorld:
    return ApiWorld()


class Lossy:
    """Lets the n-th call of the table or the queue fail, after or before it is done."""

    def __init__(self, world: ApiWorld, number: int, *, is_done: bool) -> None:
        self.left, self.is_done = number, is_done
        self._get, self._transact = world.table.get, world.table.transact
        self._send = world.jobs._queue.send  # noqa: SLF001
        world.table.get = self.get  # type: ignore[method-assign]
        world.table.transact = self.transact  # type: ignore[method-assign]
        world.jobs._queue.send = self.send  # type: ignore[method-assign] # noqa: SLF001

    def get(self, partition: str, key: str) -> Any:
        return self._called(lambda: self._get(partition, key))

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        return bool(self._called(lambda: self._transact(partition, parts)))

    def send(self, messages: Any) -> None:
        self._called(lambda: self._send(messages))

    def _called(self, call: Any) -> Any:
        self.left -= 1
        if self.left:
            return call()
        if self.is_done:
            call()
        raise Unavailable("no answer")


def edit(world: ApiWorld, issue: StoredIssue, name: str, body: Any, **headers: str) -> Reply:
    return world.post(issue_path(issue, name), body, **{"if_match": '"v1"', **headers})


def history(world: ApiWorld, issue: StoredIssue) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.get(f"{issue_path(issue)}/history").json["edits"]
    return found


@pytest.mark.parametrize(("name", "body"), EDITS)
@pytest.mark.parametrize("is_done", [True, False])
def test_an_edit_whose_answer_was_lost_at_any_call_is_done_once(
    name: str, body: Any, *, is_done: bool
) -> None:
    for number in range(1, 30):
        world = ApiWorld()
        issue = world.find()
        lossy = Lossy(world, number, is_done=is_done)
        first = edit(world, issue, name, body)
        if lossy.left > 0:
            break
        # The lock of a dead request expires.
        world.clock.advance(minutes=3)
        again = first if first.status == 200 else edit(world, issue, name, body)
        assert (again.status, again.headers["ETag"]) == (200, '"v2"'), number
        assert [each["what"] for each in history(world, issue)] == [name]
    assert number > 5


@pytest.mark.parametrize("headers", [{}, {"idempotency_key": "k1"}])
@pytest.mark.parametrize("is_done", [True, False])
def test_a_job_whose_answer_was_lost_at_any_call_is_done_once(
    headers: dict[str, str], *, is_done: bool
) -> None:
    body = {"operation": "policy", "source": "leave.pdf"}
    for number in range(1, 30):
        world = ApiWorld()
        lossy = Lossy(world, number, is_done=is_done)
        first = world.post(JOBS_PATH, body, **headers)
        if lossy.left > 0:
            break
        again = world.post(JOBS_PATH, body, **headers)
        assert (first.status, again.status) == (503, 202), number
        assert len(world.queue.receive(10)) == 1
        assert len([key for _, key in world.table.items if not key.startswith("open:")]) == 1
    assert number > 2


@pytest.mark.parametrize(("name", "body"), EDITS[1:])
def test_the_same_edit_of_a_version_before_is_answered_with_the_newest(
    world: ApiWorld, name: str, body: Any
) -> None:
    issue = world.find()
    assert edit(world, issue, name, body).headers["ETag"] == '"v2"'
    assert edit(world, issue, name, body).headers["ETag"] == '"v2"'
    other = "notes" if name != "annotate" else "severity"
    said = {"notes": {"notes": "of another"}, "severity": {"severity": "critical"}}[other]
    world.post(
        issue_path(issue, "annotate" if other == "notes" else "classify"), said, if_match="*"
    )
    again = edit(world, issue, name, body)
    assert (again.status, again.headers["ETag"]) == (200, '"v3"')


def test_an_edit_that_another_one_has_overwritten_is_not_done_again(world: ApiWorld) -> None:
    issue = world.find()
    edit(world, issue, "annotate", {"notes": "mine"})
    edit(world, issue, "annotate", {"notes": "yours"}, if_match='"v2"')
    assert edit(world, issue, "annotate", {"notes": "mine"}).status == 412
    assert world.get(issue_path(issue)).json["notes"] == "yours"


def test_a_transition_to_the_state_that_it_has_is_done(world: ApiWorld) -> None:
    for state in ("open", "resolved", "archived"):
        issue = world.find(state, state=state)
        reply = edit(world, issue, "transition", {"state": state}, if_match='"v0"')
        assert (reply.status, reply.json["state"], reply.headers["ETag"]) == (200, state, '"v1"')
        assert history(world, issue) == []


class TestKeys:
    """Idempotency-Key on edits."""

    def test_a_request_is_known_again_after_others(self, world: ApiWorld) -> None:
        issue = world.find()
        edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key='"k1"')
        edit(world, issue, "annotate", {"notes": "yours"}, if_match='"v2"')
        again = edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key="k1")
        assert (again.status, again.json["notes"]) == (200, "yours")
        assert again.headers["ETag"] == '"v3"'

    @pytest.mark.parametrize(
        ("name", "body"), [("annotate", {"notes": "x"}), ("classify", {"severity": "low"})]
    )
    def test_another_request_with_its_key_is_refused(
        self, world: ApiWorld, name: str, body: Any
    ) -> None:
        issue = world.find()
        edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key="k1")
        reply = edit(world, issue, name, body, if_match="*", idempotency_key="k1")
        assert (reply.status, [*reply.json["errors"]]) == (422, ["header.idempotency-key"])
        assert world.get(issue_path(issue)).json["notes"] == "mine"

    def test_a_key_is_of_one_issue(self, world: ApiWorld) -> None:
        for name in ("one", "two"):
            reply = edit(world, world.find(name), "annotate", {"notes": name}, idempotency_key="k")
            assert (reply.status, reply.json["notes"]) == (200, name)

    def test_it_is_kept_with_the_newest_fifty_edits(self, world: ApiWorld) -> None:
        issue = world.find()
        edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key="k1")
        for number in range(49):
            world.post(issue_path(issue, "annotate"), {"notes": f"{number}"}, if_match="*")
        assert len(history(world, issue)) == 50
        again = edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key="k1")
        assert again.status == 200
        world.post(issue_path(issue, "annotate"), {"notes": "50"}, if_match="*")
        assert len(history(world, issue)) == 50
        again = edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key="k1")
        assert again.status == 412

    @pytest.mark.parametrize(("key", "status"), [("k1", 409), ("k2", 423), ("", 423)])
    def test_the_same_request_under_way_is_a_conflict(
        self, world: ApiWorld, key: str, status: int
    ) -> None:
        """Its own first try holds the lock of the issue."""
        issue = world.find()
        acquire = world.locks.acquire

        def dies(*args: Any, **more: Any) -> Any:
            acquire(*args, **more)
            raise Unavailable("the function died")

        world.locks.acquire = dies  # type: ignore[method-assign]
        first = edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key="k1")
        world.locks.acquire = acquire  # type: ignore[method-assign]
        assert first.status == 503
        headers = {"idempotency_key": key} if key else {}
        again = edit(world, issue, "annotate", {"notes": "mine"}, **headers)
        assert (again.status, again.headers["Retry-After"]) == (status, "10")

    @pytest.mark.parametrize(
        "key", ["", '""', '"', 'a"b', "a b", "k" * 129, "키", "\x07", '"a\\b"']
    )
    def test_a_malformed_key_is_refused(self, world: ApiWorld, key: str) -> None:
        issue = world.find()
        reply = edit(world, issue, "annotate", {"notes": "mine"}, idempotency_key=key)
        assert reply.status == 422
        reply = world.post(JOBS_PATH, {"operation": "issues"}, idempotency_key=key)
        assert reply.status == 422
        assert not world.queue.receive(1)


class TestJobs:
    """Equal jobs of a page."""

    def test_equal_requests_are_one_job_until_it_starts(self, world: ApiWorld) -> None:
        ids = {world.post(JOBS_PATH, {"operation": "issues"}).json["id"] for _ in range(3)}
        (first,) = ids
        world.jobs.begin(first, "analysing")
        assert len(world.queue.receive(10)) == 1
        assert world.post(JOBS_PATH, {"operation": "issues"}).json["id"] != first

    def test_other_work_is_another_job(self, world: ApiWorld) -> None:
        bodies: list[dict[str, str]] = [
            {"operation": "issues"},
            {"operation": "policies"},
            {"operation": "policy", "source": "a"},
            {"operation": "policy", "source": "a", "language": "ko"},
            {"operation": "policy", "source": "b"},
        ]
        replies = [world.post(JOBS_PATH, body) for body in bodies]
        replies.append(world.post("/api/v1/pages/other/jobs", {"operation": "issues"}))
        assert len({reply.json["id"] for reply in replies}) == 6

    def test_a_key_names_a_job_also_after_its_end(self, world: ApiWorld) -> None:
        first = world.post(JOBS_PATH, {"operation": "issues"}, idempotency_key="k1").json["id"]
        world.jobs.finish(first, {"findings": 1})
        again = world.post(JOBS_PATH, {"operation": "issues"}, idempotency_key='"k1"')
        assert (again.status, again.json["id"], again.json["state"]) == (202, first, "done")
        other = world.post(JOBS_PATH, {"operation": "issues"}, idempotency_key="k2")
        assert other.json["id"] != first

    def test_a_key_of_another_job_is_refused(self, world: ApiWorld) -> None:
        world.post(JOBS_PATH, {"operation": "issues"}, idempotency_key="k1")
        reply = world.post(JOBS_PATH, {"operation": "clear"}, idempotency_key="k1")
        assert (reply.status, [*reply.json["errors"]]) == (422, ["header.idempotency-key"])
        other = world.post("/api/v1/pages/other/jobs", {"operation": "clear"}, idempotency_key="k1")
        assert other.status == 202

    def test_a_job_that_no_worker_has_touched_for_long_is_sent_again(self, world: ApiWorld) -> None:
        """Its message may be lost; the job goes on where it was."""
        body = {"operation": "issues"}
        first = world.post(JOBS_PATH, body, idempotency_key="k1").json["id"]
        world.jobs.begin(first, "analysing")
        assert len(world.queue.receive(10)) == 1
        for minutes, sent in ((19, 1), (2, 2)):
            world.clock.advance(minutes=minutes)
            assert world.post(JOBS_PATH, body, idempotency_key="k1").json["id"] == first
            assert len(world.queue.accepted) == sent


class TestCallers:
    """Who did it."""

    def test_edits_and_jobs_say_who_asked(self, world: ApiWorld) -> None:
        issue = world.find()
        edit(world, issue, "classify", {"severity": "low"})
        world.caller = "arn:aws:sts::123456789012:assumed-role/operators/kim"
        edit(world, issue, "annotate", {"notes": "secret"}, if_match='"v2"')
        edit(world, issue, "transition", {"state": "archived"}, if_match='"v3"')
        assert world.post(JOBS_PATH, {"operation": "issues"}).json["by"] == world.caller
        said = [
            (each["by"][-6:], each["what"], each["before"], each["after"])
            for each in history(world, issue)
        ]
        assert said == [
            ("rs/kim", "transition", "open", "archived"),
            ("rs/kim", "annotate", "0 characters", "6 characters"),
            ("editor", "classify", "high", "low"),
        ]
        assert all(each["at"] for each in history(world, issue))

    def test_an_unknown_issue_has_no_history(self, world: ApiWorld) -> None:
        gone = StoredIssue.model_validate(
            {**world.find().model_dump(), "id": world.new_id(), "history": ()}
        )
        assert world.get(f"{issue_path(gone)}/history").status == 404

    @pytest.mark.parametrize(
        "caller", [None, 7, {"a": 1}, "", "x" * 5_000, "arn\x1b[31m", "arn\u202e", "\ud800"]
    )
    def test_a_strange_caller_is_no_fault(self, world: ApiWorld, caller: Any) -> None:
        world.caller = caller
        issue = world.find()
        assert edit(world, issue, "classify", {"severity": "low"}).status == 200
        (found,) = history(world, issue)
        assert found["by"].isprintable()
        assert len(found["by"]) <= 512


def test_a_lock_of_all_issues_is_no_request_of_one_s_own(world: ApiWorld) -> None:
    issue = world.find()
    assert issue_lock(issue.id)[: len(ISSUES_LOCK)] == ISSUES_LOCK
    world.locks.acquire(PAGE, ISSUES_LOCK, wait_seconds=0, what="apply")
    reply = edit(world, issue, "classify", {"severity": "low"}, idempotency_key="k1")
    assert (reply.status, reply.json["holder"]) == (423, "apply")
