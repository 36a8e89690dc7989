"""Every I/O of the document store's functions broken in every way; see `test_crash_points`."""

import random

import pytest
from document_scenarios import DOCUMENT_SCENARIOS
from document_steps import DocumentScenario
from enumeration import placements, run

PAIRS = 20
each_scenario = pytest.mark.parametrize("scenario", DOCUMENT_SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: DocumentScenario) -> None:
    _, verdict = run(scenario, {})
    assert not verdict.wrong, str(verdict)


@each_scenario
def test_any_single_fault_loses_and_doubles_nothing(scenario: DocumentScenario) -> None:
    for number, kind in placements(run(scenario, {})[0]):
        world, verdict = run(scenario, {number: kind})
        (broken,) = world.faults.broken
        assert not verdict.wrong, f"{number}: {broken}: {verdict}"


@each_scenario
def test_pairs_of_faults_lose_and_double_nothing(scenario: DocumentScenario) -> None:
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
