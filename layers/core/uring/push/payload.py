"""The FCM data message of a change, cut to FCM's limit (N11), and the request that carries it."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from uring.contracts import DAY_SECONDS, ChangePublished, Urgency

# Keys and values of a message to a topic, UTF-8; FCM counts both.
MAX_BYTES: Final = 2_048
SHORTEST_TITLE_BYTES: Final = 160
ELLIPSIS: Final = "…"
# What an iPhone shows where the app has no service extension, or it took too long.
NEUTRAL_TEXT: Final = "새 소식이 있습니다"
RETRACTED_TEXT: Final = "알림이 취소되었습니다"

# FCM refuses a whole message with one of these keys.
_RESERVED_KEY: Final = re.compile(r"from\Z|message_type\Z|google|gcm")

_ZERO_WIDTH_JOINER: Final = "\u200d"
# The code points beside marks that never begin a grapheme cluster (UAX #29), and flags: joiners,
# vowels and finals of decomposed Hangul, either half of a flag, skin tones, tags.
_EXTENDERS: Final = re.compile(
    "[\u200c\u200d\u1160-\u11ff\ud7b0-\ud7ff\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff"
    "\U000e0020-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Push:
    """A data message to a topic; all values are strings. For the rest see `ChangePublished`."""

    topic: str
    data: dict[str, str]
    urgency: Urgency = "high"
    lifetime_seconds: int = DAY_SECONDS


def compose(change: ChangePublished) -> Push:
    """Return the data message of a change.

    A device drops repeats by ``event_id``. ``changes`` is the number of changes that the message
    stands for: more than one in a ``digest``, which names the uppermost. A message over 2,048 bytes
    is cut in this order: the title is shortened to 160 bytes, ``same_as`` is dropped, category and
    link are emptied, other content is dropped, the longest first, and the title is shortened
    further. Ids are never cut, nor the events that a retraction names.
    The whole content is in ``latest.json``. Content under the name of an id or a reserved key of
    FCM is left out.
    """
    ids = {
        "event_id": change.event_id,
        "dept": change.source,
        "id": change.id,
        "revision": str(change.revision),
        "kind": "digest" if change.digest_of else change.kind,
        "changes": str(change.digest_of or 1),
        "detected_at": change.detected_at,
    }
    content = {
        key: value or ""
        for key, value in change.content.items()
        if key not in ids and not _RESERVED_KEY.match(key)
    }
    data = {**ids, **content}
    _shorten_title(data, SHORTEST_TITLE_BYTES)
    if size(data) > MAX_BYTES:
        data.pop("same_as", None)
    for key in ("category", "link"):
        if key in data and size(data) > MAX_BYTES:
            data[key] = ""
    others = (content.keys() & data.keys()) - {"title", "date", "category", "link", "retracts"}
    for key in sorted(others, key=lambda name: (-len(data[name].encode()), name)):
        if size(data) > MAX_BYTES:
            del data[key]
    _shorten_title(data, 0)
    return Push(change.topic, data, change.urgency, change.lifetime_seconds)


def is_alert(topic: str, alert_topics: Collection[str]) -> bool:
    """Return True if iPhones get a topic's pushes as alerts; ``cse_*`` is any with that start."""
    return any(
        topic.startswith(name[:-1]) if name.endswith("*") else topic == name
        for name in alert_topics
    )


def request_body(
    push: Push, now: datetime, *, as_alert: bool = False, validate_only: bool = False
) -> dict[str, Any]:
    """Return the JSON of FCM's HTTP v1 for a data message, with a part for each platform.

    Args:
        push: the message; its data are the same on all platforms.
        now: of the request, aware UTC.
        as_alert: iOS shows a neutral text, which the app's extension may replace (`is_alert`).
            Otherwise iOS gets a background push.
        validate_only: FCM checks the message and delivers nothing.
    """
    seconds = push.lifetime_seconds
    message = {
        "topic": push.topic,
        "data": push.data,
        # "normal" waits until the phone leaves Doze. "high" is for pushes that show something: FCM
        # lowers it for an app that keeps hiding them.
        "android": {"priority": push.urgency, "ttl": f"{seconds}s"},
        "apns": _apns(push, int(now.timestamp()) + seconds, as_alert=as_alert),
        # RFC 8030, sections 5.2 and 5.3: "high" also reaches a device with a low battery.
        "webpush": {"headers": {"TTL": str(seconds), "Urgency": push.urgency}},
    }
    return {"message": message, **({"validate_only": True} if validate_only else {})}


def _apns(push: Push, expires_at: int, *, as_alert: bool) -> dict[str, Any]:
    """Return the part for iOS; ``expires_at`` in seconds since 1970."""
    headers = {"apns-push-type": "background", "apns-priority": "5"}
    # A background push may have no other priority (APNs refuses it).
    aps: dict[str, Any] = {"content-available": 1}
    if as_alert:
        is_high = push.urgency == "high"
        headers = {"apns-push-type": "alert", "apns-priority": "10" if is_high else "5"}
        aps = {
            "alert": {"body": RETRACTED_TEXT if "retracts" in push.data else NEUTRAL_TEXT},
            # iOS lets the app's service extension filter and rewrite the alert.
            "mutable-content": 1,
            # A passive one lights no screen.
            "interruption-level": "active" if is_high else "passive",
        }
    return {"headers": {**headers, "apns-expiration": str(expires_at)}, "payload": {"aps": aps}}


def _shorten_title(data: dict[str, str], least: int) -> None:
    over = size(data) - MAX_BYTES
    if over > 0 and "title" in data:
        data["title"] = shorten(data["title"], max(len(data["title"].encode()) - over, least))


def size(data: dict[str, str]) -> int:
    """Return the bytes of keys and values in UTF-8, as FCM counts them."""
    return sum(len(key.encode()) + len(value.encode()) for key, value in data.items())


def shorten(text: str, limit: int) -> str:
    """Cut a text to ``limit`` bytes of UTF-8, an ellipsis included, between two characters.

    A character is a grapheme cluster: marks, joiners, skin tones, jamo and the halves of a flag are
    not cut off. A text within the limit is unchanged; a limit below the ellipsis gives "".
    """
    whole = text.encode()
    if len(whole) <= limit:
        return text
    room = limit - len(ELLIPSIS.encode())
    if room < 0:
        return ""
    end = len(whole[:room].decode(errors="ignore"))
    while end and (_extends(text[end]) or text[end - 1] == _ZERO_WIDTH_JOINER):
        end -= 1
    return text[:end].rstrip() + ELLIPSIS


def _extends(code_point: str) -> bool:
    """Return whether a code point belongs to the character before it."""
    return unicodedata.category(code_point)[0] == "M" or bool(_EXTENDERS.match(code_point))
