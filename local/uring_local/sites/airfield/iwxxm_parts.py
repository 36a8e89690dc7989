"""What all documents of IWXXM share: names, ids, times, places, numbers."""

from collections.abc import Iterable
from datetime import datetime
from random import Random
from typing import Final

from uring_local.sites.airfield.model import AIRPORTS
from uring_local.sites.airfield.nodes import Node

_NIL: Final = "http://codes.wmo.int/common/nil/"
_WEATHER: Final = "http://codes.wmo.int/306/4678/"


class Generation:
    """One generation of IWXXM as one service writes it.

    Args:
        version: what is claimed; one that begins with ``2.`` is written the old way.
        ids: for what differs from one document to the next although it says the same.
    """

    def __init__(self, version: str, ids: Random) -> None:
        self.version = version
        self.old = version.startswith("2.")
        # The Korean service pads its numbers, and writes times of extremes as TAC does.
        self.korean = version in {"2.1", "2023-1"}
        self.ids = ids

    def id(self) -> dict[str, str]:
        """Return an attribute that no other element has."""
        return {"gml:id": f"uuid.{self.ids.getrandbits(128):032x}"}

    def again(self, node: Node) -> str:
        """Return what refers to an object that stands elsewhere in the document."""
        return f"#{node.attributes['gml:id']}"

    def instant(self, moment: datetime) -> Node:
        """Return a point in time."""
        return Node("gml:TimeInstant", (Node("gml:timePosition", iso(moment)),), self.id())

    def period(self, start: datetime, end: datetime) -> Node:
        """Return a period."""
        ends = (Node("gml:beginPosition", iso(start)), Node("gml:endPosition", iso(end)))
        return Node("gml:TimePeriod", ends, self.id())

    def aerodrome(self, icao: str) -> Node:
        """Return the airport."""
        values = {
            "interpretation": "SNAPSHOT",
            "designator": icao,
            "name": AIRPORTS[icao].name,
            "locationIndicatorICAO": icao,
        }
        inside = tuple(Node(f"aixm:{name}", text) for name, text in values.items())
        piece = Node("aixm:AirportHeliportTimeSlice", inside, self.id())
        return Node("aixm:AirportHeliport", (Node("aixm:timeSlice", (piece,)),), self.id())

    def number(self, value: int | None, width: int) -> str:
        """Return a number, padded to the width if that is the service's way.

        Raises:
            ValueError: there is none; the scripts tell every number of an observation.
        """
        if value is None:
            raise ValueError("a report lacks a number that its document needs")
        if not self.korean:
            return str(value)
        return f"{'-' if value < 0 else ''}{abs(value):0{width}d}"


def iwxxm(
    name: str, content: str | tuple[Node, ...] = "", attributes: dict[str, str] | None = None
) -> Node:
    """Return an element of IWXXM's own."""
    return Node(f"iwxxm:{name}", content, attributes or {})


def weather_codes(name: str, codes: Iterable[str]) -> list[Node]:
    """Return an element for each code of WMO table 4678."""
    return [iwxxm(name, "", {"xlink:href": _WEATHER + code}) for code in codes]


def nil(why: str) -> dict[str, str]:
    """Return the attribute that says why there is no value."""
    return {"nilReason": _NIL + why}


def iso(moment: datetime) -> str:
    """As documents write it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
