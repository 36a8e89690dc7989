"""`uring seeds work`: the domain worker in a process of its own, on any machine or in a container.

    SIGTERM ─► no more receives ─► what is at work ends, or goes back to the queue ─► exit code 0

It is the code of the Lambda function, with its settings, and may work beside it on one queue.
"""

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, get_args

import boto3
from botocore.config import Config

from uring.aws.clients import Service
from uring.aws.queues import PulledQueue
from uring.aws.session import FunctionSession
from uring.errors import Misconfigured
from uring.functions import domain_worker
from uring.functions.parts import Parts
from uring.runtime.batches import SourceQueue
from uring.runtime.invocation import Function
from uring.seeds.pace import MESSAGES_A_BATCH
from uring.seeds.ranges import is_range
from uring_local.environment import patched_environment
from uring_local.operate.bucket import resources_with
from uring_local.operate.env import variables_of
from uring_local.queues.held import HeldRecords
from uring_local.queues.puller import Puller, hidden_seconds

_FUNCTION: Final = "DomainWorker"
_QUEUE: Final = "WORK_QUEUE_URL"
_POWERTOOLS: Final = "POWERTOOLS_"
_SERVICE: Final = {"POWERTOOLS_SERVICE_NAME": "domain_worker"}
_NAMESPACE: Final = "POWERTOOLS_METRICS_NAMESPACE"
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class HoldingParts(Parts):
    """Parts with one source queue, whose records are held."""

    held: HeldRecords | None = None

    def source_queue(self, url: str, dead_letter_url: str) -> SourceQueue:
        """See `Parts.source_queue`."""
        return super().source_queue(url, dead_letter_url) if self.held is None else self.held

    def pulled_queue(self, url: str) -> PulledQueue | None:
        """See `Parts.pulled_queue`."""
        return super().pulled_queue(url) if self.held is None else None


class _WideSession:
    """Makes a function's clients, with a connection for each place."""

    def __init__(self, connections: int) -> None:
        self._session = FunctionSession(get_args(Service))
        self._config = Config(max_pool_connections=connections)

    def client(self, service: str, config: Config) -> Any:
        """Return a client of a service."""
        return self._session.client(service, config.merge(self._config))


def work(
    queue: str | None,
    stack: str | None,
    *,
    at_once: int,
    until_empty: bool,
    grace_seconds: float,
) -> bool:
    """Work on a queue until SIGTERM or SIGINT, or until it has been empty for a minute.

    Args:
        queue: its URL; by default the stack's or the environment's.
        stack: the deployed stack with the settings; by default the environment has them.
        at_once: the number of domains in work at once.
        until_empty: end once the queue is empty.
        grace_seconds: the time from a signal until what is not done is given back.

    Returns:
        True. With work that did not end in time this process ends, with exit code 0.

    Raises:
        Misconfigured: a setting is missing; no such stack or queue, or no permission.
        Unavailable: AWS did not answer.
    """
    environment = settings_of(queue, stack)
    telling = {name: text for name, text in environment.items() if name.startswith(_POWERTOOLS)}
    with patched_environment({**_SERVICE, **telling}):
        is_idle = _run(environment, at_once, grace_seconds, until_empty=until_empty)
    if not is_idle:
        # Their threads still wait for sites, and Python would wait for them.
        sys.stdout.flush()
        os._exit(0)
    return True


def settings_of(queue: str | None, stack: str | None) -> dict[str, str]:
    """Return the worker's variables, of a stack or of this process.

    Raises:
        Misconfigured: one is missing or wrong; the message names each.
    """
    environment = _deployed(stack) if stack else dict(os.environ)
    if queue:
        environment[_QUEUE] = queue
    try:
        domain_worker.Settings.read(environment)
    except Misconfigured as error:
        raise Misconfigured(f"{error}; name the stack by --stack, or set them") from None
    return environment


def _deployed(stack: str) -> dict[str, str]:
    name = resources_with(stack, "seeds")[_FUNCTION]
    return variables_of(boto3.client("lambda"), name)


def _run(
    environment: Mapping[str, str], at_once: int, grace_seconds: float, *, until_empty: bool
) -> bool:
    settings = domain_worker.Settings.read(environment)
    url = settings.work_queue_url
    plain = Parts.of(environment, session=_WideSession(at_once))
    client = plain.clients.get("sqs")
    held = HeldRecords(
        plain.source_queue(url, settings.work_dlq_url), hidden_seconds=hidden_seconds(client, url)
    )
    parts = HoldingParts(
        plain.environment, plain.clients, plain.telemetry, plain.clock, plain.sleep, held=held
    )
    wired = domain_worker.wire(settings, parts, sockets=at_once)
    function = Function(wired, parts.clients, parts.telemetry)
    function.stage = environment.get("ENVIRONMENT", "")
    if _NAMESPACE not in environment:
        function.metrics = ()
    elif named := environment.get("METRICS"):
        function.metrics = frozenset(named.split(","))
    puller = Puller(
        client,
        url,
        held,
        function.work,
        parts.telemetry,
        lambda records: function.report({"records": records}),
        at_once=at_once,
        places=lambda body: places_of(body, at_once),
    )
    parts.telemetry.event("worker_started", queue=url, at_once=at_once)
    with _stopped_by_signals(puller, grace_seconds):
        left = puller.run(until_empty=until_empty)
    parts.telemetry.event("worker_stopped", given_back=left)
    return puller.is_idle


def places_of(body: str, at_once: int) -> int:
    """Return the places of a message, out of ``at_once``: a range has them all in turn.

    So a process takes about as many ranges as a function does, and leaves the others to others.
    """
    return max(1, at_once // MESSAGES_A_BATCH) if is_range(body) else 1


@contextmanager
def _stopped_by_signals(puller: Puller, grace_seconds: float) -> Iterator[None]:
    before = {each: signal.signal(each, lambda *_: puller.stop(grace_seconds)) for each in _SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
