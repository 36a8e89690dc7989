"""A day of an airport as it is published: the day's files and a TAF's timeline."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from weather_of_client import CHECKED

NOW: Final = datetime.fromisoformat(CHECKED)
_BASE: Final = "2026-03-02T00:00:00Z"


def stamp(at: datetime) -> str:
    """Return a time as it is published."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ago(**span: float) -> str:
    """Return the time that long before the last check."""
    return stamp(NOW - timedelta(**span))


def report(time: str, **fields: Any) -> dict[str, Any]:
    """Return a report of a calm day, with some fields replaced."""
    return {
        "time": time,
        "report_type": "METAR",
        "report_status": "NORMAL",
        "wind": {"direction": 70, "speed": 10, "gust": None, "variable": False},
        "visibility": 10000,
        "ceiling": 4500,
        "weather": [],
        "temperature": 2.0,
        "dewpoint": -5.0,
        "qnh": 1031.0,
        "flight_category": "VFR",
        "raw": "METAR RKSI",
        **fields,
    }


def metar_day(reports: list[Any], **fields: Any) -> dict[str, Any]:
    """Return the day's file of observations."""
    named = {"type": "METAR_DAY", "icao": "RKSI", "updated_at": CHECKED}
    return {**named, "reports": reports, **fields}


def taf_day(reports: list[Any], **fields: Any) -> dict[str, Any]:
    """Return the day's file of forecasts."""
    return {"type": "TAF_DAY", "icao": "RKSI", "updated_at": CHECKED, "reports": reports, **fields}


def piece(
    start: str, end: str, prevailing: tuple[Any, list[Any]], worst: tuple[Any, list[Any]]
) -> dict[str, Any]:
    """Return a piece of a timeline; each sky is a category and its groups."""
    skies = {"prevailing": prevailing, "worst": worst}
    told = {name: {"flight_category": sky[0], "groups": sky[1]} for name, sky in skies.items()}
    return {"start": start, "end": end, **told}


def timeline() -> list[dict[str, Any]]:
    """Return the timeline of `weather_of_client.taf`: its BECMG, TEMPO and PROB30."""
    at = [f"2026-03-0{day}T{hour:02}:00:00Z" for day, hour in _HOURS]
    base, later = ("VFR", [0]), ("MVFR", [0, 1])
    return [
        piece(at[0], at[1], base, ("IFR", [0, 2])),
        piece(at[1], at[2], base, base),
        piece(at[2], at[3], later, later),
        piece(at[3], at[4], later, ("LIFR", [0, 1, 3])),
        piece(at[4], at[5], later, later),
    ]


_HOURS: Final = ((2, 0), (2, 4), (2, 8), (2, 13), (2, 14), (3, 6))


def issued(time: str, category: Any, worst: Any, **fields: Any) -> dict[str, Any]:
    """Return a TAF of the day that is valid for a day from its issue, in one piece."""
    end = stamp(datetime.fromisoformat(time) + timedelta(hours=24))
    return {
        "issued": time,
        "valid_start": time,
        "valid_end": end,
        "report_status": "NORMAL",
        "cancelled": False,
        "timeline": [piece(time, end, (category, [0]), (worst, [0]))],
        "raw": "TAF RKSI",
        **fields,
    }


def rough_day() -> list[dict[str, Any]]:
    """Return a day of half-hourly reports: a front with gusts and fog, and four missing reports."""
    reports = []
    for step in range(47, -1, -1):
        if 30 <= step <= 33:
            continue
        front = max(0.0, 1 - abs(step - 14) / 8)
        metres = round(10000 * (1 - 0.96 * front)) if front else 10000
        category = "LIFR" if metres < 800 else "IFR" if metres < 4800 else "VFR"
        speed = round(8 + 20 * front)
        wind = {"direction": (70 + step * 9) % 360, "speed": speed, "variable": False}
        reports.append(
            report(
                ago(minutes=11 + 30 * step),
                wind={**wind, "gust": speed + 14 if front > 0.3 else None},
                visibility=metres,
                ceiling=round(4500 * (1 - front)) or 100,
                weather=["+SHRA", "BR"] if front > 0.5 else [],
                temperature=round(6 - step / 6 - 3 * front, 1),
                dewpoint=round(-4 + 4 * front, 1),
                qnh=round(1019 - 9 * front + step / 10),
                flight_category="MVFR" if category == "VFR" and front else category,
            )
        )
    return reports
