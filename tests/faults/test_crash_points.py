"""Every I/O of both functions broken in every way: nothing is lost, nothing doubled unexplained.

Single faults all, pairs by a seeded sample; ``make faults`` runs every pair. Each run is the real
worker and notifier over fakes with AWS's semantics until all is quiet, judged by its whole history
(N15; `verdict`).
"""

import pytest
from document_scenarios import DOCUMENT_SCENARIOS
from enumeration import Tally, all_after, placements, run
from faulty import KINDS
from regulation_scenarios import REGULATION_SCENARIOS
from samples import pairs, singles
from scenarios import SCENARIOS
from seed_scenarios import SEED_SCENARIOS
from verdict import CAUSES, UNEXPLAINED, Verdict
from weather_scenarios import WEATHER_SCENARIOS
from world import Scenario

PAIRS = 60
each_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: Scenario) -> None:
    world, verdict = run(scenario, {})
    assert not verdict.wrong, str(verdict)
    assert not verdict.doubled
    assert world.fcm.accepted, "nothing was pushed: nothing was tested"


def test_the_scenarios_reach_every_call_that_can_break() -> None:
    scenarios = (
        *SCENARIOS,
        *REGULATION_SCENARIOS,
        *SEED_SCENARIOS,
        *WEATHER_SCENARIOS,
        *DOCUMENT_SCENARIOS,
    )
    calls = {call for scenario in scenarios for call in run(scenario, {})[0].faults.calls}
    assert calls == set(KINDS)


@each_scenario
def test_any_single_fault_loses_nothing_and_doubles_only_what_fcm_does(scenario: Scenario) -> None:
    causes = set()
    for fault, world, verdict in singles(scenario):
        assert not verdict.wrong, f"{fault}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, fault
        if verdict.doubled:
            causes.add(str(world.faults.broken[0]))
    assert causes == CAUSES.keys(), "a documented double does not happen: document it no more"


@each_scenario
def test_pairs_of_faults_lose_nothing_and_double_only_what_fcm_does(scenario: Scenario) -> None:
    for plan, verdict in pairs(scenario, PAIRS):
        assert not verdict.wrong, f"{plan}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, plan


def test_the_enumeration_runs_every_second_fault_behind_the_first() -> None:
    scenario = SCENARIOS[0]
    world, _ = run(scenario, {0: "refused"})
    tally = all_after(scenario, (0, "refused"))
    assert tally.runs == 1 + len(list(placements(world, after=0)))
    assert tally.is_clean


def test_the_enumeration_reports_what_is_wrong_with_the_plan_that_repeats_it() -> None:
    tally, verdict = Tally(), Verdict()
    verdict.add("lost", "a notice")
    tally.add(SCENARIOS[0], {3: "pause"}, verdict)
    assert not tally.is_clean
    assert tally.findings == ['--scenario "first sight" --plan 3:pause: lost: a notice']
