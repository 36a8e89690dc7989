"""One notice as its board shows it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from uring.records.model import Observation, Revision


# Not frozen: to make one would take three times as long.
@dataclass(slots=True)
class NoticeItem:
    """A row of a notice board, read (N4).

    Attributes:
        id: the board's own id, unique within its source, 1 to 200 characters.
        title: clean text, never empty.
        date: ``YYYY-MM-DD`` as the board says it, without a zone; None where it shows none.
        category: clean text, or None.
        link: canonical http(s) address.
        is_pinned: whether the board keeps it on top; no part of the hash (N6).
    """

    id: str
    title: str
    date: str | None
    category: str | None
    link: str
    is_pinned: bool

    @property
    def hash(self) -> str:
        """SHA-1 in hex of ``title|date|category|link``, what is absent as the empty string (N4)."""
        parts = (self.title, self.date or "", self.category or "", self.link)
        return hashlib.sha1("|".join(parts).encode(), usedforsecurity=False).hexdigest()


def observation(item: NoticeItem) -> Observation:
    """Return the notice as the engine takes it."""
    content = {
        "title": item.title,
        "date": item.date,
        "category": item.category,
        "link": item.link,
    }
    return Observation(item.id, item.hash, content, is_marked=item.is_pinned)


def rows_digest(items: Sequence[NoticeItem], fingerprint: str) -> str:
    """Return what names the rows of a page, whatever stands beside them, such as counted views.

    It is empty where all of them are pinned: what is new stands on another page.

    Args:
        items: of the page.
        fingerprint: that the state has with the digest. A release that knows no digest keeps it
            beside a later page's fingerprint: it then names nothing.
    """
    if all(item.is_pinned for item in items):
        return ""
    rows = [(item.id, item.hash, item.is_pinned) for item in items]
    return hashlib.blake2b(json.dumps([fingerprint, rows]).encode(), digest_size=16).hexdigest()


def fields(revision: Revision) -> dict[str, Any]:
    """Return a notice as readers see it: title, date, category, link, is_pinned."""
    return {**revision.content, "is_pinned": revision.is_marked}
