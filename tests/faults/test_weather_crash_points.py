"""Every I/O of the weather worker broken in every way; see `test_crash_points`."""

import pytest
from enumeration import run
from samples import assert_no_pair_harms, assert_no_single_fault_harms
from weather_scenarios import WEATHER_SCENARIOS
from weather_world import WeatherScenario

PAIRS = 60
each_scenario = pytest.mark.parametrize("scenario", WEATHER_SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: WeatherScenario) -> None:
    world, verdict = run(scenario, {})
    assert not verdict.wrong, str(verdict)
    assert not verdict.doubled
    # A topic is an airport; FCM's data has no topic, the record's id begins with it.
    told = [(post.data["id"][:4], post.data["kind"]) for post in world.fcm.accepted]
    # Topics are pushed side by side: the order is that within each.
    assert sorted(told, key=_topic) == sorted(scenario.told, key=_topic)


@each_scenario
def test_any_single_fault_loses_and_doubles_nothing(scenario: WeatherScenario) -> None:
    assert_no_single_fault_harms(scenario)


@each_scenario
def test_a_queue_that_refuses_twice_loses_nothing(scenario: WeatherScenario) -> None:
    """What stays in the outbox outlives the change that comes next: few pairs, so all of them."""
    for first in _sends(scenario, {}):
        for second in _sends(scenario, {first: "partial"}):
            _, verdict = run(scenario, {first: "partial", second: "partial"})
            assert not verdict.wrong, f"{first}, {second}: {verdict}"


@each_scenario
def test_pairs_of_faults_lose_and_double_nothing(scenario: WeatherScenario) -> None:
    assert_no_pair_harms(scenario, PAIRS)


def _topic(told: tuple[str, str]) -> str:
    return told[0]


def _sends(scenario: WeatherScenario, plan: dict[int, str]) -> list[int]:
    """The numbers of the calls that announce, after those of the plan."""
    calls = run(scenario, plan)[0].faults.calls
    after = max(plan, default=-1)
    return [number for number, call in enumerate(calls) if call == "outlet.send" and number > after]
