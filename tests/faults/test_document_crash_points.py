"""Every I/O of the document store's functions broken in every way; see `test_crash_points`."""

import pytest
from document_scenarios import DOCUMENT_SCENARIOS
from document_steps import DocumentScenario
from enumeration import run
from samples import assert_no_pair_harms, assert_no_single_fault_harms

PAIRS = 20
each_scenario = pytest.mark.parametrize("scenario", DOCUMENT_SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: DocumentScenario) -> None:
    _, verdict = run(scenario, {})
    assert not verdict.wrong, str(verdict)


@each_scenario
def test_any_single_fault_loses_and_doubles_nothing(scenario: DocumentScenario) -> None:
    assert_no_single_fault_harms(scenario)


@each_scenario
def test_pairs_of_faults_lose_and_double_nothing(scenario: DocumentScenario) -> None:
    assert_no_pair_harms(scenario, PAIRS)
