"""The places of a configuration's parts in its text. Pure. The text must be valid JSON."""

import json
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

_SPACES: Final = " \t\r\n"
_DECODER: Final = json.JSONDecoder()

Place = tuple[str | int, ...]
"""Keys and indices from the top of the document: ``("sources", 3, "url")``."""


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """The start and end of a value in the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Members:
    """The values in an object or a list.

    Attributes:
        spans: with their keys or indices; empty for a value that is neither object nor list.
        end: the position after the closing bracket.
    """

    spans: tuple[tuple[str | int, ValueSpan], ...]
    end: int


def members(text: str, start: int = 0) -> Members:
    """Return the members of the value that begins at ``start``, after optional white space."""
    at = _skip(text, start)
    if text[at] not in "{[":
        return Members((), at)
    is_object = text[at] == "{"
    spans: list[tuple[str | int, ValueSpan]] = []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        key: str | int = len(spans)
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        spans.append((key, ValueSpan(at, end)))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Members(tuple(spans), at + 1)


class Lines:
    """Finds the line of a place; parses the list under ``key`` once."""

    def __init__(self, text: str, key: str) -> None:
        self._text = text
        self._key = key
        self._breaks = [at for at, letter in enumerate(text) if letter == "\n"]
        self._top = dict(members(text).spans)
        entries = self._top.get(key)
        self._entries = members(text, entries.start).spans if entries else ()

    def line(self, place: Place) -> int:
        """Return the line, from 1, of the deepest part of a place that exists in the text."""
        span, rest = self._begin(place)
        for part in rest:
            inner = dict(members(self._text, span.start).spans)
            if part not in inner:
                break
            span = inner[part]
        return bisect_left(self._breaks, span.start) + 1

    def _begin(self, place: Place) -> tuple[ValueSpan, Place]:
        match place:
            case (self._key, int(index), *rest) if index < len(self._entries):
                return self._entries[index][1], tuple(rest)
            case (str(key), *rest) if key in self._top:
                return self._top[key], tuple(rest)
        return ValueSpan(0, 0), ()


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACES:
        at += 1
    return at
