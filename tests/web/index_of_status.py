"""An index as the monitor writes it, whose sources a test makes ill."""

from datetime import UTC, datetime, timedelta
from typing import Any


def ago(**span: float) -> str:
    """Return an instant before now, as it is published."""
    instant = datetime.now(UTC) - timedelta(**span)
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


def entry(source: str, name: str = "", **changes: Any) -> dict[str, Any]:
    """Return the entry of a source that is well."""
    return {
        "id": source,
        "name": name or f"{source} 학과",
        "status": "ok",
        "class": "ok",
        "reason": None,
        "since": ago(days=9),
        "consecutive_failures": 0,
        "last_success": ago(hours=5),
        "last_change": ago(days=3),
        "stale_since": None,
        "seq": 7,
        "base_url": "https://www.example.ac.kr",
        "topic": source,
        "latest": f"{source}/latest.json",
        "health": f"{source}/health.json",
        **changes,
    }


def failing(source: str, reason: str, **changes: Any) -> dict[str, Any]:
    """Return the entry of a source that failed three times."""
    trouble = {"status": "failed", "class": "transient", "reason": reason, "since": ago(hours=7)}
    return entry(source, **{**trouble, "consecutive_failures": 3, **changes})


def product(source: str, airports: int, failed: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the entry of a product of the weather."""
    parts = {"parts": airports, "failing": len(failed), "failed": failed}
    return entry(source, source.upper(), **{**parts, "last_success": ago(minutes=4), **changes})


def index(departments: list[Any], **others: Any) -> dict[str, Any]:
    """Return an index that was written just now."""
    return {"generated_at": ago(minutes=4), "departments": departments, **others}
