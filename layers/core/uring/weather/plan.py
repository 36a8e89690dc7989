"""The products that are run, how often, and for which airports (W1)."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from uring.changes.jobs import Planned
from uring.runtime.settings import BaseSettings


def _codes(value: Any) -> Any:
    # Each once: a repeated airport would be requested twice.
    return (
        tuple(dict.fromkeys(value.replace(",", " ").split())) if isinstance(value, str) else value
    )


Minutes = Annotated[int, Field(ge=5, le=1440, multiple_of=5)]
Airport = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{3}$")]
Airports = Annotated[tuple[Airport, ...], BeforeValidator(_codes), Field(min_length=1)]


class Intervals(BaseSettings):
    """The minutes between two runs of each product (W1)."""

    metar_minutes: Minutes
    taf_minutes: Minutes
    warning_minutes: Minutes


class WeatherMonitorSettings(Intervals):
    """The monitor's settings of aviation weather: the intervals, and the topics."""

    airports: Airports


def products(intervals: Intervals) -> Sequence[Planned]:
    """Return every product with the minutes between two of its runs."""
    minutes = {
        "warning": intervals.warning_minutes,
        "metar": intervals.metar_minutes,
        "taf": intervals.taf_minutes,
    }
    return [Planned(product, interval) for product, interval in minutes.items()]
