"""What a board's state remembers of its rows beside their hashes. Plain data, bounded.

A hash shows that a notice differs, never in what. The marks show which field differs, which known
notice has the title and date of an unknown one, and whether a notice returned to earlier content.
"""

import base64
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, Self

from pydantic import Field, StringConstraints

from uring.changes.state import StatePart
from uring.clock import Timestamp, parse_timestamp, timestamp
from uring.notices.item import NoticeItem
from uring.notices.noise import parts
from uring.reading.text import shorten

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
_SHOWN: Final = 80
_TOLD_FOR: Final = timedelta(days=7)
_FLAPPING: Final = 2
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_GOES_ON: Final = timedelta(days=2)

Short = Annotated[str, StringConstraints(max_length=200)]


class Past(StatePart):
    """The earlier contents of an edited notice.

    Attributes:
        contents: the marks of title, date and category, the latest first; four at most.
        returns: how many edits led back to one of them soon after the edit before; any other
            edit begins to count again.
        counts: how many edits in a row, each within two days, changed numbers or times alone.
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

    @property
    def pause(self) -> timedelta:
        """How long a return alone is not recorded: an hour at first, a day in the end."""
        if self.returns < _FLAPPING:
            return timedelta()
        hours: int = 4 ** min(self.returns - _FLAPPING, _MOST_CONTENTS)
        return min(_DAY, hours * _HOUR)


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
        field: ``title``, ``category`` or ``link``.
        part: in texts the form of a number or time, with ``#``, ``{ago}`` or ``{D-day}`` in its
            place, such as ``[#]``; in links ``host``, ``parameter NAME`` or ``segment N`` (of the
            path, from 1).
        seen: two values of the field, for people.
        since: when it was learned.
    """

    field: Short
    part: Short
    seen: Annotated[str, StringConstraints(max_length=500)]
    since: Timestamp

    @classmethod
    def of(cls, field: str, part: str, values: tuple[str, str], since: str) -> Self:
        """Return a part that is learned, with two values of its field or itself."""
        seen = " → ".join(shorten(value, _SHOWN) for value in values)
        return cls(field=field, part=part, seen=seen, since=since)

    @property
    def names(self) -> tuple[str, str]:
        """The field and the part."""
        return self.field, self.part

    def without(self, text: str) -> str:
        """Return a text of the field without the part."""
        cut = parts.without_link_part if self.field == "link" else parts.without_form
        return cut(text, self.part)


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


def masked(items: Iterable[NoticeItem], noise: Sequence[Noise]) -> list[NoticeItem]:
    """Return the notices without the parts that are noise."""
    return [masked_item(item, noise) for item in items] if noise else [*items]


def masked_rows(items: Iterable[NoticeItem], noise: Sequence[Noise]) -> list[NoticeItem]:
    """Return the notices for a digest: without noise but for countdowns, whose end may move."""
    return masked(items, [each for each in noise if not parts.is_countdown(each.part)])


def masked_item(item: NoticeItem, noise: Iterable[Noise]) -> NoticeItem:
    """Return a notice without the parts that are noise."""
    values: dict[str, Any] = {name: getattr(item, name) for name in FIELDS}
    return replace(item, **masked_content(values, noise))


def masked_content(content: Mapping[str, Any], noise: Iterable[Noise]) -> dict[str, Any]:
    """Return a notice's fields without the parts that are noise."""
    after = dict(content)
    for each in noise:
        if value := after.get(each.field):
            after[each.field] = each.without(value)
    return after


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
        counting: the ids whose edit changed numbers or times alone.
        pushed: by id, the event id of the edit, where it is pushed.
        now: the time of the check, aware UTC.
        soon: a return within this time after the last edit counts, or soon after its pause.
    """
    after, stamp = dict(past), timestamp(now)
    for key, old in replaced.items():
        known = after.pop(key, None) or Past(contents=(), at=stamp)
        contents = tuple(dict.fromkeys((old, *known.contents)))[:_MOST_CONTENTS]
        returns = 0
        if key in returned:
            is_soon = now - parse_timestamp(known.at) <= max(soon, 2 * known.pause)
            returns = known.returns + is_soon
        goes_on = now - parse_timestamp(known.at) <= _GOES_ON
        counts = (known.counts * goes_on + 1) * (key in counting)
        event = pushed.get(key, "")
        after[key] = Past(contents=contents, returns=returns, counts=counts, at=stamp, pushed=event)
    return dict([*after.items()][-_MOST_PAST:])


def remarks(
    noise: Iterable[Noise],
    past: Mapping[str, Past],
    rewritten: Mapping[str, str],
    checked_at: str | None,
) -> tuple[str, ...]:
    """Return a sentence for each kind of noise, with the key of the entry that ends it.

    Args:
        noise: the parts that are not compared.
        past: the earlier contents of edited notices.
        rewritten: by field, since when all notices have it in another form; a week long.
        checked_at: the last success; None before the first.
    """
    told = [_of_part(each) for each in noise]
    flapping = sum(each.returns > 1 for each in past.values())
    if flapping:
        told.append(
            f"{flapping} notices return to earlier contents; these edits are not pushed: the "
            "site's servers differ, or it guesses a language; try request.headers.Accept-Language"
        )
    at = rewritten.get("title")
    if at and checked_at and parse_timestamp(checked_at) - parse_timestamp(at) < _TOLD_FOR:
        told.append(
            f"nearly all titles changed at once, at {at}: recorded, not pushed; if they have an "
            "addition that does not belong to them, name it in fields.title.strip"
        )
    return tuple(told)


def _of_part(noise: Noise) -> str:
    if noise.field != "link":
        noun = "titles" if noise.field == "title" else "categories"
        return (
            f"{noun} count: the number or time in {noise.part!r} differs from check to check "
            f"({noise.seen}) and is not compared; leave it out with fields.{noise.field}.drop or "
            f"fields.{noise.field}.pattern"
        )
    return (
        f"links change at every check: {noise.part} ({noise.seen}) is not compared; name the "
        "parameters to keep in link_parameters, or build links with fields.link.template"
    )
