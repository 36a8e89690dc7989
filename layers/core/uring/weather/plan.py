"""The products that are run, and how often (W1)."""

from collections.abc import Sequence

from uring.changes.jobs import Planned
from uring.weather.settings import Intervals


def products(intervals: Intervals) -> Sequence[Planned]:
    """Return every product with the minutes between two of its runs."""
    minutes = {
        "warning": intervals.warning_minutes,
        "metar": intervals.metar_minutes,
        "taf": intervals.taf_minutes,
    }
    return [Planned(product, interval) for product, interval in minutes.items()]
