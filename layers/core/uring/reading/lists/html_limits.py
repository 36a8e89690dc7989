"""Parsing of hostile pages.

The tree builder of the HTML standard takes quadratic time or memory for three kinds of page that
a few hundred kilobytes are enough for (measured with lexbor): elements nested 100,000 deep (10 s),
formatting elements left open, which every later block copies (6,000 tags, 700 MB), and one tag
with 100,000 attributes (13 s). Boards have none of them, so such a page is refused unparsed. So is
one of 100,000 elements, each of which takes 300 bytes: a worker reads ten pages at once.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser

from uring.errors import SuspectPage
from uring.reading.lists.html_glance import glance
from uring.reading.lists.html_tags import (
    ANY_ATTRIBUTE,
    FLAT_NAMES,
    FORMATTING_NAMES,
    PLAIN_ATTRIBUTE,
    SCOPES,
)
from uring.reading.markup import markup_of


@dataclass(frozen=True, slots=True)
class _Limits:
    """From here on a page costs a second of CPU or hundreds of megabytes.

    Attributes:
        attributes: of one tag.
        depth: of elements.
        copies: open formatting elements times elements that copy them.
        elements: of a page.
    """

    attributes: int
    depth: int
    copies: int
    elements: int


_Exceeds: TypeAlias = Callable[[bytes, _Limits], bool]

_LIMITS: Final = _Limits(1_000, 1_000, 300_000, 100_000)
# With what stands in scripts and comments, some of which a parser may take for markup after all.
_LIMITS_OF_ALL: Final = _Limits(3_000, 3_000, 600_000, 200_000)
# Tables, mostly: each stands for four levels, for body, row and cell are not counted.
_SCOPES_LIMIT: Final = 100
# Below this many tags no nesting is expensive, so that ordinary pages are not walked. Selectors of
# three parts take cubic time: 800 tables in each other, 80 KB, 2 s.
_FEW_TAGS: Final = 2_000
_FEW_OPEN: Final = 10

# A tag as far as it goes: the search for the next one begins where it ends, so that all of them
# together take no longer than the page is long.
_OPENING: Final = re.compile(rb"<[a-zA-Z][^\s/>]*+(" + ANY_ATTRIBUTE + rb"*+)")
_ATTRIBUTE: Final = re.compile(ANY_ATTRIBUTE)

# One that is opened, with attributes or with space for them: <b class=x>, <i/, not <b> nor <br>.
_FORMATTING: Final = re.compile(
    rb"<(?=[bcefinstu])(?:" + FORMATTING_NAMES + rb")[\s/]", re.IGNORECASE
)
# The same, plainly written; group 2 where it is closed at once: <b class=x>3</b>.
_PLAIN_FORMATTING: Final = re.compile(
    rb"<(" + FORMATTING_NAMES + rb")(?=[\s/])" + PLAIN_ATTRIBUTE + rb"*+[\s/]*+>"
    rb"([^<]*+</\1\s*+>)?",
    re.IGNORECASE,
)
# Any tag of what nests, in small letters, with the slash of a closing one.
_NESTING: Final = re.compile(
    rb"<(?!/?(?:" + b"|".join(FLAT_NAMES.split()) + rb")(?:[\s/>]|\Z))(/?[a-z][^\s/>]*+)"
)
_SLASH: Final = ord("/")
# A name and the same one with a slash, in a row of them with a space after each.
_CLOSED_AT_ONCE: Final = re.compile(rb"(?<![^ ])([^ /][^ ]*+) /\1 ")
_TURNS: Final = 3


def parse(html: str) -> LexborHTMLParser:
    """Parse a page of any content.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    page = html.encode("utf-8", "replace")
    for exceeds, what in _doubts(page):
        if exceeds(page, _LIMITS):
            # In scripts and comments there may be more, so that it is looked for without them.
            _refuse(exceeds, what, markup_of(page), page)
    return LexborHTMLParser(page)


def _refuse(exceeds: _Exceeds, what: str, markup: bytes, page: bytes) -> None:
    for html, limits in ((markup, _LIMITS), (page, _LIMITS_OF_ALL)):
        if exceeds(html, limits):
            raise bomb(what.format(limits))


def _doubts(page: bytes) -> list[tuple[_Exceeds, str]]:
    """Return what a page has to be examined for: nothing, where nothing is wrong with it."""
    look = glance(page)
    doubts: list[tuple[bool, _Exceeds, str]] = [
        (look.may_be_crowded, _is_crowded, "a tag with {0.attributes} attributes"),
        (
            look.formatting * look.openings > _LIMITS.copies,
            _is_copied,
            "formatting elements that are never closed",
        ),
        (
            look.nesting > _LIMITS.depth or look.scopes > _SCOPES_LIMIT,
            _is_deep,
            "elements nested deeper than {0.depth}",
        ),
        (look.openings > _LIMITS.elements, _is_vast, "more than {0.elements} elements"),
    ]
    return [(exceeds, what) for doubtful, exceeds, what in doubts if doubtful]


def _is_crowded(html: bytes, limits: _Limits) -> bool:
    """Return True when a tag has so many attributes."""
    limit = limits.attributes
    # An attribute has a letter and what parts it from the one before.
    longest = (tag[1] for tag in _OPENING.finditer(html) if len(tag[1]) >= limit)
    return any(sum(1 for _ in _ATTRIBUTE.finditer(tag)) >= limit for tag in longest)


def _is_copied(html: bytes, limits: _Limits) -> bool:
    """Return True when formatting elements left open are copied too often."""
    return _open_formatting(html) * _openings(html) > limits.copies


def _is_vast(html: bytes, limits: _Limits) -> bool:
    """Return True when there are too many elements."""
    return _openings(html) > limits.elements


def _openings(html: bytes) -> int:
    """Return an upper bound of the elements."""
    return html.count(b"<") - html.count(b"</")


def _open_formatting(html: bytes) -> int:
    """Return an upper bound of the different formatting elements that may be left open.

    Those closed at once do not count. Equal ones count once: the standard keeps three at most.
    What is not plainly written counts each time, and those without attributes are few.
    """
    opened = len(_FORMATTING.findall(html))
    if opened <= _FEW_OPEN:
        return opened
    plain = list(_PLAIN_FORMATTING.finditer(html))
    left_open = {match[0] for match in plain if match[2] is None}
    return opened - len(plain) + len(left_open)


@dataclass(slots=True)
class _Scope:
    """An element that closing tags do not reach out of, with what is open in it, by name."""

    opener: bytes
    names: list[bytes] = field(default_factory=list)
    open: defaultdict[bytes, int] = field(default_factory=lambda: defaultdict(int))

    def close(self, name: bytes) -> int:
        """Close the innermost element of a name that is open, and count what ends with it."""
        ended = 0
        closed = b""
        while closed != name:
            closed = self.names.pop()
            self.open[closed] -= 1
            ended += 1
        return ended


def _is_deep(html: bytes, limits: _Limits) -> bool:
    """Return True when elements nest too deep."""
    if html.count(b"<") <= _FEW_TAGS:
        return False
    tags = _NESTING.findall(html.lower())
    # What is closed as soon as it is opened, with such elements in it or none, adds no more to the
    # depth than it was taken out in turns.
    left = b" ".join(tags) + b" "
    for _ in range(_TURNS):
        left = _CLOSED_AT_ONCE.sub(b"", left)
    return _nests(left.split(), limits.depth - _TURNS, _SCOPES_LIMIT - _TURNS) and _nests(
        tags, limits.depth, _SCOPES_LIMIT
    )


def _nests(tags: Sequence[bytes], most: int, most_scopes: int) -> bool:
    """Return True when tags nest deeper than this, or scopes as deep.

    Each tag is looked at once: a closing tag without its element costs no search for it.
    """
    scope = _Scope(b"")
    around: list[_Scope] = []
    depth = 0
    for tag in tags:
        if tag[0] != _SLASH:
            depth += 1
            if tag in SCOPES:
                around.append(scope)
                scope = _Scope(tag)
            else:
                scope.names.append(tag)
                scope.open[tag] += 1
            if depth > most or len(around) >= most_scopes:
                return True
        elif scope.open[name := tag[1:]]:
            depth -= scope.close(name)
        elif name == scope.opener:
            depth -= len(scope.names) + 1
            scope = around.pop()
    return False


def bomb(what: str) -> SuspectPage:
    """Return the error for a page that is expensive by construction."""
    return SuspectPage(
        "markup_bomb", f"{what}: no notice board has that; check what the address serves"
    )
