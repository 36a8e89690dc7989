"""All operations of the API, and its OpenAPI document."""

from collections.abc import Callable
from typing import Any, Final

from uring.clock import Clock
from uring.documents.api.edits import EditRoutes
from uring.documents.api.issues import IssueRoutes
from uring.documents.api.jobs import JobRoutes
from uring.documents.api.policies import PolicyRoutes
from uring.documents.edits import IssueEditor
from uring.documents.jobs import Jobs
from uring.documents.store.issues import IssueStore
from uring.documents.store.policies import PolicyStore
from uring.errors import MalformedMessage
from uring.locks import Locks
from uring.objects import Bucket
from uring.runtime.openapi import DescribedApi
from uring.runtime.telemetry import Telemetry
from uring.tables import Table

VERSION: Final = "1.0.0"
_TITLE: Final = "uRing documents"
_DESCRIPTION: Final = """\
Attachments of pages, their texts and translations, and the issues found in them.

Long work is a job: submit it, then poll it. An edit of an issue names the version that it edits
(`If-Match`). Every error is a problem (RFC 9457) with its remedy.
"""


class DocumentApi:
    """The HTTP API of documents; safe to share between threads.

    Args:
        new_id: returns a new UUID for a job.
    """

    def __init__(
        self,
        table: Table,
        bucket: Bucket,
        locks: Locks,
        jobs: Jobs,
        telemetry: Telemetry,
        *,
        clock: Clock,
        new_id: Callable[[], str],
    ) -> None:
        routes = [
            *PolicyRoutes(PolicyStore(table, bucket), bucket).routes(),
            *IssueRoutes(IssueStore(table)).routes(),
            *EditRoutes(IssueEditor(table, locks, clock=clock)).routes(),
            *JobRoutes(jobs, clock=clock, new_id=new_id).routes(),
        ]
        self._api = DescribedApi(
            routes, telemetry, title=_TITLE, version=VERSION, description=_DESCRIPTION
        )

    def work(self, event: dict[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:  # noqa: ARG002
        """Answer one event of API Gateway.

        Raises:
            MalformedMessage: the event is not from an HTTP API.
        """
        if "requestContext" not in event:
            raise MalformedMessage(
                "event: not from an HTTP API with payload 2.0; events/ has a sample"
            )
        return self._api.resolve(event)

    def document(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        return self._api.document()


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document; it is the same for every stack."""
    # The document depends on the routes alone; no handler is called.
    nothing: Any = None
    return DocumentApi(
        nothing, nothing, nothing, nothing, nothing, clock=nothing, new_id=nothing
    ).document()
