"""A report of the stand-in and one of ``latest.json`` in one form, so that they can be compared."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from uring_local.sites.airfield import Bulletin, Report


def told(report: Report | tuple[Bulletin, ...]) -> dict[str, Any]:
    """Return what the stand-in told."""
    if isinstance(report, tuple):
        return {"warnings": sorted(_bulletin(each) for each in report)}
    if report.kind == "TAF":
        return _taf(report)
    found: dict[str, Any] = {
        "kind": report.kind,
        "corrected": report.status == "CORRECTION",
        "nil": report.status == "NIL",
        "time": _utc(report.time),
    }
    if report.status == "NIL":
        return found
    return found | {
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


def seen(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return what readers of ``latest.json`` see."""
    if "warnings" in report:
        return {"warnings": sorted(_row(each) for each in report["warnings"])}
    if "base" in report:
        return _seen_taf(report)
    header, found = report["header"], report["observation"]
    plain = {
        "kind": header["report_type"],
        "corrected": header["report_status"] == "CORRECTION",
        "nil": header["nil"],
        "time": header["observation_time"],
    }
    if found is None:
        return plain
    temperature = found["temperature"] or {}
    return plain | {
        "automated": header["automated"],
        "wind": _wind(found["wind"]),
        "visibility": _visibility(found["visibility"]),
        "weather": _codes(found["weather"]),
        "clouds": _layers(found["clouds"]),
        "vertical_visibility": found["vertical_visibility"],
        "rvr": tuple((each["runway"], each["mean"]) for each in found["rvr"]),
        "temperature": (temperature.get("air"), temperature.get("dewpoint")),
        "qnh": (found["qnh"] or {}).get("value"),
    }


def _taf(report: Report) -> dict[str, Any]:
    is_forecast = report.status not in ("NIL", "CANCEL")
    found: dict[str, Any] = {
        "kind": "TAF",
        "status": report.status,
        "time": _utc(report.time),
        "valid": (_utc(report.valid_start), _utc(report.valid_end)),
        "groups": tuple((each.type, _utc(each.start), _utc(each.end)) for each in report.groups),
        "temperatures": sorted(
            (kind, float(value), _utc(when)) for kind, value, when in report.temperatures
        ),
    }
    if is_forecast:
        found |= {
            "wind": (report.wind_direction, report.wind_speed, report.gust, report.variable),
            "visibility": (report.visibility, report.cavok),
            "clouds": report.clouds,
        }
    return found


def _seen_taf(report: Mapping[str, Any]) -> dict[str, Any]:
    header, base = report["header"], report["base"]
    status = header["report_status"]
    found = {
        "kind": "TAF",
        "status": "NIL" if header["nil"] else "CANCEL" if header["cancelled"] else status,
        "time": header["issued"],
        "valid": (header["valid_start"], header["valid_end"]),
        "groups": tuple((each["type"], each["start"], each["end"]) for each in report["changes"]),
        "temperatures": sorted(
            (each["type"], each["value"], each["time"]) for each in header["temperatures"]
        ),
    }
    if base is not None:
        found |= {
            "wind": _wind(base["wind"]),
            "visibility": _visibility(base["visibility"]),
            "clouds": _layers(base["clouds"]),
        }
    return found


def _bulletin(warning: Bulletin) -> tuple[str, ...]:
    times = (warning.issued, warning.start, warning.end)
    return warning.type, *(str(_utc(each)) for each in times), warning.text


def _row(warning: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("wrng_type", "issued", "valid_start", "valid_end", "raw_message")
    return tuple(warning[name] for name in names)


def _wind(wind: Mapping[str, Any] | None) -> tuple[Any, ...]:
    found = wind or {}
    names = ("direction", "speed", "gust")
    return *(found.get(name) for name in names), found.get("variable", False)


def _visibility(visibility: Mapping[str, Any] | None) -> tuple[Any, ...]:
    found = visibility or {}
    return found.get("value"), found.get("cavok", False)


def _codes(weather: Iterable[Mapping[str, Any]] | None) -> tuple[str, ...] | None:
    return None if weather is None else tuple(each["raw"] for each in weather)


def _layers(clouds: Iterable[Mapping[str, Any]] | None) -> tuple[Any, ...] | None:
    if clouds is None:
        return None
    return tuple((each["amount"], each["base"], each["type"]) for each in clouds)


def _utc(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%SZ}"
