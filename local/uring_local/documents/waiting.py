"""Jobs: submitted, awaited with their activity on stderr, and printed."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Self

from rich.console import Console
from rich.status import Status

from uring.errors import Unavailable
from uring_local.documents import view
from uring_local.documents.client import ApiRefused, DocumentClient
from uring_local.words import printable

# Seconds before a request for a job's status, and the seconds that the API then waits for the end.
_PAUSE: Final = 0.5
_WAIT: Final = 5
# Seconds after a request that failed.
_LONGEST: Final = 5.0
_MOST_FAILURES: Final = 5
_OURS: Final = 500
_ENDED: Final = ("done", "failed")

Job = Mapping[str, Any]


def submitted(client: DocumentClient, page: str, body: Mapping[str, Any], *, wait: bool) -> Job:
    """Submit a job; return it at once, or with ``wait`` once it has ended."""
    job = client.submit(page, {name: value for name, value in body.items() if value})
    return awaited(client, job) if wait else job


def awaited(
    client: DocumentClient, job: Job, *, sleep: Callable[[float], None] = time.sleep
) -> Job:
    """Return a job once it has ended; show its activity until then.

    Raises:
        Refused: the API refused, or failed five times in a row.
        Unavailable: five requests in a row had no response; the job goes on.
    """
    with _Activity() as activity:
        while job["state"] not in _ENDED:
            activity.tell(job)
            sleep(_PAUSE)
            job = _looked(client, job, sleep)
    return job


def told(job: Job, *, as_json: bool) -> bool:
    """Print a job; return False if it failed."""
    if as_json:
        print(json.dumps(job, ensure_ascii=False))
    else:
        view.show_job(job)
    return bool(job["state"] != "failed")


def _looked(client: DocumentClient, job: Job, sleep: Callable[[float], None]) -> Job:
    for failures in range(1, _MOST_FAILURES + 1):
        try:
            return client.job(str(job["page"]), str(job["id"]), _WAIT)
        except (ApiRefused, Unavailable) as error:
            is_ours = isinstance(error, Unavailable) or error.answer.status >= _OURS
            if not is_ours or failures == _MOST_FAILURES:
                raise
        sleep(_LONGEST)
    raise AssertionError


class _Activity:
    """The activity of a job: a line that changes on a terminal, lines in a pipe; on stderr."""

    def __init__(self) -> None:
        self._console = Console(file=sys.stderr, highlight=False)
        self._status = Status("", console=self._console) if self._console.is_terminal else None
        self._last = ""

    def __enter__(self) -> Self:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def tell(self, job: Job) -> None:
        """Show the activity, if it has changed."""
        words = printable(f"{job['state']}: {job['activity']}".removesuffix(": "))
        if words == self._last:
            return
        self._last = words
        if self._status:
            self._status.update(view.plain(words))
        else:
            self._console.print(words, markup=False)
