"""When the next report of an airport is due; without it the last report is old. Pure.

    report ─► noted: its rhythm ─► due_time ─► marked: `_overdue`, `_expired`

An answer may repeat the last report for days. Routine reports come in a rhythm,
METAR each hour or half-hour, TAF each six hours; it is learned for each airport. The next one is
due at the next beat after the last report, plus a grace: the time that a report takes to the
gateway, a run, and a second run after a failed one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median_low
from types import MappingProxyType
from typing import Any, Final

from uring.changes.state import StatePart
from uring.clock import Timestamp, parse_timestamp, timestamp
from uring.weather.product import Airports, Product, reported

Rhythms = Mapping[str, "ReportRhythm"]
"""By ICAO code."""

_TIMES: Final[Mapping[Product, tuple[str, ...]]] = MappingProxyType(
    {"metar": ("observation_time", "issue_time"), "taf": ("issued",)}
)
_GAPS: Final = 3
_NO_TIME: Final = timedelta()


@dataclass(frozen=True, slots=True)
class _Limits:
    """The longest rhythm of a product, also of an airport without history, and the grace."""

    longest: timedelta
    grace: timedelta


# Together 90 minutes after the last METAR, and seven hours after the last TAF.
_LIMITS: Final[Mapping[Product, _Limits]] = MappingProxyType(
    {
        "metar": _Limits(timedelta(hours=1), timedelta(minutes=30)),
        "taf": _Limits(timedelta(hours=6), timedelta(hours=1)),
    }
)


class ReportRhythm(StatePart):
    """What the due time of an airport's next report follows from.

    Attributes:
        time: of the stored report, as it says.
        at: the same, but never after the run that first read it: a gateway's clock may be ahead.
        routine: the last four of these times of routine reports.
    """

    time: Timestamp
    at: Timestamp
    routine: tuple[Timestamp, ...] = ()


def noted(product: Product, airports: Airports, before: Rhythms, now: datetime) -> Rhythms:
    """Return the rhythms after a run; airports without reports, or whose have no time, have none.

    SPECI, amended, corrected and cancelled TAF come when they must: they are not of the rhythm. A
    report without content (NIL) is.

    Args:
        product: of the airports; warnings have no rhythm.
        airports: after the run.
        before: the rhythms before it.
        now: aware UTC.
    """
    after: dict[str, ReportRhythm] = {}
    for icao, report in airports.items() if product in _LIMITS else ():
        time, known = _time(product, report), before.get(icao)
        if time is None:
            continue
        if known is None or known.time != time:
            at = min(time, timestamp(now))
            routine = known.routine if known else ()
            if _is_routine(product, report) and at > max(routine, default=""):
                routine = (*routine, at)[-_GAPS - 1 :]
            known = ReportRhythm(time=time, at=at, routine=routine)
        after[icao] = known
    return after


def due_time(product: Product, report: Mapping[str, Any], rhythm: ReportRhythm) -> datetime:
    """Return when a newer report than this one is due, aware UTC.

    The middle one of the last three gaps between routine reports is the rhythm, at most an hour for
    METAR and six for TAF: one report that was missed, or that came in between, does not change it.
    A TAF is due at the end of its period at the latest. NIL and cancelled reports are no exception:
    a gateway that stands still shows them for ever, too.
    """
    limits = _LIMITS[product]
    at = parse_timestamp(rhythm.at)
    routine = [parse_timestamp(time) for time in rhythm.routine]
    gaps = [gap for earlier, later in pairwise(routine) if (gap := later - earlier) > _NO_TIME]
    beat = at + limits.longest
    if len(gaps) >= _GAPS:
        every = min(median_low(gaps[-_GAPS:]), limits.longest)
        beat = routine[-1] + ((at - routine[-1]) // every + 1) * every
    due, end = beat + limits.grace, _end(product, report)
    return due if end is None else min(due, end)


def marked(
    product: Product, airports: Airports, rhythms: Rhythms, now: datetime
) -> dict[str, dict[str, Any]]:
    """Return the airports with the marks of this run, in place of those of earlier ones.

    ``_overdue`` and ``_overdue_since``: no newer report came by the due time, which they give.
    ``_expired``: a TAF whose period is over. Other marks stay.
    """
    return {
        icao: {
            **reported(report),
            **{key: report[key] for key in ("_stale", "_stale_since") if key in report},
            **_overdue(product, report, rhythms.get(icao), now),
            **_expired(product, report, now),
        }
        for icao, report in airports.items()
    }


def overdue(airports: Airports) -> dict[str, str]:
    """Return since when the overdue airports are, by ICAO code."""
    return {
        icao: report["_overdue_since"]
        for icao, report in airports.items()
        if "_overdue_since" in report
    }


def _overdue(
    product: Product, report: Mapping[str, Any], rhythm: ReportRhythm | None, now: datetime
) -> dict[str, Any]:
    if rhythm is None:
        return {}
    due = due_time(product, report, rhythm)
    return {"_overdue": True, "_overdue_since": timestamp(due)} if due <= now else {}


def _expired(product: Product, report: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    end = _end(product, report)
    return {"_expired": True} if end is not None and end <= now else {}


def _end(product: Product, report: Mapping[str, Any]) -> datetime | None:
    end = _header(report).get("valid_end") if product == "taf" else None
    return parse_timestamp(end) if end else None


def _header(report: Mapping[str, Any]) -> Mapping[str, Any]:
    return report.get("header") or {}


def _time(product: Product, report: Mapping[str, Any]) -> str | None:
    header = _header(report)
    times = (header.get(name) for name in _TIMES[product])
    return next((str(time) for time in times if time), None)


def _is_routine(product: Product, report: Mapping[str, Any]) -> bool:
    header = _header(report)
    if product == "metar":
        return bool(header.get("report_type") == "METAR")
    return header.get("report_status") == "NORMAL" and not header.get("cancelled")
