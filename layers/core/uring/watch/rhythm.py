"""The silence of a board, compared with its own rhythm (N25).

Boards die without an error: a department moves its notices elsewhere, and the old address still
answers. The dates of a board's notices show how long its usual silences are.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

_FEWEST_DATES: Final = 8
_PATIENCE: Final = 3
# A list often shows a few busy weeks, and the break between two terms lasts up to ten.
_SHORTEST: Final = timedelta(days=75)


def quiet_until(dates: Iterable[str | None], today: date) -> date | None:
    """Return the day from which a board counts as stale.

    The silence is then longer than a break between terms (75 days) and than three times the
    longest silence so far.

    Args:
        dates: ``YYYY-MM-DD`` of the last notices; later days and invalid dates are ignored.
        today: the current day in the board's zone.

    Returns:
        None for fewer than eight different days, which show no rhythm.
    """
    known = sorted(day for day in {*_days(dates)} if day <= today)
    if len(known) < _FEWEST_DATES:
        return None
    longest = max(later - earlier for earlier, later in pairwise(known))
    return known[-1] + max(longest * _PATIENCE, _SHORTEST)


def _days(dates: Iterable[str | None]) -> Iterator[date]:
    for text in dates:
        try:
            yield date.fromisoformat(text or "")
        except ValueError:
            continue
