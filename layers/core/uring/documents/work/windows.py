"""Policies cut into windows: each is the text of one request to a model.

A window ends after a paragraph if one ends in its second half, else after a line, else after a
sentence. A policy that fits into one window is not cut. Sections follow the order of policies.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from uring.documents.work.pieces import SENTENCE

MOST_SECTIONS: Final = 100
"""The most sections of one window: the marks around each take room too."""

_ENDS: Final = (
    re.compile(r"\n[^\S\n]*\n\s*"),
    re.compile(r"\n"),
    SENTENCE,
    re.compile(r"\s+"),
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a policy.

    Attributes:
        source: of the policy.
        text: of the part.
        start: position of the part in the policy's text, in characters.
    """

    source: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The position after the part."""
        return self.start + len(self.text)


def windows(texts: Mapping[str, str], limit: int) -> Iterator[tuple[Section, ...]]:
    """Yield windows of at most ``limit`` characters; blank policies are left out.

    Args:
        texts: the policies' texts, by source.
        limit: in characters.
    """
    window: list[Section] = []
    room = limit
    for source, text in texts.items():
        start, length = 0, len(text)
        if not text.strip():
            continue
        if window and room < length <= limit:
            yield tuple(window)
            window, room = [], limit
        while start < length:
            end = _end(text, start, room)
            window.append(Section(source, text[start:end], start))
            room -= end - start
            start = end
            if start < length or room < 1 or len(window) == MOST_SECTIONS:
                yield tuple(window)
                window, room = [], limit
    if window:
        yield tuple(window)


def _end(text: str, start: int, room: int) -> int:
    if len(text) - start <= room:
        return len(text)
    limit = start + room
    for boundary in _ENDS:
        places = [match.end() for match in boundary.finditer(text, start + room // 2, limit)]
        if places:
            return places[-1]
    return limit
