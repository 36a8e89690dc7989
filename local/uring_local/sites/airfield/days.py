"""Judges the files of days and the timelines, by the played reports alone."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from uring.clock import parse_timestamp
from uring_local.sites.airfield.categories import categories_at
from uring_local.sites.airfield.comparable import utc
from uring_local.sites.airfield.model import Report

_WINDOWS: Final[Mapping[str, timedelta]] = MappingProxyType(
    {"metar": timedelta(hours=24), "taf": timedelta(hours=36)}
)
_AHEAD: Final = timedelta(minutes=30)
_EMPTY: Final = frozenset({"NIL", "CANCEL"})
_CAVOK_METRES: Final = 10_000


class DayJudge:
    """The reports that each airport's ``day.json`` should have."""

    def __init__(self) -> None:
        self._reports: dict[tuple[str, str], dict[tuple[datetime, str], Report]] = {}
        self._at: dict[tuple[str, str], datetime] = {}

    def note(self, product: str, icao: str, reports: Sequence[Report], now: datetime) -> None:
        """Add the reports of a run that brought an airport another one."""
        known = self._reports.setdefault((product, icao), {})
        known |= {
            (report.time, report.kind): report for report in reports if report.status != "NIL"
        }
        self._at[product, icao] = now

    def faults(self, product: str, days: Mapping[str, Any]) -> Iterator[str]:
        """Yield the faults of a product's files, by ICAO code."""
        for (of, icao), known in self._reports.items():
            if of != product:
                continue
            at = self._at[product, icao]
            earliest, latest = at - _WINDOWS[product], at + _AHEAD
            due = [known[key] for key in sorted(known) if earliest <= key[0] <= latest]
            shown = days[icao]["reports"] if icao in days else []
            if len(shown) != len(due):
                yield f"{icao}: day.json has {len(shown)} reports, not {len(due)}"
                continue
            for report, entry in zip(due, shown, strict=True):
                right = _metar(report) if product == "metar" else _taf(report)
                wrong = {name for name, value in right.items() if entry.get(name) != value}
                yield from (
                    f"{icao}: day.json {utc(report.time)}: {name}" for name in sorted(wrong)
                )
                if product == "taf":
                    wrong_times = timeline_faults(report, entry["timeline"])
                    yield from (f"{icao}: day.json {fault}" for fault in wrong_times)


def timeline_faults(report: Report, pieces: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the faults of a TAF's timeline: its cover, and the categories of each time."""
    where = f"{utc(report.time)}: timeline"
    if report.status in _EMPTY:
        if pieces:
            yield f"{where} without a forecast"
        return
    assert report.valid_start is not None  # noqa: S101 - every forecast has a period
    assert report.valid_end is not None  # noqa: S101 - as above
    start, end = report.valid_start, report.valid_end
    ends = [(parse_timestamp(it["start"]), parse_timestamp(it["end"])) for it in pieces]
    has_gap = any(before[1] != after[0] for before, after in pairwise(ends))
    if not ends or has_gap or (ends[0][0], ends[-1][1]) != (start, end):
        yield f"{where} does not cover the period"
        return
    times = {at for it in report.groups for at in (it.start, it.end) if start <= at < end}
    for at in sorted({start, *times}):
        piece = next(it for it, (_, until) in zip(pieces, ends, strict=True) if at < until)
        shown = tuple(piece[name]["flight_category"] for name in ("prevailing", "worst"))
        if shown != categories_at(report, at):
            yield f"{where} at {utc(at)} is {shown}, not {categories_at(report, at)}"


def _metar(report: Report) -> dict[str, Any]:
    return {
        "time": utc(report.time),
        "report_type": report.kind,
        "report_status": report.status,
        "wind": {
            "direction": report.wind_direction,
            "speed": report.wind_speed,
            "gust": report.gust,
            "variable": report.variable,
        },
        "visibility": _CAVOK_METRES if report.cavok else report.visibility,
        "weather": [*(report.weather or ())],
        "temperature": report.air,
        "dewpoint": report.dewpoint,
        "qnh": report.qnh,
    }


def _taf(report: Report) -> dict[str, Any]:
    return {
        "issued": utc(report.time),
        "valid_start": report.valid_start and utc(report.valid_start),
        "valid_end": report.valid_end and utc(report.valid_end),
        "report_status": "AMENDMENT" if report.status == "CANCEL" else report.status,
        "cancelled": report.status == "CANCEL",
    }
