"""The seeds in a run: a web of invented domains and the raw files of each day, on a clock."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any, ClassVar, Final

from uring.seeds.collect.limits import CollectLimits
from uring_local.fcm.journal import Delivery
from uring_local.project import WATCHES
from uring_local.sites.stage.clock import SimulatedClock
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import SimulatedDays, World
from uring_local.sites.stage.verdict import Verdict, judge_pushes, tally
from uring_local.sites.web import watch_journal
from uring_local.sites.web.dataset import (
    CATEGORY,
    COUNTRY,
    FIRST_DAY,
    LATER_CATEGORY,
    Dataset,
    dataset,
)
from uring_local.sites.web.expected import Found, find
from uring_local.sites.web.judge.letters import judge_letters, most_letters
from uring_local.sites.web.judge.requests import faults_of_requests, repeated
from uring_local.sites.web.judge.results import Shown, faults, unread
from uring_local.sites.web.model import Domain, Web
from uring_local.sites.web.published import collected, read_partition
from uring_local.sites.web.site import WebSite
from uring_local.stack.application import FamilyResources
from uring_local.words import counted

OPENED: Final = datetime.combine(FIRST_DAY, time(16), UTC)
# The days whose files are listed at each tick, the tick's own included.
SEED_DAYS: Final = 2
# Seconds between the tries of a domain that does not answer: a day lasts until all have ended.
RETRY_PAUSES: Final = (1, 1)
# A second is ten minutes to the domain worker. So it asks a domain that did not answer again, and
# does not take an earlier answer for a fresh one.
HASTE: Final = 600
# A day of the run is ten days to the worker: yesterday's robots.txt has expired, however long a day
# takes.
WORKER_DAY: Final = timedelta(days=10)
# A slow robots.txt never ends, so the wait is short; the played web needs no gap between requests.
LIMITS: Final = CollectLimits(robots_seconds=4.0, gap_seconds=0.0)

Expected = Mapping[str, tuple[Domain, Found]]
"""The domains of a day's dataset by name, each with its expected findings."""


class SeedSimulation(SimulatedDays):
    """The stand-in for all domains of the web, on its own clock.

    A robots.txt that a busy machine does not read at any try is overlooked, as a notice board is.
    """

    family = "seeds"
    opened = OPENED
    is_resumable = True
    resources = FamilyResources(
        "Seed",
        workers=("SeedFileWorker", "DomainWorker"),
        further=("SeedWatchOrchestrator", "SeedWatchWorker"),
        further_queues=("DomainQueue", "SeedWatchQueue"),
        # A domain that never ends its headers holds up the nine others in its batch.
        instances={"DomainWorker": 3},
    )
    listed = "watches"
    list_key = WATCHES.as_posix()
    check = "domain_processing_complete"
    change = "changed"
    has_latest = False
    lines: ClassVar[Mapping[str, str]] = {
        "domain_processing_complete": "",
        "file_processing_complete": "  {status:8} {file}: {records} records, {domains} domains, "
        "{duplicates} duplicates, {refused} refused",
    }

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._web = Web(world.seed, world.domains)
        self._site = WebSite(self._web, path=world.journal, port=world.port)
        self._worker_clock = SimulatedClock(OPENED)
        self._days: dict[int, tuple[Dataset, Expected]] = {}
        self.site = self._site
        self._watch = watch_journal.WatchJournal()
        self._watched: list[int] = []
        watch = watch_journal.entry(len(self._web))
        shards = [f"{watch['id']}.{n}of{watch['shards']}" for n in range(1, watch["shards"] + 1)]
        self.sources = [
            *(
                (f"{COUNTRY}/{category}", counted(len(self._web), "domain"))
                for category in (CATEGORY, LATER_CATEGORY)
            ),
            *((shard, watch["name"]) for shard in shards),
        ]
        self.parameters = {
            "WebStandIn": self._site.host,
            "Seeds": "ENABLED",
            "SeedDays": str(SEED_DAYS),
            "WatchesKey": WATCHES.as_posix(),
            "DomainSpacingSeconds": "0",
        }
        # The watch begins on the second day: on the first no domain is collected, or, after a
        # kill, only some are.
        self.objects = {**self.objects, WATCHES.as_posix(): b'{"watches": []}'}
        self._watches = json.dumps({"watches": [watch]}).encode()
        self.injected = self.on_clock("SeedOrchestrator", "SeedFileWorker", "SeedWatchWorker")
        # A day is over in seconds: the next check is the second look.
        self.injected["SeedWatchWorker"]["second_look"] = None
        self.injected["DomainWorker"] = {
            "clock": lambda: self._worker_clock.running(HASTE),
            "pauses": RETRY_PAUSES,
            "limits": LIMITS,
        }
        self.addresses = [f"the web: http://{self._site.host}, {self.sources[0][1]} by Host header"]
        for day in range(1, world.tick + 1):
            # The days of a killed run come first; then its last tick begins again.
            self._move(day)

    @property
    def hosts(self) -> Sequence[str]:
        """Empty: its domains are public."""
        return ()

    @property
    def list_body(self) -> bytes:
        """The watch of the second day and all later ones."""
        return self._watches

    def begin(self, published: Published | None) -> None:
        """Note the domains that are collected already: they may not be asked again."""
        self._site.journal.begin(collected(published) if published else ())

    def advance(self, tick: int, at: datetime) -> int:  # noqa: ARG002 - its days are its own
        """Move the clock and the web to a day; every domain of the day's dataset is due."""
        self._move(tick)
        return len(self._days[tick][1])

    def arriving(self, tick: int) -> Mapping[str, bytes]:
        """Return the raw files of a day, and from the second day on the watch list."""
        files = self._days[tick][0].objects
        if tick < watch_journal.FIRST_CHECK:
            return files
        return {**files, WATCHES.as_posix(): self._watches}

    def observe(self, event: Mapping[str, Any]) -> None:
        """Remember whose robots.txt was not read in time; it is asked for again."""
        if event["event"] == "deferred" and event["reason"].endswith("in time"):
            self._site.journal.note(day=self._site.day, late=event["group"])

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare results, counters, dead letters and requests of every day with the model."""
        verdict = judge_pushes(
            self._watch.pushes.elements(),
            deliveries,
            lambda delivery: watch_journal.push_of(delivery, OPENED),
            ended,
        )
        overlooked = 0
        for day, (files, expected) in self._days.items():
            shown = read_partition(published, files)
            late = unread(expected, self._site.journal.late.get(day, ()), shown.metadata)
            # What was read at a later try is judged as before.
            overlooked += sum(each is not expected[name][1] for name, (_, each) in late.items())
            self._days[day] = files, {**expected, **late}
            found = self._faults_of_day(day, expected, late, shown)
            verdict.wrong += [f"{files.name}: {fault}" for fault in found]
        days = [*self._days.values()]
        verdict.letters, faulty = judge_letters(days, published, self._site.journal.process)
        verdict.wrong += faulty
        verdict.wrong += [f"web: {failure!r}" for failure in self._site.failures]
        again = repeated(self._site.journal)
        if again:
            verdict.repeated["killed"] = again
        outcomes = Counter(found.outcome for _, each in days for _, found in each.values())
        verdict.figures = {
            "until": self.clock().isoformat(),
            "raw_files": sum(len(files.files) for files, _ in days),
            "domains": sum(len(each) for _, each in days),
            "robots": dict(outcomes.most_common()),
            "kinds": tally(push.kind for push in self._watch.pushes.elements()),
            "requests": len(self._site.journal.asked),
            "processes": self._site.journal.process,
        }
        verdict.overlook(overlooked, sum(len(each) for _, each in days))
        return verdict

    def is_expected(self, failure: Mapping[str, Any]) -> bool:
        """Return whether the failed message is about a file without records."""
        return failure["group"] in {
            f"{files.name}/{file.number}"
            for files, _ in self._days.values()
            for file in files.files
            if file.status == "failed"
        }

    def describe(self, event: Mapping[str, Any]) -> str | None:
        """Return a line about a raw file, also about a file without records, which has to fail."""
        if event["event"] == "record_failed" and self.is_expected(event):
            return f"  expected {event['group']}: not a dataset"
        return super().describe(event)

    def fields(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an event's fields and, as ``file``, the name of its raw file.

        A path outside the datasets stays as it is.
        """
        path = event.get("file_path")
        names = (
            f"{files.name}/{file.number}"
            for files, _ in self._days.values()
            for file in files.files
            if files.path(file) == path
        )
        return {**super().fields(event), "file": next(names, path)}

    def _move(self, day: int) -> None:
        self.clock.move(OPENED + timedelta(days=day - 1))
        self._worker_clock.move(OPENED + WORKER_DAY * (day - 1))
        self._site.advance(day)
        if day not in self._days:
            files = dataset(self._web, day)
            numbers = (self._web.numbers[name] for name in files.domains)
            domains = [self._web.domain(number, day) for number in sorted(numbers)]
            self._days[day] = files, {each.domain: (each, find(each)) for each in domains}
            self.letters = most_letters(
                [*self._days.values()], self._site.journal.process, SEED_DAYS
            )
            if day == 1:
                self._watched = [each.number for each in domains if each.is_reachable]
            else:
                self._watch.observe(day, (self._web.domain(n, day) for n in self._watched))

    def _faults_of_day(
        self, day: int, expected: Expected, late: Expected, shown: Shown
    ) -> Iterator[str]:
        files, due = self._days[day]
        yield from faults(due, files, shown)
        letters = {name: len(sources) for name, sources in files.domains.items()}
        watched: set[str] = set()
        if day >= watch_journal.FIRST_CHECK:
            watched = {self._web.domain(number, day).domain for number in self._watched}
        journal = self._site.journal
        yield from faults_of_requests(expected, letters, journal, day, files.date, watched, late)
