"""Answers of a weather gateway: the airfield's IWXXM, as long as the Korean service's.

A METAR has 6 to 7 KB, a TAF 16 to 17 KB. ``hour`` moves their times and values on; ``copy`` changes
what differs from one answer to the next although it says the same: the ids.
"""

import random
from datetime import timedelta
from typing import Any

from weather_clock import NOW

from uring_local.sites.airfield.iwxxm import Writer
from uring_local.sites.airfield.model import AIRPORTS, Group, Report

_GENERATION = "2023-1"
# Not so long before the worker's clock that a report would be refused as past.
_START = NOW - timedelta(days=3)
_HOUR = timedelta(hours=1)
_INDENT = "\n" + " " * 10
_RUNWAYS = ("33L", "33R", "34L", "34R")
# The hours after which a group begins, and for how long.
_GROUPS = (
    ("BECMG", 2, 2),
    ("TEMPO", 4, 4),
    ("BECMG", 10, 2),
    ("PROB30_TEMPO", 14, 4),
    ("FM", 20, 6),
)


def metar(icao: str, *, hour: int = 0, copy: int = 0) -> str:
    """Return the METAR of the hour."""
    dice = random.Random(f"metar:{icao}:{hour}")
    special: dict[str, Any] = {
        "air": dice.randint(-9, 35),
        "dewpoint": dice.randint(-19, -10),
        "qnh": dice.randint(990, 1_030),
        "rvr": tuple((runway, dice.randrange(600, 1_801, 50)) for runway in _RUNWAYS),
    }
    return _document(icao, "METAR", hour, copy, special | _conditions(dice, 3))


def taf(icao: str, *, hour: int = 0, copy: int = 0) -> str:
    """Return a TAF of 30 hours with five change groups."""
    dice = random.Random(f"taf:{icao}:{hour}")
    at = _START + hour * _HOUR
    special: dict[str, Any] = {
        "valid_start": at,
        "valid_end": at + 30 * _HOUR,
        "temperatures": (
            ("TX", dice.randint(9, 18), at + 6 * _HOUR),
            ("TN", dice.randint(-5, 4), at + 20 * _HOUR),
        ),
        "groups": tuple(
            Group(
                type=kind,
                start=at + begin * _HOUR,
                end=at + (begin + length) * _HOUR,
                **_conditions(dice, 4),
            )
            for kind, begin, length in _GROUPS
        ),
    }
    return _document(icao, "TAF", hour, copy, special | _conditions(dice, 4))


def envelope(icao: str, field: str, messages: list[str]) -> bytes:
    """Return the answer around messages, an item each."""
    items = "".join(
        f"<item><icaoCode>{icao}</icaoCode><airportName>{icao}</airportName>"
        f"<{field}>{message}</{field}></item>\n"
        for message in messages
    )
    return _answer(items, len(messages))


def warnings(number: int) -> bytes:
    """Return so many wind warnings in force, one after the other through the airports."""
    airports = [*AIRPORTS]
    items = "".join(
        f"<item><icaoCode>{icao}</icaoCode><airportName>{icao}</airportName>"
        "<tm>202403040255</tm><wrngType>2</wrngType>"
        f"<wrngMsg>{icao} AD WRNG {place} 040255 VALID 040300/041100 SFC WSPD 26KT=</wrngMsg>"
        "<validTm1>202403040300</validTm1><validTm2>202403041100</validTm2></item>\n"
        for place, icao in ((each, airports[each % len(airports)]) for each in range(number))
    )
    return _answer(items, number)


def _answer(items: str, number: int) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<response><header>'
        "<resultCode>00</resultCode><resultMsg>NORMAL_SERVICE</resultMsg></header><body>"
        f"<dataType>XML</dataType><items>{items}</items><pageNo>1</pageNo>"
        f"<numOfRows>{number}</numOfRows><totalCount>{number}</totalCount></body></response>"
    ).encode()


def _document(icao: str, kind: Any, hour: int, copy: int, values: dict[str, Any]) -> str:
    at = _START + hour * _HOUR
    report = Report(
        icao=icao,
        kind=kind,
        status="NORMAL",
        time=at,
        issued=at,
        iwxxm_version=_GENERATION,
        **values,
    )
    ids = random.Random(f"ids:{icao}:{hour}:{copy}")
    return Writer(_GENERATION, ids).document(report).spaced(_INDENT)


def _conditions(dice: random.Random, layers: int) -> dict[str, Any]:
    amounts = ("FEW", "SCT", "BKN", "OVC")[:layers]
    return {
        "wind_direction": dice.randrange(10, 361, 10),
        "wind_speed": dice.randint(3, 25),
        "gust": dice.randint(26, 45),
        "visibility": dice.randrange(1_500, 9_001, 100),
        "weather": ("-SHRA", "BR"),
        "clouds": tuple(
            (amount, 1_000 * place + dice.randrange(500, 1_401, 100), None)
            for place, amount in enumerate(amounts)
        ),
    }
