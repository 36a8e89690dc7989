"""Places of a configuration's parts in its text. Pure; the text is valid JSON."""

import json
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

_SPACES: Final = " \t\r\n"
_DECODER: Final = json.JSONDecoder()

Place = tuple[str | int, ...]
"""Keys and indices from the top of the document: ``("sources", 3, "url")``."""


@dataclass(frozen=True, slots=True)
class Span:
    """Begin and end of a value."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Members:
    """The values in an object or a list.

    Attributes:
        spans: with their keys or indices; none of what is neither object nor list.
        end: of the closing bracket.
    """

    spans: tuple[tuple[str | int, Span], ...]
    end: int


def members(text: str, start: int = 0) -> Members:
    """Return the members of the value that begins at ``start``, or behind the space there."""
    at = _skip(text, start)
    if text[at] not in "{[":
        return Members((), at)
    is_object = text[at] == "{"
    spans: list[tuple[str | int, Span]] = []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        key: str | int = len(spans)
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        spans.append((key, Span(at, end)))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Members(tuple(spans), at + 1)


class Lines:
    """Tells lines; looks for the entries of the list under ``key`` once."""

    def __init__(self, text: str, key: str) -> None:
        self._text = text
        self._key = key
        self._breaks = [at for at, letter in enumerate(text) if letter == "\n"]
        self._top = dict(members(text).spans)
        entries = self._top.get(key)
        self._entries = members(text, entries.start).spans if entries else ()

    def line(self, place: Place) -> int:
        """Return the line, from 1, of the deepest part of a place that the text has."""
        span, rest = self._begin(place)
        for part in rest:
            inner = dict(members(self._text, span.start).spans)
            if part not in inner:
                break
            span = inner[part]
        return bisect_left(self._breaks, span.start) + 1

    def _begin(self, place: Place) -> tuple[Span, Place]:
        match place:
            case (self._key, int(index), *rest) if index < len(self._entries):
                return self._entries[index][1], tuple(rest)
            case (str(key), *rest) if key in self._top:
                return self._top[key], tuple(rest)
        return Span(0, 0), ()


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACES:
        at += 1
    return at
