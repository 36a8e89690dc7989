"""What a run needs of the application under test, wherever its functions run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


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
class Family:
    """What of the template one family of sources uses, by logical ids."""

    functions: tuple[str, ...]
    work_queue: str
    work_dead_letters: str

    @property
    def live(self) -> tuple[str, str]:
        """The queues that are empty once all is done."""
        return self.work_queue, "NotifyQueue"

    @property
    def dead(self) -> tuple[str, str]:
        """The queues that are always empty if all is well."""
        return self.work_dead_letters, "NotifyDeadLetterQueue"

    @property
    def queues(self) -> tuple[str, ...]:
        """All of them, in the order of a change's way."""
        return self.work_queue, self.work_dead_letters, "NotifyQueue", "NotifyDeadLetterQueue"


NOTICES = Family(
    ("Monitor", "NoticeOrchestrator", "NoticeWorker", "Notifier"),
    "NoticeQueue",
    "NoticeDeadLetterQueue",
)
WEATHER = Family(
    ("WeatherOrchestrator", "WeatherWorker", "Notifier"), "WeatherQueue", "WeatherDeadLetterQueue"
)


class Application(Protocol):
    """The application on some stack, as far as one family needs it."""

    family: Family
    bucket: str
    s3: Any

    def tick(self, scheduled_at: datetime) -> None:
        """Trigger the schedules' targets as EventBridge would at that time, in their order."""
        ...

    def depths(self) -> Mapping[str, Depth]:
        """Of each of the family's queues."""
        ...

    def poll(self) -> None:
        """Fetch what the functions have reported since the last time into the sink."""
        ...

    def addresses(self, sources: Sequence[str]) -> list[str]:
        """Lines that tell a person where to read these sources' data."""
        ...

    def close(self) -> None:
        """Stop feeding the functions. Messages in flight are left to the queue."""
        ...


def depth(sqs: Any, url: str) -> Depth:
    """Read a queue's depth."""
    names = [
        "ApproximateNumberOfMessages",
        "ApproximateNumberOfMessagesNotVisible",
        "ApproximateNumberOfMessagesDelayed",
    ]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    waiting, in_flight, delayed = (int(attributes.get(name, 0)) for name in names)
    return Depth(waiting + delayed, in_flight)


def schedule_event(scheduled_at: datetime) -> dict[str, Any]:
    """What EventBridge sends to a schedule's target."""
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
