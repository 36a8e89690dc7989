"""A family in a run: its played site, its share of the template, and its judge.

advance(tick) ─► the schedules' targets ─► queues empty ─► inspect      after the last: judge
"""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self, TypeVar

import boto3

from uring_local.fcm.journal import Delivery, doubles
from uring_local.loopback import Listener
from uring_local.stack.application import Application, FamilyResources, Letter

K = TypeVar("K", bound=Hashable)
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True)
class World:
    """The parameters of a played site.

    Attributes:
        seed: of its script and of what goes wrong.
        opened: the first day on the site, where that follows the real clock.
        tick: where the site stands already; 0 before the first tick.
        repeated: the ticks that were begun again after a kill.
        port: where it listens; 0 picks a free one.
        failing: share of the calls that the site lets fail.
        variables: of the functions, by logical id, as the template has them.
        domains: how many there are, where a site has domains.
        journal: of the site's requests, a file that outlives a kill; None where nothing has to.
    """

    seed: int
    opened: date
    tick: int = 0
    repeated: Collection[int] = ()
    port: int = 0
    failing: float = 0.0
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    domains: int = 0
    journal: Path | None = None


@dataclass
class Verdict:
    """A verdict; every list names what is wrong, empty when all is well.

    Attributes:
        pushed: events that were delivered, each once.
        expected: pushes that should have been.
        repeated: repeats that the design allows, by cause: FCM's answer was lost, or the run was
            killed before it had recorded the answer.
        figures: what only this family's summary has.
        letters: messages in dead-letter queues that the site makes necessary.
    """

    pushed: int
    expected: int
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    repeated: Counter[str] = field(default_factory=Counter)
    figures: dict[str, Any] = field(default_factory=dict)
    letters: int = 0

    @property
    def problems(self) -> list[str]:
        """Everything that is wrong."""
        return [*self.lost, *self.doubled, *self.wrong]


def judge_pushes(
    expected: Iterable[K],
    deliveries: Sequence[Delivery],
    key: Callable[[Delivery], K],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare what was delivered, each event once, with what had to be pushed.

    Args:
        expected: a key per push; one that has to be pushed twice is there twice.
        deliveries: of all stand-ins of a run.
        key: names the push that a delivery is of.
        ended: see `uring_local.fcm.journal.doubles`.
    """
    wanted = Counter(expected)
    # A message without an event id has no repeats: each counts.
    events = {delivery.event_id or id(delivery): delivery for delivery in deliveries}
    arrived = Counter(map(key, events.values()))
    repeats = doubles(deliveries, ended)
    return Verdict(
        pushed=len(events),
        expected=wanted.total(),
        lost=[f"never pushed: {push}" for push in (wanted - arrived).elements()],
        doubled=[f"pushed twice: {event}" for event, cause in repeats if cause == "unexplained"],
        wrong=[f"pushed without reason: {push}" for push in (arrived - wanted).elements()],
        repeated=Counter(cause for _, cause in repeats if cause != "unexplained"),
    )


class Published:
    """The objects that readers see, and the entries of tables.

    Args:
        s3: a client for the bucket.
        bucket: its name.
        dynamodb: a client for the tables.
        tables: their names, by logical id.
        letters: reads a dead-letter queue, see `Application.letters`.
    """

    def __init__(
        self,
        s3: Any,
        bucket: str,
        dynamodb: Any = None,
        tables: Mapping[str, str] = _NONE,
        letters: Callable[[str], tuple[int, Sequence[Letter]]] | None = None,
    ) -> None:
        self._s3 = s3
        self._bucket = bucket
        self._dynamodb = dynamodb
        self._tables = tables
        self._letters = letters

    def keys(self, prefix: str) -> list[str]:
        """Return the keys that begin so, sorted."""
        pages = self._s3.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=prefix
        )
        return [item["Key"] for page in pages for item in page.get("Contents", [])]

    def written(self, prefix: str) -> dict[str, datetime]:
        """Return when the objects were written whose keys begin so, by key."""
        pages = self._s3.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=prefix
        )
        return {
            item["Key"]: item["LastModified"] for page in pages for item in page.get("Contents", [])
        }

    def lines(self, key: str) -> list[Any]:
        """Return the values of an object of JSON lines."""
        return [json.loads(line) for line in self.body(key).splitlines()]

    def document(self, key: str) -> Any:
        """Return the value of a JSON object."""
        return json.loads(self.body(key))

    def body(self, key: str) -> bytes:
        """Return the bytes of an object."""
        body: bytes = self._s3.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        return body

    def letters(self, queue: str) -> tuple[int, Sequence[Letter]]:
        """Return how many messages are in a dead-letter queue, and the first of each group.

        Args:
            queue: its logical id.
        """
        return self._letters(queue) if self._letters else (0, ())

    def entries(self, table: str, partition: str, value: str) -> list[dict[str, Any]]:
        """Return all of a table's entries in one partition, by sort key; numbers are whole.

        Args:
            table: its logical id.
            partition: the name of the partition key.
            value: of that key.
        """
        pages = self._dynamodb.get_paginator("query").paginate(
            TableName=self._tables[table],
            KeyConditionExpression="#key = :value",
            ExpressionAttributeNames={"#key": partition},
            ExpressionAttributeValues={":value": {"S": value}},
            ConsistentRead=True,
        )
        return [
            {name: _plain(attribute) for name, attribute in item.items()}
            for page in pages
            for item in page["Items"]
        ]


def _plain(attribute: Mapping[str, Any]) -> Any:
    """Return the value of a DynamoDB attribute."""
    ((kind, value),) = attribute.items()
    if kind == "NULL":
        return None
    return int(value) if kind == "N" else value


class Simulation(ABC):
    """One family in a run; a context manager that serves its site, if it is played.

    Attributes:
        family: its name.
        site: None where nobody plays it.
        opened: when its first tick is, on a clock of its own; None where it is the real clock.
            Days on such a clock fit no other data: they need a stack of their own, and functions
            in this process, which take that clock.
        is_resumable: whether a run on its own clock can be killed and go on, on a stack that
            stays up.
        is_alone: whether it runs only where it is asked for: its ticks take far longer than
            those of others.
        resources: its functions and queues.
        check: the event that tells of one check, beside the engine's own.
        change: the event that tells of one change.
        sources: id and name of each.
        has_latest: whether each has a ``latest.json`` for readers.
        parameters: of the template.
        secrets: text by name in Secrets Manager.
        objects: bodies by key in the bucket.
        injected: keyword arguments of its functions' `build`, by logical id.
        addresses: lines that tell a person where the site is.
    """

    family: str
    site: Listener | None = None
    opened: datetime | None = None
    is_resumable: bool = False
    is_alone: bool = False
    resources: FamilyResources
    check: str = "checked"
    change: str
    sources: Sequence[tuple[str, str]]
    has_latest: bool = True
    parameters: Mapping[str, str] = MappingProxyType({})
    secrets: Mapping[str, str] = MappingProxyType({})
    objects: Mapping[str, bytes]
    injected: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    addresses: Sequence[str] = ()

    @property
    def hosts(self) -> Sequence[str]:
        """Private addresses that may be fetched."""
        return () if self.site is None else (self.site.host,)

    def __enter__(self) -> Self:
        if self.site is not None:
            self.site.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.site is not None:
            self.site.stop()

    def begin(self, published: Published | None) -> None:  # noqa: B027 - few have to
        """Take in what earlier processes have left, before any function runs; None for nothing."""

    @abstractmethod
    def advance(self, tick: int, at: datetime) -> int:
        """Move the site to a tick; return how many checks are due then.

        Args:
            tick: counted from 1; the one that the site stands at comes again after a kill.
            at: when it is scheduled.
        """

    def arriving(self, tick: int) -> Mapping[str, bytes]:  # noqa: ARG002
        """Return the objects that others put into the bucket before a tick, bodies by key."""
        return {}

    def session(self) -> Any:
        """Return the boto3 session of functions in this process, and of what reads their data."""
        return boto3.Session()

    def act(self, tick: int, application: Application) -> None:  # noqa: B027 - few have clients
        """Do what the site's people do in a tick, once its schedules were triggered."""

    def inspect(self, at: datetime, published: Published) -> None:  # noqa: B027 - few have to
        """Take in what a tick has left behind, where it cannot all be judged at the end."""

    @abstractmethod
    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare what was published and pushed with the site's own journal.

        Args:
            published: by this run and those before it on the same data.
            deliveries: of all stand-ins of this run.
            ended: those of them that were not killed, see `uring_local.fcm.journal.doubles`.
        """

    def is_expected(self, failure: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Return whether the site makes this ``record_failed`` of a worker necessary.

        On the real clock what fails is tried again later, and the verdict tells what came of it.
        """
        return self.opened is None

    def describe(self, event: Mapping[str, Any]) -> str | None:  # noqa: ARG002
        """Return a line about an event, empty to say nothing; None for the line of any family."""
        return None
