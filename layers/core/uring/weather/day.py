"""``data/{metar,taf}/{ICAO}/day.json``: the last reports of an airport, for graphs. Pure.

day.json ─┐
reports ──┴─ revised ─► day.json, or None if it stays as it is
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from uring.clock import parse_timestamp, timestamp
from uring.weather.derived import timeline_of
from uring.weather.iwxxm.document import FUTURE_TOLERANCE
from uring.weather.product import Product

MOST_BYTES: Final = 256_000
"""The size of a file; the oldest reports beyond it are left out."""

_LONGEST_RAW: Final = 2_000
_CEILINGS: Final = frozenset({"BKN", "OVC"})
_CAVOK_METRES: Final = 10_000
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

Entry = Mapping[str, Any]


class _Limits(NamedTuple):
    """The document's type, the keys that name a report, and the limits."""

    type: str
    keys: tuple[str, ...]
    window: timedelta
    most: int


_LIMITS: Final[Mapping[Product, _Limits]] = MappingProxyType(
    {
        "metar": _Limits("METAR_DAY", ("time", "report_type"), timedelta(hours=24), 200),
        "taf": _Limits("TAF_DAY", ("issued",), timedelta(hours=36), 40),
    }
)


def has_days(product: Product) -> bool:
    """Return True for METAR and TAF."""
    return product in _LIMITS


def revised(
    product: Product,
    icao: str,
    shown: bytes | None,
    reports: Sequence[Mapping[str, Any]],
    at: str,
) -> bytes | None:
    """Return an airport's file with these reports, or None if it stays as it is.

    A report replaces an earlier one of its time and type. NIL, a report from the future and one
    older than the window are left out. A file that cannot be read, or is of another type, is begun
    again; a file of this commit or a later one stays.

    Args:
        product: METAR or TAF.
        icao: of the airport.
        shown: the file.
        reports: the new ones, as stored, oldest first.
        at: the time of the commit; the window ends there.
    """
    limits = _LIMITS[product]
    known, updated_at = _read(shown, limits.type)
    # A later commit came only after this one was written.
    if updated_at >= at:
        return None
    now = parse_timestamp(at)
    earliest, latest = timestamp(now - limits.window), timestamp(now + FUTURE_TOLERANCE)
    fresh = (entry for report in reports if (entry := _entry(product, report)) is not None)
    by_name = {
        tuple(str(entry.get(key)) for key in limits.keys): entry
        for entry in (*known, *fresh)
        if earliest <= _time(entry, limits) <= latest
    }
    entries = _bounded([by_name[name] for name in sorted(by_name)][-limits.most :])
    if entries == known:
        return None
    return _text({"type": limits.type, "icao": icao, "updated_at": at, "reports": entries})


def _read(shown: bytes | None, kind: str) -> tuple[list[Entry], str]:
    """Return the reports of a file and the time of its commit; nothing of an unreadable one."""
    try:
        document = json.loads(shown or b"")
        reports, updated_at = document["reports"], document["updated_at"]
        parse_timestamp(updated_at)
    except (ValueError, KeyError, TypeError, RecursionError):
        return [], ""
    if document.get("type") != kind or not isinstance(reports, list):
        return [], ""
    return [entry for entry in reports if isinstance(entry, dict)], updated_at


def _time(entry: Entry, limits: _Limits) -> str:
    """Return a report's time; the empty string, which is before any time, if it has none."""
    try:
        return timestamp(parse_timestamp(entry[limits.keys[0]]))
    except (ValueError, KeyError, TypeError):
        return ""


def _bounded(entries: list[Entry]) -> list[Entry]:
    """Return the newest reports that fit into a file."""
    left = MOST_BYTES
    for kept, entry in enumerate(reversed(entries)):
        left -= len(_text(entry)) + 1
        if left < 0:
            return entries[len(entries) - kept :]
    return entries


def _entry(product: Product, report: Mapping[str, Any]) -> Entry | None:
    """Return a report's entry; None without content or time."""
    if _part(report, "header").get("nil"):
        return None
    return _metar(report) if product == "metar" else _taf(report)


def _metar(report: Mapping[str, Any]) -> Entry | None:
    header, observation = _part(report, "header"), _part(report, "observation")
    if header.get("observation_time") is None:
        return None
    wind, visibility = _part(observation, "wind"), _part(observation, "visibility")
    temperature = _part(observation, "temperature")
    metres = visibility.get("value")
    return {
        "time": header["observation_time"],
        "report_type": header.get("report_type"),
        "report_status": header.get("report_status"),
        "wind": {
            "direction": wind.get("direction"),
            "speed": wind.get("speed"),
            "gust": wind.get("gust"),
            "variable": bool(wind.get("variable")),
        },
        "visibility": _CAVOK_METRES if metres is None and visibility.get("cavok") else metres,
        "ceiling": _ceiling(observation),
        "weather": [str(group.get("raw")) for group in _parts(observation, "weather")],
        "temperature": temperature.get("air"),
        "dewpoint": temperature.get("dewpoint"),
        "qnh": _part(observation, "qnh").get("value"),
        "flight_category": report.get("flight_category"),
        "raw": _cut(report.get("raw")),
    }


def _taf(report: Mapping[str, Any]) -> Entry | None:
    header = _part(report, "header")
    if header.get("issued") is None:
        return None
    return {
        "issued": header["issued"],
        "valid_start": header.get("valid_start"),
        "valid_end": header.get("valid_end"),
        "report_status": header.get("report_status"),
        "cancelled": bool(header.get("cancelled")),
        "timeline": timeline_of(report),
        "raw": _cut(report.get("raw")),
    }


def _ceiling(observation: Mapping[str, Any]) -> int | None:
    """Return the lowest BKN or OVC layer, or the vertical visibility, ft; None if not known.

    A layer without a base may be the lowest.
    """
    layers = (each for each in _parts(observation, "clouds") if each.get("amount") in _CEILINGS)
    heights: list[Any] = [each.get("base") for each in layers]
    if observation.get("vertical_visibility") is not None:
        heights.append(observation["vertical_visibility"])
    heights = [height if isinstance(height, int) else None for height in heights]
    return None if None in heights else min(heights, default=None)


def _part(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = whole.get(name)
    return part if isinstance(part, Mapping) else _NOTHING


def _parts(whole: Mapping[str, Any], name: str) -> Iterable[Mapping[str, Any]]:
    parts = whole.get(name)
    return [it for it in parts or () if isinstance(it, Mapping)]


def _cut(raw: Any) -> str | None:
    return raw[:_LONGEST_RAW] if isinstance(raw, str) else None


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
