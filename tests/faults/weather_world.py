"""A product of aviation weather under faults: its real worker, and the notifier; see `cloud`.

The notifier's own I/O is not broken here: it knows no family, and the scenarios of the notices
break it. What it pushes twice is therefore the weather worker's doing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cloud import MOST_EXTRA_TICKS, Cloud, Handles
from faulty import Faults, FaultyBucket

from uring.contracts import Job
from uring.errors import FetchFailed
from uring.weather.family import CollectsReports, Weather
from uring.weather.gateway.collect import CollectedReports
from uring.weather.product import Product
from uring.weather.state import WeatherState

START: Final = datetime(2026, 3, 31, 23, 40, tzinfo=UTC)
AIRPORTS: Final = ("RKAA", "RKBB", "RKCC")
INTERVALS: Final[Mapping[Product, int]] = {"metar": 10, "taf": 30, "warning": 5}
# As in the template: shorter than every interval, so that a job comes back in time to be run again.
VISIBILITY_SECONDS: Final = 210
PUSH_KINDS: Final = frozenset(
    {
        "speci",
        "taf_amended",
        "taf_cancelled",
        "warning_raised",
        "warning_changed",
        "warning_lifted",
        "category_changed",
    }
)

Page = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class WeatherScenario:
    """What the gateway has to say around the worker.

    Attributes:
        pages: its reports by ICAO code in turn, the last for good; an airport that is not there
            fails.
        told: airport and kind of every push of an undisturbed run, in order.
        before: pages that were stored one after the other before the first fault can happen.
        step: how long each page stays.
        down: from the first death to the next process.
    """

    name: str
    product: Product
    pages: tuple[Page, ...]
    told: tuple[tuple[str, str], ...] = ()
    before: tuple[Page, ...] = ()
    step: timedelta = timedelta(minutes=40)
    down: timedelta = timedelta()


class FaultyGateway:
    """A gateway that may answer for half of the airports, or for none."""

    def __init__(self, inner: CollectsReports, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        def some(number: int) -> CollectedReports:
            answers = self._inner.collect(product, airports[:number], now)
            silent = dict.fromkeys(airports[number:], FetchFailed("timeout", "no answer"))
            return CollectedReports(answers.fresh, {**answers.failed, **silent})

        return self._faults.call(
            "gateway.ask",
            lambda: self._inner.collect(product, airports, now),
            no_answer=lambda: some(0),
            partial=lambda: some(len(airports) // 2),
        )


class WeatherWorld(Cloud):
    """One product with its bucket, queues and ledger.

    Args:
        plan: which I/O breaks, and how; see `faulty`.

    Attributes:
        needless: what the last run of all wrote or removed, though nothing had changed.
    """

    def __init__(self, scenario: WeatherScenario, plan: Mapping[int, str] | None = None) -> None:
        self.scenario = scenario
        self.needless: set[str] = set()
        self._earlier: Page | None = None
        self._begins = START
        super().__init__(
            START,
            plan,
            down=scenario.down,
            visibility_seconds=VISIBILITY_SECONDS,
        )

    def run(self) -> None:
        """From what was before until every page was seen and all is quiet."""
        self.faults.counting = False
        for page in self.scenario.before:
            self._earlier = page
            self._quietly()
        self._earlier, self._begins = None, self.clock()
        self.faults.counting = True
        for number in range(len(self.scenario.pages) + MOST_EXTRA_TICKS):
            self.clock.now = max(self.clock.now, self._begins + number * self.scenario.step)
            all_shown = self._place() >= len(self.scenario.pages)
            if self.round() and all_shown:
                break
        self.run_once_more()

    def run_once_more(self) -> None:
        """A run that nothing disturbs, when all is quiet: it has nothing to do."""
        self.faults.counting = False
        writes, there = self._stored()
        marks = self._marks()
        self._quietly()
        writes_after, there_after = self._stored()
        self.needless = {key for key, _ in (writes ^ writes_after) | (there ^ there_after)}
        if marks != self._marks():
            # Meanwhile a report became overdue, or a forecast ended: readers are told.
            self.needless.discard(f"data/{self.scenario.product}/latest.json")

    def _marks(self) -> dict[str, dict[str, Any]]:
        body = self.objects.bodies().get(f"data/{self.scenario.product}/latest.json", b"{}")
        airports = json.loads(body).get("airports", {})
        return {
            icao: {key: value for key, value in report.items() if key.startswith("_")}
            for icao, report in airports.items()
        }

    def round(self) -> bool:
        return super().round() and self._found_nothing()

    def _found_nothing(self) -> bool:
        """Whether the last run found all stored: a job that came back too late is none.

        A warning that vanished is lifted by the run after: then there is something to do.
        """
        checks = [fields for name, fields in self.telemetry.events if name == "checked"]
        key = f"state/weather/{self.scenario.product}.json"
        state = json.loads(self.objects.bodies().get(key, b"{}"))
        is_quiet = bool(checks) and checks[-1]["outcome"] == "unchanged"
        return is_quiet and not state.get("vanished")

    def page(self) -> Page:
        """What the gateway has now."""
        if self._earlier is not None:
            return self._earlier
        return self.scenario.pages[min(self._place(), len(self.scenario.pages) - 1)]

    def tick(self) -> None:
        product = self.scenario.product
        job = Job(
            family="weather",
            source=product,
            scheduled_at=self.clock(),
            interval_minutes=INTERVALS[product],
        )
        self.work.send(job.group, job.job_id, job.body())

    def new_worker(self, faults: Faults) -> Handles:
        files = FaultyBucket(self.objects, faults)
        weather = Weather(
            FaultyGateway(self, faults),
            files,
            airports=AIRPORTS,
            push_kinds=PUSH_KINDS,
            backoff=self.backoff,
        )
        return self.worker_of(weather, WeatherState, files, faults)

    def new_notifier(self, faults: Faults) -> Handles:
        del faults
        return super().new_notifier(Faults())

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        """Implements `uring.weather.family.CollectsReports` by the page that shows now."""
        del product, now
        page = self.page()
        fresh = {icao: page[icao] for icao in airports if icao in page}
        silent = [icao for icao in airports if icao not in page]
        return CollectedReports(fresh, dict.fromkeys(silent, FetchFailed("timeout", "no answer")))

    def _quietly(self) -> None:
        self.tick()
        self.poll()
        self.push()
        self.clock.advance(minutes=INTERVALS[self.scenario.product])

    def _place(self) -> int:
        """How many pages came before the one that shows now."""
        return int((self.clock() - self._begins) / self.scenario.step)

    def _stored(self) -> tuple[set[tuple[str, int]], set[tuple[str, bytes]]]:
        """How often each key was written, and what is there; the state holds when it last ran."""
        state = f"state/weather/{self.scenario.product}.json"
        versions = self.objects.versions.items()
        writes = {(key, len(bodies)) for key, bodies in versions if key != state}
        there = {(key, body) for key, body in self.objects.bodies().items() if key != state}
        return writes, there
