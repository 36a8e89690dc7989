"""The three triggers of the seed orchestrator: the HTTP API, the schedule, its own continuation.

    POST /api/v1/seeds/orchestrate {"country": "sg", "category": "news", "date": "2026-01-28"}
    200 {"run": …, "files": 20, "partitions": ["sg/news/2026-01-28"], "is_complete": true}
    202 the same with false: another invocation continues

Other responses are problem details.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from uring.errors import UringError
from uring.runtime.going_on import Continues, continued, going_on
from uring.runtime.http import Answer, answer
from uring.runtime.invocation import scheduled_at
from uring.runtime.openapi import Body, DescribedApi
from uring.runtime.routes import Route, RouteResponse
from uring.runtime.telemetry import Telemetry
from uring.seeds.messages import Day, Epoch, OrchestrateRequest
from uring.seeds.orchestrate import Orchestrated, Run, SeedOrchestrator, first_day
from uring.seeds.reports.reporter import SeedReporter

ROUTE: Final = "/api/v1/seeds/orchestrate"
VERSION: Final = "1.0.0"
_TITLE: Final = "uRing seeds"
_DESCRIPTION: Final = "Collections of domains. Every error is a problem (RFC 9457) with its remedy."
# API Gateway waits for 30 s.
_API_SECONDS: Final = 20
# Reserved for the partition under way.
_MARGIN_SECONDS: Final = 120
_MOST_NAMES: Final = 100


class CollectionRequest(BaseModel):
    """The run that a request started."""

    run: str = Field(description="name of the run")
    files: int = Field(description="raw files that were sent")
    partitions: list[str] = Field(description="partitions of these files, a hundred at most")
    is_complete: bool = Field(description="false: another invocation continues")
    skipped: int = Field(0, description="objects whose name or folder misses the layout")
    misnamed: list[str] = Field([], description="the first three of them")
    held: dict[str, str] = Field(
        {}, description="partitions that were passed over, with their state: paused or stopped"
    )


class Continuation(BaseModel):
    """The event that continues a run.

    Attributes:
        since: the first day of the run; None for all days.
        after: the last key that was processed.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    run: Epoch
    request: OrchestrateRequest
    since: Day | None = None
    after: str = Field(max_length=1024)

    @classmethod
    def of(cls, run: Run, after: str) -> "Continuation":
        """Return the event that continues a run after a key."""
        since = run.since.isoformat() if run.since else None
        return cls(run=run.name, request=run.request, since=since, after=after)

    def as_run(self) -> Run:
        """Return the run to continue."""
        since = datetime.fromisoformat(self.since).date() if self.since else None
        return Run(self.run, self.request, since, self.after)


class SeedTriggers:
    """The work of the function, for each kind of event.

    Args:
        days: number of past days in a schedule's run; 0: it only writes reports.
    """

    def __init__(
        self,
        orchestrator: SeedOrchestrator,
        reporter: SeedReporter,
        go_on: Continues,
        telemetry: Telemetry,
        *,
        days: int,
    ) -> None:
        self._orchestrator = orchestrator
        self._reporter = reporter
        self._go_on = go_on
        self._telemetry = telemetry
        self._days = days

    def work(self, event: dict[str, Any], time_left: Callable[[], float]) -> Any:
        """Do the work of one event.

        Raises:
            MalformedMessage: the event is from none of the triggers.
            CorruptState: a stored report is malformed; all other work was done.
            Retryable: Lambda invokes again: the same event makes the same messages.
        """
        if "routeKey" in event:
            return self._answer(event, time_left)
        if (rest := continued(event, Continuation)) is not None:
            return self._run_whole(rest.as_run(), time_left)
        at = scheduled_at(event)
        trouble: UringError | None = None
        try:
            self._reporter.make_due(at)
        except UringError as error:
            # A failed report must not stop the collection of domains.
            trouble = error
        done = {"files": 0, "is_complete": True}
        if self._days:
            name = _name(at, str(event.get("id", "")))
            run = Run(name, OrchestrateRequest(), first_day(at.date(), self._days))
            done = self._run_whole(run, time_left)
        if trouble is not None:
            raise trouble
        return done

    def _run_whole(self, run: Run, time_left: Callable[[], float]) -> dict[str, Any]:
        done = self._run(run, lambda: time_left() > _MARGIN_SECONDS)
        return {"files": done.files, "is_complete": done.after is None}

    def _run(self, run: Run, has_time: Callable[[], bool]) -> Orchestrated:
        done = self._orchestrator.run(run, has_time)
        if done.after is not None:
            self._go_on(going_on(Continuation.of(run, done.after)))
        return done

    def _answer(self, event: dict[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        begun = time_left()

        def begin(request: OrchestrateRequest) -> Answer:
            run = Run(_of_request(event), request)
            done = self._run(run, lambda: begun - time_left() < _API_SECONDS)
            collection = CollectionRequest(
                run=run.name,
                files=done.files,
                partitions=[*done.partitions[:_MOST_NAMES]],
                is_complete=done.after is None,
                skipped=done.skipped,
                misnamed=[*done.misnamed],
                held=dict(islice(done.held.items(), _MOST_NAMES)),
            )
            return answer(200 if collection.is_complete else 202, collection.model_dump())

        # A request without a body means everything, like one with an empty filter.
        whole = {} if event.get("body") else {"body": "{}", "headers": {}, "isBase64Encoded": False}
        return _api(begin, self._telemetry).resolve({**event, **whole})


def _api(begin: Callable[[OrchestrateRequest], Answer], telemetry: Telemetry) -> DescribedApi:
    def orchestrate(request: Annotated[OrchestrateRequest, Body()]) -> Answer:
        """Start a collection of the raw files that match a filter.

        A repeated request with `force` starts another collection; without it, processed files are
        skipped.
        """
        return begin(request)

    replies = {
        200: RouteResponse("every file was sent", CollectionRequest),
        202: RouteResponse("another invocation continues", CollectionRequest),
    }
    return DescribedApi(
        [Route("POST", ROUTE, orchestrate, replies)],
        telemetry,
        title=_TITLE,
        version=VERSION,
        description=_DESCRIPTION,
    )


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document; it is the same for every stack."""
    # The document depends on the route alone; the handler is not called.
    nothing: Any = None
    return _api(nothing, nothing).document()


def _of_request(event: Mapping[str, Any]) -> str:
    context = event.get("requestContext", {})
    at = datetime.fromtimestamp(int(context.get("timeEpoch", 0)) / 1000, UTC)
    return _name(at, str(context.get("requestId", "")))


def _name(at: datetime, trigger: str) -> str:
    """Return the name of a run: the same for the same event; names sort by time."""
    return f"{at:%Y%m%dT%H%M%SZ}-{hashlib.sha256(trigger.encode()).hexdigest()[:8]}"
