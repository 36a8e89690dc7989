"""The regulations in a run: two registries on a clock of their own, a month in minutes."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import urljoin

from uring_local.fcm.journal import Delivery
from uring_local.project import SITEMAP
from uring_local.sites.archive import read_archive
from uring_local.sites.clock import SimulatedClock
from uring_local.sites.registry.journal import Expected, Journal
from uring_local.sites.registry.judge import (
    OPENED,
    Links,
    Shown,
    day_of,
    faults,
    faults_of_run,
    push_of,
)
from uring_local.sites.registry.model import REGISTRIES, Registry, Row
from uring_local.sites.registry.page import download_link, preview_link
from uring_local.sites.registry.site import RegistrySite
from uring_local.sites.simulation import Published, Simulation, Verdict, World, judge_pushes
from uring_local.stack.application import FamilyResources
from uring_local.stack.event_log import record_of, source_of

CONFIG: Final = "config/registries.json"
TABLE: Final = "RegistryTable"
PARTITION: Final = "partition"
# Between two tries of a file: the days stand still until all of them are over, so that every try
# of a day meets what the site shows on that day, and nobody waits the 10 and 60 minutes.
RETRY_PAUSES: Final = (1, 1)


class RegistrySimulation(Simulation):
    """The stand-in for two universities' registries, on its own clock."""

    family = "regulations"
    opened = OPENED
    resources = FamilyResources(
        "Regulation", further=("RegulationParser", "TextExtractor"), steps=("", "Parse")
    )
    change = "changed"

    def __init__(self, world: World) -> None:
        self._clock = SimulatedClock(OPENED)
        self._site = RegistrySite(world.seed, port=world.port)
        self._journals = {
            registry.id: Journal(registry, self._site.scripts[registry.id].files)
            for registry in REGISTRIES
        }
        self._wrong: list[str] = []
        self.site = self._site
        self.sources = [(registry.id, registry.name) for registry in REGISTRIES]
        self.parameters = {"RegistriesKey": CONFIG}
        self.objects = {
            CONFIG: json.dumps(self._site.entries(), ensure_ascii=False).encode(),
            # The monitor, which watches the notices too, reads their sources: there are none.
            SITEMAP.as_posix(): b'{"sources": []}',
        }
        clock = {"clock": self._clock}
        self.injected = {
            "Monitor": clock,
            "Notifier": {"clock": self._clock.running},
            "RegulationWorker": clock,
            "RegulationParser": {**clock, "pauses": RETRY_PAUSES},
        }
        self.addresses = [f"{registry.name}: {self._site.url(registry)}" for registry in REGISTRIES]

    def advance(self, tick: int, at: datetime) -> int:
        """Move the clock, the site and the journals to a day; every registry is due."""
        self._clock.move(at)
        self._site.advance(tick)
        for registry in REGISTRIES:
            self._journals[registry.id].observe(tick, self._site.page(registry))
        return len(REGISTRIES)

    def inspect(self, at: datetime, published: Published) -> None:
        """Compare the record of each registry's run, and what is left to be parsed."""
        day = day_of(at)
        for registry in REGISTRIES:
            table = _table(published, registry.id)
            due = self._journals[registry.id].expected.runs[day]
            found = faults_of_run(day, due, table)
            self._wrong += [f"{registry.id}: day {day}: {fault}" for fault in found]

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare the registries, their texts and the pushes with the journals."""
        expected = {name: journal.expected for name, journal in self._journals.items()}
        pushes = (push for each in expected.values() for push in each.pushes.elements())
        verdict = judge_pushes(pushes, deliveries, push_of, ended)
        verdict.wrong += self._wrong
        for registry in REGISTRIES:
            shown = read_registry(published, registry.id)
            found = faults(expected[registry.id], shown, self.links(registry))
            verdict.wrong += [f"{registry.id}: {fault}" for fault in found]
        verdict.wrong += [f"registry site: {failure!r}" for failure in self._site.failures]
        kinds: Counter[str] = Counter()
        for each in expected.values():
            for push, count in each.pushes.items():
                kinds[push.kind] += count
        runs = Counter(run.status for each in expected.values() for run in each.runs.values())
        verdict.figures = {
            "until": self._clock().isoformat(),
            "regulations": {name: len(each.active) for name, each in expected.items()},
            "runs": dict(sorted(runs.items())),
            "kinds": dict(sorted(kinds.items())),
            "texts": sum(len(each.texts) for each in expected.values()),
            "differences": sum(len(each.differences) for each in expected.values()),
            "dead_letters": sum(len(each.dead_letters) for each in expected.values()),
        }
        return verdict

    def describe(self, event: Mapping[str, Any]) -> str | None:
        """Return a line per event of a regulation; of a text only its push and its dead letter."""
        match event:
            case {"event": "text_unreadable", "registry": registry, "title": title}:
                return f"  unread   {registry} {title}: {event['reason']}: {event['detail']}"
            case {"event": "changed" | "checked" | "suspect" | "failed", "family": family} if (
                family != self.family
            ):
                return ""
            case {"event": "changed", "kind": kind}:
                return f"  changed  {source_of(event)} {kind}: {record_of(event)}"
            case {"event": "entry_refused"}:
                return f"  refused  {event['path']}: {event['reason']}; {event['remedy']}"
        return None

    def expected(self, registry: Registry) -> Expected:
        """Return what a registry's journal makes due by now."""
        return self._journals[registry.id].expected

    def links(self, registry: Registry) -> Links:
        """Return what gives the addresses of a row of this registry."""
        url = self._site.url(registry)

        def links(row: Row) -> tuple[str, str]:
            return urljoin(url, preview_link(row)), urljoin(url, download_link(row))

        return links


def read_registry(published: Published, registry: str) -> Shown:
    """Return what readers see of a registry."""
    folder = f"data/{registry}/"
    keys = published.keys(folder)
    names = {key.removeprefix(folder) for key in keys}
    texts = [name for name in names if name.startswith("texts/") and name.endswith(".md")]
    pairs = [name for name in names if name.startswith("differences/") and name.endswith(".json")]
    return Shown(
        table=_table(published, registry),
        latest=published.document(f"{folder}latest.json") if "latest.json" in names else {},
        archive=read_archive(published, registry, keys),
        texts={_stem(name): _with_head(published.body(folder + name).decode()) for name in texts},
        differences={_pair(_stem(name)): published.document(folder + name) for name in pairs},
    )


def _table(published: Published, registry: str) -> dict[str, dict[str, Any]]:
    entries = published.entries(TABLE, PARTITION, registry)
    return {entry["key"]: entry for entry in entries}


def _with_head(text: str) -> tuple[str, dict[str, Any]]:
    """Return a text without its head, and the head: a line of JSON a key, between two of dashes."""
    _, _, rest = text.partition("---\n")
    head, _, body = rest.partition("---\n\n")
    lines = (line.partition(": ") for line in head.splitlines())
    return body, {name: json.loads(value) for name, _, value in lines}


def _stem(name: str) -> str:
    """Return a name's last part without what follows its first dot: an ending, a revision."""
    return name.rpartition("/")[2].partition(".")[0]


def _pair(stem: str) -> tuple[str, str]:
    old, _, new = stem.partition("-")
    return old, new
