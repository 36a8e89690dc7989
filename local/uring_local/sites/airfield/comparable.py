"""A stand-in's report beside a report of ``latest.json``."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from uring_local.sites.airfield.categories import categories
from uring_local.sites.airfield.model import Bulletin, Conditions, Report


def faults_of_report(
    report: Report | tuple[Bulletin, ...], published: Mapping[str, Any]
) -> Iterator[str]:
    """Yield a sentence for each field that is not as the report, or an airport's warnings, say."""
    if isinstance(report, tuple):
        right: Any = {"warnings": _sorted(_warning(each) for each in report)}
        shown: Any = {"warnings": _sorted(published["warnings"])}
    elif report.kind == "TAF":
        header = published["header"]
        header = {**header, "temperatures": _sorted(header["temperatures"])}
        right, shown = _taf(report), {**published, "header": header}
        if "_expired" in published:
            # `due_times` judges the mark, and that no category is left.
            right["changes"] = [
                {name: value for name, value in group.items() if name != "flight_category"}
                for group in right["changes"]
            ]
    else:
        right, shown = _metar(report), published
    return _deviations("", right, shown)


def utc(moment: datetime) -> str:
    """Return a UTC time as the published JSON has it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _metar(report: Report) -> dict[str, Any]:
    is_nil = report.status == "NIL"
    observation = _conditions(report) | {
        "weather": _each(report.weather, "raw"),
        "vertical_visibility": report.vertical_visibility,
        "rvr": _each(report.rvr, "runway", "mean"),
        "temperature": {"air": report.air, "dewpoint": report.dewpoint},
        "qnh": {"value": report.qnh},
    }
    header = {
        "report_type": report.kind,
        "report_status": "NORMAL" if is_nil else report.status,
        "nil": is_nil,
        "observation_time": utc(report.time),
    }
    if is_nil:
        return {"header": header, "observation": None}
    return {"header": {**header, "automated": report.automated}, "observation": observation}


def _taf(report: Report) -> dict[str, Any]:
    status = {"NIL": "NORMAL", "CANCEL": "AMENDMENT"}.get(report.status, report.status)
    return {
        "header": {
            "report_status": status,
            "nil": report.status == "NIL",
            "cancelled": report.status == "CANCEL",
            "issued": utc(report.time),
            "valid_start": report.valid_start and utc(report.valid_start),
            "valid_end": report.valid_end and utc(report.valid_end),
            "temperatures": _sorted(
                {"type": kind, "value": value, "time": utc(when)}
                for kind, value, when in report.temperatures
            ),
        },
        "changes": [
            {
                "type": group.type,
                "start": utc(group.start),
                "end": utc(group.end),
                "flight_category": category,
            }
            for group, category in zip(report.groups, categories(report), strict=True)
        ],
        "base": None if report.status in {"NIL", "CANCEL"} else _conditions(report),
    }


def _conditions(report: Conditions) -> dict[str, Any]:
    return {
        "wind": {
            "direction": report.wind_direction,
            "speed": report.wind_speed,
            "gust": report.gust,
            "variable": report.variable,
        },
        "visibility": {"value": report.visibility, "cavok": report.cavok},
        "clouds": _each(report.clouds, "amount", "base", "type"),
    }


def _warning(bulletin: Bulletin) -> dict[str, Any]:
    return {
        "wrng_type": bulletin.type,
        "issued": utc(bulletin.issued),
        "valid_start": utc(bulletin.start),
        "valid_end": utc(bulletin.end),
        "raw_message": bulletin.text,
    }


def _each(values: Iterable[Any] | None, *names: str) -> list[dict[str, Any]] | None:
    """Return an object for each value or tuple of values; None for None."""
    if values is None:
        return None
    rows = (value if isinstance(value, tuple) else (value,) for value in values)
    return [dict(zip(names, row, strict=True)) for row in rows]


def _sorted(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return warnings or extreme temperatures in a fixed order."""
    names = ("wrng_type", "issued", "valid_start", "valid_end", "raw_message", "type", "time")
    return sorted(rows, key=lambda row: [str(row.get(name)) for name in names])


def _deviations(path: str, right: Any, shown: Any) -> Iterator[str]:
    """Yield the differences; further fields may be published, and null for an object or false."""
    if isinstance(right, dict):
        for name, value in right.items():
            yield from _deviations(
                f"{path}.{name}" if path else name, value, (shown or {}).get(name)
            )
    elif isinstance(right, list) and isinstance(shown, list) and len(right) == len(shown):
        for value, published in zip(right, shown, strict=True):
            yield from _deviations(path, value, published)
    elif right != shown and not (right is False and shown is None):
        yield f"{path} is {shown!r}, not {right!r}"
