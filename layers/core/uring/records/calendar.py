"""The deadlines of a source of records as a calendar (RFC 5545), made of its JSON feed.

The feed has the deadlines of its items, and those of earlier items that are still to come: a busy
board loses a notice from its newest 30 before the deadline. Each deadline is an event of a whole
day: readers show a time without an end in different ways.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.changes.registry import WatchedSource
from uring.clock import Timestamp, parse_timestamp

RULES: Final = 2
"""The rules by which deadlines are read and written; of others, the calendars are made again."""

# How long a deadline stays after its day, and how many of one board do.
_KEPT: Final = timedelta(days=30)
_MOST: Final = 200
_DAY: Final = timedelta(days=1)
# An event's line, in octets without its end (RFC 5545, 3.1).
_OCTETS: Final = 75
_UNSPEAKABLE: Final = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
_LONGEST: Final = 400
# A calendar must have a component (RFC 5545, 3.6). This one says nothing.
_NOTHING: Final = (
    "BEGIN:VTIMEZONE",
    "TZID:UTC",
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000",
    "TZOFFSETTO:+0000",
    "END:STANDARD",
    "END:VTIMEZONE",
)


class _Event(BaseModel):
    """A deadline in the feed. ``sequence`` counts its changes (RFC 5545, 3.8.7.4)."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    id: str
    title: str
    url: str | None
    modified: Timestamp
    sequence: int
    due: dict[str, str]

    @property
    def day(self) -> date:
        return date.fromisoformat(self.due["date"])


def deadlines(
    items: Sequence[Mapping[str, Any]],
    dues: Iterable[Mapping[str, str] | None],
    before: bytes | None,
    today: date,
    gone: Collection[str] = (),
) -> list[dict[str, Any]]:
    """Return the sure deadlines of a feed, by day: those of its items, then others still to come.

    Args:
        items: of the feed.
        dues: the deadline of each.
        before: the stored feed, or None; what is damaged in it is ignored.
        today: in the zone of the source.
        gone: the names of records that are deleted, or have another id now.
    """
    known = {event.id: event for event in _events(before)}
    found = {
        event.id: event
        for item, due in zip(items, dues, strict=True)
        if due and due["confidence"] == "high"
        for event in [_event(item, due, known.get(item["id"]))]
    }
    shown = {*gone, *(item["id"] for item in items)}
    found |= {key: event for key, event in known.items() if key not in shown}
    kept = [event for event in found.values() if event.day + _KEPT >= today]
    # The latest days are those still to come.
    chosen = sorted(kept, key=lambda event: (event.day, event.id))[-_MOST:]
    return [event.model_dump() for event in chosen]


def _event(item: Mapping[str, Any], due: Mapping[str, str], before: _Event | None) -> _Event:
    sequence = before.sequence + (before.due != due) if before else 0
    return _Event(
        id=item["id"],
        title=(item["title"] or "")[:_LONGEST],
        url=item["url"],
        modified=item["date_modified"],
        sequence=sequence,
        due=dict(due),
    )


def _events(feed: bytes | None) -> Iterator[_Event]:
    """Yield the deadlines of a stored feed that can be read."""
    try:
        stored = list(json.loads(feed or b"{}")["_uring"]["deadlines"])
    except (ValueError, KeyError, TypeError):
        return
    for each in stored:
        with suppress(ValueError, KeyError, ValidationError):
            event = _Event.model_validate(each)
            if event.day:
                yield event


def calendar(source: WatchedSource, feed: bytes) -> bytes:
    """Return the calendar of a JSON feed with deadlines."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//uRing//deadlines//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(source.name)}",
        f"X-WR-CALNAME:{_text(source.name)}",
        f"X-WR-TIMEZONE:{source.zone}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
    ]
    events = [line for event in _events(feed) for line in _lines(source, event)]
    return "".join(map(_folded, [*lines, *(events or _NOTHING), "END:VCALENDAR"])).encode()


def _lines(source: WatchedSource, event: _Event) -> Iterator[str]:
    at, since = event.due.get("time"), event.due.get("from")
    until = f"{event.day}{f' {at}' if at else ''}"
    about = [f"{since} ~ {until}" if since else f"~ {until}", source.name, event.url or ""]
    stamp = f"{parse_timestamp(event.modified):%Y%m%dT%H%M%SZ}"
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(event.id)}"
    yield f"DTSTAMP:{stamp}"
    yield f"LAST-MODIFIED:{stamp}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTART;VALUE=DATE:{_compact(event.day)}"
    yield f"DTEND;VALUE=DATE:{_compact(event.day + _DAY)}"
    yield f"SUMMARY:{_text(f'~{at} ' if at else '')}{_text(event.title)}"
    yield f"DESCRIPTION:{_text(chr(10).join(filter(None, about)))}"
    if event.url and _is_address(event.url):
        yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _compact(day: date) -> str:
    return day.isoformat().replace("-", "")


def _is_address(url: str) -> bool:
    """Return whether a link can stand as it is: a URI has no other characters (RFC 3986)."""
    return url.startswith(("http://", "https://")) and re.fullmatch("[!-~]+", url) is not None


def _text(value: str) -> str:
    """Return an escaped TEXT (RFC 5545, 3.3.11)."""
    said = _UNSPEAKABLE.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
    return re.sub(r"([\\;,])", r"\\\1", said).replace("\n", "\\n")


def _folded(line: str) -> str:
    """Return a line folded at 75 octets, never within a character (RFC 5545, 3.1).

    Nor after a backslash: some readers unescape before they unfold.
    """
    parts, size = [""], 0
    for character in re.findall(r"\\.|.", line):
        octets = len(character.encode())
        if size + octets > _OCTETS:
            parts.append(" ")
            size = 1
        parts[-1] += character
        size += octets
    return "\r\n".join(parts) + "\r\n"
