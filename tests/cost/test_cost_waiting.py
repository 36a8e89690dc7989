"""How long a batch waits for the slowest of its sites, as `uring cost` integrates it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import exp, sqrt
from random import Random
from statistics import fmean

import pytest

from uring.sources.requests import slowness
from uring_local.cost.waiting import LONGEST_SECONDS, waiting
from uring_local.cost.workload import Workload

MEDIANS = (0.1, 0.3, 1.0)


@pytest.mark.parametrize("median", MEDIANS)
def test_one_site_takes_the_mean_of_its_lognormal(median: float) -> None:
    work = Workload(site_seconds=median, site_spread=0.7)
    assert waiting(work) == pytest.approx(median * exp(0.7**2 / 2), rel=0.002)


@pytest.mark.parametrize("median", MEDIANS)
def test_ten_sites_without_order_take_three_times_the_median(median: float) -> None:
    """As the public tables of the largest of ten normal values have it: 1.54 spreads on average."""
    work = Workload(site_seconds=median, site_steady=0)
    assert waiting(work, 10) == pytest.approx(3.21 * median, rel=0.01)


def played(work: Workload, *, sites: int, seed: int) -> float:
    """Return what a day of batches took that stand in the order of yesterday's slowness."""
    dice, groups = Random(seed), defaultdict[int, list[float]](list)
    spread_out = []
    for _ in range(sites):
        own = dice.gauss(0, sqrt(work.site_steady))
        before, now = (
            work.site_seconds
            * exp(work.site_spread * (own + dice.gauss(0, sqrt(1 - work.site_steady))))
            for _ in range(2)
        )
        kind = slowness(before)
        (spread_out if kind is None else groups[kind]).append(min(now, LONGEST_SECONDS))
    kinds = [kind for kind, group in groups.items() for _ in group]
    for now in spread_out:
        groups[dice.choice(kinds)].append(now)
    for group in groups.values():
        dice.shuffle(group)
    return fmean(slowest for group in groups.values() for slowest in _slowest(group))


def _slowest(times: Sequence[float]) -> list[float]:
    return [max(times[at : at + 10]) for at in range(0, len(times) - 9, 10)]


@pytest.mark.parametrize("median", MEDIANS)
@pytest.mark.parametrize("steady", [0.0, 0.5, 0.8, 1.0])
def test_batches_take_what_batches_take_that_are_played(median: float, steady: float) -> None:
    work = Workload(site_seconds=median, site_steady=steady)
    assert waiting(work, 10) == pytest.approx(played(work, sites=40_000, seed=7), rel=0.03)


def test_sites_that_are_alike_take_their_median() -> None:
    assert waiting(Workload(site_spread=0), 10) == pytest.approx(0.3, rel=0.02)


def test_a_site_that_answers_at_once_takes_nothing() -> None:
    assert waiting(Workload(site_seconds=0), 10) == 0


@pytest.mark.parametrize("seconds", [50, 10**9])
def test_a_fetch_that_never_ends_takes_its_time_limit(seconds: float) -> None:
    work = Workload(site_seconds=seconds)
    assert waiting(work, 10) == pytest.approx(LONGEST_SECONDS, rel=0.01)


def test_smaller_batches_and_steadier_sites_take_less() -> None:
    work = Workload()
    assert waiting(work, 1) < waiting(work, 5) < waiting(work, 10)
    steady = [waiting(replace(work, site_steady=share), 10) for share in (0, 0.4, 0.8, 1)]
    assert steady == sorted(steady, reverse=True)
