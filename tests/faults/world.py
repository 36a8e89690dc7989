"""A department under faults: the real worker of notices, and the notifier; see `cloud`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Final

from cloud import MOST_EXTRA_TICKS, VISIBILITY_SECONDS, Handles
from fakes import (
    ENTRY,
    Died,
    Message,
    Notice,
    ScriptedFetcher,
    page_of,
)
from faulty import Faults, FaultyBucket, FaultyFetcher
from releases import NextJob, NextNotices, NextOutlet, NextState
from verdict import RecordWorld, Shown, page_name

from uring.aws.queues import NotifyQueue
from uring.changes.health import DAILY
from uring.changes.hint import Hint, hint_of
from uring.changes.register import StateRegister
from uring.contracts import Job
from uring.errors import CorruptState, Retryable, SourceTrouble
from uring.notices.family import Notices
from uring.notices.state import NoticeState
from uring.notices.visit import NoticeVisitor
from uring.objects import Stored
from uring.push.ports import SendResult
from uring_local.operate.retract import Wanted, take_back

START: Final = datetime(2026, 3, 31, 12, 5, tzinfo=UTC)
TICK: Final = timedelta(minutes=10)
_REDRIVES: Final = 3
_RUNS_OF_THE_COMMAND: Final = 2

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
        hinted: whether jobs carry hints of the state.
        views: whether no two answers of the site have the same bytes.
        watched: the monitor looks at the state before every so many ticks.
        late: how long a job waits for its worker.
        lost: the numbers of ticks that never come.
        restored: the number of the tick before which an operator puts back the first state.
        removed: the number of the tick before which state and evicted records are deleted.
        retracted: the number of the tick before which an operator first takes back the push of a
            notice, and its id. The command is repeated until it has ended well twice.
        slow: how long other runs took between their beginning and what they do during a stall.
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
    hinted: bool = False
    views: bool = False
    watched: int = 1
    late: timedelta = timedelta()
    lost: frozenset[int] = frozenset()
    restored: int | None = None
    removed: int | None = None
    retracted: tuple[int, str] | None = None
    slow: timedelta = timedelta()


class World(RecordWorld):
    """One source with its bucket, queues and ledger.

    Args:
        plan: which I/O breaks, and how; see `faulty`.

    Attributes:
        hinted: how many jobs carried a hint.
    """

    family, source, model = "notices", "cs", NoticeState
    fields = ("title", "is_pinned")

    def __init__(self, scenario: Scenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.is_redriven, self.redriven = scenario.redriven, list[Message]()
        self._began = False
        self._is_next = False
        self.served: dict[str, datetime] = {}
        self._ticks = count()
        self.hinted = 0
        self._hint: Hint | None = None
        self._first: Stored | None = None
        self._retractions = 0
        self._is_operating = False
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
        number, key = next(self._ticks), "state/notices/cs.json"
        stored = self.objects.get(key)
        self._first = self._first or stored
        if number == self.scenario.restored and self._first:
            self.objects.restore(key, self._first)
            stored = self._first
        if number == self.scenario.removed:
            for gone in (key, "state/notices/cs.seen.json"):
                self.objects.remove(gone)
            stored = None
        if self.scenario.retracted and number >= self.scenario.retracted[0]:
            self._retract(self.scenario.retracted[1])
            stored = self.objects.get(key)
        if stored and number % self.scenario.watched == 0:
            self._hint = hint_of_stored(stored, "cs")
        if number not in self.scenario.lost:
            self._send(stored)
            self.clock.advance(self.scenario.late.total_seconds() * self._began)

    def _retract(self, notice: str) -> None:
        """An operator takes back a push, and repeats what was interrupted or refused."""
        if self._is_operating or self._retractions == _RUNS_OF_THE_COMMAND:
            return
        self._is_operating = True
        bucket = FaultyBucket(self.objects, self.faults)
        register = StateRegister(
            bucket, "notices", NoticeState, clock=self.clock, backoff=self.backoff
        )
        try:
            wanted = Wanted([notice])
            take_back(bucket, register, "cs", wanted, write=True, clock=self.clock)
            self._retractions += 1
        except (Died, Retryable):
            pass
        finally:
            self._is_operating = False

    def _send(self, stored: Stored | None) -> None:
        """Send the tick's job, with the hint of the state as it is listed now."""
        hint, etag = self._hint, stored.etag if stored else None
        is_hinted = self.scenario.hinted and hint is not None and hint.etag == etag
        hint = hint if hint is not None and is_hinted and hint.known is not None else None
        self.hinted += hint is not None
        entry = self.scenario.entry if self._began else ENTRY
        contract = NextJob if self.scenario.releases else Job
        job = contract(
            family="notices",
            source="cs",
            scheduled_at=self.clock(),
            interval_minutes=10,
            entry=dict(entry),
            hint=hint.model_dump() if hint is not None else None,
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
        if isinstance(page, SourceTrouble):
            # One trouble for all runs: each raise adds the frames of its run to those before.
            return page.with_traceback(None)
        if not self.scenario.views:
            return page_of(page)
        text = page_of(page, decoration=f"{self.clock():%j %H:%M:%S} views")
        self.served.setdefault(page_name(text.encode()), self.clock())
        return text

    def worker(self) -> Handles:
        if self.scenario.releases:
            # Deployed, rolled back, deployed: a batch each.
            self._is_next = not self._is_next
            self._worker = self.new_worker(self.faults)
        return super().worker()

    def new_worker(self, faults: Faults) -> Handles:
        objects = FaultyBucket(self.objects, faults)
        slow = timedelta() if faults is self.faults else self.scenario.slow
        family, model, outlet = Notices, NoticeState, NotifyQueue
        if self._is_next:
            family, model, outlet = NextNotices, NextState, NextOutlet
        notices = family(
            NoticeVisitor(FaultyFetcher(ScriptedFetcher(self._answer), faults)),
            objects,
            clock=self.clock,
            backoff=self.backoff,
        )
        # What a run writes has the time at which it began.
        began = lambda: self.clock() - slow  # noqa: E731
        return self.worker_of(notices, model, objects, faults, outlet, began)


def hint_of_stored(stored: Stored, source: str) -> Hint:
    """The hint that the monitor makes; of a state that cannot be read it has none."""
    try:
        key = f"state/notices/{source}.json"
        state = NoticeState.from_json(stored.body, key=key, source=source)
    except CorruptState:
        return Hint(etag=stored.etag)
    return hint_of(state, stored.etag, DAILY)
