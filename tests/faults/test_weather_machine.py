"""Reports, ticks, faults, late and repeated deliveries, in any order that Hypothesis finds."""

from datetime import timedelta
from typing import Any

from faulty import KINDS
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from weather_scenarios import metar, taf, warned
from weather_verdict import judge_weather
from weather_world import AIRPORTS, INTERVALS, Page, WeatherScenario, WeatherWorld

from uring.weather.product import Product

MOST_ROUNDS_TO_QUIET = 12
FAULTS = sorted({kind for kinds in KINDS.values() for kind in kinds})
airports = st.sampled_from(AIRPORTS)


class Gateway(WeatherWorld):
    """A world whose reports are edited by hand."""

    def __init__(self, product: Product) -> None:
        super().__init__(WeatherScenario("by hand", product, pages=()))
        self.newest: dict[str, dict[str, Any]] = {}
        self.shown: dict[str, dict[str, Any]] = {}

    def page(self) -> Page:
        return self.shown


class Weather(RuleBasedStateMachine):
    """Whatever happens, in the end every promise holds."""

    world: Gateway

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    @initialize(product=st.sampled_from(sorted(INTERVALS)))
    def baseline(self, product: Product) -> None:
        self.world = Gateway(product)
        for icao in AIRPORTS:
            self.report(icao, special=False, kinds=set())
        self.tick()
        self.work()

    @rule(icao=airports, special=st.booleans(), kinds=st.sets(st.sampled_from("123")))
    def report(self, icao: str, *, special: bool, kinds: set[str]) -> None:
        """Another report, or with warnings those of some types, which may be the same ones."""
        self.number += 1
        if self.world.scenario.product == "metar":
            found = metar(self.number, "SPECI" if special else "METAR")
        elif self.world.scenario.product == "taf":
            found = taf(self.number, "AMENDMENT" if special else "NORMAL")
        else:
            found = warned(*sorted(kinds))
        self.world.newest[icao] = self.world.shown[icao] = found

    @rule(icao=airports, special=st.booleans(), kinds=st.sets(st.sampled_from("123")))
    def report_and_run(self, icao: str, *, special: bool, kinds: set[str]) -> None:
        """Much happens between two runs, and as often there is one at once."""
        self.report(icao, special=special, kinds=kinds)
        self.world.round()

    @rule(icao=airports)
    def fail(self, icao: str) -> None:
        self.world.shown.pop(icao, None)

    @precondition(lambda self: self.world.scenario.product != "warning")
    @rule(icao=airports)
    def go_back(self, icao: str) -> None:
        """Upstream shows what is older than all."""
        older = {"metar": metar(0), "taf": taf(0)}
        self.world.shown[icao] = older[self.world.scenario.product]

    @rule(icao=airports)
    def recover(self, icao: str) -> None:
        self.world.shown[icao] = self.world.newest[icao]

    @rule(ahead=st.integers(0, 12), kind=st.sampled_from(FAULTS))
    def fault_ahead(self, ahead: int, kind: str) -> None:
        faults = self.world.faults
        faults.plan[len(faults.calls) + ahead] = kind

    @rule()
    def tick(self) -> None:
        self.world.tick()

    @rule()
    def work(self) -> None:
        self.world.poll()

    @rule()
    def push(self) -> None:
        self.world.push()

    @rule(minutes=st.sampled_from([1, 5, 6, 18, 31, 600]))
    def time_passes(self, minutes: int) -> None:
        self.world.clock.now += timedelta(minutes=minutes)

    @precondition(lambda self: self.world.notify.accepted)
    @rule(place=st.integers(0, 99))
    def deliver_again(self, place: int) -> None:
        """A change that the worker sent twice, more than five minutes apart."""
        accepted = self.world.notify.accepted
        _, message = accepted[place % len(accepted)]
        self.world.notify.send(message.group, message.dedup_id, message.body)

    def teardown(self) -> None:
        self.world.shown.update(self.world.newest)
        for _ in range(MOST_ROUNDS_TO_QUIET):
            self.world.clock.advance(minutes=19)
            if self.world.round():
                break
        self.world.run_once_more()
        verdict = judge_weather(self.world)
        assert not verdict.wrong, str(verdict)
        assert not verdict.doubled


TestWeather = Weather.TestCase
TestWeather.settings = settings(
    max_examples=300,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
