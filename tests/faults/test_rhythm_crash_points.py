"""A rhythm that changes while jobs are under way loses, doubles and delays nothing.

Every fault of orchestrator, worker and notifier; single faults by a share, pairs by a seeded
sample. ``make faults`` runs all of both.
"""

import pytest
from enumeration import run
from rhythm_scenarios import RHYTHM_SCENARIOS
from rhythm_world import RhythmScenario, RhythmWorld
from samples import SHARE, pairs, singles
from verdict import UNEXPLAINED

from uring.contracts import Job

PAIRS = 20
each_scenario = pytest.mark.parametrize("scenario", RHYTHM_SCENARIOS, ids=lambda each: each.name)


@each_scenario
def test_an_undisturbed_run_keeps_every_promise(scenario: RhythmScenario) -> None:
    world, verdict = run(scenario, {})
    assert isinstance(world, RhythmWorld)
    assert not verdict.wrong, str(verdict)
    assert not verdict.doubled
    assert not world.dropped
    assert len(world.fcm.accepted) > 2, "nothing was pushed: nothing was tested"
    jobs = [Job.parse(message.body) for _, message in world.work.accepted]
    assert len({job.interval_minutes for job in jobs}) > 1, "the interval did not change"
    assert bool(world.hinted) == scenario.hinted


@each_scenario
def test_any_single_fault_is_harmless(scenario: RhythmScenario) -> None:
    for fault, _, verdict in singles(scenario, share=SHARE):
        assert not verdict.wrong, f"{fault}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, fault


@each_scenario
def test_pairs_of_faults_are_harmless(scenario: RhythmScenario) -> None:
    for plan, verdict in pairs(scenario, PAIRS):
        assert not verdict.wrong, f"{plan}: {verdict}"
        assert UNEXPLAINED not in verdict.doubled, plan
