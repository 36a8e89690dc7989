"""The flight category of an observation, by its ceiling and visibility."""

import math
from typing import Final

from uring.weather.iwxxm.reports import FlightCategory, Observation

METRES_PER_STATUTE_MILE: Final = 1609.344
_BELOW: Final[tuple[tuple[FlightCategory, int, int], ...]] = (("LIFR", 500, 1), ("IFR", 1000, 3))
_CEILINGS: Final = frozenset({"BKN", "OVC"})
_VFR_ABOVE_FEET: Final = 3000
_VFR_ABOVE_MILES: Final = 5


def flight_category(observation: Observation | None) -> FlightCategory | None:
    """Return the worse of what ceiling and visibility allow, by the FAA's limits.

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
    unless the same report has values that say otherwise: then these count.

    Returns:
        None where it cannot be told: NIL, not translated, no visibility or no clouds told, an
        unknown amount, or an unknown base of a BKN or OVC layer. It is a hint for readers, no
        Korean category: Korea's own minima differ.
    """
    if observation is None or observation.visibility is None:
        return None
    if observation.visibility.cavok and _is_plain(observation):
        return "VFR"
    metres, ceiling = observation.visibility.value, _ceiling(observation)
    if metres is None or ceiling is None:
        return None
    miles = metres / METRES_PER_STATUTE_MILE
    for category, feet, statute_miles in _BELOW:
        if ceiling < feet or miles < statute_miles:
            return category
    return "VFR" if ceiling > _VFR_ABOVE_FEET and miles > _VFR_ABOVE_MILES else "MVFR"


def _ceiling(observation: Observation) -> float | None:
    """Return the ceiling in ft, infinite where there is none; None where it is not told."""
    if {"clouds", "vertical_visibility"} & {*observation.missing}:
        return None
    layers = [layer for layer in observation.clouds or () if layer.amount in _CEILINGS]
    heights = [layer.base for layer in layers if layer.base is not None]
    if len(heights) < len(layers):
        return None
    if observation.vertical_visibility is not None:
        heights.append(observation.vertical_visibility)
    return min(heights, default=math.inf)


def _is_plain(observation: Observation) -> bool:
    """Return True when nothing beside CAVOK tells of visibility or sky."""
    visibility = observation.visibility
    told = visibility.value if visibility else None
    return not (told is not None or observation.clouds or observation.vertical_visibility)
