"""Single faults of a scenario, and a sample of its pairs, as many as the suite has time for.

``make faults`` runs all of both, and EVERY_CASE=1 all single ones. What is drawn depends on the
scenario's name alone.
"""

import os
import random
from collections.abc import Iterator, Sequence

from enumeration import Disturbed, Either, run
from faulty import KINDS
from verdict import Verdict

Placement = tuple[int, str]
SHARE = 1 if os.environ.get("EVERY_CASE") else 10
# The calls of a run, by its scenario and its fault: another run like it makes the same.
_CALLS: dict[tuple[str, Placement | None], Sequence[str]] = {}


def first_faults(scenario: Either) -> list[Placement]:
    """Return every fault that the undisturbed run could have, beyond one I/O."""
    return _placements(_calls(scenario, None))


def second_faults(scenario: Either, first: Placement) -> list[Placement]:
    """Return those that can follow, in the run that the first one changed."""
    return _placements(_calls(scenario, first), after=first[0])


def singles(scenario: Either, *, share: int = 1) -> Iterator[tuple[str, Disturbed, Verdict]]:
    """Run with single faults: yield the number and name of each, its world and verdict.

    Args:
        scenario: what is disturbed.
        share: of so many faults one is run.
    """
    faults = first_faults(scenario)
    count = -(-len(faults) // share)
    for number, kind in random.Random(scenario.name).sample(faults, count):
        world, verdict = run(scenario, {number: kind})
        _CALLS[scenario.name, (number, kind)] = tuple(world.faults.calls)
        (broken,) = world.faults.broken
        yield f"{number}: {broken}", world, verdict


def pairs(scenario: Either, count: int) -> Iterator[tuple[str, Verdict]]:
    """Run with some pairs of faults: yield the plan and the verdict."""
    chance = random.Random(scenario.name)
    firsts = first_faults(scenario)
    for _ in range(count):
        first = chance.choice(firsts)
        seconds = second_faults(scenario, first)
        if not seconds:
            continue
        plan = dict([first, chance.choice(seconds)])
        world, verdict = run(scenario, plan)
        assert len(world.faults.broken) == 2, f"{plan}: one did not happen"
        yield str(plan), verdict


def assert_no_single_fault_harms(scenario: Either) -> None:
    """Nothing is lost and nothing doubled, whatever breaks: a tenth of all that can."""
    for fault, _, verdict in singles(scenario, share=SHARE):
        assert not verdict.wrong, f"{fault}: {verdict}"
        assert not verdict.doubled, fault


def assert_no_pair_harms(scenario: Either, count: int) -> None:
    """Nothing is lost and nothing doubled, whatever breaks after it."""
    for plan, verdict in pairs(scenario, count):
        assert not verdict.wrong, f"{plan}: {verdict}"
        assert not verdict.doubled, plan


def _calls(scenario: Either, first: Placement | None) -> Sequence[str]:
    key = scenario.name, first
    if key not in _CALLS:
        world, _ = run(scenario, dict([first]) if first else {})
        _CALLS[key] = tuple(world.faults.calls)
    return _CALLS[key]


def _placements(calls: Sequence[str], after: int = -1) -> list[Placement]:
    return [
        (number, kind)
        for number, call in enumerate(calls)
        if number > after
        for kind in KINDS[call]
    ]
