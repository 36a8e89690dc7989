"""Every I/O of the seed engine's functions broken in every way; see `test_crash_points`."""

import random

import pytest
from enumeration import placements, run
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
    for number, kind in placements(run(scenario, {})[0]):
        world, verdict = run(scenario, {number: kind})
        (broken,) = world.faults.broken
        assert not verdict.wrong, f"{number}: {broken}: {verdict}"


@each_scenario
def test_pairs_of_faults_lose_and_double_nothing(scenario: SeedScenario) -> None:
    chance = random.Random(scenario.name)
    firsts = list(placements(run(scenario, {})[0]))
    for _ in range(PAIRS):
        number, kind = chance.choice(firsts)
        seconds = list(placements(run(scenario, {number: kind})[0], after=number))
        if not seconds:
            continue
        plan = dict([(number, kind), chance.choice(seconds)])
        world, verdict = run(scenario, plan)
        assert len(world.faults.broken) == 2, f"{plan}: one did not happen"
        assert not verdict.wrong, f"{plan}: {verdict}"
