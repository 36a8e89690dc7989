"""One notice as its board shows it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from uring.records.model import Observation, Revision


# Not frozen: a frozen one takes three times as long to make.
@dataclass(slots=True)
class NoticeItem:
    """A notice, as read from its row (N4).

    Attributes:
        id: the board's own id, unique within its source, 1 to 200 characters.
        title: clean text, never empty.
        date: ``YYYY-MM-DD`` in the board's own zone; None where the row has no date.
        category: clean text, or None.
        link: canonical http(s) address.
        is_pinned: whether the board keeps it on top; not part of the hash (N6).
    """

    id: str
    title: str
    date: str | None
    category: str | None
    link: str
    is_pinned: bool

    @property
    def hash(self) -> str:
        """SHA-1 in hex of ``title|date|category|link``, absent fields as empty strings (N4)."""
        parts = (self.title, self.date or "", self.category or "", self.link)
        return hashlib.sha1("|".join(parts).encode(), usedforsecurity=False).hexdigest()


def observation(item: NoticeItem) -> Observation:
    """Return the notice as an observation of the engine; a pin is its mark."""
    content = {
        "title": item.title,
        "date": item.date,
        "category": item.category,
        "link": item.link,
    }
    return Observation(item.id, item.hash, content, is_marked=item.is_pinned)


def rows_digest(items: Sequence[NoticeItem], fingerprint: str) -> str:
    """Return a digest of a page's notices; other text on the page, such as views, does not count.

    It is empty where all notices are pinned: new ones are on another page then.

    Args:
        items: of the page.
        fingerprint: stored in the state together with the digest. A release without digests keeps
            the old digest beside a newer fingerprint; the digest then matches no page.
    """
    if all(item.is_pinned for item in items):
        return ""
    rows = [(item.id, item.hash, item.is_pinned) for item in items]
    return hashlib.blake2b(json.dumps([fingerprint, rows]).encode(), digest_size=16).hexdigest()


def fields(revision: Revision) -> dict[str, Any]:
    """Return the readers' view of a notice: title, date, category, link, is_pinned."""
    return {**revision.content, "is_pinned": revision.is_marked}
