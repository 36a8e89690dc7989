"""What a run needs of the application under test, wherever its functions run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from uring_local.template.template import Template


@dataclass(frozen=True)
class Depth:
    """Messages of a queue: waiting, and received but not yet deleted."""

    waiting: int
    in_flight: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.waiting + self.in_flight


@dataclass(frozen=True)
class FamilyResources:
    """What of the template one family of sources uses, by logical ids.

    Args:
        prefix: begins the names of what is the family's own.
    """

    prefix: str

    @property
    def functions(self) -> tuple[str, ...]:
        """The one that watches, and those that a change goes through."""
        return "Monitor", f"{self.prefix}Orchestrator", f"{self.prefix}Worker", "Notifier"

    @property
    def work_queue(self) -> str:
        """The queue of the family's jobs."""
        return f"{self.prefix}Queue"

    @property
    def live(self) -> tuple[str, str]:
        """The queues that are empty once all is done."""
        return self.work_queue, "NotifyQueue"

    @property
    def dead(self) -> tuple[str, str]:
        """The queues that are always empty if all is well."""
        return f"{self.prefix}DeadLetterQueue", "NotifyDeadLetterQueue"


class Targets:
    """The functions of a family that schedules trigger.

    The monitor comes first: it sees what earlier ticks have left, however fast the workers are.

    Attributes:
        period: the time from one tick to the next: the shortest of their intervals.
    """

    def __init__(self, template: Template, resources: FamilyResources) -> None:
        self._intervals = {
            name: min(schedule.interval_seconds for schedule in template.functions[name].schedules)
            for name in resources.functions
            if template.functions[name].schedules
        }
        self.period = timedelta(seconds=min(self._intervals.values()))

    def due(self, at: datetime) -> list[str]:
        """Return those whose schedule falls into the tick that begins then."""
        seconds, period = int(at.timestamp()), self.period.total_seconds()
        return [name for name, interval in self._intervals.items() if seconds % interval < period]


class Application(Protocol):
    """The application on some stack, as far as one family needs it."""

    resources: FamilyResources
    period: timedelta
    bucket: str
    s3: Any

    def tick(self, scheduled_at: datetime) -> None:
        """Trigger the targets that are due in that tick, as EventBridge would, in their order."""
        ...

    def depths(self) -> Mapping[str, Depth]:
        """Return the depth of each of the family's queues."""
        ...

    def poll(self) -> None:
        """Fetch what the functions have reported since the last time into the event log."""
        ...

    def addresses(self, sources: Sequence[str]) -> list[str]:
        """Return lines that tell a person where to read these sources' data."""
        ...

    def close(self) -> None:
        """Stop feeding the functions. Messages in flight are left to the queue."""
        ...


def depth(sqs: Any, url: str) -> Depth:
    """Return a queue's depth."""
    names = [
        "ApproximateNumberOfMessages",
        "ApproximateNumberOfMessagesNotVisible",
        "ApproximateNumberOfMessagesDelayed",
    ]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    waiting, in_flight, delayed = (int(attributes.get(name, 0)) for name in names)
    return Depth(waiting + delayed, in_flight)


def schedule_event(scheduled_at: datetime) -> dict[str, Any]:
    """Return what EventBridge sends to a schedule's target."""
    return {
        "version": "0",
        "id": "00000000-0000-0000-0000-000000000000",
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": "000000000000",
        "time": scheduled_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": "us-east-1",
        "resources": [],
        "detail": {},
    }
