"""Types and times of airport warnings; times are ``202602081137`` in fields, ``081137`` in texts.

No official list of types was found; these were seen in use. The code is text: ``00`` and ``0`` both
occur for wind shear, and so does the Korean word itself. All times are UTC.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

UNKNOWN_TYPE: Final = "UNKNOWN"

_FIELD: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)", re.ASCII)
_IN_TEXT: Final = re.compile(r"(?:\b(\d{6})\s+)?VALID\s+(\d{6})/(\d{6})\b", re.ASCII)
_DAY_END: Final = (24, 0)
_EARLIEST_YEAR: Final = 2000
_LATEST_YEAR: Final = 2200


class WarningType(NamedTuple):
    """A type of warnings; ``name`` is Korean."""

    key: str
    name: str


_WIND_SHEAR: Final = WarningType("WIND_SHEAR", "급변풍")
_BY_CODE: Final = {
    "00": _WIND_SHEAR,
    "0": _WIND_SHEAR,
    "1": WarningType("LOW_VISIBILITY", "저시정"),
    "2": WarningType("STRONG_WIND", "강풍"),
    "3": WarningType("HEAVY_RAIN", "호우"),
    "4": WarningType("LOW_CEILING", "구름고도"),
    "5": WarningType("THUNDERSTORM", "뇌우"),
    "7": WarningType("TYPHOON", "태풍"),
    "8": WarningType("HEAVY_SNOW", "대설"),
    "13": WarningType("YELLOW_DUST", "황사"),
    "99": WarningType("OTHER", "기타"),
}
_BY_NAME: Final = {
    **{known.name: known for known in _BY_CODE.values()},
    "윈드시어": _WIND_SHEAR,
}


def warning_type(raw: str) -> WarningType:
    """Return the type of a code or word; an unknown one is ``UNKNOWN``, with its word as name."""
    return _BY_CODE.get(raw) or _BY_NAME.get(raw) or WarningType(UNKNOWN_TYPE, raw)


class TextTimes(NamedTuple):
    """The times in a warning's text, each as day, hour and minute; `says` compares."""

    issued: str | None
    start: str
    end: str


def warning_time(text: str) -> datetime | None:
    """Parse ``YYYYMMDDHHmm`` as aware UTC; 2400 is 0000 of the next day.

    None for an unparsable or placeholder date: databases have dates that mean "none".
    """
    match = _FIELD.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute = map(int, match.groups())
    if not _EARLIEST_YEAR <= year <= _LATEST_YEAR:
        return None
    extra = timedelta(days=1) if (hour, minute) == _DAY_END else timedelta()
    try:
        return datetime(year, month, day, 0 if extra else hour, minute, tzinfo=UTC) + extra
    except (ValueError, OverflowError):
        return None


def times_in(text: str) -> TextTimes | None:
    """Parse the times in a warning's text; None without a period."""
    match = _IN_TEXT.search(text)
    return TextTimes(*match.groups()) if match else None


def says(text: str, moment: datetime) -> bool:
    """Return True if ``ddhhmm`` can mean this moment; 072400 and 080000 are equal."""
    last = moment - timedelta(days=1)
    return text == f"{moment:%d%H%M}" or (
        (moment.hour, moment.minute) == (0, 0) and text == f"{last:%d}2400"
    )
