"""Jobs: submitted and polled."""

from collections.abc import Callable
from typing import Annotated, Final

from uring.clock import Clock
from uring.documents.api.answers import sent
from uring.documents.api.fields import JobPath, PagePath
from uring.documents.api.models import JobBody, JobRequest
from uring.documents.jobs import Jobs
from uring.documents.messages import JobMessage
from uring.runtime.document import ProblemDetails
from uring.runtime.http import Answer, Problem
from uring.runtime.openapi import Body
from uring.runtime.routes import Route, RouteResponse

_JOBS: Final = "/api/v1/jobs"


class JobRoutes:
    """The operations on jobs.

    Args:
        new_id: returns a new UUID for a job.
    """

    def __init__(self, jobs: Jobs, *, clock: Clock, new_id: Callable[[], str]) -> None:
        self._jobs = jobs
        self._clock = clock
        self._new_id = new_id

    def routes(self) -> list[Route]:
        """Return the operations."""
        submitted = RouteResponse(
            "the job was submitted", JobBody, {"Location": "address of the job"}
        )
        gone = RouteResponse("the id is unknown, or the job ended a while ago", ProblemDetails)
        return [
            Route("POST", "/api/v1/pages/<page>/jobs", self.submit_job, {202: submitted}, "jobs"),
            Route(
                "GET",
                f"{_JOBS}/<job>",
                self.get_job,
                {200: RouteResponse("the job", JobBody), 404: gone},
                "jobs",
            ),
        ]

    def submit_job(self, page: PagePath, job: Annotated[JobRequest, Body()]) -> Answer:
        """Submit a job for a page; the jobs of a page are done one at a time."""
        message = JobMessage(
            job=self._new_id(),
            page=page,
            operation=job.operation,
            source=job.source,
            language=job.language,
            submitted_at=self._clock(),
        )
        status = self._jobs.submit(message)
        return sent(JobBody.of(status), 202, location=f"{_JOBS}/{status.id}")

    def get_job(self, job: JobPath) -> Answer:
        """Return a job, with its result or error once it has ended.

        An ended job is removed ten minutes after it was first read, an unread one after a day.
        """
        status = self._jobs.read(job)
        if status is None:
            detail = "the id is unknown, or the job ended a while ago; submit another"
            raise Problem(404, "Not Found", detail)
        return sent(JobBody.of(status))
