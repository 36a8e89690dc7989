"""A department under faults: the real worker of notices, and the notifier; see `cloud`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cloud import MOST_EXTRA_TICKS, VISIBILITY_SECONDS, Handles
from fakes import (
    ENTRY,
    Message,
    Notice,
    ScriptedFetcher,
    page_of,
)
from faulty import Faults, FaultyFetcher, FaultyObjects
from releases import NextJob, NextNotices, NextOutlet, NextState
from verdict import RecordWorld, Shown

from uring.aws.queues import NotifyQueue
from uring.contracts import Job
from uring.errors import SourceTrouble
from uring.notices.family import Notices
from uring.notices.state import NoticeState
from uring.notices.visit import Visitor
from uring.push.ports import SendResult

START: Final = datetime(2026, 3, 31, 12, 5, tzinfo=UTC)
TICK: Final = timedelta(minutes=10)
_REDRIVES: Final = 3

Board = tuple[Notice, ...]
Seen = Board | SourceTrouble


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens around the two functions.

    Attributes:
        pages: what the site shows in turn, the last for good; a trouble is raised by the fetch.
        step: how long each page stays.
        begins: when the first page shows.
        baseline: known before the first fault can happen; none when None.
        down: from the first death to the next process.
        fcm: what FCM answers to the first POSTs of a notice, by its id; then it accepts. A
            refusal for good is one.
        notify_receives: of a message of the notify queue, before it is a dead letter.
        entry: of the sitemap, from the first page on; the baseline is read by `fakes.ENTRY`.
        redriven: whether an operator sends dead letters round again in the end.
        releases: whether this release and the next take turns.
    """

    name: str
    pages: tuple[Seen, ...]
    step: timedelta = TICK
    begins: datetime = START
    baseline: Board | None = ()
    down: timedelta = timedelta()
    fcm: Mapping[str, Sequence[SendResult]] | None = None
    notify_receives: int = 50
    entry: Mapping[str, Any] = field(default_factory=lambda: ENTRY)
    redriven: bool = False
    releases: bool = False


class World(RecordWorld):
    """One source with its bucket, queues and ledger.

    Args:
        plan: which I/O breaks, and how; see `faulty`.
    """

    family, source, model = "notices", "cs", NoticeState
    fields = ("title", "is_pinned")

    def __init__(self, scenario: Scenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.is_redriven, self.redriven = scenario.redriven, list[Message]()
        self._began = False
        self._is_next = False
        super().__init__(
            scenario.begins - TICK,
            plan,
            down=scenario.down,
            notify_receives=scenario.notify_receives,
            fcm=scenario.fcm,
        )

    def run(self) -> None:
        """From the baseline until every page was seen and all is quiet."""
        if self.scenario.baseline is not None:
            self.faults.counting = False
            self.tick()
            self.poll()
            self.faults.counting = True
        self._began = True
        for number in range(len(self.scenario.pages) + MOST_EXTRA_TICKS):
            self.clock.now = max(self.clock.now, self.scenario.begins + number * TICK)
            all_shown = self._place() >= len(self.scenario.pages)
            if self.round() and all_shown:
                break
        for _ in range(_REDRIVES if self.scenario.redriven else 0):
            self.redrive()

    def round(self) -> bool:
        return super().round() and not self._waits()

    def _waits(self) -> bool:
        """Whether the worker leaves the site alone for now: it has not seen the last page yet."""
        checks = [fields for name, fields in self.telemetry.events if name == "checked"]
        return bool(checks) and checks[-1]["outcome"] == "waiting"

    def page(self) -> Seen:
        """What the site shows now."""
        if not self._began:
            return self.scenario.baseline or ()
        return self.scenario.pages[min(self._place(), len(self.scenario.pages) - 1)]

    def meta(self) -> dict[str, str]:
        return {"dept_name": self.scenario.entry["name"]}

    def site(self) -> dict[str, Shown]:
        return {notice.id: (notice.title, notice.is_pinned) for notice in self.last_page()}

    def last_page(self) -> Board:
        """What the site shows in the end."""
        return next(page for page in reversed(self.scenario.pages) if isinstance(page, tuple))

    def tick(self) -> None:
        entry = self.scenario.entry if self._began else ENTRY
        contract = NextJob if self.scenario.releases else Job
        job = contract(
            family="notices",
            source="cs",
            scheduled_at=self.clock(),
            interval_minutes=10,
            entry=dict(entry),
        )
        self.work.send("cs", job.job_id, job.body())

    def redrive(self) -> None:
        """An operator sends the dead letters of the notify queue round again, a day later."""
        self.clock.advance(days=1)
        letters, self.dead.messages = self.dead.messages, []
        self.redriven += letters
        for letter in letters:
            self.notify.send(letter.group, f"again-{letter.message_id}", letter.body)
        for _ in range(MOST_EXTRA_TICKS):
            self.push()
            self.clock.advance(VISIBILITY_SECONDS + 1)

    def _place(self) -> int:
        """How many pages came before the one that shows now."""
        return int((self.clock() - self.scenario.begins) / self.scenario.step)

    def _answer(self) -> str | Exception:
        page = self.page()
        # One trouble for all runs: each raise adds the frames of its run to those before.
        return page.with_traceback(None) if isinstance(page, SourceTrouble) else page_of(page)

    def worker(self) -> Handles:
        if self.scenario.releases:
            # Deployed, rolled back, deployed: a batch each.
            self._is_next = not self._is_next
            self._worker = self.new_worker(self.faults)
        return super().worker()

    def new_worker(self, faults: Faults) -> Handles:
        objects = FaultyObjects(self.objects, faults)
        family, model, outlet = Notices, NoticeState, NotifyQueue
        if self._is_next:
            family, model, outlet = NextNotices, NextState, NextOutlet
        notices = family(
            Visitor(FaultyFetcher(ScriptedFetcher(self._answer), faults)),
            objects,
            clock=self.clock,
            backoff=self.backoff,
        )
        return self.worker_of(notices, model, objects, faults, outlet)
