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
    assert reply.headers["Location"] == f"{PATH}/{job['id']}"
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


def test_what_became_of_a_job_is_told_until_a_while_after(world: ApiWorld) -> None:
    done, failed = (
        world.post(PATH, {"operation": "issues"}, idempotency_key=key).json["id"] for key in "ab"
    )
    world.jobs.begin(done, "analysing: 1 of 2")
    assert world.get(f"{PATH}/{done}").json["activity"] == "analysing: 1 of 2"
    world.jobs.finish(done, {"findings": 3})
    world.jobs.fail(failed, "CapReached", "no money left", [])
    assert world.get(f"{PATH}/{done}").json["result"] == {"findings": 3}
    assert world.get(f"{PATH}/{failed}").json["error"]["code"] == "CapReached"
    world.clock.advance(minutes=11)
    assert world.get(f"{PATH}/{done}").status == 404


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
    assert world.get(f"{PATH}/{world.new_id()}").status == 404
    assert world.get(f"/api/v1/jobs/{world.new_id()}").status == 404
    assert world.get("/api/v1/jobs/x").status == 422
    assert world.get("/api/v1/jobs").status == 404


def test_a_job_is_below_its_page(world: ApiWorld) -> None:
    """A policy of IAM for the addresses of a page covers its jobs, and no other page's."""
    job = world.post(PATH, {"operation": "issues"}).json
    assert world.get(f"{PATH}/{job['id']}").json == job
    assert world.get(f"/api/v1/pages/other/jobs/{job['id']}").status == 404


def test_the_old_address_of_a_job_tells_the_new_one(world: ApiWorld) -> None:
    job = world.post(PATH, {"operation": "issues"}).json
    old = world.get(f"/api/v1/jobs/{job['id']}")
    assert (old.status, old.json) == (200, job)
    assert old.headers["Deprecation"].startswith("@")
    assert old.headers["Link"] == f'<{PATH}/{job["id"]}>; rel="successor-version"'


def test_a_job_of_another_page_does_not_age_by_a_read(world: ApiWorld) -> None:
    job = world.post(PATH, {"operation": "issues"}).json["id"]
    world.jobs.finish(job, {})
    world.get(f"/api/v1/pages/other/jobs/{job}")
    world.clock.advance(hours=1)
    assert world.get(f"{PATH}/{job}").status == 200


class TestWait:
    """A request that waits for the end of a job."""

    def test_it_is_answered_when_the_job_ends(self, world: ApiWorld) -> None:
        job = world.post(PATH, {"operation": "issues"}).json["id"]
        sleep, began = world.sleep, world.clock()

        def work(seconds: float) -> None:
            sleep(seconds)
            if (world.clock() - began).total_seconds() >= 7:
                world.jobs.finish(job, {"findings": 3})

        world.sleep = work  # type: ignore[method-assign]
        assert world.get(f"{PATH}/{job}?wait=20").json["result"] == {"findings": 3}
        assert (world.clock() - began).total_seconds() == 7

    def test_it_is_answered_in_time_all_the_same(self, world: ApiWorld) -> None:
        """Before API Gateway gives up after 30 s, and Lambda after 29 s."""
        job = world.post(PATH, {"operation": "issues"}).json["id"]
        began = world.clock()
        assert world.get(f"{PATH}/{job}?wait=20").json["state"] == "submitted"
        assert (world.clock() - began).total_seconds() == 20

    def test_an_unknown_job_is_not_waited_for(self, world: ApiWorld) -> None:
        began = world.clock()
        assert world.get(f"{PATH}/{world.new_id()}?wait=20").status == 404
        assert world.clock() == began

    @pytest.mark.parametrize("wait", ["21", "-1", "x", "1.5", "9" * 5_000])
    def test_no_other_time_is_waited(self, world: ApiWorld, wait: str) -> None:
        job = world.post(PATH, {"operation": "issues"}).json["id"]
        assert world.get(f"{PATH}/{job}?wait={wait}").status == 422
