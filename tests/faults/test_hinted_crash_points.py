"""Every fault around a hinted check: what is committed never rests on a page of before (rule 1).

A quarter of the single faults, and a seeded sample of the pairs; ``make faults`` runs all of both.
"""

import random

import pytest
from enumeration import placements, run
from hinted_scenarios import HINTED_SCENARIOS, SLOW
from samples import SHARE, first_faults, second_faults, singles
from verdict import UNEXPLAINED
from world import Scenario, World

PAIRS = 15
each_scenario = pytest.mark.parametrize("scenario", HINTED_SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: Scenario) -> None:
    world, verdict = run(scenario, {})
    assert not verdict.wrong, str(verdict)
    assert not verdict.doubled
    assert world.fcm.accepted, "nothing was pushed: nothing was tested"
    assert isinstance(world, World)
    assert world.hinted, "no job was hinted: nothing was tested"


@each_scenario
def test_any_single_fault_is_harmless(scenario: Scenario) -> None:
    for fault, _, verdict in singles(scenario, share=SHARE):
        assert not verdict.wrong, f"{fault}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, fault


@each_scenario
def test_pairs_of_faults_are_harmless(scenario: Scenario) -> None:
    chance = random.Random(scenario.name)
    firsts = first_faults(scenario)
    for _ in range(PAIRS):
        first = chance.choice(firsts)
        seconds = second_faults(scenario, first)
        plan = dict([first, *([chance.choice(seconds)] if seconds else [])])
        _, verdict = run(scenario, plan)
        assert not verdict.wrong, f"{plan}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, str(plan)


def test_a_page_never_goes_back_behind_a_stall() -> None:
    """Stalled between its request and the state, a check meets a state of a later page.

    That of a run which began before the check's own tick: no time in it tells that it is later.
    """
    for number, kind in placements(run(SLOW, {})[0]):
        if kind == "pause":
            _, verdict = run(SLOW, {number: kind})
            assert not verdict.wrong, f"{number}: {verdict}"
