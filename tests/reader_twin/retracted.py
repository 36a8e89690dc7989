"""What a message or an item says of pushes that were taken back, and of other boards."""

from collections.abc import Mapping
from typing import Any, Final

from reader_twin.lines import is_name

_MOST: Final = 100
_MOST_NAMES: Final = 4


def retracted(message: Any) -> list[str] | None:
    """Return the events that a message takes back; None for a message that takes nothing back."""
    data = data_of(message)
    return words(data.get("retracts")) if data.get("kind") == "retracted" else None


def is_retracted(item: Any) -> bool:
    """Return whether all pushes of a notice were taken back: it does not count as unread."""
    return isinstance(item, dict) and item.get("retracted") == "all"


def same_as(message: Any) -> list[str]:
    """Return the names that a message of another board shares, if it tells of the same notice."""
    return words(data_of(message).get("same_as"))[:_MOST_NAMES]


def data_of(message: Any) -> Mapping[str, Any]:
    """Return the data of a push's JSON, or of its data alone."""
    whole = message if isinstance(message, dict) else {}
    return inner if isinstance(inner := whole.get("data"), dict) else whole


def words(text: Any) -> list[str]:
    """Return the words of a text, each once."""
    found = [word for word in text.split(" ") if word] if is_name(text) else []
    return list(dict.fromkeys(found))[:_MOST]
