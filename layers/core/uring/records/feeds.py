"""Atom and JSON feeds of a source of records (N24), with the records of ``latest.json``.

A feed says when an entry was last updated, which ``latest.json`` does not. The times of earlier
revisions are read from the stored feed, so a feed made again has the same times.
"""

import json
import re
from collections.abc import Mapping
from datetime import date, datetime, time
from html import escape
from io import StringIO
from typing import Any, Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

from uring.changes.registry import DeadlineReader, WatchedSource
from uring.clock import parse_timestamp, timestamp
from uring.records.calendar import deadlines
from uring.records.model import RecordState, Revision

_EPOCH: Final = 1970
# Characters that XML 1.0 cannot contain.
_UNSPEAKABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def json_feed(
    family: str,
    source: WatchedSource,
    state: RecordState,
    before: bytes | None,
    now: datetime,
    deadline: DeadlineReader | None = None,
) -> bytes:
    """Return JSON Feed 1.1.

    Args:
        family: its name.
        source: of the feed.
        state: of the source.
        before: the stored feed, or None; a damaged one is ignored.
        now: aware UTC.
        deadline: of a record; None in a family without deadlines.
    """
    updated = _updates(before)
    document: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": source.name,
        "home_page_url": source.base_url,
        "items": [
            {
                "id": _name(family, source, item.id),
                "url": item.content.get("link"),
                "title": item.content.get("title"),
                "content_text": _text(item),
                "date_published": _published(source, item),
                "date_modified": _updated(updated, item, now),
                "tags": [category] if (category := item.content.get("category")) else [],
                "_uring": {
                    "id": item.id,
                    "revision": item.revision,
                    "date": item.content.get("date"),
                    "is_pinned": item.is_marked,
                },
            }
            for item in state.hot
        ],
    }
    if deadline is not None:
        dues = [deadline(item.content, item.first_seen, source.zone) for item in state.hot]
        today = now.astimezone(ZoneInfo(source.zone)).date()
        gone = {_name(family, source, key) for key, known in state.known.items() if not known.hash}
        kept = deadlines(document["items"], dues, before, today, gone)
        document["_uring"] = {"deadlines": kept}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def atom_feed(family: str, source: WatchedSource, feed: bytes) -> bytes:
    """Return the Atom feed (RFC 4287) of a JSON feed."""
    # The import takes 30 ms: only writers of feeds pay for it.
    from feedgenerator import Atom1Feed  # noqa: PLC0415

    atom = Atom1Feed(
        title=_clean(source.name),
        link=source.base_url,
        description="",
        feed_guid=_urn(family, source),
    )
    for item in json.loads(feed)["items"]:
        atom.add_item(
            title=_clean(item["title"] or ""),
            link=_clean(item["url"] or source.base_url),
            # The library declares the description HTML; a tag in a title is still text.
            description=escape(_clean(item["content_text"])),
            unique_id=_clean(item["id"]),
            pubdate=datetime.fromisoformat(item["date_published"]),
            updateddate=parse_timestamp(item["date_modified"]),
            author_name=_clean(source.name),
            categories=[_clean(tag) for tag in item["tags"]],
        )
    text = StringIO()
    atom.write(text, "utf-8")
    return text.getvalue().encode()


def _updates(feed: bytes | None) -> Mapping[tuple[str, int], str]:
    """Return the time of each revision in a stored feed, by id and revision; empty if damaged."""
    try:
        items = json.loads(feed or b"{}").get("items", [])
        found = {(i["_uring"]["id"], i["_uring"]["revision"]): i["date_modified"] for i in items}
        for stamp in found.values():
            parse_timestamp(stamp)
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    return found


def _updated(known: Mapping[tuple[str, int], str], item: Revision, now: datetime) -> str:
    if item.revision == 1:
        return item.first_seen
    return known.get((item.id, item.revision)) or timestamp(now)


def _published(source: WatchedSource, item: Revision) -> str:
    """Return the start of the notice's day in the source's zone.

    Without a valid day, or with one after the first sight, the time of the first sight. Readers
    sort the old notices of a newly added board by it.
    """
    try:
        day = date.fromisoformat(item.content.get("date") or "")
    except ValueError:
        return item.first_seen
    if day.year < _EPOCH:
        # A program's placeholder date, of a time whose zone offsets RFC 3339 cannot write.
        return item.first_seen
    published = datetime.combine(day, time(), ZoneInfo(source.zone))
    if published > parse_timestamp(item.first_seen):
        return item.first_seen
    return published.isoformat()


def _text(item: Revision) -> str:
    parts = (item.content.get("date"), item.content.get("category"), item.content.get("title"))
    return " · ".join(part for part in parts if part)


def _name(family: str, source: WatchedSource, record_id: str) -> str:
    return f"{_urn(family, source)}:{quote(record_id, safe='')}"


def _urn(family: str, source: WatchedSource) -> str:
    return f"urn:uring:{family}:{source.id}"


def _clean(text: str) -> str:
    return _UNSPEAKABLE.sub("", text)
