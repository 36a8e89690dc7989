"""From a change to an FCM data message that fits (N11)."""

import unicodedata
from dataclasses import dataclass

from uring.contracts import ChangePublished

# Keys and values of a message to a topic, UTF-8; FCM counts both.
MAX_BYTES = 2_048
SHORTEST_TITLE_BYTES = 160
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Push:
    """A data message to a topic; every value a string."""

    topic: str
    data: dict[str, str]


def compose(change: ChangePublished) -> Push:
    """The message that devices get.

    ``event_id`` is what a device drops repeats by. When the message is over 2,048 bytes the title
    is shortened first, then category and link are left out, then the title goes on; ids never. A
    device finds the whole item in ``latest.json``.
    """
    data = {
        "event_id": change.event_id,
        "dept": change.source,
        "id": change.id,
        "revision": str(change.revision),
        "kind": change.kind,
        "is_pinned": "true" if change.is_pinned else "false",
        "detected_at": change.detected_at,
        **{key: value or "" for key, value in change.content.items()},
    }
    if size(data) > MAX_BYTES:
        room = len(data["title"].encode()) - (size(data) - MAX_BYTES)
        data["title"] = shorten(data["title"], max(room, SHORTEST_TITLE_BYTES))
    for optional in ("category", "link"):
        if size(data) > MAX_BYTES:
            data[optional] = ""
    if size(data) > MAX_BYTES:
        room = len(data["title"].encode()) - (size(data) - MAX_BYTES)
        data["title"] = shorten(data["title"], max(room, 0))
    return Push(change.topic, data)


def size(data: dict[str, str]) -> int:
    """Bytes of keys and values in UTF-8, as FCM counts them."""
    return sum(len(key.encode()) + len(value.encode()) for key, value in data.items())


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` bytes of UTF-8, an ellipsis included, never cutting a character."""
    if len(text.encode()) <= limit:
        return text
    room = limit - len(ELLIPSIS.encode())
    if room < 0:
        return ""
    head = text.encode()[:room].decode(errors="ignore").rstrip()
    # A combining mark belongs to the character that was cut with it.
    while head and unicodedata.combining(head[-1]):
        head = head[:-1]
    return head + ELLIPSIS
