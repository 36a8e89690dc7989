"""The common form of a stand-in's report and a report of ``latest.json``, for comparing them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from uring_local.sites.airfield import Bulletin, Report


def true_form(report: Report | tuple[Bulletin, ...]) -> dict[str, Any]:
    """Return a stand-in's report, or an airport's warnings, in the common form."""
    if isinstance(report, tuple):
        return {"warnings": sorted(_bulletin(warning) for warning in report)}
    if report.kind == "TAF":
        return _taf(report)
    form: dict[str, Any] = {
        "kind": report.kind,
        "corrected": report.status == "CORRECTION",
        "nil": report.status == "NIL",
        "time": _utc(report.time),
    }
    if report.status == "NIL":
        return form
    return form | {
        "automated": report.automated,
        "wind": (report.wind_direction, report.wind_speed, report.gust, report.variable),
        "visibility": (report.visibility, report.cavok),
        "weather": report.weather,
        "clouds": report.clouds,
        "vertical_visibility": report.vertical_visibility,
        "rvr": report.rvr,
        "temperature": (report.air, report.dewpoint),
        "qnh": report.qnh,
    }


def published_form(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report of ``latest.json`` in the common form."""
    if "warnings" in report:
        return {"warnings": sorted(_row(warning) for warning in report["warnings"])}
    if "base" in report:
        return _published_taf(report)
    header, seen = report["header"], report["observation"]
    plain = {
        "kind": header["report_type"],
        "corrected": header["report_status"] == "CORRECTION",
        "nil": header["nil"],
        "time": header["observation_time"],
    }
    if seen is None:
        return plain
    temperature = seen["temperature"] or {}
    return plain | {
        "automated": header["automated"],
        "wind": _wind(seen["wind"]),
        "visibility": _visibility(seen["visibility"]),
        "weather": _codes(seen["weather"]),
        "clouds": _layers(seen["clouds"]),
        "vertical_visibility": seen["vertical_visibility"],
        "rvr": tuple(
            (visual_range["runway"], visual_range["mean"]) for visual_range in seen["rvr"]
        ),
        "temperature": (temperature.get("air"), temperature.get("dewpoint")),
        "qnh": (seen["qnh"] or {}).get("value"),
    }


def _taf(report: Report) -> dict[str, Any]:
    is_forecast = report.status not in ("NIL", "CANCEL")
    form: dict[str, Any] = {
        "kind": "TAF",
        "status": report.status,
        "time": _utc(report.time),
        "valid": (_utc(report.valid_start), _utc(report.valid_end)),
        "groups": tuple(
            (group.type, _utc(group.start), _utc(group.end)) for group in report.groups
        ),
        "temperatures": sorted(
            (kind, float(value), _utc(when)) for kind, value, when in report.temperatures
        ),
    }
    if is_forecast:
        form |= {
            "wind": (report.wind_direction, report.wind_speed, report.gust, report.variable),
            "visibility": (report.visibility, report.cavok),
            "clouds": report.clouds,
        }
    return form


def _published_taf(report: Mapping[str, Any]) -> dict[str, Any]:
    header, base = report["header"], report["base"]
    status = header["report_status"]
    form = {
        "kind": "TAF",
        "status": "NIL" if header["nil"] else "CANCEL" if header["cancelled"] else status,
        "time": header["issued"],
        "valid": (header["valid_start"], header["valid_end"]),
        "groups": tuple(
            (group["type"], group["start"], group["end"]) for group in report["changes"]
        ),
        "temperatures": sorted(
            (extreme["type"], extreme["value"], extreme["time"])
            for extreme in header["temperatures"]
        ),
    }
    if base is not None:
        form |= {
            "wind": _wind(base["wind"]),
            "visibility": _visibility(base["visibility"]),
            "clouds": _layers(base["clouds"]),
        }
    return form


def _bulletin(warning: Bulletin) -> tuple[str, ...]:
    times = (warning.issued, warning.start, warning.end)
    return warning.type, *(str(_utc(time)) for time in times), warning.text


def _row(warning: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("wrng_type", "issued", "valid_start", "valid_end", "raw_message")
    return tuple(warning[name] for name in names)


def _wind(wind: Mapping[str, Any] | None) -> tuple[Any, ...]:
    fields = wind or {}
    names = ("direction", "speed", "gust")
    return *(fields.get(name) for name in names), fields.get("variable", False)


def _visibility(visibility: Mapping[str, Any] | None) -> tuple[Any, ...]:
    fields = visibility or {}
    return fields.get("value"), fields.get("cavok", False)


def _codes(weather: Iterable[Mapping[str, Any]] | None) -> tuple[str, ...] | None:
    return None if weather is None else tuple(code["raw"] for code in weather)


def _layers(clouds: Iterable[Mapping[str, Any]] | None) -> tuple[Any, ...] | None:
    if clouds is None:
        return None
    return tuple((layer["amount"], layer["base"], layer["type"]) for layer in clouds)


def _utc(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%SZ}"
