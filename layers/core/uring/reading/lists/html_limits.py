"""Parses any page; refuses pages that are expensive to parse.

The tree builder of the HTML standard takes quadratic time or memory for three kinds of page; a few
hundred kilobytes are enough (measured with lexbor): elements nested 100,000 deep (10 s), formatting
elements left open, which every later block copies (6,000 tags, 700 MB), and one tag with 100,000
attributes (13 s). Boards never have such pages, so they are refused. So is a page of 100,000
elements: an element takes 300 bytes, and a worker reads ten pages at once.

Only the tree shows the depth of a page: the standard's rules for closing tags take fifty pages. So
a long page is parsed in steps. The depth of each step is checked before the next, longer step.

An exact check takes as long as parsing, and nearly no page needs one. So cheap upper bounds are
counted first, over the whole page with its scripts and comments.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser

from uring.errors import SuspectPage
from uring.reading.text import markup_of


@dataclass(frozen=True, slots=True)
class _Limits:
    """The limits: a page above them costs a second of CPU or hundreds of megabytes.

    Attributes:
        attributes: number of attributes of one tag.
        copies: number of open formatting elements times number of elements that copy them.
        elements: number of elements of a page.
    """

    attributes: int
    copies: int
    elements: int


_Exceeds: TypeAlias = Callable[[bytes, _Limits], bool]

_LIMITS: Final = _Limits(1_000, 300_000, 100_000)
# For a page with its scripts and comments: a parser may read some of these as markup.
_LIMITS_OF_ALL: Final = _Limits(3_000, 600_000, 200_000)
_FEW_OPEN: Final = 10

# The deepest nesting. Browsers draw about this depth at most; boards have two dozen levels.
_DEPTH: Final = 500
_TOO_DEEP: Final = "*>" * _DEPTH + "*"
# With fewer tags depth is cheap: small pages are not searched for it.
_FEW_TAGS: Final = 2_000
# Elements nested this deep take a third of a second.
_STEP: Final = 10_000
# The most children of one element: for :nth-child() and ~ each is compared with all before it.
_SIBLINGS: Final = 10_000

# Patterns of a tag's parts. They are possessive (*+, ++, ?+) and never backtrack, so that a search
# takes time linear in the length of the page.
_QUOTED: Final = rb"\"[^\"]*+\"|'[^']*+'"
# Attributes as the standard's tokenizer reads them, with quotes and brackets in odd places:
#   <p/a=1 b"c='>' <d>    has a=1, b"c='>' and <d
_ANY_ATTRIBUTE: Final = (
    rb"(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:" + _QUOTED + rb"|[^\s>\"'][^\s>]*+))?+)"
)
# Attributes in correct markup:
#   <i a=1 b='>' c>    has a=1, b='>' and c
_PLAIN_ATTRIBUTE: Final = (
    rb"(?:[\s/]++[^\s/>=\"'<]++(?:\s*+=\s*+(?:" + _QUOTED + rb"|[^\s>\"'=<`]++))?+)"
)
_FORMATTING_NAMES: Final = b"b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"

# A tag of this size takes 0.3 s at worst: the cost grows with the square of its attributes.
_LARGE_TAG: Final = 50_000
_TABLE: Final = re.compile(r"<table[\s/>]", re.IGNORECASE)
_TABLE_PART: Final = re.compile(r"<(?:tr|tbody|thead|tfoot)[\s/>]", re.IGNORECASE)
# With at most this number of tags, formatting elements are never copied too often.
_MANY: Final = 500

_LONG_TAG: Final = re.compile(rb"<[a-zA-Z](?=[^>]{1000})")
# A quoted value up to the bracket in it; values without a bracket do not match.
_QUOTED_BRACKET: Final = re.compile(rb"=\s*+(?:\"[^\"<>]*+|'[^'<>]*+)(?=[<>])")
_HALF_CROWDED: Final = re.compile(rb"<[^\s/>]*+" + _ANY_ATTRIBUTE + rb"{500}")
_FEW_BRACKETS: Final = 20

# A tag with a capital letter counts as a formatting element.
_MAYBE_FORMATTING: Final = re.compile(
    rb"<(?:[A-Z]|[bius][\s/]|em[\s/]|tt[\s/]|big[\s/]|code[\s/]|font[\s/]|nobr[\s/]|small[\s/]|"
    rb"str(?:ike|ong)[\s/])"
)

# A whole tag: the search for the next one begins at its end, so that all searches together take
# time linear in the length of the page.
_OPENING: Final = re.compile(rb"<[a-zA-Z][^\s/>]*+(" + _ANY_ATTRIBUTE + rb"*+)")
_ATTRIBUTE: Final = re.compile(_ANY_ATTRIBUTE)
_OPENED: Final = re.compile(rb"<[a-zA-Z]")

# An opening tag with attributes, or with space for them: <b class=x>, <i/, not <b> nor <br>.
_FORMATTING: Final = re.compile(
    rb"<(?=[bcefinstu])(?:" + _FORMATTING_NAMES + rb")[\s/]", re.IGNORECASE
)
# The same in correct markup; group 2 matches if it is closed at once: <b class=x>3</b>.
_PLAIN_FORMATTING: Final = re.compile(
    rb"<(" + _FORMATTING_NAMES + rb")(?=[\s/])" + _PLAIN_ATTRIBUTE + rb"*+[\s/]*+>"
    rb"([^<]*+</\1\s*+>)?",
    re.IGNORECASE,
)


def parse(html: str) -> LexborHTMLParser:
    """Parse a page with any content.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    page = html.encode("utf-8", "replace")
    look = _glance(page)
    doubts: list[tuple[bool, _Exceeds, str]] = [
        (look.may_be_crowded, _is_crowded, "a tag with {0.attributes} attributes"),
        (
            look.formatting * look.tags > _LIMITS.copies,
            _is_copied,
            "formatting elements that are never closed",
        ),
        (look.tags > _LIMITS.elements, _is_vast, "more than {0.elements} elements"),
    ]
    for is_doubtful, exceeds, what in doubts:
        if is_doubtful and exceeds(page, _LIMITS):
            # Scripts and comments may cause the doubt: check again without them.
            _refuse(exceeds, what, markup_of(page), page)
    is_long = look.tags > _STEP and _openings(page) > _STEP
    if is_long:
        for part in map(LexborHTMLParser, _parts(page)):
            _refuse_deep(part)
            _refuse_hidden(part)
    tree = LexborHTMLParser(page)
    if look.tags > _FEW_TAGS:
        _refuse_deep(tree)
    if is_long:
        _refuse_wide(tree)
    return tree


@dataclass(frozen=True, slots=True)
class _Glance:
    """Upper bounds of a page.

    Attributes:
        may_be_crowded: False if surely no tag has too many attributes.
        tags: at least the number of tags; everything that begins like a tag counts.
        formatting: at least the number of formatting elements with attributes, or with space for
            them.
    """

    may_be_crowded: bool
    tags: int
    formatting: int


def _glance(page: bytes) -> _Glance:
    """Return the upper bounds of a page in UTF-8."""
    tags = page.count(b"<")
    crowded = len(page) > _LARGE_TAG and (bool(_LONG_TAG.search(page)) or _has_odd_tag(page))
    return _Glance(crowded, tags, len(_MAYBE_FORMATTING.findall(page)) if tags > _MANY else tags)


def _has_odd_tag(page: bytes) -> bool:
    """Return whether a tag with a bracket in a quoted value may have a thousand attributes.

    A tag without such a bracket is found by its length. Of a tag with one, at most half of the
    attributes are before the first such bracket.
    """
    brackets = since = 0
    for value in _QUOTED_BRACKET.finditer(page):
        start = page.rfind(b"<", since, value.start())
        if start > page.rfind(b">", since, value.start()):
            brackets += 1
            if brackets > _FEW_BRACKETS or _HALF_CROWDED.match(page, start):
                return True
        since = value.end()
    return False


def _refuse(exceeds: _Exceeds, what: str, markup: bytes, page: bytes) -> None:
    for html, limits in ((markup, _LIMITS), (page, _LIMITS_OF_ALL)):
        if exceeds(html, limits):
            raise bomb(what.format(limits))


def _is_crowded(html: bytes, limits: _Limits) -> bool:
    """Return whether a tag has at least ``limits.attributes`` attributes."""
    limit = limits.attributes
    # An attribute has at least a letter and a separator.
    longest = (tag[1] for tag in _OPENING.finditer(html) if len(tag[1]) >= limit)
    return any(sum(1 for _ in _ATTRIBUTE.finditer(tag)) >= limit for tag in longest)


def _is_copied(html: bytes, limits: _Limits) -> bool:
    """Return whether formatting elements left open are copied too often."""
    return _open_formatting(html) * _openings(html) > limits.copies


def _is_vast(html: bytes, limits: _Limits) -> bool:
    """Return whether there are too many elements."""
    return _openings(html) > limits.elements


def _openings(html: bytes) -> int:
    """Return an upper bound of the number of elements."""
    return html.count(b"<") - html.count(b"</")


def _open_formatting(html: bytes) -> int:
    """Return an upper bound of the number of different formatting elements left open.

    An element closed at once does not count. Equal elements count once: the standard keeps three at
    most. Incorrect markup counts each time. Elements without attributes are few and do not count.
    """
    opened = len(_FORMATTING.findall(html))
    if opened <= _FEW_OPEN:
        return opened
    plain = list(_PLAIN_FORMATTING.finditer(html))
    left_open = {match[0] for match in plain if match[2] is None}
    return opened - len(plain) + len(left_open)


def _parts(page: bytes) -> Iterator[bytes]:
    """Yield the page up to one step, two steps, and so on: the tree of each shows its depth."""
    for at, tag in enumerate(_OPENED.finditer(page)):
        if at and not at % _STEP:
            yield page[: tag.start()]


def _refuse_deep(tree: LexborHTMLParser) -> None:
    if tree.css_first(_TOO_DEEP) is not None:
        raise bomb(f"elements nested deeper than {_DEPTH}")


def _refuse_hidden(tree: LexborHTMLParser) -> None:
    """Refuse large templates: no search finds their elements, so their depth is unknown."""
    hidden = sum((node.html or "").count("<") for node in tree.css("template"))
    if hidden > _STEP:
        raise bomb("templates of thousands of elements")


def _refuse_wide(tree: LexborHTMLParser) -> None:
    parents = (node.parent for node in tree.css("*"))
    if max(Counter(parent.mem_id for parent in parents if parent).values()) > _SIBLINGS:
        raise bomb(f"more than {_SIBLINGS} elements in one parent")


def with_table(html: str) -> str:
    """Return a fragment of table rows inside a table; any other page is returned unchanged.

    Lists that a script fetches are often bare ``<tr>`` elements. A parser drops their tags.
    """
    markup = markup_of(html)
    if _TABLE.search(markup) or not _TABLE_PART.search(markup):
        return html
    start = _TABLE_PART.search(html)
    # A script before the first row may have the same tag in a text: then nothing is gained.
    return html if start is None else f"{html[: start.start()]}<table>{html[start.start() :]}"


def bomb(what: str) -> SuspectPage:
    """Return the error for a page that is expensive by construction."""
    return SuspectPage(
        "markup_bomb", f"{what}: no notice board has that; check what the address serves"
    )
