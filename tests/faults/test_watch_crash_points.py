"""Every I/O of the watch worker broken in every way; see `test_crash_points`."""

import random

import pytest
from enumeration import placements, run
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
    for number, kind in placements(run(scenario, {})[0]):
        world, verdict = run(scenario, {number: kind})
        (broken,) = world.faults.broken
        assert not verdict.wrong, f"{number}: {broken}: {verdict}"
        assert not verdict.doubled, f"{number}: {broken}"


@each_scenario
def test_pairs_of_faults_lose_and_double_nothing(scenario: WatchScenario) -> None:
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
        assert not verdict.doubled, str(plan)
