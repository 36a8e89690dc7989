"""Parsing of hostile pages.

The tree builder of the HTML standard takes quadratic time or memory for three kinds of page that
a few hundred kilobytes are enough for (measured with lexbor): elements nested 100,000 deep (10 s),
formatting elements left open, which every later block copies (6,000 tags, 700 MB), and one tag
with 100,000 attributes (13 s). Boards have none of them, so such a page is refused unparsed.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from uring.errors import SuspectPage
from uring.reading.lists.html_glance import glance
from uring.reading.lists.html_tags import (
    ANY_ATTRIBUTE,
    FLAT,
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
    """

    attributes: int
    depth: int
    copies: int


_LIMITS: Final = _Limits(1_000, 1_000, 300_000)
# With what stands in scripts and comments, some of which a parser may take for markup after all.
_LIMITS_OF_ALL: Final = _Limits(3_000, 3_000, 600_000)
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
# Any tag: group 1 is the slash of a closing one, group 2 the name.
_TAG: Final = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*+)")


def parse(html: str) -> LexborHTMLParser:
    """Parse a page of any content.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    page = html.encode("utf-8", "replace")
    doubts = _doubts(page)
    if doubts:
        markup = markup_of(page)
        for refuse in doubts:
            refuse(markup, _LIMITS)
            if len(markup) < len(page):
                refuse(page, _LIMITS_OF_ALL)
    return LexborHTMLParser(page)


def _doubts(page: bytes) -> list[Callable[[bytes, _Limits], None]]:
    """Return what a page has to be examined for: nothing, where nothing is wrong with it.

    All of it is looked over, scripts and comments included: no less than the parser meets.
    """
    look = glance(page)
    doubts = [
        (look.may_be_crowded, _refuse_crowd),
        (look.formatting * look.openings > _LIMITS.copies, _refuse_copies),
        (look.nesting > _LIMITS.depth or look.scopes > _SCOPES_LIMIT, _refuse_depth),
    ]
    return [refuse for doubtful, refuse in doubts if doubtful]


def _refuse_crowd(html: bytes, limits: _Limits) -> None:
    if _is_crowded(html, limits.attributes):
        raise bomb(f"a tag with {limits.attributes} attributes")


def _refuse_copies(html: bytes, limits: _Limits) -> None:
    if _open_formatting(html) * (html.count(b"<") - html.count(b"</")) > limits.copies:
        raise bomb("formatting elements that are never closed")


def _refuse_depth(html: bytes, limits: _Limits) -> None:
    if html.count(b"<") > _FEW_TAGS and _is_deep(html, limits.depth):
        raise bomb(f"elements nested deeper than {limits.depth}")


def _is_crowded(html: bytes, limit: int) -> bool:
    """Return True when a tag has so many attributes."""
    # An attribute has a letter and what parts it from the one before.
    longest = (tag[1] for tag in _OPENING.finditer(html) if len(tag[1]) >= limit)
    return any(sum(1 for _ in _ATTRIBUTE.finditer(tag)) >= limit for tag in longest)


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
    open: Counter[bytes] = field(default_factory=Counter)


def _is_deep(html: bytes, limit: int) -> bool:
    """Return True when elements nest too deep.

    Each tag is looked at once: a closing tag without its element costs no search for it.
    """
    scopes = [_Scope(b"")]
    depth = 0
    for slash, name in _TAG.findall(html):
        tag = name.lower()
        scope = scopes[-1]
        if tag in FLAT:
            continue
        if not slash:
            depth += 1
            if tag in SCOPES:
                scopes.append(_Scope(tag))
            else:
                scope.names.append(tag)
                scope.open[tag] += 1
            if depth > limit or len(scopes) > _SCOPES_LIMIT:
                return True
        elif scope.open[tag]:
            closed = b""
            while closed != tag:
                closed = scope.names.pop()
                scope.open[closed] -= 1
                depth -= 1
        elif tag == scope.opener:
            depth -= len(scope.names) + 1
            scopes.pop()
    return False


def bomb(what: str) -> SuspectPage:
    """Return the error for a page that is expensive by construction."""
    return SuspectPage(
        "markup_bomb", f"{what}: no notice board has that; check what the address serves"
    )
