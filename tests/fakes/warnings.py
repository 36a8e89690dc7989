"""What a list of airport warnings settles."""

from collections.abc import Sequence

from uring.weather.gateway.envelope import Envelope, Item
from uring.weather.gateway.warnings import WarningList


def rows_of(envelope: Envelope) -> tuple[Sequence[Item], int | None]:
    """Return the rows of a response, and the number that it announces."""
    return envelope.items, envelope.total_count


def complete(listed: WarningList) -> bool:
    """Return True when a warning that the list lacks is over; a refused row may be that warning."""
    return not listed.missing and not listed.refused


def settles(listed: WarningList, icao: str) -> bool:
    """Return True when a warning of this airport that the list lacks is over."""
    return not listed.missing and not any(row.icao in {icao, None} for row in listed.refused)
