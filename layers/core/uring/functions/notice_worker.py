"""Wires the notice worker."""

from typing import Final

from uring.functions.parts import Parts
from uring.functions.web import fetcher
from uring.functions.workers import WorkerSettings, worker
from uring.notices.family import Notices
from uring.notices.state import NoticeState
from uring.notices.visit import NoticeVisitor
from uring.runtime.invocation import Work

# Half the connections that a browser opens for one page; a university's boards often share a host.
_ABREAST: Final = 3


class Settings(WorkerSettings):
    """Settings of the notice worker."""


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the notice worker's work."""
    notices = Notices(
        NoticeVisitor(fetcher(settings, abreast=_ABREAST)),
        parts.bucket(settings.data_bucket),
        clock=parts.clock,
        backoff=parts.backoff,
    )
    return worker(notices, NoticeState, settings, parts)
