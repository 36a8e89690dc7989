"""Reports as TAC, the line that people read; some services send it along."""

from collections.abc import Iterable
from typing import Final

from uring_local.sites.airfield.model import Cloud, Conditions, Report

TELLS_TAC: Final = frozenset({"2.1"})
"""Generations of IWXXM that carry it in an extension."""

_MARKS: Final = {"CORRECTION": ["COR"], "AMENDMENT": ["AMD"], "CANCEL": ["AMD"]}
_FULL_SIGHT: Final = 10_000


def tac(report: Report) -> str:
    """Return the report on one line, ended by ``=``."""
    words = [report.kind, *_MARKS.get(report.status, []), report.icao, f"{report.time:%d%H%MZ}"]
    if report.valid_start and report.valid_end:
        words.append(f"{report.valid_start:%d%H}/{report.valid_end:%d%H}")
    if report.status in {"NIL", "CANCEL"}:
        words.append("NIL" if report.status == "NIL" else "CNL")
    else:
        words += ["AUTO"] if report.automated else []
        words += _conditions(report)
        words += _observed(report) if report.kind != "TAF" else _forecast(report)
    return " ".join(words) + "="


def _conditions(values: Conditions) -> Iterable[str]:
    if values.wind_speed is not None:
        direction = "VRB" if values.wind_direction is None else f"{values.wind_direction:03d}"
        gust = "" if values.gust is None else f"G{values.gust:02d}"
        yield f"{direction}{values.wind_speed:02d}{gust}KT"
    if values.cavok:
        yield "CAVOK"
        return
    if values.visibility is not None:
        yield "9999" if values.visibility >= _FULL_SIGHT else f"{values.visibility:04d}"
    if isinstance(values, Report):
        yield from (f"R{runway}/{mean:04d}" for runway, mean in values.rvr)
        yield from ["//"] if values.weather is None else values.weather
    else:
        yield from ["NSW"] if values.weather == () else values.weather or ()
    if values.vertical_visibility is not None:
        yield f"VV{values.vertical_visibility // 100:03d}"
    elif values.clouds == ():
        yield "NCD" if isinstance(values, Report) and values.ncd else "NSC"
    yield from map(_layer, values.clouds or ())


def _layer(cloud: Cloud) -> str:
    amount, base, kind = cloud
    return f"{amount}{base // 100:03d}{kind or ''}"


def _observed(report: Report) -> Iterable[str]:
    yield f"{_degrees(report.air)}/{_degrees(report.dewpoint)}"
    yield f"Q{report.qnh:04d}"


def _forecast(report: Report) -> Iterable[str]:
    for kind, value, when in report.temperatures:
        yield f"{kind}{_degrees(value)}/{when:%d%HZ}"
    for group in report.groups:
        if group.type == "FM":
            yield f"FM{group.start:%d%H%M}"
        else:
            yield from group.type.split("_")
            yield f"{group.start:%d%H}/{group.end:%d%H}"
        yield from _conditions(group)


def _degrees(value: int | None) -> str:
    return "//" if value is None else f"{'M' if value < 0 else ''}{abs(value):02d}"
