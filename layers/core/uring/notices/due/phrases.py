"""What a title's dates are: an end, a period, or a day of something else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from uring.notices.due.mentions import Mention
from uring.notices.due.words import (
    ARROW,
    BETWEEN,
    FROM_AFTER,
    LABEL,
    LAST,
    NUMBER,
    OPEN,
    UNTIL_AFTER,
    UNTIL_BEFORE,
)

# The characters before a date that are looked at.
_BEFORE: Final = 24


@dataclass(frozen=True, slots=True)
class Phrase:
    """A last day, or a period.

    Attributes:
        kind: ``open`` is a period without its begin, ``until`` a day with a word for the last one.
        end: the last day.
        begin: the first day of a period; None for the other kinds, and within ``end``'s month.
        is_labelled: whether a word before it says what is to be done until then.
        is_closing: whether a word beside it says that something closes then.
        is_moved: whether it replaces an earlier day.
    """

    kind: Literal["open", "until", "period"]
    end: Mention
    begin: Mention | None = None
    is_labelled: bool = False
    is_closing: bool = False
    is_moved: bool = False


def phrases(text: str, dates: Sequence[Mention]) -> Iterator[Phrase]:
    """Yield the last days and periods of a folded title; other days are left out."""
    position = 0
    while position < len(dates):
        first = dates[position]
        second = dates[position + 1] if position + 1 < len(dates) else None
        between = text[first.end : second.begin] if second else ""
        before = text[max(0, first.begin - _BEFORE) : first.begin]
        position += 1
        is_period = bool(second and first.last_day is None and BETWEEN.fullmatch(between))
        if NUMBER.search(before):
            position += is_period
            continue
        if second and len(between) <= _BEFORE and ARROW.search(between):
            # The day that was moved is no longer one.
            continue
        is_moved = position > 1 and bool(ARROW.search(text[dates[position - 2].end : first.begin]))
        if second and is_period:
            position += 1
            yield _period(text, before, first, second)
        elif (phrase := _single(text, before, first, is_moved=is_moved)) is not None:
            yield phrase


def _period(text: str, before: str, begin: Mention, end: Mention) -> Phrase:
    after = UNTIL_AFTER.match(text, end.end)
    is_closing = bool(after and after["closes"])
    return Phrase("period", end, begin, bool(LABEL.search(before)), is_closing)


def _single(text: str, before: str, date: Mention, *, is_moved: bool) -> Phrase | None:
    is_labelled = bool(LABEL.search(OPEN.sub("", before)))
    last = bool(LAST.search(OPEN.sub("", before)))
    after = UNTIL_AFTER.match(text, date.end)
    is_closing = last or bool(after and after["closes"])
    if date.last_day is not None:
        return Phrase("period", date, None, is_labelled, is_closing, is_moved)
    if OPEN.search(before):
        return Phrase("open", date, None, is_labelled, is_closing, is_moved)
    if FROM_AFTER.match(text, date.end):
        return None
    if after or last or is_moved or UNTIL_BEFORE.search(before):
        return Phrase("until", date, None, is_labelled, is_closing, is_moved)
    return None
