"""The parts of a published report that follow from it: timeline, and wind on runways. Pure.

They are not stored: another release may derive them differently, and that changes no report.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from uring.weather.iwxxm.reports import Taf
from uring.weather.iwxxm.timeline import timeline
from uring.weather.product import Product, reported
from uring.weather.runways import Runways, wind_on

_TIMELINE: Final = "timeline"
_RUNWAYS: Final = "runways"


def published(
    product: Product, icao: str, report: Mapping[str, Any], runways: Runways
) -> Mapping[str, Any]:
    """Return a stored report as readers see it; a forecast that is over has no categories."""
    if product == "metar" and icao in runways:
        return _with_runways(icao, report, runways)
    if product != "taf":
        return report
    if not report.get("_expired"):
        pieces = timeline_of(report)
        return {**report, _TIMELINE: pieces} if pieces else report
    return _over(report)


def is_shown(report: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Return whether a stored report is the published one, whatever its marks."""
    right = _over(report) if shown.get("_expired") else report
    return reported(stored(shown)) == reported(right)


def stored(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a published report as it is stored; the categories of an ended forecast stay null."""
    found = {key: value for key, value in report.items() if key != _TIMELINE}
    observation = found.get("observation")
    wind = observation.get("wind") if isinstance(observation, Mapping) else None
    if isinstance(observation, Mapping) and isinstance(wind, Mapping) and _RUNWAYS in wind:
        plain = {key: value for key, value in wind.items() if key != _RUNWAYS}
        found["observation"] = {**observation, "wind": plain}
    return found


def timeline_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a TAF's timeline as JSON; empty if it has none, or is of another release's shape."""
    try:
        taf = Taf.model_validate(reported(report))
    except ValidationError:
        return []
    return [piece.model_dump(mode="json") for piece in timeline(taf)]


def _over(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a forecast without its categories."""
    base, changes = report.get("base"), report.get("changes", ())
    return {
        **report,
        "base": base and {**base, "flight_category": None},
        "changes": [{**group, "flight_category": None} for group in changes],
    }


def _with_runways(icao: str, report: Mapping[str, Any], runways: Runways) -> Mapping[str, Any]:
    observation = report.get("observation")
    wind = observation.get("wind") if isinstance(observation, Mapping) else None
    if not isinstance(observation, Mapping) or not isinstance(wind, Mapping):
        return report
    components = wind_on(wind, runways[icao])
    if not components:
        return report
    return {**report, "observation": {**observation, "wind": {**wind, _RUNWAYS: components}}}
