"""The parts of a function: clients of AWS, telemetry and clock, and the adapters made of them."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from uring.aws.clients import Clients
from uring.aws.invoke import Invoker
from uring.aws.objects import S3Bucket
from uring.aws.queues import FifoQueue, PulledQueue, SqsSourceQueue, SqsWorkQueue, queue_depth
from uring.aws.secrets import json_secret
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.clock import Clock, system_clock
from uring.runtime.batches import SourceQueue
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that every function is built from.

    Attributes:
        environment: the variables; a function's settings are read from them.
        clients: of AWS.
        telemetry: for lines and counters.
        clock: the time, aware UTC.
        sleep: waits the given seconds, between two requests to one host.
        backoff: between tries that another run's write superseded.
    """

    environment: Mapping[str, str]
    clients: Clients
    telemetry: Telemetry
    clock: Clock
    sleep: Callable[[float], None]
    backoff: Backoff = field(default_factory=Backoff)

    @classmethod
    def of(
        cls,
        environment: Mapping[str, str],
        *,
        session: Any = None,
        telemetry: Telemetry | None = None,
        clock: Clock | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> "Parts":
        """Return the parts; an argument of None selects the real part, as in Lambda.

        A simulation passes ``clock`` and ``sleep``.

        Raises:
            Misconfigured: boto3 is too old.
        """
        return cls(
            environment,
            Clients(session),
            telemetry or LambdaTelemetry(),
            clock or system_clock,
            sleep or time.sleep,
        )

    def bucket(self, name: str) -> S3Bucket:
        """Return a bucket of objects."""
        return S3Bucket(self.clients.get("s3"), name)

    def table(self, name: str) -> DynamoTable:
        """Return a table of items by key."""
        return DynamoTable(self.clients.get("dynamodb"), name, backoff=self.backoff)

    def work_queue(self, url: str) -> SqsWorkQueue:
        """Return the queue that an orchestrator sends its jobs to."""
        return SqsWorkQueue(self.clients.get("sqs"), url)

    def fifo(self, url: str, *, senders: int = 8) -> FifoQueue:
        """Return a FIFO queue; for ``senders`` see `FifoQueue`."""
        return FifoQueue(self.clients.get("sqs"), url, backoff=self.backoff, senders=senders)

    def queue_depth(self, url: str) -> Callable[[], int]:
        """Return a function that returns the number of a queue's messages."""
        return lambda: queue_depth(self.clients.get("sqs"), url)

    def pulled_queue(self, url: str) -> PulledQueue | None:
        """Return a queue that the function reads itself; None if its process does."""
        return PulledQueue(self.clients.get("sqs"), url)

    def source_queue(self, url: str, dead_letter_url: str) -> SourceQueue:
        """Return the queue of a function's batches."""
        return SqsSourceQueue(
            self.clients.get("sqs"),
            queue_url=url,
            dead_letter_url=dead_letter_url,
            telemetry=self.telemetry,
        )

    def invoker(self, function: str) -> Invoker:
        """Return the invoker of a function."""
        return Invoker(self.clients.get("lambda"), function)

    def secret(
        self, name: str, given: Mapping[str, Any] | None = None
    ) -> Callable[[], Mapping[str, Any]] | None:
        """Return a function that reads a JSON secret at each call; None without a name.

        ``given`` replaces the secret in a local run without Secrets Manager.
        """
        if not name and not given:
            return None
        return lambda: given or json_secret(self.clients.get("secretsmanager"), name)
