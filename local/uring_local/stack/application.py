"""What a run needs of the application under test, wherever its functions run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from uring_local.stack.event_log import EventLog
from uring_local.template.template import Template

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True)
class FamilyResources:
    """What of the template one family of sources uses, by logical ids.

    Args:
        prefix: begins the names of what is the family's own.
        further: functions beside those that every family has.
        steps: what stands before ``Queue`` in the names of its queues, in the order of the work.
    """

    prefix: str
    further: tuple[str, ...] = ()
    steps: tuple[str, ...] = ("",)

    @property
    def functions(self) -> tuple[str, ...]:
        """The one that watches, and those that a change goes through."""
        worker = f"{self.prefix}Worker"
        return "Monitor", self.orchestrator, worker, *self.further, "Notifier"

    @property
    def orchestrator(self) -> str:
        """The function whose schedule is the family's."""
        return f"{self.prefix}Orchestrator"

    @property
    def work_queue(self) -> str:
        """The queue of the family's jobs."""
        return f"{self.prefix}Queue"

    @property
    def live(self) -> tuple[str, ...]:
        """The queues that are empty once all is done."""
        return *(f"{self.prefix}{step}Queue" for step in self.steps), "NotifyQueue"

    @property
    def dead(self) -> tuple[str, ...]:
        """The queues that are always empty if all is well."""
        own = (f"{self.prefix}{step}DeadLetterQueue" for step in self.steps)
        return *own, "NotifyDeadLetterQueue"


class Application(ABC):
    """The application on some stack, as far as one family needs it.

    The monitor is triggered first: it sees what earlier ticks have left, however fast the workers
    are.

    Args:
        template: tells the schedules.
        resources: the functions that are triggered, the queues that are counted.
        bucket: its name.
        queue_urls: of the family's queues, by logical id.
        session: makes boto3's clients.
        tables: names by logical id, where they are known.

    Attributes:
        period: the time from one tick to the next: the interval of the family's schedule.
        s3: a client for the bucket.
        dynamodb: a client for the tables.
    """

    def __init__(
        self,
        template: Template,
        resources: FamilyResources,
        log: EventLog,
        *,
        bucket: str,
        queue_urls: Mapping[str, str],
        session: Any,
        tables: Mapping[str, str] = _NONE,
    ) -> None:
        self.resources = resources
        self.bucket = bucket
        self.tables = tables
        self.s3 = session.client("s3")
        self.dynamodb = session.client("dynamodb")
        self._sqs = session.client("sqs")
        self._log = log
        self._queue_urls = queue_urls
        self._intervals = {
            name: min(schedule.interval_seconds for schedule in template.functions[name].schedules)
            for name in resources.functions
            if template.functions[name].schedules
        }
        self.period = timedelta(seconds=self._intervals[resources.orchestrator])

    def tick(self, scheduled_at: datetime) -> None:
        """Trigger what is due in the tick that begins then, as EventBridge would."""
        event, seconds = schedule_event(scheduled_at), int(scheduled_at.timestamp())
        for function, interval in self._intervals.items():
            if seconds % interval < self.period.total_seconds():
                self._trigger(function, event)

    def depths(self) -> Mapping[str, int]:
        """Return how many messages are in each of the family's queues, received ones included."""
        queues = (*self.resources.live, *self.resources.dead)
        return {name: self._depth(self._queue_urls[name]) for name in queues}

    @abstractmethod
    def poll(self) -> None:
        """Fetch what the functions have reported since the last time into the event log."""

    @abstractmethod
    def addresses(self, sources: Sequence[str]) -> list[str]:
        """Return lines that tell a person where to read these sources' data."""

    @abstractmethod
    def close(self) -> None:
        """Stop feeding the functions. Messages in flight are left to the queue."""

    @abstractmethod
    def _trigger(self, function: str, event: dict[str, Any]) -> None:
        """Invoke a function with a schedule's event and wait for it."""

    def _failed(self, function: str, reason: str) -> None:
        self._log.put("record_failed", {"group": function, "reason": reason})

    def _depth(self, url: str) -> int:
        names = [
            "ApproximateNumberOfMessages",
            "ApproximateNumberOfMessagesNotVisible",
            "ApproximateNumberOfMessagesDelayed",
        ]
        answer = self._sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)
        return sum(int(answer["Attributes"].get(name, 0)) for name in names)


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
