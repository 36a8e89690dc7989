"""The ids of regulations' texts, and of their changes in a registry's archive."""

import hashlib
from typing import Final

_TEXT: Final = "text/"


def text_id(registry: str, title: str, since: str) -> str:
    """Return the id of a regulation's text, 24 hex digits; it stays through renames and returns."""
    return hashlib.sha256(f"{registry}|{title}|{since}".encode()).hexdigest()[:24]


def text_record(text: str) -> str:
    """Return the id of a text's changes in the archive of its registry."""
    return f"{_TEXT}{text}"


def is_text(record: str) -> bool:
    """Return whether a record of a registry's archive is a text."""
    return record.startswith(_TEXT)
