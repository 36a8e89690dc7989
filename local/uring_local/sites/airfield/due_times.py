"""When the next report of an airport is due, by the judge's own reckoning, and the marks of it.

The rules of docs/weather.md: the middle of the last three gaps between routine reports, an hour for
METAR and six for TAF at most and for lack of history; then half an hour, or an hour, of grace.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from uring_local.sites.airfield.comparable import utc
from uring_local.sites.airfield.model import Report

_HOUR: Final = timedelta(hours=1)
_RHYTHM: Final = {"metar": _HOUR, "taf": 6 * _HOUR}
_GRACE: Final = {"metar": _HOUR / 2, "taf": _HOUR}
_KNOWN: Final = 4
_ROUTINE: Final = frozenset({"NORMAL", "NIL"})
MARKS: Final = ("_overdue", "_overdue_since", "_expired")


@dataclass
class _Read:
    """The reports of an airport, each at its time, or at its reading if that is earlier."""

    last: datetime | None = None
    at: datetime | None = None
    beats: list[datetime] = field(default_factory=list)


class DueTimes:
    """The due times of all airports of all products."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, str], _Read] = {}

    def note(self, product: str, known: Mapping[str, Any], now: datetime) -> None:
        """Take note of the reports that are known after a run."""
        for icao, report in known.items():
            read = self._read.setdefault((product, icao), _Read())
            if not isinstance(report, Report) or report.time == read.last:
                continue
            read.last, read.at = report.time, min(report.time, now)
            is_routine = report.kind == "METAR" if product == "metar" else report.status in _ROUTINE
            if is_routine and (not read.beats or read.at > read.beats[-1]):
                read.beats = [*read.beats, read.at][-_KNOWN:]

    def faults(
        self, product: str, icao: str, report: Report, shown: Mapping[str, Any], now: datetime
    ) -> Iterator[str]:
        """Yield what is wrong with an airport's marks, and with the categories of what is over."""
        right: dict[str, Any] = {}
        due = self._due(product, icao, report)
        if due <= now:
            right |= {"_overdue": True, "_overdue_since": utc(due)}
        if report.valid_end is not None and report.valid_end <= now:
            right |= {"_expired": True}
            parts = [shown.get("base") or {}, *shown.get("changes", ())]
            if any(part.get("flight_category") for part in parts):
                yield "a category of a forecast that is over"
        marks = {name: shown[name] for name in MARKS if name in shown}
        if marks != right:
            yield f"its marks are {marks}, they should be {right}"

    def _due(self, product: str, icao: str, report: Report) -> datetime:
        read = self._read[product, icao]
        at = read.at or report.time
        due, every = at, _RHYTHM[product]
        if len(read.beats) == _KNOWN:
            _, middle, _ = sorted(
                after - before for before, after in zip(read.beats, read.beats[1:], strict=False)
            )
            due, every = read.beats[-1], min(middle, every)
        while due <= at:
            due += every
        due += _GRACE[product]
        return due if report.valid_end is None else min(due, report.valid_end)
