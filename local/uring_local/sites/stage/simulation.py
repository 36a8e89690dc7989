"""A family in a run: its played site, its share of the template, and its judge.

advance(tick) ─► the schedules' targets ─► queues empty ─► inspect      after the last: judge
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

import boto3

from uring_local.fcm.journal import Delivery
from uring_local.loopback import Listener
from uring_local.options import RhythmName
from uring_local.project import SITEMAP
from uring_local.sites.stage.clock import SimulatedClock
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.verdict import Verdict
from uring_local.stack.application import Application, FamilyResources
from uring_local.stack.event_log import record_of, source_of

# The monitor reads the notice sources too; here there are none.
NO_NOTICES: Final = MappingProxyType({SITEMAP.as_posix(): b'{"sources": []}'})


@dataclass(frozen=True)
class World:
    """The parameters of a played site.

    Attributes:
        seed: of its script and its faults.
        opened: the first day on the site, for a site on the real clock.
        tick: the site's current tick; 0 before the first one.
        finished: the last tick that was not cut short; 0 without one.
        repeated: the ticks that were begun again after a kill.
        port: of the server; 0 picks a free one.
        failing: share of the calls that fail on purpose.
        variables: of the functions, by logical id, from the template.
        domains: number of domains, for a site that has domains.
        journal: the file of the site's requests, which outlives a kill; None keeps them in memory.
        rhythm: of the checks, for a site that plays one.
        ticks_a_day: in a day of the real clock, for a site that has no other.
    """

    seed: int
    opened: date
    tick: int = 0
    finished: int = 0
    repeated: Collection[int] = ()
    port: int = 0
    failing: float = 0.0
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    domains: int = 0
    journal: Path | None = None
    rhythm: RhythmName = "uniform"
    ticks_a_day: int = 144


class Simulation(ABC):
    """One family in a run; a context manager that serves its site, if it is played.

    Attributes:
        family: its name.
        site: None for a family without a played site.
        opened: the time of its first tick, on a clock of its own; None for the real clock. Days on
            its own clock fit no other data: they need a stack of their own, and functions in this
            process, which take that clock.
        is_resumable: whether a run on its own clock can be killed and continued, on a stack that
            stays up.
        is_in_process: whether its functions take arguments of this process: they are always in it.
        is_alone: whether it runs only on request: its ticks take far longer than the ticks of
            other families.
        resources: its functions and queues.
        check: the event of one check, beside the engine's own.
        change: the event of one change.
        sources: id and name of each source.
        has_latest: whether each source has a ``latest.json`` for readers.
        parameters: of the template.
        secrets: text by name in Secrets Manager.
        objects: bodies by key in the bucket.
        listed: the name of its list in index.json; empty for none.
        list_key: the key of the list of its sources; empty without one.
        injected: keyword arguments of its functions' `build`, by logical id.
        letters: the dead letters that it has caused on purpose so far, at most, by queue.
        addresses: lines that show a person the site's addresses.
        lines: about events, by event name, with the event's fields in braces. An empty line
            prints nothing; an event without a line gets the common line of all families.
    """

    family: str
    site: Listener | None = None
    opened: datetime | None = None
    is_resumable: bool = False
    is_in_process: bool = False
    is_alone: bool = False
    resources: FamilyResources
    check: str = "checked"
    change: str
    sources: Sequence[tuple[str, str]]
    has_latest: bool = True
    parameters: Mapping[str, str] = MappingProxyType({})
    secrets: Mapping[str, str] = MappingProxyType({})
    objects: Mapping[str, bytes]
    listed: str = ""
    list_key: str = ""
    injected: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    letters: Mapping[str, int] = MappingProxyType({})
    addresses: Sequence[str] = ()
    lines: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __init__(self, world: World) -> None:  # noqa: B027 - each has a site of its own
        """Set the site up in its world."""

    @property
    def hosts(self) -> Sequence[str]:
        """The private addresses that may be fetched; empty without a site."""
        return () if self.site is None else (self.site.host,)

    @property
    def list_body(self) -> bytes:
        """The list of its sources, as an operator's command reads it; empty without one."""
        return self.objects.get(self.list_key, b"")

    def __enter__(self) -> Self:
        if self.site is not None:
            self.site.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.site is not None:
            self.site.stop()

    def begin(self, published: Published | None) -> None:  # noqa: B027 - few have to
        """Take in the data of earlier processes, before any function runs; None without any."""

    def time_of(self, tick: int, period: timedelta) -> datetime | None:
        """Return the time of a tick on its own clock; None on the real clock.

        Args:
            tick: counted from 1; 0 is the one before.
            period: the interval of the family's schedule.
        """
        return self.opened and self.opened + (tick - 1) * period

    @abstractmethod
    def advance(self, tick: int, at: datetime) -> int:
        """Move the site to a tick; return the number of checks that are due then.

        Args:
            tick: counted from 1; after a kill the site's last tick comes again.
            at: its scheduled time.
        """

    def arriving(self, tick: int) -> Mapping[str, bytes]:  # noqa: ARG002
        """Return the objects that other systems store before a tick, bodies by key."""
        return {}

    def session(self) -> Any:
        """Return the boto3 session of the functions in this process and of the judge."""
        return boto3.Session()

    def act(self, tick: int, application: Application) -> None:  # noqa: B027 - few have clients
        """Play the site's people in a tick, after its schedules were triggered."""

    def inspect(self, at: datetime, published: Published) -> None:  # noqa: B027 - few have to
        """Take in the data of a tick that the judge cannot see at the end."""

    @abstractmethod
    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare the published data and the pushes with the site's own journal.

        Args:
            published: by this run and by earlier runs on the same data.
            deliveries: of all FCM stand-ins of this run.
            ended: the stand-ins that were not killed, see `uring_local.fcm.journal.doubles`.
        """

    def is_expected(self, failure: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Return whether the site causes this ``record_failed`` of a worker on purpose.

        On the real clock a failed message is tried again later, and the verdict shows the result.
        """
        return self.opened is None

    def observe(self, event: Mapping[str, Any]) -> None:  # noqa: B027 - few have to
        """Take in an event of a function, in their order."""

    def describe(self, event: Mapping[str, Any]) -> str | None:
        """Return a line about an event; empty prints nothing, None asks for the common line."""
        line = self.lines.get(event["event"])
        try:
            return line and line.format_map(self.fields(event))
        except KeyError:  # another family's event of that name
            return None

    def fields(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields that a line can show of an event."""
        return {**event, "source": source_of(event), "record": record_of(event)}


class SimulatedDays(Simulation):
    """A family on a clock of its own, which stops between ticks except for the notifier.

    Attributes:
        opened: the time of its first tick, aware UTC.
        clock: of its functions.
    """

    opened: datetime

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.clock = SimulatedClock(self.opened)
        self.objects = NO_NOTICES

    def on_clock(self, *functions: str) -> dict[str, dict[str, Any]]:
        """Return the `injected` arguments that give the clock to these functions.

        The monitor and the notifier get it too; the notifier's clock runs.
        """
        clocks = dict.fromkeys(("Monitor", *functions), self.clock)
        # On a stopped clock a push that FCM refused would never be due again.
        return {name: {"clock": clock} for name, clock in clocks.items()} | {
            "Notifier": {"clock": self.clock.running}
        }
