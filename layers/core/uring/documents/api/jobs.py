"""Jobs: submitted, polled, awaited."""

from collections.abc import Callable
from typing import Annotated, Final

from uring.clock import Clock
from uring.documents.api.answers import key_reused, sent
from uring.documents.api.callers import caller
from uring.documents.api.fields import IdempotencyKey, JobPath, PagePath, Wait, key_of
from uring.documents.api.models import JobBody, JobRequest
from uring.documents.jobs import Jobs, JobStatus, OtherJob
from uring.documents.messages import JobMessage
from uring.documents.names import derived_id
from uring.runtime.document import ProblemDetails
from uring.runtime.http import Answer, Problem
from uring.runtime.openapi import Body
from uring.runtime.routes import Route, RouteResponse

_PATH: Final = "/api/v1/pages/<page>/jobs"
_GONE: Final = RouteResponse("the id is unknown, or the job ended a while ago", ProblemDetails)
# A status is read from the table this often while a request waits for its end.
_PAUSE_SECONDS: Final = 1.0
# RFC 9745; the address below its page came on 2026-11-27.
_DEPRECATED_AT: Final = "@1795737600"


class JobRoutes:
    """The operations on jobs.

    Args:
        new_id: returns a new UUID for a job.
        sleep: waits some seconds.
        monotonic: returns seconds of a clock that never goes back.
    """

    def __init__(
        self,
        jobs: Jobs,
        *,
        clock: Clock,
        new_id: Callable[[], str],
        sleep: Callable[[float], None],
        monotonic: Callable[[], float],
    ) -> None:
        self._jobs = jobs
        self._clock = clock
        self._new_id = new_id
        self._sleep = sleep
        self._monotonic = monotonic

    def routes(self) -> list[Route]:
        """Return the operations."""
        submitted = RouteResponse("the job", JobBody, {"Location": "address of the job"})
        replies = {200: RouteResponse("the job", JobBody), 404: _GONE}
        moved = {
            "Deprecation": "since when (RFC 9745)",
            "Link": "the address of the job below its page, rel=successor-version",
        }
        old = {200: RouteResponse("the job", JobBody, moved), 404: _GONE}
        return [
            Route("POST", _PATH, self.submit_job, {202: submitted}, "jobs"),
            Route("GET", f"{_PATH}/<job>", self.get_job, replies, "jobs"),
            Route("GET", "/api/v1/jobs/<job>", self.get_job_by_id, old, "jobs", is_deprecated=True),
        ]

    def submit_job(
        self,
        page: PagePath,
        job: Annotated[JobRequest, Body()],
        idempotency_key: IdempotencyKey = "",
    ) -> Answer:
        """Submit a job for a page; the jobs of a page are done one at a time.

        Without a key the response is a job for the same work that was submitted without a key and
        is not begun yet, if there is one. With an Idempotency-Key the response is the job that was
        submitted with this key, if it still exists.
        """
        key = key_of(idempotency_key)
        message = JobMessage(
            job=derived_id(page, "idempotency-key", key) if key else self._new_id(),
            page=page,
            operation=job.operation,
            source=job.source,
            language=job.language,
            submitted_at=self._clock(),
        )
        try:
            status = self._jobs.submit(message, by=caller(), is_shared=not key)
        except OtherJob:
            raise key_reused("job for this page") from None
        return sent(JobBody.of(status), 202, location=_address(status))

    def get_job(self, page: PagePath, job: JobPath, wait: Wait = 0) -> Answer:
        """Return a job, with its result or error once it has ended.

        With `wait` the response comes once the job has ended, or after that many seconds. An ended
        job is removed ten minutes after it was first read, an unread one after a day.
        """
        until = self._monotonic() + wait
        while True:
            status = self._jobs.read(job, page)
            left = until - self._monotonic()
            if status is None:
                raise _no_such_job()
            if status.has_ended or left <= 0:
                return sent(JobBody.of(status))
            self._sleep(min(_PAUSE_SECONDS, left))

    def get_job_by_id(self, job: JobPath) -> Answer:
        """Return a job of any page; use its address below the page."""
        status = self._jobs.read(job)
        if status is None:
            raise _no_such_job()
        answer = sent(JobBody.of(status))
        answer.headers["Deprecation"] = _DEPRECATED_AT
        answer.headers["Link"] = f'<{_address(status)}>; rel="successor-version"'
        return answer


def _address(status: JobStatus) -> str:
    return f"/api/v1/pages/{status.page}/jobs/{status.id}"


def _no_such_job() -> Problem:
    detail = "the id is unknown, or the job ended a while ago; submit another"
    return Problem(404, "Not Found", detail)
