"""A reading of a weather file for people and for machines."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from rich.console import Console

from uring.clock import timestamp
from uring.weather.gateway.warnings import WarningList
from uring.weather.iwxxm.fields import (
    CloudLayer,
    PresentWeather,
    RunwayState,
    Rvr,
    Visibility,
    Wind,
)
from uring.weather.iwxxm.reports import Base, ChangeGroup, Metar, MetarObservation, Taf, Trend
from uring_local.weather.files import ParsedFile

_Group = MetarObservation | Base | Trend | ChangeGroup


def show_json(reading: ParsedFile) -> None:
    """Print one line of JSON: file, kind, whether all was read, contents, notes and failures."""
    listed = reading.warnings
    document = {
        "file": str(reading.file),
        "kind": reading.kind,
        "ok": reading.well,
        "reports": [report.model_dump(mode="json") for report in reading.reports],
        "warnings": listed
        and {
            "total_count": listed.total_count,
            "received": listed.received,
            "airports": {
                icao: listed_airport.model_dump(mode="json")
                for icao, listed_airport in listed.airports.items()
            },
            "disagreements": [disagreement.detail for disagreement in listed.disagreements],
        },
        "notes": list(reading.notes),
        "failures": [
            {"code": failure.code, "detail": failure.detail} for failure in reading.failures
        ],
    }
    print(json.dumps(document, ensure_ascii=False))


def show_text(reading: ParsedFile) -> None:
    """Print a summary: each report with its values and units, the warnings, the failures."""
    console = Console(highlight=False, soft_wrap=True)

    def say(line: str, style: str | None = None) -> None:
        # The file's text is foreign: it must not be read as markup, nor control the terminal.
        shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
        console.print(shown, markup=False, style=style)

    say(str(reading.file), "bold")
    for report in reading.reports:
        for line in _metar(report) if isinstance(report, Metar) else _taf(report):
            say(f"  {line}")
    if reading.warnings is not None:
        for line in _warnings(reading.warnings):
            say(f"  {line}")
        for disagreement in reading.warnings.disagreements:
            say(f"  disagrees: {disagreement.detail}", "yellow")
    for note in reading.notes:
        say(f"  not believed: {note}", "yellow")
    for failure in reading.failures:
        say(f"  not read: {failure.code}: {failure.detail}", "red")


def _metar(report: Metar) -> Iterator[str]:
    head = report.header
    notes: list[str] = [head.report_status] if head.report_status != "NORMAL" else []
    notes += ["AUTO"] if head.automated else []
    notes += ["NIL: there is no report"] if head.nil else []
    notes += ["not translated"] if head.translation_failed else []
    yield _title(head.report_type, head.icao, head.airport_name, head.iwxxm_version, notes)
    issued = f", issued {timestamp(head.issue_time)}" if head.issue_time else ""
    yield f"  observed {timestamp(head.observation_time)}{issued}"
    if report.observation:
        yield from _values(report.observation)
        yield f"  flight category {report.flight_category or 'unknown'}"
    for trend in report.trend:
        yield f"  trend {trend.type}{_period(trend)}"
        yield from _values(trend, "  ")
    yield f"  text {report.raw}{' (derived)' if report.raw_derived else ''}"


def _taf(report: Taf) -> Iterator[str]:
    head = report.header
    notes: list[str] = [head.report_status] if head.report_status != "NORMAL" else []
    notes += ["cancelled"] if head.cancelled else []
    notes += ["NIL: there is no forecast"] if head.nil else []
    notes += ["not translated"] if head.translation_failed else []
    yield _title("TAF", head.icao, head.airport_name, head.iwxxm_version, notes)
    valid = ""
    if head.valid_start and head.valid_end:
        valid = f", valid {timestamp(head.valid_start)} to {timestamp(head.valid_end)}"
    yield f"  issued {timestamp(head.issued)}{valid}"
    for extreme in head.temperatures:
        at = f" at {timestamp(extreme.time)}" if extreme.time else ""
        yield f"  {extreme.type} {extreme.value:g} °C{at}"
    if report.base:
        yield from _values(report.base)
    for change in report.changes:
        yield f"  {change.type}{_period(change)}"
        yield from _values(change, "  ")
    yield f"  text {report.raw}{' (derived)' if report.raw_derived else ''}"


def _title(
    kind: str, icao: str, name: str | None, version: str | None, notes: Sequence[str]
) -> str:
    of = f"{icao} {name}" if name else icao
    iwxxm = f" (IWXXM {version})" if version else ""
    return ", ".join([f"{kind} {of}{iwxxm}", *notes])


def _period(group: Trend | ChangeGroup) -> str:
    start, end = group.start, group.end
    if start and end and start != end:
        return f" from {timestamp(start)} to {timestamp(end)}"
    moment = start or end
    if moment is None:
        return ""
    return f" {'at' if start and end else 'from' if start else 'until'} {timestamp(moment)}"


def _values(group: _Group, indent: str = "") -> Iterator[str]:
    lines: list[str] = []
    if group.wind:
        lines.append(f"wind {_wind(group.wind)}")
    if group.visibility:
        lines.append(f"visibility {_visibility(group.visibility)}")
    if isinstance(group, MetarObservation):
        lines += map(_runway, group.rvr)
    if group.weather is not None:
        lines.append(f"weather {_weather(group.weather)}")
    lines += _sky(group)
    if isinstance(group, MetarObservation):
        lines += _measured(group)
    if group.missing:
        lines.append(f"not reported: {', '.join(group.missing)}")
    yield from (f"  {indent}{line}" for line in lines)


def _runway(rvr: Rvr) -> str:
    return f"RVR {rvr.runway} {_or(rvr.mean, 'm')}{_lower(rvr.operator)}{_lower(rvr.tendency)}"


def _surface(state: RunwayState) -> str:
    words = ["closed by snow"] if state.snow_closed else []
    words += ["cleared"] if state.cleared else []
    words += [state.deposit.replace("_", " ").lower()] if state.deposit else []
    words += [f"up to {state.extent} % covered"] if state.extent else []
    words += [f"{state.depth} mm"] if state.depth is not None else []
    words += [f"friction {state.friction:g}"] if state.friction is not None else []
    words += [f"braking {state.braking.replace('_', ' ').lower()}"] if state.braking else []
    return f"runway {state.runway or 'all'} {', '.join(words) or 'nothing reported'}"


def _sky(group: _Group) -> Iterator[str]:
    if group.vertical_visibility is not None or "vertical_visibility" in (group.missing or ()):
        yield f"vertical visibility {_or(group.vertical_visibility, 'ft')}"
    elif group.nsc:
        yield "clouds none significant"
    elif group.clouds is not None:
        yield f"clouds {', '.join(map(_cloud, group.clouds)) or 'none'}"


def _measured(group: MetarObservation) -> Iterator[str]:
    if group.recent_weather:
        yield f"recent weather {_weather(group.recent_weather)}"
    if group.temperature:
        air, dewpoint = group.temperature.air, group.temperature.dewpoint
        yield f"temperature {_or(air, '°C')}, dew point {_or(dewpoint, '°C')}"
    if group.qnh:
        yield f"QNH {group.qnh.value:g} hPa"
    yield from map(_surface, group.runway_state)
    if group.sea:
        sea = group.sea
        state = "" if sea.state is None else f", state {sea.state}"
        yield f"sea {_or(sea.temperature, '°C')}, waves {_or(sea.wave_height, 'm')}{state}"
    if group.wind_shear:
        where = (
            "all runways" if group.wind_shear.all_runways else " ".join(group.wind_shear.runways)
        )
        yield f"wind shear {where}"


def _wind(wind: Wind) -> str:
    direction = "variable" if wind.variable else "///"
    if wind.direction is not None:
        direction = f"{wind.direction:03d}°"
    words = [f"{direction} {_or(wind.speed, 'KT')}{_lower(wind.speed_operator)}"]
    if wind.gust is not None:
        words.append(f"gusts {wind.gust} KT")
    if wind.variable_from is not None:
        words.append(f"varying {wind.variable_from:03d}° to {wind.variable_to or 0:03d}°")
    return f"{', '.join(words)} ({wind.raw})"


def _visibility(visibility: Visibility) -> str:
    if visibility.cavok:
        return "CAVOK"
    text = f"{_or(visibility.value, 'm')}{_lower(visibility.operator)}"
    if visibility.minimum is not None:
        towards = visibility.minimum_direction
        where = "" if towards is None else f" towards {towards:03d}°"
        text += f", least {visibility.minimum} m{where}"
    return text


def _weather(groups: Sequence[PresentWeather]) -> str:
    return " ".join(group.raw for group in groups) or "none"


def _cloud(layer: CloudLayer) -> str:
    kind = f" {layer.type}" if layer.type else ""
    return f"{layer.amount or '///'} {_or(layer.base, 'ft')}{kind} ({layer.raw})"


def _warnings(listed: WarningList) -> Iterator[str]:
    told = "" if listed.total_count is None else f" of {listed.total_count}"
    yield f"{listed.received}{told} warning{'' if listed.received == 1 else 's'}"
    for icao, airport in listed.airports.items():
        yield f"{icao} {airport.airport_name or ''}".rstrip()
        for warning in airport.warnings:
            yield (
                f"  {warning.wrng_type_key} {warning.wrng_type_name} ({warning.wrng_type}) valid "
                f"{_time(warning.valid_start)} to {_time(warning.valid_end)}, "
                f"issued {_time(warning.issued)}"
            )
            yield f"    text {' '.join(warning.raw_message.split())}"


def _time(moment: datetime | None) -> str:
    return "unknown" if moment is None else timestamp(moment)


def _or(value: float | None, unit: str) -> str:
    return "///" if value is None else f"{value:g} {unit}"


def _lower(word: str | None) -> str:
    return "" if word is None else f" {word.lower().replace('_', ' ')}"
