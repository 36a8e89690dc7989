"""Texts cut into pieces of a limited size: between sentences, else words, else letters."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_CLOSING: Final = r"\"'\u201d\u2019)\]\u300d\u300f\u3011\u3009\u300b"
# A full stop, closing quotation marks, then white space, which CJK full stops do not need.
SENTENCE: Final = re.compile(
    rf"[.!?\u2026\u3002\uff01\uff1f][{_CLOSING}]*\s+|[\u3002\uff01\uff1f][{_CLOSING}]*|\n+"
)
_SPACE: Final = re.compile(r"\s+")
# Marks of a masked line are not cut.
_MARK: Final = re.compile("⟦[0-9]{0,9}$")
_LONGEST_LETTER: Final = 64
_JOINER: Final = "\u200d"
_VOWELS_AND_FINALS: Final = ("\u1160", "\u11ff")
_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")
_SKIN: Final = ("\U0001f3fb", "\U0001f3ff")


def size(text: str) -> int:
    """Return the bytes of a text in UTF-8; a lone surrogate counts three."""
    return len(text.encode("utf-8", "surrogatepass"))


def pieces(text: str, limit: int) -> Iterator[str]:
    """Yield a text in pieces of at most ``limit`` bytes; joined, they are the text.

    A piece ends after a sentence if one ends in its second half, else after white space there, else
    between two letters. A letter is not cut from its accents, jamo, joiners and selectors, up to 64
    characters.

    Args:
        text: the text to cut.
        limit: at least 64 bytes.
    """
    position = 0
    while position < len(text):
        end = position + _fitting(text, position, limit)
        if end < len(text):
            end = _cut(text, position, end)
        yield text[position:end]
        position = end


def _fitting(text: str, position: int, limit: int) -> int:
    """Return the number of characters from a position on that fit into ``limit`` bytes."""
    window = text[position : position + limit].encode("utf-8", "surrogatepass")[: limit + 1]
    if len(window) <= limit:
        return len(window.decode("utf-8", "surrogatepass"))
    end = limit
    while window[end] & 0xC0 == 0x80:  # noqa: PLR2004 - a byte that continues a character
        end -= 1
    return len(window[:end].decode("utf-8", "surrogatepass"))


def _cut(text: str, start: int, end: int) -> int:
    """Return the best position for a cut, after ``start`` and not after ``end``."""
    middle = start + (end - start) // 2
    for boundary in (SENTENCE, _SPACE):
        places = [match.end() for match in boundary.finditer(text, middle, end)]
        if places:
            return places[-1]
    mark = _MARK.search(text, max(start + 1, end - 12), end)
    cut = mark.start() if mark else end
    while cut > max(start + 1, end - _LONGEST_LETTER) and _is_inside_letter(text, cut):
        cut -= 1
    return end if _is_inside_letter(text, cut) and mark is None else cut


def _is_inside_letter(text: str, place: int) -> bool:
    """Return whether a cut before this character would divide a letter."""
    before, after = text[place - 1], text[place]
    return (
        unicodedata.category(after).startswith("M")
        or _JOINER in (before, after)
        or _is_between(after, _VOWELS_AND_FINALS)
        or _is_between(after, _SKIN)
        or (_is_between(after, _FLAGS) and _is_between(before, _FLAGS))
        or (before == "\r" and after == "\n")
    )


def _is_between(character: str, ends: tuple[str, str]) -> bool:
    return ends[0] <= character <= ends[1]
