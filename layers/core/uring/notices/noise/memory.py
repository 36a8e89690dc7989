"""What a board's state remembers of its rows beside their hashes. Plain data, bounded.

A hash shows that a notice differs, never in what. The marks show which field differs, which known
notice has the title and date of an unknown one, and whether a notice returned to earlier content.
"""

import base64
import hashlib
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from uring.changes.state import StatePart
from uring.clock import Timestamp, parse_timestamp, timestamp
from uring.notices.item import NoticeItem

MOST_NOISE: Final = 10
"""The most parts of a board's fields that are not compared."""

FIELDS: Final = ("title", "date", "category", "link")
_MARK_BYTES: Final = 3
_WIDTH: Final = 4
_MOST_ROWS: Final = 300
_MOST_DOUBTED: Final = 1_000
_MOST_PAST: Final = 120
_MOST_STREAKS: Final = 30
_MOST_CONTENTS: Final = 4

Short = Annotated[str, StringConstraints(max_length=200)]


class Past(StatePart):
    """The earlier contents of an edited notice.

    Attributes:
        contents: the marks of title, date and category, the latest first; four at most.
        returns: how many edits led back to one of them soon after the edit before; any other
            edit begins to count again.
        counts: how many edits in a row changed one number in its title alone.
        at: the time of its last recorded edit.
        pushed: the event id of that edit, if it was pushed by itself; empty for any other.
    """

    contents: tuple[Annotated[str, StringConstraints(max_length=3 * _WIDTH)], ...] = Field(
        max_length=2 * _MOST_CONTENTS
    )
    returns: int = Field(default=0, ge=0)
    counts: int = Field(default=0, ge=0)
    at: Timestamp
    pushed: Annotated[str, StringConstraints(max_length=40)] = ""


class Streak(StatePart):
    """A kind of change that came at several checks.

    Attributes:
        times: the number of checks.
        at: the time of the last one.
    """

    times: int = Field(default=0, ge=0, le=1_000_000)
    at: Timestamp


class Noise(StatePart):
    """A part of a field that changes by itself; it is not compared.

    Attributes:
        field: ``title`` or ``link``.
        part: in titles the form of a number, with ``#`` in its place, such as ``[#]``; in links
            ``host``, ``parameter NAME`` or ``segment N`` (of the path, from 1).
        seen: two values of the field, for people.
        since: when it was learned.
    """

    field: Short
    part: Short
    seen: Annotated[str, StringConstraints(max_length=500)]
    since: Timestamp


class Doubt(StatePart):
    """A page whose identity is doubtful: the ids do not fit the known notices.

    Attributes:
        reason: of the suspicion, one word.
        ids: marks of the ids that the page showed when the doubt began; later ones are news,
            unless their title and date are among ``notices``.
        notices: marks of the titles with dates that it showed.
        at: when it began.
    """

    reason: Short
    ids: tuple[Annotated[str, StringConstraints(max_length=_WIDTH)], ...] = Field(
        max_length=_MOST_DOUBTED
    )
    notices: tuple[Annotated[str, StringConstraints(max_length=2 * _WIDTH)], ...] = Field(
        default=(), max_length=_MOST_DOUBTED
    )
    at: Timestamp


def mark_of(text: str | None) -> str:
    """Return four characters that stand for a text, ``....`` for None."""
    if text is None:
        return "." * _WIDTH
    digest = hashlib.blake2b(text.encode(), digest_size=_MARK_BYTES).digest()
    return base64.urlsafe_b64encode(digest).decode()


def marks_of(item: NoticeItem) -> str:
    """Return the marks of a notice's fields, in the order of `FIELDS`."""
    return "".join(mark_of(getattr(item, name)) for name in FIELDS)


def marks_of_content(content: Mapping[str, str | None]) -> str:
    """Return the marks of a published notice."""
    return "".join(mark_of(content.get(name)) for name in FIELDS)


def same_notice(marks: str) -> str:
    """Return the part of the marks that tells notices apart without an id: title and date."""
    return marks[: 2 * _WIDTH]


def without_link(marks: str) -> str:
    """Return the part of the marks that stands for the content: title, date and category."""
    return marks[: 3 * _WIDTH]


def differing(before: str, now: str) -> frozenset[str]:
    """Return the names of the fields whose marks differ."""
    return frozenset(
        name
        for place, name in enumerate(FIELDS)
        if before[place * _WIDTH : (place + 1) * _WIDTH]
        != now[place * _WIDTH : (place + 1) * _WIDTH]
    )


def rows_of(items: Iterable[NoticeItem]) -> dict[str, str]:
    """Return the marks by id, in the order of the list; at most `_MOST_ROWS` of them."""
    return {item.id: marks_of(item) for item, _ in zip(items, range(_MOST_ROWS), strict=False)}


def doubt_of(reason: str, items: Iterable[NoticeItem], now: datetime) -> Doubt:
    """Return the doubt on a page, with the marks of its first thousand notices."""
    shown = [item for item, _ in zip(items, range(_MOST_DOUBTED), strict=False)]
    return Doubt(
        reason=reason,
        ids=tuple(mark_of(item.id) for item in shown),
        notices=tuple(same_notice(marks_of(item)) for item in shown),
        at=timestamp(now),
    )


def is_doubted(doubt: Doubt, item: NoticeItem) -> bool:
    """Return whether a notice was on the page when the doubt began, by its id or its title."""
    return mark_of(item.id) in doubt.ids or same_notice(marks_of(item)) in doubt.notices


def kept_streaks(
    streaks: Mapping[str, Streak], now: datetime, span: timedelta
) -> dict[str, Streak]:
    """Return the latest streaks, none older than ``span``."""
    recent = {key: each for key, each in streaks.items() if now - parse_timestamp(each.at) <= span}
    return dict(sorted(recent.items(), key=lambda each: each[1].at)[-_MOST_STREAKS:])


def remembered(
    past: Mapping[str, Past],
    replaced: Mapping[str, str],
    returned: Collection[str],
    counting: Collection[str],
    pushed: Mapping[str, str],
    now: datetime,
    soon: timedelta,
) -> dict[str, Past]:
    """Return the earlier contents after a check that recorded edits.

    Args:
        past: before it.
        replaced: by id, the marks of the content that an edit replaced.
        returned: the ids whose edit led back to an earlier content.
        counting: the ids whose edit changed one number of the title.
        pushed: by id, the event id of the edit, where it is pushed.
        now: the time of the check, aware UTC.
        soon: a return within this time after the last edit counts.
    """
    after, stamp = dict(past), timestamp(now)
    for key, old in replaced.items():
        known = after.pop(key, None) or Past(contents=(), at=stamp)
        contents = tuple(dict.fromkeys((old, *known.contents)))[:_MOST_CONTENTS]
        returns = 0
        if key in returned:
            is_soon = now - parse_timestamp(known.at) <= soon
            returns = known.returns + is_soon
        counts = known.counts + 1 if key in counting else 0
        event = pushed.get(key, "")
        after[key] = Past(contents=contents, returns=returns, counts=counts, at=stamp, pushed=event)
    return dict([*after.items()][-_MOST_PAST:])
