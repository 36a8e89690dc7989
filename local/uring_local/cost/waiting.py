"""How long a batch waits: until the slowest of its sites has answered.

Times are lognormal: most sites are near the median, few are much slower. Some of that is the site's
own, and some comes and goes; a tick sends boards of one slowness side by side, so the first counts
for less. Boards that are too slow for that are spread over all batches. Nothing is drawn at random:
the distribution of the slowest is integrated.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import erf, exp, inf, log, pi, sqrt
from typing import Final

from uring.reading.request_rules import RequestRule
from uring.sources.requests import SLOW_SECONDS, slowness
from uring_local.cost.workload import Workload

LONGEST_SECONDS: Final = RequestRule().timeout_seconds
"""The fetch ends then, whether the site has answered or not."""

# The steps of both integrals; with more of them no mean changes by 0.2 %.
_TIMES: Final = 300
_SITES: Final = 12
_SHORTEST: Final = 1e-6
_LEAST_SPREAD: Final = 1e-6
# Of ten thousand sites hardly one is further from the median.
_FURTHEST: Final = 4.0


def waiting(work: Workload, sites: float = 1) -> float:
    """Return the mean seconds until all of some sites, asked at once, have answered.

    Args:
        work: has the times of one site, and how much of them is the site's own.
        sites: their number, such as the mean of a batch; they are of one slowness.
    """
    if not work.site_seconds:
        return 0.0
    spread = max(work.site_spread, _LEAST_SPREAD)
    return _waiting(work.site_seconds, spread, work.site_steady, sites)


@cache
def _waiting(median: float, spread: float, steady: float, sites: float) -> float:
    *groups, slow = [_group(low, high) for low, high in _borders(median, spread)]
    # A batch of one slowness has its share of the sites that are spread over all batches.
    total = sum(map(_share, groups))
    if not total:
        return _slowest(slow, median, spread, steady, sites)
    mean = 0.0
    for group in filter(None, groups):
        share = _share(group) / total
        mixed = [*group, *((place, each * share) for place, each in slow)]
        mean += share * _slowest(mixed, median, spread, steady, sites)
    return mean


def _share(group: Sequence[tuple[float, float]]) -> float:
    return sum(share for _, share in group)


def _borders(median: float, spread: float) -> Iterator[tuple[float, float]]:
    """Yield the bounds of each slowness, in spreads of the logarithm from the median."""
    low = -inf
    for number in range(slowness(SLOW_SECONDS) or 0, -1, -1):
        high = log(SLOW_SECONDS / 2**number / median) / spread
        yield low, high
        low = high
    yield low, inf


def _group(low: float, high: float) -> list[tuple[float, float]]:
    """Return places of sites between two bounds, with the share of all sites that each has."""
    low, high = max(low, -_FURTHEST), min(high, _FURTHEST)
    if high <= low:
        return []
    width = (high - low) / _SITES
    places = (low + (step + 0.5) * width for step in range(_SITES))
    return [(place, exp(-place * place / 2) / sqrt(2 * pi) * width) for place in places]


def _slowest(
    group: list[tuple[float, float]], median: float, spread: float, steady: float, sites: float
) -> float:
    """Return the integral of the probability that not all of a batch have answered yet."""
    total = _share(group)
    passing = max(spread * sqrt(1 - steady * steady), _LEAST_SPREAD)
    step = log(1 / _SHORTEST) / _TIMES
    mean = 0.0
    for number in range(_TIMES):
        seconds = LONGEST_SECONDS * exp(-(number + 0.5) * step)
        far = log(seconds / median)
        answered = sum(
            share * (1 + erf((far - steady * spread * place) / passing / sqrt(2))) / 2
            for place, share in group
        )
        mean += (1 - min(answered / total, 1) ** sites) * seconds * step
    return mean
