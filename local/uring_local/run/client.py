"""The client of a run: its release in the first stack's bucket, and a front for all stacks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from uring_local.loopback import Answer, Request
from uring_local.project import ROOT, WEB
from uring_local.run.run import Stage
from uring_local.sites.stage.simulation import SimulatedDays
from uring_local.stack.application import Application
from uring_local.stack.http_api.event import answered, request_event
from uring_local.template.template import Template
from uring_local.web.behaviors import read_distribution
from uring_local.web.configuration import LOCAL_PUSH
from uring_local.web.edges import BucketEdge, DistributionEdge, Edge
from uring_local.web.front import Front, Served
from uring_local.web.place import place_of
from uring_local.web.release import read_release
from uring_local.web.subscriptions import Api
from uring_local.web.upload import put_release

NOWHERE: Final[Mapping[str, Any]] = MappingProxyType({})
_FUNCTION: Final = "SubscriptionApi"


@contextmanager
def served(
    stages: Sequence[Stage], template: Template, places: Mapping[str, Any] = NOWHERE
) -> Iterator[Front]:
    """Serve the client and the data of all stages, on the port of an earlier run if known.

    Args:
        stages: of the run; the first one's bucket gets the client.
        template: its distribution is played for a stack without one.
        places: of the page's commands, see `uring_local.run.places`.

    Raises:
        PortTaken: another server listens on the port.
        ReleaseInvalid: the client's sources are not a valid release.
    """
    first = stages[0].application
    put_release(first.s3, first.bucket, read_release(ROOT / WEB, {**LOCAL_PUSH, "run": {**places}}))
    stacks = [
        Served(
            _edge(stage.application, template), _api(stage.application), stage.fcm, _clock(stage)
        )
        for stage in stages
    ]
    with Front(stacks, port=stages[0].record.front_port) as front:
        yield front


def remembering(stages: Sequence[Stage], front: Front) -> list[Stage]:
    """Return the stages, with the front's port in the first one's record.

    A browser stores the read marks and the service worker by address, so the port must stay.
    """
    first, *others = stages
    return [replace(first, record=first.record.advanced(front_port=front.port)), *others]


def _clock(stage: Stage) -> Callable[[], datetime] | None:
    return stage.simulation.clock if isinstance(stage.simulation, SimulatedDays) else None


def _edge(application: Application, template: Template) -> Edge:
    if not application.distribution:
        distribution = read_distribution(template)
        return BucketEdge(application.s3, application.bucket, distribution)
    endpoint = application.s3.meta.endpoint_url
    return DistributionEdge(place_of(application.distribution, endpoint))


def _api(application: Application) -> Api:
    """Return the stack's API, called without its gateway, which has another address."""

    def ask(request: Request) -> Answer:
        if request.method != "POST":
            return Answer(404, b'{"message":"Not Found"}', {"Content-Type": "application/json"})
        event = request_event(request.method, request.target, request.body, request.headers)
        status, headers, body = answered(application.invoke(_FUNCTION, event))
        return Answer(status, body, headers)

    return ask
