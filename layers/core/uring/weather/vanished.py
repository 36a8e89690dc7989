"""Warnings that vanish from a list without a cancellation deserve a second look. Pure.

    list ─► lifted? ─ cancelled by a row, or second time within the hour ─► lifted
                    └► first time: held, as if it were listed

A gateway that lost its data answers with an empty list, or leaves out a row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from uring.clock import parse_timestamp, timestamp
from uring.weather.events import warning_changes
from uring.weather.product import Airports, called_over, order
from uring.weather.warning_text import Cancellation

# An earlier release keeps these times without knowing their meaning: an old time does not count.
_SECOND_WITHIN: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class HeldList:
    """A list with the warnings that it lacks for the first time.

    Attributes:
        fresh: the airports' warnings, with the held ones.
        vanished: the time of this look for each held warning, by airport and identity.
    """

    fresh: Mapping[str, Mapping[str, Any]]
    vanished: dict[str, str]

    @property
    def airports(self) -> list[str]:
        """The airports with a held warning."""
        return list(dict.fromkeys(key.partition(".")[0] for key in self.vanished))


def hold_vanished(
    stored: Airports,
    fresh: Airports,
    cancelled: Mapping[str, Sequence[Cancellation]],
    vanished: Mapping[str, str],
    now: datetime,
) -> HeldList:
    """Hold each warning that would be lifted, unless a row cancels it or it was held before.

    Args:
        stored: the airports' warnings of the last run.
        fresh: those of a believed list; the warnings of other airports stay anyway.
        cancelled: the warnings that rows of the list cancel.
        vanished: `HeldList.vanished` of the last run.
        now: aware UTC.
    """
    airports, looks = dict(fresh), dict[str, str]()
    for icao, report in fresh.items():
        changes = warning_changes(stored.get(icao, report), report, now)
        gone = {it.key: it.warning for it in changes if it.kind == "warning_lifted"}
        over = called_over(gone, cancelled.get(icao, ()))
        kept = []
        for key, warning in gone.items():
            name = f"{icao}.{key}"
            if key not in over and not _is_second(vanished.get(name), now):
                looks[name] = timestamp(now)
                kept.append(warning)
        if kept:
            airports[icao] = {
                **report,
                "warnings": sorted([*report["warnings"], *kept], key=order),
            }
    return HeldList(airports, looks)


def _is_second(first: str | None, now: datetime) -> bool:
    return first is not None and now - parse_timestamp(first) <= _SECOND_WITHIN
