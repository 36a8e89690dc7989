"""All operations of the API, and its OpenAPI document."""

import time
from collections.abc import Callable
from typing import Any, Final

from uring.clock import Clock
from uring.documents.api.callers import DocumentApi
from uring.documents.api.edits import EditRoutes
from uring.documents.api.issues import IssueRoutes
from uring.documents.api.jobs import JobRoutes
from uring.documents.api.policies import PolicyRoutes
from uring.documents.edits import IssueEditor
from uring.documents.jobs import Jobs
from uring.documents.store.issues import IssueStore
from uring.documents.store.policies import PolicyStore
from uring.locks import Locks
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.tables import Table

VERSION: Final = "1.0.0"
_TITLE: Final = "uRing documents"
_DESCRIPTION: Final = """\
Attachments of pages, their texts and translations, and the issues found in them.

Long work is a job: submit it, then ask for it with `wait`. An edit of an issue names the version
that it edits (`If-Match`). A request whose response was lost may be sent again as it is: an edit or
a job is done once. Every error is a problem (RFC 9457) with its remedy.
"""


def document_api(
    table: Table,
    bucket: Bucket,
    locks: Locks,
    jobs: Jobs,
    telemetry: Telemetry,
    *,
    clock: Clock,
    new_id: Callable[[], str],
    sleep: Callable[[float], None] = time.sleep,
    monotonic: Callable[[], float] = time.monotonic,
) -> DocumentApi:
    """Return the HTTP API of documents.

    Args:
        table: with the items of the pages.
        bucket: with their attachments and texts.
        locks: of the same table.
        jobs: of the pages.
        telemetry: logs faults.
        clock: the time of edits and jobs.
        new_id: returns a new UUID for a job.
        sleep: waits some seconds for the end of a job.
        monotonic: returns seconds of a clock that never goes back.
    """
    routes = [
        *PolicyRoutes(PolicyStore(table, bucket), bucket).routes(),
        *IssueRoutes(IssueStore(table)).routes(),
        *EditRoutes(IssueEditor(table, locks, clock=clock)).routes(),
        *JobRoutes(jobs, clock=clock, new_id=new_id, sleep=sleep, monotonic=monotonic).routes(),
    ]
    return DocumentApi(routes, telemetry, title=_TITLE, version=VERSION, description=_DESCRIPTION)


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document; it is the same for every stack."""
    # The document depends on the routes alone; no handler is called.
    nothing: Any = None
    return document_api(*[nothing] * 5, clock=nothing, new_id=nothing).document()
