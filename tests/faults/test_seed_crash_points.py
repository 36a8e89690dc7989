"""Every I/O of the seed engine's functions broken in every way; see `test_crash_points`."""

import pytest
from enumeration import run
from samples import assert_no_pair_harms, assert_no_single_fault_harms
from seed_scenarios import SEED_SCENARIOS
from seed_world import SeedScenario

PAIRS = 20
each_scenario = pytest.mark.parametrize("scenario", SEED_SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: SeedScenario) -> None:
    world, verdict = run(scenario, {})
    assert not verdict.wrong, str(verdict)
    is_down = any(visits > 1 for visits in scenario.down.values())
    assert bool(world.letters) == is_down
    assert not world.telemetry.named("evidence_not_saved")


@each_scenario
def test_any_single_fault_loses_and_doubles_nothing(scenario: SeedScenario) -> None:
    assert_no_single_fault_harms(scenario)


@each_scenario
def test_pairs_of_faults_lose_and_double_nothing(scenario: SeedScenario) -> None:
    assert_no_pair_harms(scenario, PAIRS)
