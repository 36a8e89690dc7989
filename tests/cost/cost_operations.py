"""The operations whose calls are counted, each on its family's own world over fakes."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Final, get_args

from cost_bench import Bench, less
from department_operations import count_notices
from fakes.document_api import PAGE, ApiWorld
from fakes.documents import Office
from fakes.registry import REGISTRY, Rule
from fakes.seeds import SeedWorld, sitemap_of
from fakes.subscriptions import TOPICS, SubscriptionWorld
from fakes.worlds import RegulationWorld, WeatherWorld

from uring.clock import timestamp
from uring.seeds.domains.store import EvidenceKind
from uring.seeds.domains.worker import DomainWorker
from uring_local.cost.counts import Counted

AIRPORTS: Final = tuple(f"RK{number:02}" for number in range(15))


def count_all() -> dict[str, Counted]:
    """Count every operation; return them by name."""
    bench = Bench()
    for count in (
        count_notices,
        count_weather,
        count_regulations,
        count_seeds,
        count_documents,
        count_subscriptions,
    ):
        count(bench)
    # Runs of the monitor that are compared have no name.
    return {name: counted for name, counted in bench.found.items() if name}


def count_weather(bench: Bench) -> None:
    """Count a product's runs, and what the report of an airport adds to one: its day's file."""
    world = WeatherWorld(airports=AIRPORTS)
    bench.tally.bucket(world.bucket)
    bench.tally.sends(world.outlet)
    found = []
    # A day of hourly reports; then of one airport, and of two.
    for airports in (*[AIRPORTS] * 26, AIRPORTS[:1], AIRPORTS[:2]):
        world.reports |= {icao: _metar(world.clock()) for icao in airports}
        found.append(bench.measure("weather.changed", world.telemetry, lambda: _run(world)))
        world.clock.advance(3_600)
    *_, one, two = found
    day = bench.found["weather.day"] = less(two, one)
    bench.found["weather.changed"] = less(one, day)
    bench.measure("weather.unchanged", world.telemetry, lambda: _run(world))


def _run(world: WeatherWorld) -> None:
    world.work_queue.dispatch([world.job("metar")])
    world.poll()


def _metar(at: datetime) -> Mapping[str, Any]:
    header = {"report_type": "METAR", "report_status": "NORMAL", "observation_time": timestamp(at)}
    return {
        "header": {**header, "issue_time": timestamp(at)},
        # As many bytes as the fields of a report.
        "observation": {"filler": "x" * 800},
        "raw": "x" * 80,
    }


def count_regulations(bench: Bench) -> None:
    """Count a registry's sync, the reading of one file, and of one that is asked for again."""
    world = RegulationWorld()
    bench.tally.bucket(world.bucket)
    bench.tally.sends(world.outlet)
    bench.tally.sends(world.texts.outlet)
    bench.tally.sends(world.texts.work_queue, "dispatch")
    bench.tally.table(world.items)
    rules = [Rule(f"규정 {number}", str(100 + number)) for number in range(40)]
    for day, changed in enumerate((0, 0, 1)):
        world.clock.advance(86_400 if day else 0)
        rules[0] = Rule("규정 0", str(100 + changed * 900))
        world.site.show(*rules)
        name = "regulations.changed" if changed else "regulations.unchanged"

        def sync() -> None:
            world.work_queue.dispatch(
                [world.job("rules", interval_minutes=1440, entry={**REGISTRY, "recheck_days": 0})]
            )
            world.poll()

        bench.measure(name, world.telemetry, sync)
        if day == 0:
            world.read()
    bench.measure("regulations.text", world.texts.telemetry, world.read)
    world.clock.advance(86_400)
    world.check(recheck_days=40)
    while not world.texts.work.messages:
        world.clock.advance(86_400)
        world.check(recheck_days=40)
    bench.measure("regulations.recheck", world.texts.telemetry, world.texts.poll)


def count_seeds(bench: Bench) -> None:
    """Count the reading of a thousand records, and ten of their domains or a range of them."""
    for kind in get_args(EvidenceKind):
        suffix = "" if kind == "objects" else f"_{kind}"
        _count_domains(bench, "seeds.file", f"seeds.domains{suffix}", kind, ranges=False)
        _count_domains(bench, "seeds.file_ranges", f"seeds.range{suffix}", kind, ranges=True)


class OneProcess(SeedWorld):
    """A world whose batches of domains are all of one process: what it remembers is not asked."""

    @cached_property
    def domain_worker(self) -> DomainWorker:
        return super().domain_worker


def _count_domains(
    bench: Bench, file: str, work: str, evidence: EvidenceKind, *, ranges: bool
) -> None:
    world = OneProcess(ranges=ranges, evidence=evidence)
    bench.tally.bucket(world.bucket)
    bench.tally.sends(world.domain_sends)
    bench.tally.table(world.table)
    for number in range(1_000):
        world.web.put(f"a{number}.com", b"User-agent: *\nAllow: /\n", sitemap_of(150))
    world.put([{"raw_url": f"https://a{number}.com/"} for number in range(1_000)])
    world.orchestrate()
    bench.measure(file, world.telemetry, world.read_files)
    world.collect(most=1, size=1 if ranges else 10)
    bench.measure(work, world.telemetry, lambda: world.collect(most=1, size=1 if ranges else 10))


def count_documents(bench: Bench) -> None:
    """Count the jobs of a page."""
    office = Office()
    bench.tally.bucket(office.bucket)
    bench.tally.table(office.table)
    text = "\n\n".join(f"제{number}조(목적) ISSUE(간격 {number})" for number in range(5))
    office.upload("page-1", "a", text)
    bench.measure(
        "documents.extract",
        office.telemetry,
        lambda: office.submit(1, "page-1", "policy", source="a"),
    )
    bench.measure(
        "documents.translate",
        office.telemetry,
        lambda: office.submit(2, "page-1", "policy", source="a", language="en"),
    )
    bench.measure(
        "documents.analyse", office.telemetry, lambda: office.submit(3, "page-1", "issues")
    )
    bench.measure(
        "documents.sweep",
        office.telemetry,
        lambda: office.janitor.work({"time": "2026-03-03T00:00:00Z"}, lambda: 900.0),
    )
    api = ApiWorld()
    bench.tally.bucket(api.bucket)
    bench.tally.table(api.table)
    api.upload("leave.pdf")
    api.extract("leave.pdf")
    address = f"/api/v1/pages/{PAGE}/policies/leave.pdf"
    bench.measure("documents.read", api.telemetry, lambda: api.get(address))


def count_subscriptions(bench: Bench) -> None:
    """Count a browser's choice of topics."""
    world = SubscriptionWorld()
    bench.tally.bucket(world.bucket)
    bench.measure("subscriptions.change", world.telemetry, lambda: world.change(TOPICS))
