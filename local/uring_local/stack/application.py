"""The application under test for a run, on any stack."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from uring_local.stack.event_log import EventLog
from uring_local.template.template import Template

# The time in which all messages of a queue can be looked at.
_LOOK_SECONDS: Final = 60
_NO_INSTANCES: Final[Mapping[str, int]] = MappingProxyType({})
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Letter:
    """A message in a dead-letter queue.

    Attributes:
        attributes: the values by name, as text.
    """

    body: str
    attributes: Mapping[str, str]


@dataclass(frozen=True)
class FamilyResources:
    """One family's share of the template, by logical ids.

    Args:
        prefix: the beginning of the names of the family's own resources.
        further: functions beside those of every family.
        steps: the words before ``Queue`` in the names of its queues, in the order of the work.
        workers: the functions that do its work; empty means ``{prefix}Worker``.
        further_queues: queues of its work with another prefix.
        instances: the number of parallel instances of functions in this process, if one is too
            slow.
        ticks: the time between ticks, if it is not the interval of the family's schedule.
        visibility_seconds: how long a received message stays hidden from functions in this process,
            if that is not their time-out: after a kill it comes back only then.
    """

    prefix: str
    further: tuple[str, ...] = ()
    steps: tuple[str, ...] = ("",)
    workers: tuple[str, ...] = ()
    further_queues: tuple[str, ...] = ()
    instances: Mapping[str, int] = field(default_factory=lambda: _NO_INSTANCES)
    ticks: timedelta | None = None
    visibility_seconds: int = 0

    @property
    def functions(self) -> tuple[str, ...]:
        """The monitor, the family's own functions, the notifier and the subscription API."""
        workers = self.workers or (f"{self.prefix}Worker",)
        return (
            *("Monitor", self.orchestrator),
            *(*workers, *self.further),
            *("Notifier", "SubscriptionApi"),
        )

    @property
    def orchestrator(self) -> str:
        """The function with the family's schedule."""
        return f"{self.prefix}Orchestrator"

    @property
    def own(self) -> tuple[str, ...]:
        """The queues of the family's jobs, by step."""
        return tuple(f"{self.prefix}{step}Queue" for step in self.steps)

    @property
    def live(self) -> tuple[str, ...]:
        """The queues that are empty once all work is done."""
        return *self.own, *self.further_queues, "NotifyQueue"

    @property
    def dead(self) -> tuple[str, ...]:
        """The queues that stay empty if nothing fails."""
        return tuple(f"{name.removesuffix('Queue')}DeadLetterQueue" for name in self.live)


class Application(ABC):
    """The application on some stack, for one family.

    The monitor is triggered first: it reports on earlier ticks, however fast the workers are.

    Args:
        template: has the schedules.
        resources: the triggered functions, the counted queues.
        bucket: its name.
        queue_urls: of the family's queues, by logical id.
        session: makes boto3's clients.
        tables: names by logical id, where known.
        distribution: the domain; empty without one.

    Attributes:
        distribution: its domain; empty on a stack without one.
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
        distribution: str = "",
    ) -> None:
        self.resources = resources
        self.bucket = bucket
        self.tables = tables
        self.distribution = distribution
        self.s3 = session.client("s3")
        self.dynamodb = session.client("dynamodb")
        self._sqs = session.client("sqs")
        self._log = log
        self._queue_urls = queue_urls
        self._intervals = {
            name: template.functions[name].schedules[0].interval_seconds
            for name in resources.functions
            if template.functions[name].schedules
        }
        own = timedelta(seconds=self._intervals[resources.orchestrator])
        self.period = resources.ticks or own

    def tick(self, scheduled_at: datetime, period: timedelta) -> None:
        """Trigger the functions that are due at this tick, as EventBridge would.

        Args:
            scheduled_at: of the tick.
            period: since the tick before; without other `FamilyResources.ticks` each tick is the
                orchestrator's.
        """
        event, seconds = schedule_event(scheduled_at), int(scheduled_at.timestamp())
        for function, interval in self._intervals.items():
            is_own = function == self.resources.orchestrator and self.resources.ticks is None
            if is_own or seconds % interval < period.total_seconds():
                self._trigger(function, event)

    def depths(self, queues: Iterable[str]) -> Mapping[str, int]:
        """Return the number of messages in each of these queues, received ones included.

        Args:
            queues: of the family, by logical id.
        """
        return {name: self._depth(self._queue_urls[name]) for name in queues}

    def letters(self, queue: str) -> tuple[int, list[Letter]]:
        """Return the number of messages in a dead-letter queue, and the first of each group.

        They stay there. A FIFO queue returns the second of a group only once the first is gone.
        """
        url, found = self._queue_urls[queue], list[Letter]()
        handles: list[str] = []
        while messages := self._sqs.receive_message(
            QueueUrl=url,
            MaxNumberOfMessages=10,
            VisibilityTimeout=_LOOK_SECONDS,
            MessageAttributeNames=["All"],
        ).get("Messages"):
            handles += [message["ReceiptHandle"] for message in messages]
            found += map(_letter, messages)
        for handle in handles:
            self._sqs.change_message_visibility(
                QueueUrl=url, ReceiptHandle=handle, VisibilityTimeout=0
            )
        return self._depth(url), found

    @abstractmethod
    def invoke(self, function: str, event: dict[str, Any]) -> Any:
        """Invoke a function as its trigger does, and return its result; safe between threads."""

    @abstractmethod
    def poll(self) -> None:
        """Fetch the new reports of the functions into the event log."""

    @abstractmethod
    def addresses(self, sources: Sequence[str]) -> list[str]:
        """Return lines for people with the addresses of these sources' data."""

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


def _letter(message: Mapping[str, Any]) -> Letter:
    attributes = message.get("MessageAttributes", {})
    texts = {name: str(value.get("StringValue", "")) for name, value in attributes.items()}
    return Letter(message["Body"], texts)


def schedule_event(scheduled_at: datetime) -> dict[str, Any]:
    """Return the event that EventBridge sends to a schedule's target."""
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
