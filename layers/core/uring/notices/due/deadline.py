"""Which of a title's dates is its deadline, and how sure that is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from typing import Final

from uring.notices.due.mentions import Mention, countdowns, folded, mentions
from uring.notices.due.phrases import Phrase, phrases
from uring.notices.due.words import (
    ACTION,
    CLOSED,
    EVENT,
    OUTAGE,
    RESULT,
    RUNNING,
    VISA,
)
from uring.notices.due.years import day_of, start_of

_DAY: Final = timedelta(days=1)
_LONGEST_PERIOD: Final = timedelta(days=300)
# `[마감 D-3]`: the characters around a countdown that are looked at.
_AROUND: Final = 8


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline.

    Attributes:
        day: the last day, in the zone of the board.
        at: the time of that day, if the title has one.
        since: the first day of the period, if the title has one.
        is_sure: false where the date may be one of something else.
    """

    day: date
    at: time | None = None
    since: date | None = None
    is_sure: bool = False

    def published(self) -> dict[str, str]:
        """Return what readers get: ``date``, ``confidence``, and ``time`` and ``from`` if known."""
        return {
            "date": self.day.isoformat(),
            **({"time": self.at.isoformat("minutes")} if self.at else {}),
            **({"from": self.since.isoformat()} if self.since else {}),
            "confidence": "high" if self.is_sure else "low",
        }


def deadline_of(title: str, posted: date) -> Deadline | None:
    """Return the deadline that a title names; None without one, and for a day before ``posted``.

    Args:
        title: of the notice, any text.
        posted: the notice's own day, from which a date without a year is counted.
    """
    text = folded(title)
    if CLOSED.search(text):
        return None
    found = [
        due
        for phrase in phrases(text, mentions(text, posted.year))
        for due in [_due(text, phrase, posted)]
        if due
    ]
    return _chosen(text, found) if found else next(_counted(text, posted), None)


def _due(text: str, phrase: Phrase, posted: date) -> Deadline | None:
    confidence = _confidence(text, phrase)
    if confidence is None:
        return None
    end = phrase.end
    first = phrase.begin or (end if end.last_day else None)
    if phrase.begin and end.year is None and phrase.begin.year is not None:
        end = _with_year(end, phrase.begin)
    placed = day_of(end, posted, day=end.last_day)
    if placed is None:
        return None
    day, is_sure = placed.day, confidence and placed.is_sure
    since = start_of(first, day) if first else None
    if end.is_midnight:
        # 0:00 is the end of the day before, or that day's end by a careless hand.
        day, is_sure = day - _DAY, False
        if day < posted:
            return None
    if first and (since is None or day - since > _LONGEST_PERIOD):
        return None
    return Deadline(day, end.at, since, is_sure)


def _with_year(end: Mention, begin: Mention) -> Mention:
    """Return the end with the year of its period's begin, or the year behind it."""
    year = begin.year or 0
    is_later = (end.month, end.day) >= (begin.month, begin.day)
    return replace(end, year=year if is_later else year + 1)


def _confidence(text: str, phrase: Phrase) -> bool | None:
    """Return whether a phrase surely is a deadline; None for another day."""
    if phrase.is_labelled or phrase.is_closing:
        return True
    is_action, is_running = bool(ACTION.search(text)), bool(RUNNING.search(text))
    is_period = phrase.kind == "period"
    if OUTAGE.search(text) or (is_period and not is_action):
        return None
    if RESULT.search(text):
        return False if is_action and not is_period else None
    if is_period:
        return not (is_running or EVENT.search(text))
    return is_action or (None if is_running else False)


def _chosen(text: str, found: Sequence[Deadline]) -> Deadline:
    """Return one of several deadlines: a sure one, the last if it was extended, else the first.

    The first of several is unsure: nothing shows which one is meant.
    """
    likely = [due for due in found if due.is_sure] or found
    if "연장" in text or "extend" in text:
        return max(likely, key=lambda due: due.day)
    first = min(likely, key=lambda due: due.day)
    return replace(first, is_sure=first.is_sure and all(due.day == first.day for due in likely))


def _counted(text: str, posted: date) -> Iterator[Deadline]:
    """Yield the deadlines of countdowns, unsure ones: some boards count from today."""
    for countdown in countdowns(text):
        around = text[max(0, countdown.begin - _AROUND) : countdown.end + _AROUND]
        is_closing = "마감" in around or "종료" in around or "deadline" in around
        if is_closing or (ACTION.search(text) and not VISA.search(text)):
            yield Deadline(posted + countdown.days * _DAY)
