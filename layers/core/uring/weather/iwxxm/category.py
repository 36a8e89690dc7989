"""The flight category of an observation or a forecast, by its ceiling and visibility."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from uring.weather.iwxxm.fields import FlightCategory, Visibility
from uring.weather.iwxxm.reports import Base, ChangeGroup, MetarObservation

METRES_PER_STATUTE_MILE: Final = 1609.344
_BELOW: Final[tuple[tuple[FlightCategory, int, int], ...]] = (("LIFR", 500, 1), ("IFR", 1000, 3))
_CEILINGS: Final = frozenset({"BKN", "OVC"})
_VFR_ABOVE_FEET: Final = 3000
_VFR_ABOVE_MILES: Final = 5
# A group with one of these replaces the whole sky.
_SKY: Final = ("clouds", "vertical_visibility", "nsc")
_UNTOLD: Final = frozenset({"clouds", "vertical_visibility"})

Conditions = MetarObservation | Base

_NOTHING: Final = Base(
    wind=None, visibility=None, weather=None, clouds=None, missing=("visibility", "clouds")
)


def flight_category(conditions: Conditions | None) -> FlightCategory | None:
    """Return the worse category of ceiling and visibility, by the FAA's limits.

    Aeronautical Information Manual, chapter 7, section 1, "Categorical Outlooks":

    ======== ========================= =========================================
    category ceiling, ft               visibility, statute miles of 1609.344 m
    ======== ========================= =========================================
    LIFR     below 500                 below 1
    IFR      500 to below 1000         1 to below 3
    MVFR     1000 to 3000              3 to 5
    VFR      above 3000, or none       above 5
    ======== ========================= =========================================

    The ceiling is the lowest BKN or OVC layer, or the vertical visibility into an obscured sky.
    Metres are not rounded to miles before: 1600 m are below 1 mile, 8000 m below 5. CAVOK is VFR,
    unless the same report has contradicting values: then these count.

    If ceiling, visibility or the base of a layer is missing, the rest counts: dense fog is LIFR
    under any sky. The true category may be worse, so VFR needs both.

    Returns:
        None if unknown: NIL, not translated, or incomplete and not below VFR. It is a hint for
        readers, not a Korean category: Korea's own minima differ.
    """
    if conditions is None:
        return None
    visibility = conditions.visibility
    if visibility is not None and visibility.cavok and _is_plain(conditions, visibility):
        return "VFR"
    metres = visibility.value if visibility else None
    heights, all_told = _heights(conditions)
    miles = math.inf if metres is None else metres / METRES_PER_STATUTE_MILE
    ceiling = min(heights, default=math.inf)
    for category, feet, statute_miles in _BELOW:
        if ceiling < feet or miles < statute_miles:
            return category
    if ceiling <= _VFR_ABOVE_FEET or miles <= _VFR_ABOVE_MILES:
        return "MVFR"
    may_be_less = metres is None or (visibility is not None and visibility.operator == "BELOW")
    return "VFR" if all_told and not may_be_less else None


def forecast_categories(
    base: Base | None, changes: Sequence[ChangeGroup]
) -> Iterator[FlightCategory | None]:
    """Yield the category of each change group, applied to the conditions that prevail then.

    BECMG and FM prevail from then on, FM also with the parts it lacks; TEMPO and PROB pass.
    """
    for change in changes:
        if base is None:
            yield None
            continue
        told = {
            name: getattr(change, name)
            for name in ("wind", "visibility", "weather")
            if getattr(change, name) is not None
        }
        lacks = set(change.missing or ())
        before = _NOTHING if change.type == "FM" else base
        if lacks & {"visibility"}:
            told["visibility"] = None
        if any(getattr(change, name) is not None for name in _SKY) or lacks & _UNTOLD:
            prevailing = before.visibility
            if "visibility" not in told and prevailing and prevailing.cavok:
                # CAVOK's ten kilometres stay.
                told["visibility"] = Visibility(value=10_000, operator="ABOVE")
            told |= {
                "clouds": change.clouds,
                "vertical_visibility": change.vertical_visibility,
                "nsc": bool(change.nsc),
                "missing": change.missing or (),
            }
        elif change.visibility is not None and change.visibility.cavok:
            told |= {"clouds": (), "vertical_visibility": None, "nsc": False, "missing": ()}
        then = before.model_copy(update=told)
        yield flight_category(then)
        if change.type in {"BECMG", "FM"}:
            base = then


def _heights(conditions: Conditions) -> tuple[list[float], bool]:
    """Return the possible ceilings in ft, and whether the list is complete."""
    layers = [layer for layer in conditions.clouds or () if layer.amount in _CEILINGS]
    heights = [float(layer.base) for layer in layers if layer.base is not None]
    all_told = not _UNTOLD & {*conditions.missing} and len(heights) == len(layers)
    if conditions.vertical_visibility is not None:
        heights.append(conditions.vertical_visibility)
    return heights, all_told


def _is_plain(conditions: Conditions, visibility: Visibility) -> bool:
    """Return True when nothing beside CAVOK describes visibility or sky."""
    told = visibility.value is not None or conditions.clouds
    return not (told or conditions.vertical_visibility or _UNTOLD & {*conditions.missing})
