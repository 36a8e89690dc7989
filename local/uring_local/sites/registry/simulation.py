"""The regulations in a run: two registries on a clock of their own, a month in minutes."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Final

from uring_local.fcm.journal import Delivery
from uring_local.sites.registry.journal import Journal
from uring_local.sites.registry.judge import (
    LAST_RUN,
    LETTER,
    Shown,
    Table,
    day_of,
    faults,
    faults_of_run,
    push_of,
)
from uring_local.sites.registry.judge_texts import with_head
from uring_local.sites.registry.model import OPENED, REGISTRIES
from uring_local.sites.registry.site import RECHECK_DAYS, RegistrySite
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import SimulatedDays, Simulation, World
from uring_local.sites.stage.verdict import Verdict, is_late, judge_pushes, tally
from uring_local.stack.application import FamilyResources

CONFIG: Final = "config/registries.json"
TABLE: Final = "RegistryTable"
# Seconds between two tries of a file. A day lasts until all tries are over, so that every try meets
# the site of its day, and a run does not wait 10 and 60 minutes.
RETRY_PAUSES: Final = (1, 1)
# A night can be missed, by an outage or an absent row, and is made up for.
_MOST_NIGHTS: Final = 2 * RECHECK_DAYS
# Longer than a file takes to be read.
_AWAY_SECONDS: Final = 30


class RegistryRun(Simulation):
    """The registries' part of the template, and their events in words."""

    family = "regulations"
    listed = "registries"
    list_key = "config/registries.json"
    resources = FamilyResources(
        "Regulation", further=("RegulationParser", "TextExtractor"), steps=("", "Parse")
    )
    change = "changed"
    lines: ClassVar[Mapping[str, str]] = {
        # For a text only its push and its dead letter are shown.
        "text_unreadable": "  unread   {registry} {title}: {reason}: {detail}",
        "changed": "  changed  {source} {kind}: {record}",
        "entry_refused": "  refused  {path}: {reason}; {remedy}",
    }

    def describe(self, event: Mapping[str, Any]) -> str | None:
        """Return a line for each event of a regulation; empty for a text's own checks."""
        is_another = event.get("family", self.family) != self.family
        if is_another and event["event"] in {"changed", "checked", "suspect", "failed"}:
            return ""
        return super().describe(event)


class RegistrySimulation(RegistryRun, SimulatedDays):
    """The stand-in for two universities' registries, on its own clock.

    A list that a busy machine does not read in time is overlooked, as `CampusSimulation` says it.

    Attributes:
        journals: by the registry's id.
    """

    opened = OPENED
    is_resumable = True
    resources = replace(RegistryRun.resources, visibility_seconds=_AWAY_SECONDS)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._repeated = world.repeated
        self._site = RegistrySite(world.seed, world.journal, port=world.port)
        self.journals = {
            registry.id: Journal(registry, self._site.scripts[registry.id].files)
            for registry in REGISTRIES
        }
        self._before = self.journals
        self._late: Counter[str] = Counter()
        self._overlooked: Counter[str] = Counter()
        self._wrong: list[str] = []
        self._unasked: dict[str, None] = {}
        self.site = self._site
        self.sources = [(registry.id, registry.name) for registry in REGISTRIES]
        self.parameters = {"RegistriesKey": CONFIG}
        entries = json.dumps(self._site.entries(), ensure_ascii=False).encode()
        self.objects = {**self.objects, CONFIG: entries}
        self.injected = self.on_clock("RegulationWorker", "RegulationParser")
        self.injected["RegulationParser"]["pauses"] = RETRY_PAUSES
        self.addresses = [f"{registry.name}: {self._site.url(registry)}" for registry in REGISTRIES]
        for day in range(1, world.finished + 1):
            self._observe(day)
            self._take_asked(day)
        if world.tick:
            # Messages in flight come back before a killed run's last day begins again: to its site.
            self.clock.move(OPENED + timedelta(days=world.tick - 1))
            self._site.advance(world.tick)

    def advance(self, tick: int, at: datetime) -> int:
        """Move the clock, the site and the journals to a day; every registry is due."""
        self.clock.move(at)
        self._observe(tick)
        return len(REGISTRIES)

    def observe(self, event: Mapping[str, Any]) -> None:
        """Count whose list was not read in time; a function's report may come a day later."""
        if is_late(event):
            self._late[event.get("source", "")] += 1

    def _observe(self, day: int) -> None:
        self._site.advance(day)
        self._before = {name: journal.copy() for name, journal in self.journals.items()}
        for registry in REGISTRIES:
            self.journals[registry.id].observe(day, self._site.page(registry))

    def _take_asked(self, day: int, tables: Mapping[str, Table] = MappingProxyType({})) -> None:
        for registry in REGISTRIES:
            journal = self.journals[registry.id]
            table = tables.get(registry.id)
            letters = table and {key.partition(":")[2] for key in table if key.startswith(LETTER)}
            journal.asked(day, self._site.asked(registry, day), letters)
            faults = (f"{registry.id}: {fault}" for fault in journal.unasked(day, _MOST_NIGHTS))
            # A file that was forgotten is so on each following day.
            self._unasked.update(dict.fromkeys(faults))

    def inspect(self, at: datetime, published: Published) -> None:
        """Compare the record of each registry's run, and the queue of files to parse."""
        day = day_of(at)
        tables = {name: published.table(TABLE, name) for name in self.journals}
        for name, table in tables.items():
            self._overlook(name, day, table)
        self._take_asked(day, tables)
        for registry in REGISTRIES:
            due = self.journals[registry.id].runs[day]
            if day in self._repeated:
                # A run that comes again finds what the killed one has committed.
                due = {"status": due["status"]}
            found = faults_of_run(day, due, tables[registry.id])
            self._wrong += [f"{registry.id}: day {day}: {fault}" for fault in found]

    def _overlook(self, registry: str, day: int, table: Table) -> None:
        """Expect what a healthy list showed on the next day alone, if its run failed."""
        is_healthy = self.journals[registry].runs[day]["status"] != "failed"
        if is_healthy and table.get(LAST_RUN, {}).get("status") == "failed":
            self._overlooked[registry] += 1
            self.journals[registry] = self._before[registry]
            self.journals[registry].fail(day)

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare the registries, their texts and the pushes with the journals."""
        expected = self.journals.values()
        pushes = [push for each in expected for push in each.pushes.elements()]
        of_delivery = partial(push_of, published=published)
        verdict = judge_pushes(pushes, deliveries, of_delivery, ended)
        verdict.wrong += [*self._wrong, *self._unasked]
        for registry in REGISTRIES:
            shown = read_registry(published, registry.id)
            found = faults(self.journals[registry.id], shown, self._site.url(registry))
            verdict.wrong += [f"{registry.id}: {fault}" for fault in found]
        verdict.wrong += [f"registry site: {failure!r}" for failure in self._site.failures]
        verdict.figures = {
            "until": self.clock().isoformat(),
            "regulations": {name: len(each.active) for name, each in self.journals.items()},
            "runs": tally(run["status"] for each in expected for run in each.runs.values()),
            "kinds": tally(push.kind for push in pushes),
            "texts": sum(len(each.texts) for each in expected),
            "differences": sum(len(each.differences) for each in expected),
            "dead_letters": sum(len(each.dead_letters) for each in expected),
        }
        verdict.wrong += [
            f"{name}: {times} healthy lists were not read, for another reason than time"
            for name, times in (self._overlooked - self._late).items()
        ]
        verdict.overlook(self._overlooked.total(), sum(len(each.runs) for each in expected))
        return verdict


def read_registry(published: Published, registry: str) -> Shown:
    """Return the published data of a registry."""
    folder = f"data/{registry}/"
    keys = published.keys(folder)
    texts = [key for key in keys if key.startswith(f"{folder}texts/") and key.endswith(".md")]
    pairs = [
        key for key in keys if key.startswith(f"{folder}differences/") and key.endswith(".json")
    ]
    return Shown(
        table=published.table(TABLE, registry),
        latest=published.latest(registry),
        archive=published.archive(registry),
        texts={_stem(key): with_head(published.body(key).decode()) for key in texts},
        differences={
            f"{_stem(key)} {document['title']}": document
            for key, document in ((key, published.document(key)) for key in pairs)
        },
    )


def _stem(name: str) -> str:
    """Return the last part of a path up to its first dot: without ending and revision."""
    return name.rpartition("/")[2].partition(".")[0]
