"""Policies cut into windows: each is the text of one request to a model.

    policies ─► short ones, grouped ─► windows
            └► long ones, cut between paragraphs, else lines, else sentences ─► windows

Every place that may end a window has a hash: of the policy's name, or of the paragraph, behind it.
Of the places in the second half of a full window, the one with the lowest hash ends it. So a
changed policy, or a new one, changes the windows around it. The windows behind them stay the same:
their answers are kept and cost nothing. A policy that fits into one window is not cut. Sections
follow the order of policies.
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from uring.documents.work.pieces import SENTENCE

MOST_SECTIONS: Final = 100
"""The most sections of one window: the marks around each take room too."""

_MARK_CHARACTERS: Final = 40
"""The characters behind a place, of which its hash is."""

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


def windows(
    texts: Mapping[str, str], limit: int, apart: Collection[str] = ()
) -> Iterator[tuple[Section, ...]]:
    """Yield windows of at most ``limit`` characters; blank policies are left out.

    Args:
        texts: the policies' texts, by source.
        limit: in characters.
        apart: the sources whose sections share no window with another policy.
    """
    waiting: list[Section] = []
    for source, text in texts.items():
        if not text.strip():
            continue
        if source in apart or len(text) > limit:
            yield from ((section,) for section in _sections(source, text, limit))
            continue
        waiting.append(Section(source, text, 0))
        while len(waiting) > MOST_SECTIONS or sum(len(each.text) for each in waiting) > limit:
            end = _group_end(waiting, limit)
            yield tuple(waiting[:end])
            waiting = waiting[end:]
    if waiting:
        yield tuple(waiting)


def _group_end(waiting: Sequence[Section], limit: int) -> int:
    """Return how many of the policies, which do not fit into one window, are the next window."""
    most = min(limit, sum(len(each.text) for each in waiting[:MOST_SECTIONS]))
    room, ends = limit, []
    for number, section in enumerate(waiting[:MOST_SECTIONS], 1):
        room -= len(section.text)
        if room < 0:
            break
        if limit - room >= most // 2:
            ends.append(number)
    behind = [(_mark(waiting[end].source), end) for end in ends if end < len(waiting)]
    return min(behind)[1] if behind else len(waiting) - 1


def _sections(source: str, text: str, limit: int) -> Iterator[Section]:
    start = 0
    while start < len(text):
        end = _end(text, start, limit)
        yield Section(source, text[start:end], start)
        start = end


def _end(text: str, start: int, room: int) -> int:
    if len(text) - start <= room:
        return len(text)
    limit = start + room
    for boundary in _ENDS:
        places = [match.end() for match in boundary.finditer(text, start + room // 2, limit)]
        if places:
            return min(places, key=lambda place: _mark(text[place : place + _MARK_CHARACTERS]))
    return limit


def _mark(behind: str) -> bytes:
    return hashlib.sha256(behind.encode("utf-8", "surrogatepass")).digest()
