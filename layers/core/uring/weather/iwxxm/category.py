"""The flight category of an observation or a forecast, by its ceiling and visibility."""

import math
from collections.abc import Collection, Sequence
from datetime import datetime
from heapq import heappop, heappush
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
_STAYS: Final = frozenset({"BECMG", "FM"})
# Unknown comes before VFR: it may be worse.
_WORST_FIRST: Final[tuple[FlightCategory | None, ...]] = ("LIFR", "IFR", "MVFR", None, "VFR")

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
) -> list[FlightCategory | None]:
    """Return the category of each change group, applied to the conditions that prevail then.

    Times count, not places: lists are not always in the order of time. FM prevails from its start,
    also with the parts it lacks. BECMG prevails from the end of its transition; a TEMPO or PROB
    that begins within the transition has the worse of both. BECMG's own category is that of its
    end. TEMPO and PROB pass. If a group has no start, the places count.

    Args:
        base: the base forecast; None gives None for each group.
        changes: the groups, in the report's order, which is also that of the result.
    """
    found: list[FlightCategory | None] = [None] * len(changes)
    if base is None:
        return found
    prevailing = Prevailing(base)
    for place in by_time(changes):
        change = changes[place]
        if change.type == "FM":
            prevailing.replace(change, place + 1)
        elif change.type == "BECMG":
            prevailing.become(change, place + 1)
        else:
            prevailing.settle(change.start)
            found[place] = worst(prevailing.categories(change))
            continue
        found[place] = flight_category(prevailing.last)
    return found


def by_time(changes: Sequence[ChangeGroup]) -> list[int]:
    """Return the places by start; of equal starts FM and BECMG come before TEMPO and PROB."""
    places = range(len(changes))
    starts = [change.start for change in changes if change.start is not None]
    if len(starts) < len(changes):
        return [*places]
    return sorted(places, key=lambda it: (starts[it], changes[it].type not in _STAYS, it))


def worst(categories: Collection[FlightCategory | None]) -> FlightCategory | None:
    """Return the worst category; None, which is unknown, is worse than VFR."""
    return next((it for it in _WORST_FIRST if it in categories), None)


class Prevailing:
    """The conditions that prevail as time passes.

    Groups are named by number: 0 is the base.

    Attributes:
        settled: the conditions without the transitions that last.
        last: the conditions once every transition so far has ended.
        groups: the groups of ``settled``.
    """

    def __init__(self, base: Base) -> None:
        self.settled = self.last = base
        self.groups = [0]
        # By end; the count keeps equal ends apart.
        self._transitions: list[tuple[datetime, int, ChangeGroup, int]] = []
        self._count = 0

    @property
    def becoming(self) -> list[int]:
        """The groups whose transition lasts."""
        return [number for *_, number in self._transitions]

    def replace(self, change: ChangeGroup, number: int) -> None:
        """Let FM prevail: earlier transitions no longer count."""
        self.settled = self.last = _applied(_NOTHING, change)
        self.groups = [number]
        self._transitions.clear()

    def become(self, change: ChangeGroup, number: int) -> None:
        """Let the transition of BECMG begin."""
        self.settle(change.start)
        self.last = _applied(self.last, change)
        if change.end is None:
            self.settled = _applied(self.settled, change)
            self.groups.append(number)
        else:
            self._count += 1
            heappush(self._transitions, (change.end, self._count, change, number))

    def settle(self, now: datetime | None) -> None:
        """End the transitions that are over by now, all of them if the time is unknown."""
        while self._transitions and (now is None or self._transitions[0][0] <= now):
            _, _, change, number = heappop(self._transitions)
            self.settled = _applied(self.settled, change)
            self.groups.append(number)
        if not self._transitions:
            self.settled = self.last

    def categories(self, passing: ChangeGroup | None = None) -> set[FlightCategory | None]:
        """Return the categories that may hold, with a TEMPO or PROB over the conditions.

        In a transition there are two: of the conditions before it and after it.
        """
        possible = [self.settled, self.last] if self._transitions else [self.settled]
        return {flight_category(_applied(it, passing) if passing else it) for it in possible}


def _applied(before: Base, change: ChangeGroup) -> Base:
    """Return the conditions with a group's changes; FM comes without earlier conditions."""
    told = {
        name: getattr(change, name)
        for name in ("wind", "visibility", "weather")
        if getattr(change, name) is not None
    }
    lacks = set(change.missing or ())
    if lacks & {"visibility"}:
        told["visibility"] = None
    if any(getattr(change, name) is not None for name in _SKY) or lacks & _UNTOLD:
        visibility = before.visibility
        if "visibility" not in told and visibility and visibility.cavok:
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
    return before.model_copy(update=told)


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
