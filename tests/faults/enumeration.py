"""Every single fault and every pair of a scenario, run and judged."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self, overload

from cloud import Cloud
from document_steps import DocumentScenario
from document_verdict import judge_documents
from document_world import DocumentFaultWorld
from faulty import KINDS, Faults
from regulation_verdict import judge_regulations
from regulation_world import RegulationScenario, RegulationWorld
from rhythm_verdict import judge_rhythm
from rhythm_world import RhythmScenario, RhythmWorld
from scenarios import HOT_ITEMS, LIMITS
from seed_verdict import judge_seeds
from seed_world import SeedFaultWorld, SeedScenario
from verdict import UNEXPLAINED, Verdict, judge
from watch_verdict import judge_watch
from watch_world import WatchScenario, WatchWorld
from weather_verdict import judge_weather
from weather_world import WeatherScenario, WeatherWorld
from world import Scenario, World

Plan = Mapping[int, str]
Records = Scenario | RegulationScenario | RhythmScenario | WatchScenario | WeatherScenario
Either = Records | SeedScenario | DocumentScenario
_MOST_FINDINGS = 20


def small_limits() -> None:
    """Let a few notices reach every limit; for a process of its own."""
    for module, name, limit in LIMITS:
        setattr(module, name, limit)


class Disturbed(Protocol):
    """A world whose I/O is numbered."""

    faults: Faults


@overload
def run(scenario: SeedScenario, plan: Plan) -> tuple[SeedFaultWorld, Verdict]: ...


@overload
def run(scenario: DocumentScenario, plan: Plan) -> tuple[DocumentFaultWorld, Verdict]: ...


@overload
def run(scenario: Records, plan: Plan) -> tuple[Cloud, Verdict]: ...


def run(  # noqa: PLR0911 - a return for each kind of world
    scenario: Either, plan: Plan
) -> tuple[Disturbed, Verdict]:
    """One run to its end."""
    if isinstance(scenario, SeedScenario):
        seeds = SeedFaultWorld(scenario, plan)
        seeds.run()
        return seeds, judge_seeds(seeds)
    if isinstance(scenario, DocumentScenario):
        documents = DocumentFaultWorld(scenario, plan)
        documents.run()
        return documents, judge_documents(documents)
    if isinstance(scenario, WeatherScenario):
        weather = WeatherWorld(scenario, plan)
        weather.run()
        return weather, judge_weather(weather)
    if isinstance(scenario, RegulationScenario):
        registry = RegulationWorld(scenario, plan)
        registry.run()
        return registry, judge_regulations(registry)
    if isinstance(scenario, WatchScenario):
        watch = WatchWorld(scenario, plan)
        watch.run()
        return watch, judge_watch(watch)
    if isinstance(scenario, RhythmScenario):
        boards = RhythmWorld(scenario, plan)
        boards.run()
        return boards, judge_rhythm(boards, hot_items=HOT_ITEMS)
    world = World(scenario, plan)
    world.run()
    return world, judge(world, hot_items=HOT_ITEMS)


def placements(world: Disturbed, after: int = -1) -> Iterator[tuple[int, str]]:
    """Every fault that a run like this one could have had, beyond one I/O."""
    for number, call in enumerate(world.faults.calls):
        if number > after:
            for kind in KINDS[call]:
                yield number, kind


@dataclass(slots=True)
class Tally:
    """What some runs came to."""

    placements: int = 0
    runs: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    doubled: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def add(self, scenario: Either, plan: Plan, verdict: Verdict) -> None:
        """Count one run."""
        self.runs += 1
        self.wrong.update(verdict.wrong.keys())
        self.doubled += verdict.doubled
        if verdict.wrong or UNEXPLAINED in verdict.doubled:
            described = ",".join(f"{number}:{kind}" for number, kind in plan.items())
            problem = str(verdict) or "doubled without a cause"
            self.findings.append(f'--scenario "{scenario.name}" --plan {described}: {problem}')

    def __iadd__(self, other: "Tally") -> Self:
        self.placements += other.placements
        self.runs += other.runs
        self.wrong += other.wrong
        self.doubled += other.doubled
        self.findings = [*self.findings, *other.findings][:_MOST_FINDINGS]
        return self

    @property
    def is_clean(self) -> bool:
        """Nothing wrong, and no double without its cause."""
        return not self.wrong and UNEXPLAINED not in self.doubled


def all_after(scenario: Either, first: tuple[int, str]) -> Tally:
    """A single fault, and each pair of which it is the first.

    The second is counted in the run that the first one changed, so that it can hit the recovery.
    """
    tally = Tally(placements=1)
    world, verdict = run(scenario, dict([first]))
    tally.add(scenario, dict([first]), verdict)
    for second in placements(world, after=first[0]):
        plan = dict([first, second])
        tally.add(scenario, plan, run(scenario, plan)[1])
    return tally
