"""Invented weather: its kind at an airport for six hours, and the conditions an observer sees."""

import math
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

_KINDS: Final = {
    "cavok": 20,
    "fair": 26,
    "windy": 16,
    "rain": 14,
    "haze": 10,
    "fog": 8,
    "storm": 6,
}
_HOURS: Final = 6
_SPREAD: Final = {"fog": 0, "rain": 1, "storm": 2, "haze": 3}
_FREEZING: Final = 1


def kind_of_weather(seed: int, icao: str, at: datetime) -> str:
    """Return the kind of weather, as ``fog`` or ``windy``; it stays the same for six hours."""
    block = at.replace(hour=at.hour // _HOURS * _HOURS, minute=0, second=0, microsecond=0)
    random = Random(f"{seed}/sky/{icao}/{block:%Y%m%d%H}")
    return random.choices(list(_KINDS), list(_KINDS.values()))[0]


def temperature(random: Random, at: datetime) -> int:
    """Return the temperature in °C, by season and hour of the day in Korea."""
    season = -math.cos(2 * math.pi * (at.timetuple().tm_yday - 20) / 365)
    local = at + timedelta(hours=9)
    day = math.cos(2 * math.pi * (local.hour - 15) / 24)
    return round(13 + 13 * season + 4 * day + random.uniform(-2, 2))


def dewpoint(random: Random, kind: str, air: int) -> int:
    """Return the dewpoint in °C; it is near the air temperature in wet weather and haze."""
    spread = _SPREAD.get(kind)
    return air - (random.randint(5, 14) if spread is None else spread)


def conditions(random: Random, kind: str, air: int) -> dict[str, Any]:
    """Return the fields of `Conditions`, and ``nsc``; ``visibility`` is missing with CAVOK."""
    seen: dict[str, Any] = {"cavok": False, "nsc": False, "weather": (), "clouds": ()}
    seen |= _wind(random, kind)
    if kind == "cavok":
        return {**seen, "cavok": True}
    seen["visibility"] = 10_000
    if kind == "fog":
        seen |= {
            "visibility": random.choice((150, 300, 500, 800)),
            "weather": (random.choice(("FG", "FG", "BCFG")),),
            "vertical_visibility": random.choice((100, 200, 300)),
        }
    elif kind == "rain":
        snow = air <= _FREEZING
        codes = ("-SN", "SN", "SN BLSN") if snow else ("-RA", "RA", "-RA BR", "RADZ", "+RA")
        seen |= {
            "visibility": random.choice((1500, 2500, 4000, 6000)),
            "weather": tuple(random.choice(codes).split()),
            "clouds": _layers(random, 800, ("SCT", "BKN", "OVC")),
        }
    elif kind == "storm":
        low = (random.choice(("FEW", "SCT")), 1500, random.choice(("CB", "TCU")))
        seen |= {
            "visibility": random.choice((2000, 3000, 5000)),
            "weather": tuple(random.choice(("TSRA", "+TSRA", "-TSRA", "TS", "VCTS")).split()),
            "clouds": (low, *_layers(random, 2500, ("BKN", "OVC"))),
        }
    elif kind == "haze":
        seen |= {
            "visibility": random.choice((3000, 4500, 7000)),
            "weather": (random.choice(("HZ", "BR")),),
            "nsc": True,
        }
    else:
        seen["clouds"] = _layers(random, 3000, random.choice((("FEW",), ("SCT",), ("FEW", "BKN"))))
        if random.random() < 0.2:  # noqa: PLR2004
            seen |= {"clouds": (), "nsc": True}
    return seen


def _wind(random: Random, kind: str) -> dict[str, Any]:
    direction = random.randrange(10, 361, 10)
    if kind in {"windy", "storm"}:
        speed = random.randint(16, 28)
        return {
            "wind_direction": direction,
            "wind_speed": speed,
            "gust": speed + random.randint(10, 16),
        }
    if random.random() < 0.2:  # noqa: PLR2004
        return {"wind_direction": None, "wind_speed": random.randint(1, 3), "variable": True}
    return {"wind_direction": direction, "wind_speed": random.randint(3, 14)}


def _layers(
    random: Random, lowest: int, amounts: tuple[str, ...]
) -> tuple[tuple[str, int, None], ...]:
    base = lowest + 100 * random.randint(0, 9)
    return tuple((amount, base + 1200 * number, None) for number, amount in enumerate(amounts))
