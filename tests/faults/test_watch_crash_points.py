"""Every I/O of the watch worker broken in every way; see `test_crash_points`."""

import pytest
from enumeration import run
from samples import assert_no_pair_harms, assert_no_single_fault_harms
from watch_world import WATCH_SCENARIOS, WatchScenario

PAIRS = 20
each_scenario = pytest.mark.parametrize("scenario", WATCH_SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: WatchScenario) -> None:
    world, verdict = run(scenario, {})
    assert not verdict.wrong, str(verdict)
    assert not verdict.doubled
    told = [(post.data["kind"], post.data["id"]) for post in world.fcm.accepted]
    assert sorted(told) == sorted(scenario.told)


@each_scenario
def test_any_single_fault_loses_and_doubles_nothing(scenario: WatchScenario) -> None:
    assert_no_single_fault_harms(scenario)


@each_scenario
def test_pairs_of_faults_lose_and_double_nothing(scenario: WatchScenario) -> None:
    assert_no_pair_harms(scenario, PAIRS)
