"""The places of two texts that differ, to be marked on a page: what `squeezed` compares, no more.

    lines ─► letters ─► equal runs ─► cut back to words ─► spans of each line

Letters are compared without blanks, so a word that a PDF broke is the same word. A mark covers
whole words: a run of equal letters ends where a word of either text ends.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from uring.extract.patience import Run, equal_runs, joined
from uring.extract.spelling import letter_places, letters_at

Span = tuple[int, int]
"""A start and an end within a line."""
Spans = list[list[Span]]
"""The spans of each line, in order."""

_BORDER: Final = re.compile(r"(?<!\\)\|")
_GRAM: Final = 4
# Letters of longer texts would take hundreds of megabytes: only begin and end are compared.
_MOST_LETTERS: Final = 100_000
_EDGES: Final = frozenset("()[]{}<>\"'·「」『』")


def normal(line: str) -> str:
    """Return a line in the form whose places `marks` returns (NFC)."""
    return unicodedata.normalize("NFC", line)


def marks(old: Sequence[str], new: Sequence[str]) -> tuple[Spans, Spans]:
    """Return the spans that differ between lines that were replaced and the lines in their place.

    All lines must be `normal`. At least one span is returned: texts that differ only by what no
    letter shows are marked whole. Rows of as many cells are compared cell by cell.
    """
    found = _cells(old, new) if _are_alike(old, new) else _letters(old, new)
    if any(spans for side in found for spans in side):
        return found
    return _whole(old), _whole(new)


def _whole(lines: Sequence[str]) -> Spans:
    return [[(0, len(line))] for line in lines]


def _are_alike(old: Sequence[str], new: Sequence[str]) -> bool:
    return len(old) == len(new) and all(
        one.startswith("|") and other.startswith("|") and len(cells(one)) == len(cells(other))
        for one, other in zip(old, new, strict=True)
    )


def _cells(old: Sequence[str], new: Sequence[str]) -> tuple[Spans, Spans]:
    found: tuple[Spans, Spans] = ([], [])
    for one, other in zip(old, new, strict=True):
        row: tuple[list[Span], list[Span]] = ([], [])
        for (at, end), (there, there_end) in zip(cells(one), cells(other), strict=True):
            if one[at:end] == other[there:there_end]:
                continue
            inner, other_inner = _letters([one[at:end]], [other[there:there_end]])
            row[0].extend((at + first, at + last) for first, last in inner[0])
            row[1].extend((there + first, there + last) for first, last in other_inner[0])
        found[0].append(row[0])
        found[1].append(row[1])
    return found


def cells(line: str) -> list[Span]:
    """Return the spans of a row's cells; an empty rest behind the last border is left out."""
    borders = [found.start() for found in _BORDER.finditer(line)]
    spans = [(start + 1, end) for start, end in pairwise([*borders, len(line)])]
    return spans if not spans or spans[-1][0] < len(line) else spans[:-1]


class _Side:
    """The letters of some lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.text = "\n".join(lines)
        self.places = letter_places(self.text)
        self.letters = letters_at(self.text, self.places)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def is_edge(self, at: int) -> bool:
        """Return whether a word begins with this letter, or the text ends before it."""
        if not 0 < at < len(self.places):
            return True
        return (
            self.places[at - 1][1] < self.places[at][0]
            or self.letters[at] in _EDGES
            or self.letters[at - 1] in _EDGES
        )

    def is_within(self, at: int) -> bool:
        """Return whether this letter goes on with a number."""
        if not 0 < at < len(self.letters):
            return False
        return self.letters[at].isdecimal() and self.letters[at - 1][-1].isdecimal()

    def spans(self, ranges: Iterator[Span]) -> Spans:
        """Return the spans of ranges of letters, by line."""
        found: Spans = [[] for _ in self.starts[1:]]
        line = 0
        for first, last in ranges:
            at = first
            while at < last:
                begin, end = self.places[at]
                while begin >= self.starts[line + 1]:
                    line += 1
                while at < last and self.places[at][1] < self.starts[line + 1]:
                    end = self.places[at][1]
                    at += 1
                found[line].append((begin - self.starts[line], end - self.starts[line]))
        return found


def _letters(old: Sequence[str], new: Sequence[str]) -> tuple[Spans, Spans]:
    if sum(map(len, (*old, *new))) > _MOST_LETTERS:
        return _ends(old, new)
    one, other = _Side(old), _Side(new)
    runs = list(_whole_words(one, other))
    return (
        one.spans(_between([(at, length) for at, _, length in runs], len(one.letters))),
        other.spans(_between([(at, length) for _, at, length in runs], len(other.letters))),
    )


def _ends(old: Sequence[str], new: Sequence[str]) -> tuple[Spans, Spans]:
    """Return the lines without their common begin and end."""
    one, other = "\n".join(old), "\n".join(new)
    head = _alike(one, other)
    tail = _alike(one[head:][::-1], other[head:][::-1])
    return _from_to(old, head, len(one) - tail), _from_to(new, head, len(other) - tail)


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _from_to(lines: Sequence[str], start: int, end: int) -> Spans:
    found: Spans = []
    base = 0
    for line in lines:
        first, last = max(start - base, 0), min(end - base, len(line))
        found.append([(first, last)] if first < last else [])
        base += len(line) + 1
    return found


def _between(runs: Sequence[Span], end: int) -> Iterator[Span]:
    done = 0
    for at, length in [*runs, (end, 0)]:
        if done < at:
            yield done, at
        done = at + length


def _whole_words(one: _Side, other: _Side) -> Iterator[Run]:
    """Yield the equal runs of letters, cut back to where a word of either side ends."""
    for at, there, length in joined(_equal(one.letters, other.letters)):
        edges = [
            step
            for step in range(length + 1)
            if (one.is_edge(at + step) or other.is_edge(there + step))
            and not (one.is_within(at + step) or other.is_within(there + step))
        ]
        if edges and edges[0] < edges[-1]:
            yield at + edges[0], there + edges[0], edges[-1] - edges[0]


def _equal(first: Sequence[str], second: Sequence[str]) -> Iterator[Run]:
    """Yield runs of equal letters, in order and apart: by fours that occur once, then grown."""
    found = equal_runs(_fours(first), _fours(second))
    runs = [(at, there, length + _GRAM - 1) for at, there, length in found]
    a = b = 0
    for start, new_start, length in [*runs, (len(first), len(second), 0)]:
        end = start + length
        # Two runs share letters where the text repeats itself.
        cut = max(0, a - start, b - new_start)
        if cut > length:
            continue
        at, there = start + cut, new_start + cut
        head = 0
        while a + head < at and b + head < there and first[a + head] == second[b + head]:
            head += 1
        yield a, b, head
        a, b = a + head, b + head
        while at > a and there > b and first[at - 1] == second[there - 1]:
            at, there = at - 1, there - 1
        yield at, there, end - at
        a, b = end, there + end - at


def _fours(letters: Sequence[str]) -> list[str]:
    return ["\n".join(letters[at : at + _GRAM]) for at in range(len(letters) - _GRAM + 1)]
