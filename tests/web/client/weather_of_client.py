"""Weather as it is published, for tests of the client: the fields of docs/weather.md."""

from datetime import datetime
from email.utils import format_datetime
from typing import Any, Final

from site_of_client import Site

CHECKED: Final = "2026-03-02T00:41:00Z"
KINDS: Final = {"metar": "METAR", "taf": "TAF", "warning": "AIRPORT_WARNINGS"}


def observation(**parts: Any) -> dict[str, Any]:
    """Return the observation of a calm day, with some parts replaced."""
    return {
        "wind": {"direction": 70, "speed": 10, "gust": None, "unit": "KT", "variable": False},
        "visibility": {"value": 10000, "operator": None, "cavok": False},
        "rvr": [],
        "weather": [],
        "clouds": [{"amount": "BKN", "base": 4500, "type": None, "raw": "BKN045"}],
        "vertical_visibility": None,
        "nsc": False,
        "temperature": {"air": 2.0, "dewpoint": -5.0},
        "qnh": {"value": 1031.0, "unit": "hPa"},
        "missing": [],
        **parts,
    }


def metar(icao: str, category: str = "VFR", **fields: Any) -> dict[str, Any]:
    """Return an airport's METAR of 00:30 UTC, eleven minutes before `CHECKED`."""
    return {
        "header": {
            "icao": icao,
            "airport_name": f"{icao} AIRFIELD",
            "report_type": "METAR",
            "report_status": "NORMAL",
            "observation_time": "2026-03-02T00:30:00Z",
            "automated": False,
            "nil": False,
            "translation_failed": False,
        },
        "observation": observation(),
        "trend": [],
        "flight_category": category,
        "raw": f"METAR {icao} 020030Z 07010KT 9999 BKN045 02/M05 Q1031",
        "raw_derived": False,
        **fields,
    }


def taf(icao: str, **fields: Any) -> dict[str, Any]:
    """Return an airport's TAF of 30 hours with a group of each usual kind."""
    wind = {"direction": 300, "speed": 26, "gust": 42, "unit": "KT", "variable": False}
    return {
        "header": {
            "icao": icao,
            "report_status": "NORMAL",
            "cancelled": False,
            "nil": False,
            "translation_failed": False,
            "issued": "2026-03-01T23:03:00Z",
            "valid_start": "2026-03-02T00:00:00Z",
            "valid_end": "2026-03-03T06:00:00Z",
            "temperatures": [{"type": "TN", "value": -1.0, "time": "2026-03-02T20:00:00Z"}],
        },
        "base": {**observation(), "flight_category": "VFR"},
        "changes": [
            _group("BECMG", "2026-03-02T05:00:00Z", "2026-03-02T08:00:00Z", wind=wind),
            _group("TEMPO", "2026-03-02T00:00:00Z", "2026-03-02T04:00:00Z", wind=wind),
            _group("PROB30", "2026-03-02T13:00:00Z", "2026-03-02T14:00:00Z", wind=wind),
        ],
        "raw": f"TAF {icao} 012303Z 0200/0306 07010KT 9999 BKN045",
        "raw_derived": True,
        **fields,
    }


def warning(key: str, start: str, end: str, **fields: Any) -> dict[str, Any]:
    """Return one warning."""
    return {
        "issued": "2026-03-01T23:50:00Z",
        "wrng_type": "2",
        "wrng_type_key": key,
        "wrng_type_name": "강풍",
        "valid_start": start,
        "valid_end": end,
        "raw_message": "RKPC AD WRNG 1 VALID 020000/020900",
        **fields,
    }


def publish(
    site: Site,
    metars: dict[str, Any] | None = None,
    tafs: dict[str, Any] | None = None,
    warnings: dict[str, list[Any]] | None = None,
    failed: dict[str, Any] | None = None,
) -> None:
    """Publish the three products, checked at `CHECKED`, and set the server's clock to it.

    Args:
        site: of the client.
        metars: by airport.
        tafs: by airport; None: each airport of `metars` has one.
        warnings: by airport; None: each airport of `metars` has an empty list.
        failed: airports whose METAR is in trouble, as in the index.
    """
    metars = metars or {}
    tafs = {icao: taf(icao) for icao in metars} if tafs is None else tafs
    warnings = {icao: [] for icao in metars} if warnings is None else warnings
    rows = {icao: {"airport_name": None, "warnings": some} for icao, some in warnings.items()}
    put(site, "metar", metars)
    put(site, "taf", tafs)
    put(site, "warning", rows)
    site.put("index.json", {"weather": entries(failed or {})})
    at = datetime.fromisoformat(CHECKED)
    site.date = format_datetime(at, usegmt=True)


def put(site: Site, product: str, airports: dict[str, Any]) -> None:
    """Publish the airports of one product, stored at `CHECKED`."""
    document = {"type": KINDS[product], "fetched_at": CHECKED, "seq": 1, "airports": airports}
    site.put(f"{product}/latest.json", document)


def entries(failed: dict[str, Any], product: str = "metar", **fields: Any) -> list[dict[str, Any]]:
    """Return the index's entries; one product has airports in trouble, and other fields."""
    own = {product: {"failed": failed, **fields}}
    return [
        {
            "id": name,
            "name": name,
            "status": "ok",
            "last_success": CHECKED,
            "interval_minutes": minutes,
            "failed": {},
            **own.get(name, {}),
        }
        for name, minutes in (("metar", 10), ("taf", 30), ("warning", 5))
    ]


def _group(kind: str, start: str, end: str, **parts: Any) -> dict[str, Any]:
    return {"type": kind, "start": start, "end": end, "flight_category": "MVFR", **parts}
