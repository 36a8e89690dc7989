"""The parts of a family's function."""

from dataclasses import dataclass, field
from typing import Any

from uring.aws.clients import Clients
from uring.aws.objects import S3Objects
from uring.changes.retry import Backoff
from uring.clock import Clock, system_clock
from uring.runtime.telemetry import LambdaTelemetry, Telemetry


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that every function of a family is built from.

    Attributes:
        clients: of AWS.
        telemetry: for lines and counters.
        clock: the time, aware UTC.
        backoff: between tries that lost to another run.
    """

    clients: Clients
    telemetry: Telemetry
    clock: Clock
    backoff: Backoff = field(default_factory=Backoff)

    @classmethod
    def of(cls, session: Any, telemetry: Telemetry | None, clock: Clock = system_clock) -> "Parts":
        """Return the parts; None stands for what Lambda has."""
        return cls(Clients(session), telemetry or LambdaTelemetry(), clock)

    def objects(self, bucket: str) -> S3Objects:
        """Return the objects of a bucket."""
        return S3Objects(self.clients.get("s3"), bucket)
