"""Jobs over HTTP: submitted at once, asked for, gone a while after they were read."""

from typing import Any

import pytest
from fakes.document_api import PAGE, ApiWorld

from uring.documents.messages import JobMessage

PATH = f"/api/v1/pages/{PAGE}/jobs"


@pytest.fixture
def world() -> ApiWorld:
    return ApiWorld()


@pytest.mark.parametrize(
    "body",
    [
        {"operation": "policies"},
        {"operation": "policy", "source": "leave.pdf"},
        {"operation": "policy", "source": "leave.pdf", "language": "ko"},
        {"operation": "issues"},
        {"operation": "clear"},
    ],
)
def test_a_job_is_submitted_and_can_be_asked_for(world: ApiWorld, body: dict[str, str]) -> None:
    reply = world.post(PATH, body)
    assert reply.status == 202
    job = reply.json
    assert reply.headers["Location"] == f"/api/v1/jobs/{job['id']}"
    assert (job["state"], job["page"], job["result"], job["error"]) == (
        "submitted",
        PAGE,
        None,
        None,
    )
    (message,) = world.queue.receive(10)
    sent = JobMessage.parse(message.body)
    assert (sent.job, sent.page, sent.operation) == (job["id"], PAGE, body["operation"])
    assert (sent.source, sent.language) == (body.get("source"), body.get("language"))
    asked = world.get(reply.headers["Location"])
    assert (asked.status, asked.json, asked.headers["Cache-Control"]) == (200, job, "no-store")


def test_two_requests_are_two_jobs(world: ApiWorld) -> None:
    ids = {world.post(PATH, {"operation": "issues"}).json["id"] for _ in range(2)}
    assert len(ids) == 2


def test_what_became_of_a_job_is_told_until_a_while_after(world: ApiWorld) -> None:
    done, failed = (world.post(PATH, {"operation": "issues"}).json["id"] for _ in range(2))
    world.jobs.begin(done, "analysing: 1 of 2")
    assert world.get(f"/api/v1/jobs/{done}").json["activity"] == "analysing: 1 of 2"
    world.jobs.finish(done, {"findings": 3})
    world.jobs.fail(failed, "CapReached", "no money left", [])
    assert world.get(f"/api/v1/jobs/{done}").json["result"] == {"findings": 3}
    assert world.get(f"/api/v1/jobs/{failed}").json["error"]["code"] == "CapReached"
    world.clock.advance(minutes=11)
    assert world.get(f"/api/v1/jobs/{done}").status == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"operation": "refresh", "source": "leave.pdf"},
        {"operation": "policy"},
        {"operation": "policy", "source": "../x"},
        {"operation": "policy", "source": "leave.pdf", "language": "klingon"},
        {"operation": "issues", "language": "ko"},
        {"operation": "clear", "source": "leave.pdf"},
        {"operation": "clear", "page": "other"},
        [],
        None,
    ],
)
def test_what_is_no_job_is_not_submitted(world: ApiWorld, body: Any) -> None:
    reply = world.post(PATH, body)
    assert (reply.status, bool(reply.json["errors"])) == (422, True)
    assert not world.queue.receive(1)
    assert not world.table.items


def test_a_job_that_never_was_is_not_found(world: ApiWorld) -> None:
    assert world.get(f"/api/v1/jobs/{world.new_id()}").status == 404
    assert world.get("/api/v1/jobs/x").status == 422
    assert world.get("/api/v1/jobs").status == 404
