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
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from uring.errors import SuspectPage
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

# Expressions of a tag's parts. They are possessive (*+, ++, ?+): what one has taken it never gives
# back, so that no search takes longer than the page is long.
_QUOTED: Final = rb"\"[^\"]*+\"|'[^']*+'"
# As the tokenizer of the standard reads them, with quotes and brackets where nobody writes them:
#   <p/a=1 b"c='>' <d>    has a=1, b"c='>' and <d
_ANY_ATTRIBUTE: Final = (
    rb"(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:" + _QUOTED + rb"|[^\s>\"'][^\s>]*+))?+)"
)
# As they are written when nothing is wrong:
#   <i a=1 b='>' c>    has a=1, b='>' and c
_PLAIN_ATTRIBUTE: Final = (
    rb"(?:[\s/]++[^\s/>=\"'<]++(?:\s*+=\s*+(?:" + _QUOTED + rb"|[^\s>\"'=<`]++))?+)"
)
# A tag as far as it goes: the search for the next one begins where it ends, so that all of them
# together take no longer than the page is long.
_OPENING: Final = re.compile(rb"<[a-zA-Z][^\s/>]*+(" + _ANY_ATTRIBUTE + rb"*+)")
_ATTRIBUTE: Final = re.compile(_ANY_ATTRIBUTE)

# What a crowded tag is looked for by. It goes on for long without a bracket, or its first bracket
# stands in a quoted value.
_LONG_TAG: Final = re.compile(rb"<[a-zA-Z][^>]{1000}")
_BRACKET: Final = rb"=\s*+(?:\"[^\"<>]*+|'[^'<>]*+)(?=[<>])"
_QUOTED_BRACKET: Final = re.compile(_BRACKET)
_BRACKET_IN_TAG: Final = re.compile(rb"<[^<>]*" + _BRACKET)
# Of the thousand attributes fewer than half fit before that bracket.
_HALF_CROWDED: Final = re.compile(rb"<[^\s/>]*+" + _ANY_ATTRIBUTE + rb"{500}")
_FEW_BRACKETS: Final = 20

_FORMATTING_NAMES: Final = b"b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# One that is opened, with attributes or with space for them: <b class=x>, <i/, not <b> nor <br>.
_FORMATTING: Final = re.compile(
    rb"<(?=[bcefinstu])(?:" + _FORMATTING_NAMES + rb")[\s/]", re.IGNORECASE
)
# The quick look for them: a capital is taken for one, and the first letter is looked at ahead,
# for most tags are others.
_ABOUT_FORMATTING: Final = re.compile(
    rb"<(?=[A-Zbcefinstu])(?:[A-Z]|b[\s/]|i[\s/]|u[\s/]|s[\s/]|em[\s/]|tt[\s/]|big[\s/]|code[\s/]|"
    rb"font[\s/]|nobr[\s/]|small[\s/]|str(?:ike|ong)[\s/])"
)
# The same, plainly written; group 2 where it is closed at once: <b class=x>3</b>.
_PLAIN_FORMATTING: Final = re.compile(
    rb"<(" + _FORMATTING_NAMES + rb")(?=[\s/])" + _PLAIN_ATTRIBUTE + rb"*+[\s/]*+>"
    rb"([^<]*+</\1\s*+>)?",
    re.IGNORECASE,
)
# Any tag: group 1 is the slash of a closing one, group 2 the name.
_TAG: Final = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*+)")
# Void elements, and those that the next of their kind closes: unclosed they do not nest. Those that
# pages have most of come first.
_FLAT_NAMES: Final = (
    b"li td tr p br img input option area base basefont bgsound col dd dt embed hr keygen link "
    b"meta param source tbody tfoot th thead track wbr"
)
_FLAT: Final = frozenset(_FLAT_NAMES.split())
# What may nest; those in capitals that do not are counted with it.
_NESTING: Final = re.compile(
    rb"<(?=[a-zA-Z])(?!(?:" + b"|".join(_FLAT_NAMES.split()) + rb")[\s/>])"
)
# A closing tag is not looked for outside of these.
_SCOPE_NAMES: Final = b"applet caption marquee object table template"
_SCOPES: Final = frozenset(_SCOPE_NAMES.split())
_SCOPE: Final = re.compile(
    rb"<(?=[acmot])(?:" + b"|".join(_SCOPE_NAMES.split()) + rb")", re.IGNORECASE
)


def parse(html: str) -> LexborHTMLParser:
    """Parse a page of any content.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    page = html.encode("utf-8", "replace")
    doubts = [refuse for doubtful, refuse in _CHECKS if doubtful(page)]
    if doubts:
        markup = markup_of(page)
        for refuse in doubts:
            refuse(markup, _LIMITS)
            if len(markup) < len(page):
                refuse(page, _LIMITS_OF_ALL)
    return LexborHTMLParser(page)


def _may_be_crowded(page: bytes) -> bool:
    """Return False for a page that has no tag with a thousand attributes, for sure."""
    if _LONG_TAG.search(page):
        return True
    if not _QUOTED_BRACKET.search(page):
        return False
    brackets = [*islice(_BRACKET_IN_TAG.finditer(page), _FEW_BRACKETS + 1)]
    return len(brackets) > _FEW_BRACKETS or any(
        _HALF_CROWDED.match(page, bracket.start()) for bracket in brackets
    )


def _may_be_copied(page: bytes) -> bool:
    opened = len(_ABOUT_FORMATTING.findall(page))
    return opened > _FEW_OPEN and opened * page.count(b"<") > _LIMITS.copies


def _may_be_deep(page: bytes) -> bool:
    """Return False where too few elements nest to nest deep."""
    return page.count(b"<") > _FEW_TAGS and (
        len(_NESTING.findall(page)) > _LIMITS.depth or len(_SCOPE.findall(page)) > _SCOPES_LIMIT
    )


def _refuse_crowd(html: bytes, limits: _Limits) -> None:
    if _is_crowded(html, limits.attributes):
        raise bomb(f"a tag with {limits.attributes} attributes")


def _refuse_copies(html: bytes, limits: _Limits) -> None:
    if _open_formatting(html) * (html.count(b"<") - html.count(b"</")) > limits.copies:
        raise bomb("formatting elements that are never closed")


def _refuse_depth(html: bytes, limits: _Limits) -> None:
    if html.count(b"<") > _FEW_TAGS and _is_deep(html, limits.depth):
        raise bomb(f"elements nested deeper than {limits.depth}")


# Each with a quicker look, which is enough for a page that nothing is wrong with. It is at all of
# the page, scripts and comments included: at no less than the parser meets.
_CHECKS: Final[tuple[tuple[Callable[[bytes], bool], Callable[[bytes, _Limits], None]], ...]] = (
    (_may_be_crowded, _refuse_crowd),
    (_may_be_copied, _refuse_copies),
    (_may_be_deep, _refuse_depth),
)


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
        if tag in _FLAT:
            continue
        if not slash:
            depth += 1
            if tag in _SCOPES:
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
