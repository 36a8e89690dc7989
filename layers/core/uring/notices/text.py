"""Text as a reader sees it: one spelling for what looks the same (N20)."""

import re
import unicodedata
from collections.abc import Collection
from typing import Final

from selectolax.lexbor import LexborNode

TEXT_LIMIT: Final = 2_000
"""Characters of one field. What is longer is cut before any expression of a config sees it."""

_RAW_LIMIT: Final = 50_000
_SILENT: Final = frozenset({"script", "style", "template", "noscript", "-comment"})
_BREAK_NAMES: Final = (
    "address article br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main "
    "nav ol option p pre section table tbody td th thead tr ul"
)
_BREAKS: Final = frozenset(_BREAK_NAMES.split())
# Controls that are no white space, lone surrogates, and what has no width. U+200D stays: it holds
# emoji together.
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f"
    "\u202a-\u202e\u2060-\u2064\u2066-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
# Letters by their category, blank to the eye: Hangul fillers and the empty Braille cell.
_BLANK: Final = re.compile("[\u2800\u3164\uffa0]")


def clean(text: str) -> str:
    """One line in NFC: white space of any kind is one space, what cannot be seen is gone.

    Cleaning twice is cleaning once.
    """
    text = " ".join(text.split())
    if text.isascii() and text.isprintable():
        return text
    text = _BLANK.sub(" ", _INVISIBLE.sub("", text))
    return unicodedata.normalize("NFC", " ".join(text.split()))


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` characters, the last one an ellipsis when something was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def without(text: str, literals: Collection[str]) -> str:
    """Clean text without these literals, clean ones too, at either end, however many stand there.

    Inside the text they stay: a notice may speak of "[공지]".
    """
    start, end = 0, len(text)
    stripped = True
    while stripped:
        stripped = False
        for literal in literals:
            while text.startswith(literal, start, end):
                start, stripped = start + len(literal), True
                while start < end and text[start] == " ":
                    start += 1
            while text.endswith(literal, start, end):
                end, stripped = end - len(literal), True
                while start < end and text[end - 1] == " ":
                    end -= 1
    return text[start:end]


def text_of(node: LexborNode, drop: Collection[str] = ()) -> str:
    """The clean text of an element, at most ``TEXT_LIMIT`` characters.

    Subtrees that a selector in ``drop`` matches are passed over, not removed: another rule may
    look for the same badge. Blocks and line breaks separate words, inline elements do not.
    """
    dropped = {match.mem_id for selector in drop for match in node.css(selector)}
    parts: list[str] = []
    size = 0
    pending: list[LexborNode | str] = [node]
    while pending and size < _RAW_LIMIT:
        current = pending.pop()
        if isinstance(current, str):
            parts.append(current)
            continue
        if current.is_text_node:
            piece = current.text_content or ""
            size += len(piece)
            parts.append(piece)
            continue
        tag = current.tag
        if tag in _SILENT or (dropped and current.mem_id in dropped):
            continue
        if tag in _BREAKS:
            parts.append(" ")
            pending.append(" ")
        child = current.last_child
        while child is not None:
            pending.append(child)
            child = child.prev
    return clean("".join(parts))[:TEXT_LIMIT].rstrip()
