"""Builds the notice worker."""

from collections.abc import Mapping
from typing import Any, Final

from uring.clock import Clock, system_clock
from uring.notices.family import Notices
from uring.notices.state import NoticeState
from uring.notices.visit import Visitor
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.bootstrap.worker import fetcher, worker
from uring.runtime.invocation import Function
from uring.runtime.settings import WorkerSettings
from uring.runtime.telemetry import Telemetry

# Half of what a browser opens for one page; a university's boards often are of one host.
_ABREAST: Final = 3


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the notice worker for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = WorkerSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    objects = parts.objects(settings.data_bucket)
    visitor = Visitor(fetcher(settings, abreast=_ABREAST))
    notices = Notices(visitor, objects, clock=clock, backoff=parts.backoff)
    return worker(notices, NoticeState, settings, parts)
