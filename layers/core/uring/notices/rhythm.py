"""When a board has been silent for too long, by its own rhythm (N25).

Boards die without an error: a department moves its notices elsewhere, and the old address goes on
to answer. What a board showed so far tells how long its silences are.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

_FEWEST_DATES: Final = 8
_PATIENCE: Final = 3
# Shorter than this is a break between two terms.
_SHORTEST: Final = timedelta(days=21)


def quiet_until(dates: Iterable[str | None], today: date) -> date | None:
    """The day from which the silence is longer than three times the longest so far.

    Args:
        dates: ``YYYY-MM-DD`` of the last notices; None and days to come do not count.
        today: the current day in the board's zone.

    Returns:
        None where fewer than eight different days say nothing about a rhythm.
    """
    days = {date.fromisoformat(text) for text in dates if text is not None}
    known = sorted(day for day in days if day <= today)
    if len(known) < _FEWEST_DATES:
        return None
    longest = max(later - earlier for earlier, later in pairwise(known))
    return known[-1] + max(longest * _PATIENCE, _SHORTEST)
