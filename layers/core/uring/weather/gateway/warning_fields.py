"""Types and times of airport warnings; times are ``202602081137`` in fields, ``081137`` in texts.

A field that cannot be so costs itself: the text's time counts, or the time is unknown.

No official list of types was found; these were seen in use. The code is text: ``00`` and ``0`` both
occur for wind shear, and so does the Korean word itself. All times are UTC.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from uring.clock import timestamp
from uring.fetch.url import one_line
from uring.weather.iwxxm.document import FUTURE_TOLERANCE
from uring.weather.iwxxm.values import near
from uring.weather.warning_text import plain

UNKNOWN_TYPE: Final = "UNKNOWN"

_FIELD: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:[0-5]\d\d{0,3})?", re.ASCII)
_SEPARATORS: Final = re.compile(r"[-./:\sTZ년월일시분초]")
# Annex 3 also has VALID TL, which leaves out the start.
_IN_TEXT: Final = re.compile(
    r"(?:\b(\d{6})Z?\s+)?\bVALID\s+(?:TL\s+|(\d{6})Z?\s?[/-]\s?)(\d{6})Z?\b", re.ASCII
)
_DAY_TIME: Final = re.compile(r"(\d\d)([01]\d|2[0-4])([0-5]\d)", re.ASCII)
_FIELDS: Final = ("tm", "validTm1", "validTm2")
_NAMES: Final = ("issued", "valid_start", "valid_end")
_SEOUL: Final = timedelta(hours=9)
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
    word = plain(raw).strip()
    return _BY_CODE.get(word) or _BY_NAME.get(word) or WarningType(UNKNOWN_TYPE, raw)


class TextTimes(NamedTuple):
    """The times in a warning's text, each as day, hour and minute; `says` compares."""

    issued: str | None = None
    start: str | None = None
    end: str | None = None


class RowTimes(NamedTuple):
    """The times of a row, None if unknown.

    Attributes:
        end: never before ``start``.
        notes: a sentence for each time that is not its field's, or not the text's.
        seoul: a sentence if the fields are in Korean time, which the text's times show.
    """

    issued: datetime | None
    start: datetime | None
    end: datetime | None
    notes: tuple[str, ...] = ()
    seoul: str = ""

    @property
    def are_unknown(self) -> bool:
        """True when the row has no time at all."""
        return (self.issued, self.start, self.end) == (None, None, None)


def row_times(fields: Mapping[str, str], text: str, now: datetime | None) -> RowTimes:
    """Return the times of a row: by its fields, or where they are odd by its text.

    Fields nine hours after the text are in Korean time: the text's times count. Any other
    difference is noted, and the field counts. The time of issue is never later than half an hour
    from now.

    Args:
        fields: of the row; ``tm``, ``validTm1`` and ``validTm2`` are read.
        text: the warning's own text.
        now: aware UTC; None checks no time against it.
    """
    said = times_in(text) or TextTimes()
    told = [warning_time(fields.get(name, "")) for name in _FIELDS]
    anchor = next((moment for moment in told if moment), now)
    times: list[datetime | None] = []
    notes, seoul = [], ""
    for field, name, moment, word in zip(_FIELDS, _NAMES, told, said, strict=True):
        if moment is None:
            time = _meant(anchor, word)
            counts = f"the text's {word} counts" if time else "it is unknown"
            notes.append(f"its {field} is {one_line(fields.get(field, '')[:40])!r}: {counts}")
        elif word and not says(word, moment) and says(word, moment - _SEOUL):
            time = moment - _SEOUL
            difference = f"{name} is {timestamp(moment)}, the text says {word}"
            seoul = seoul or (
                f"{difference}, nine hours apart: are the fields in Korean time? "
                "The text's times count"
            )
        else:
            time = moment
            if word and not says(word, moment):
                notes.append(f"{name} is {timestamp(moment)}, the text says {word}")
        times.append(time)
    issued, start, end = times
    if seoul and issued and not said.issued:
        issued -= _SEOUL
    if now and issued and issued - now > FUTURE_TOLERANCE:
        notes.append(f"issued at {timestamp(issued)}, it is {timestamp(now)} now")
        issued = _meant(now, said.issued)
        issued = None if issued and issued - now > FUTURE_TOLERANCE else issued
    if start and end and end < start:
        notes.append(f"valid until {timestamp(end)}, but from {timestamp(start)}")
        start, end = _period(issued or now or start, said)
    return RowTimes(issued, start, end, tuple(notes), seoul)


def _period(near_to: datetime, said: TextTimes) -> tuple[datetime | None, datetime | None]:
    """Return the period of a text; without one, or with an impossible one, it is unknown."""
    start = _meant(near_to, said.start)
    end = _meant(start or near_to, said.end)
    return (None, None) if start and end and end < start else (start, end)


def _meant(near_to: datetime | None, text: str | None) -> datetime | None:
    """Return the time nearest to another that ``ddhhmm`` can mean; None for an impossible one."""
    found = _DAY_TIME.fullmatch(text or "")
    if near_to is None or found is None:
        return None
    try:
        return near(near_to, *map(int, found.groups()))
    except (ValueError, OverflowError):
        return None


def warning_time(text: str) -> datetime | None:
    """Parse ``YYYYMMDDHHmm`` as aware UTC; 2400 is 0000 of the next day.

    Separators, seconds, a Z and wide digits are accepted, seconds are cut. None for an unparsable
    or placeholder date: databases have dates that mean "none".
    """
    match = _FIELD.fullmatch(_SEPARATORS.sub("", plain(text)))
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
    match = _IN_TEXT.search(plain(text))
    return TextTimes(*match.groups()) if match else None


def says(text: str, moment: datetime) -> bool:
    """Return True if ``ddhhmm`` can mean this moment; 072400 and 080000 are equal."""
    last = moment - timedelta(days=1)
    return text == f"{moment:%d%H%M}" or (
        (moment.hour, moment.minute) == (0, 0) and text == f"{last:%d}2400"
    )
