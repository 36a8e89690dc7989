"""Two boards whose rhythm changes while jobs are under way; the orchestrator may die, too.

    schedules ─► orchestrator ─ sitemap of the moment ─► work queue ─► worker, as in `world`

A tick that fails is called again after one minute and after two more, as Lambda does; the next
tick may come before.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import heappop, heappush
from typing import Any, Final, TypeVar

from fakes import ENTRY, Died, MemoryQueue
from faulty import Faults, FaultyBucket, FaultySqs
from scenarios import board
from world import Scenario, Seen, World, hint_of_stored

from uring.aws.queues import SqsWorkQueue
from uring.changes.jobs import Orchestrator, Planned, Ticks
from uring.contracts import Job
from uring.errors import Retryable
from uring.notices.source import Source
from uring.sources.plan import EntriesPlan
from uring.sources.rhythm import RhythmName

T = TypeVar("T")

SOURCES: Final = ("cs", "ee")
KEY: Final = "config/sitemap.json"
# From 17 to 18 o'clock in Korea; all other hours have a tick every ten minutes.
BUSY: Final = frozenset({8})
_MINUTE: Final = timedelta(minutes=1)
_RETRIES: Final = (timedelta(minutes=1), timedelta(minutes=2))
# As in the template: a call that failed longer ago is not repeated.
_OLDEST: Final = timedelta(minutes=5)
# Within the time-out of the function.
_STALLED_SECONDS: Final = 50
# The longest interval and what failures add to it.
_AFTERWARDS: Final = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class RhythmScenario:
    """What happens around the functions; minutes count from the beginning.

    Attributes:
        name: of the scenario.
        begins: before the first tick, aware UTC.
        pages: what both boards show from a minute on.
        sitemaps: from a minute on, the keys of both entries beside the usual ones.
        stacks: from a minute on, the parameter `Rhythm`.
        polled: the worker takes jobs after every so many calls of the orchestrator.
        hinted: whether jobs carry hints of the state.
    """

    name: str
    begins: datetime
    pages: tuple[tuple[float, Seen], ...]
    sitemaps: tuple[tuple[float, Mapping[str, Any]], ...]
    stacks: tuple[tuple[float, RhythmName], ...] = ((0, "sooner"),)
    polled: int = 1
    hinted: bool = False


class RhythmWorld(World):
    """Two sources with one page.

    Attributes:
        ticks: by the time of a tick that was called to its end, its stack and its plan.
        dropped: ticks that never were.
    """

    # Groups of one batch run beside each other; their calls would have other numbers each time.
    most = 1

    def __init__(self, scenario: RhythmScenario, plan: Mapping[int, str] | None = None) -> None:
        self.rhythm = scenario
        self.ticks: dict[datetime, tuple[Ticks, Mapping[str, Planned]]] = {}
        self.dropped: set[datetime] = set()
        self._planned: Sequence[Planned] = ()
        self._processes: dict[tuple[RhythmName, bool], Orchestrator] = {}
        self._is_ticking = self._is_stalled = False
        self._polls = 0
        pages = tuple(page for _, page in scenario.pages)
        super().__init__(Scenario(scenario.name, pages, begins=scenario.begins), plan)
        self._agenda = [(at, at, 0) for at in self._schedule()]

    def run(self) -> None:
        """From the baseline until both boards were seen as they are in the end."""
        self.faults.counting = False
        for source in SOURCES:
            job = Job(
                family="notices",
                source=source,
                scheduled_at=self.clock(),
                interval_minutes=10,
                entry={**ENTRY, "id": source},
            )
            self.work.send(source, job.job_id, job.body())
        self.poll()
        self.faults.counting = True
        self._began, shown = True, None
        while self._agenda:
            self.round()
            if shown is None and self._minute() >= self.rhythm.pages[-1][0]:
                shown = len(self.telemetry.events)
            if shown is not None and self._is_settled(shown):
                break

    def page(self) -> Seen:
        if not self._began:
            return board("1")
        return _now(self.rhythm.pages, self._minute())

    def tick(self) -> None:
        """The next call of the orchestrator; the schedules' or one that repeats a failed one."""
        when, at, tries = heappop(self._agenda)
        self.clock.now = max(self.clock.now, when)
        if tries and self.clock() - when > _OLDEST:
            self.dropped.add(at)
            return
        more = _now(self.rhythm.sitemaps, self._minute())
        entries = [{**ENTRY, "id": source, **more} for source in SOURCES]
        self.objects.plant(KEY, json.dumps({"sources": entries}).encode())
        key = _now(self.rhythm.stacks, self._minute()), self._is_stalled
        before, self._is_ticking = self._is_ticking, not self._is_stalled
        try:
            if key not in self._processes:
                self._processes[key] = self._orchestrator(
                    key[0], Faults() if self._is_stalled else self.faults
                )
            self._processes[key].tick(at)
            self.ticks[at] = _ticks(key[0]), {each.source: each for each in self._planned}
        except (Died, Retryable) as error:
            if isinstance(error, Died):
                del self._processes[key]
            if tries < len(_RETRIES):
                heappush(self._agenda, (self.clock() + _RETRIES[tries], at, tries + 1))
            else:
                self.dropped.add(at)
        finally:
            self._is_ticking = before

    def poll(self) -> None:
        # A round polls twice.
        self._polls += self._began
        if self._polls // 2 % self.rhythm.polled == 0:
            super().poll()

    def others_run(self) -> None:
        """What others do while a process stalls; an orchestrator is ended before the next tick."""
        if self._is_ticking:
            self.clock.advance(_STALLED_SECONDS)
            super().poll()
        elif self._agenda:
            self._is_stalled = True
            super().others_run()
            self._is_stalled = False

    def _orchestrator(self, stack: RhythmName, faults: Faults) -> Orchestrator:
        plan = EntriesPlan(
            FaultyBucket(self.objects, faults),
            self.telemetry,
            config_key=KEY,
            model=Source,
            key="sources",
            what="a sitemap",
            taken={},
            rhythm=lambda source: source.paced(stack),
        )

        def planned() -> Sequence[Planned]:
            self._planned = plan()
            return self._planned

        return Orchestrator(
            "notices",
            planned,
            _OneByOne(self.work, faults),
            self.telemetry,
            ticks=_ticks(stack),
            hints=self._hints if self.rhythm.hinted else None,
        )

    def _hints(self) -> dict[str, dict[str, Any]]:
        stored = {source: self.objects.get(f"state/notices/{source}.json") for source in SOURCES}
        hints = {source: hint_of_stored(state, source) for source, state in stored.items() if state}
        found = {source: hint.model_dump() for source, hint in hints.items() if hint.known}
        self.hinted += len(found)
        return found

    def _schedule(self) -> Iterator[datetime]:
        for minute in range(int(self.rhythm.pages[-1][0]) + int(_AFTERWARDS / _MINUTE)):
            at = self.rhythm.begins + minute * _MINUTE
            is_busy = _now(self.rhythm.stacks, minute) != "uniform" and at.hour in BUSY
            if at.minute % 10 == 5 or (is_busy and at.minute % 2):
                yield at

    def _minute(self) -> float:
        return (self.clock() - self.rhythm.begins) / _MINUTE

    def _is_settled(self, shown: int) -> bool:
        """Whether the last check of each board found the last page, and nothing new in it."""
        checks = [fields for name, fields in self.telemetry.events[shown:] if name == "checked"]
        last = {fields["source"]: fields["outcome"] for fields in checks}
        is_seen = last == dict.fromkeys(SOURCES, "unchanged")
        return is_seen and not (self.work.messages or self.notify.messages)


class _OneByOne:
    """The real work queue with batches of one job: a process may end between any two."""

    def __init__(self, queue: MemoryQueue, faults: Faults) -> None:
        self._queue = SqsWorkQueue(FaultySqs(queue, faults), "work")

    def dispatch(self, jobs: Sequence[Job]) -> int:
        return sum(self._queue.dispatch([job]) for job in jobs)


def _now(values: Sequence[tuple[float, T]], minute: float) -> T:
    """The value of a minute; the first holds before, too."""
    known = [value for begin, value in values if begin <= minute]
    return known[-1] if known else values[0][1]


def _ticks(stack: RhythmName) -> Ticks:
    return Ticks(10, frozenset() if stack == "uniform" else BUSY)
