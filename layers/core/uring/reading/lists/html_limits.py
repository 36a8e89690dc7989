"""Parsing of hostile pages.

The tree builder of the HTML standard takes quadratic time or memory for three kinds of page that
a few hundred kilobytes are enough for (measured with lexbor): elements nested 100,000 deep (10 s),
formatting elements left open, which every later block copies (6,000 tags, 700 MB), and one tag
with 100,000 attributes (13 s). Boards have none of them, so such a page is refused. So is one of
100,000 elements, each of which takes 300 bytes: a worker reads ten pages at once.

How deep a page is, its tree tells and nothing else: which closing tag ends what, the standard says
on fifty pages. So a long page is parsed as far as no depth is expensive, and looked at, before it
is parsed further.

Nearly no page is worth examining, and to examine one takes as long as to parse it. So what is cheap
to count is counted first: upper bounds, of all that stands in the page, scripts and comments
included.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser

from uring.errors import SuspectPage
from uring.reading.markup import markup_of


@dataclass(frozen=True, slots=True)
class _Limits:
    """From here on a page costs a second of CPU or hundreds of megabytes.

    Attributes:
        attributes: of one tag.
        copies: open formatting elements times elements that copy them.
        elements: of a page.
    """

    attributes: int
    copies: int
    elements: int


_Exceeds: TypeAlias = Callable[[bytes, _Limits], bool]

_LIMITS: Final = _Limits(1_000, 300_000, 100_000)
# With what stands in scripts and comments, some of which a parser may take for markup after all.
_LIMITS_OF_ALL: Final = _Limits(3_000, 600_000, 200_000)
_FEW_OPEN: Final = 10

# Elements in each other. No browser draws more than about as many, boards have two dozen.
_DEPTH: Final = 500
_TOO_DEEP: Final = "*>" * _DEPTH + "*"
# Nor does depth cost anything where fewer tags are, so that small pages are not searched for it.
_FEW_TAGS: Final = 2_000
# As many elements in each other take a third of a second.
_STEP: Final = 10_000
# Children of one element: for :nth-child() and ~ each is compared with all before it.
_SIBLINGS: Final = 10_000

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
_FORMATTING_NAMES: Final = b"b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"

# A tag of this size takes 0.3 s at worst: what its attributes cost grows with their square.
_LARGE_TAG: Final = 50_000
# So many formatting elements are not copied too often, even if each element is one of them.
_MANY: Final = 500

_LONG_TAG: Final = re.compile(rb"<[a-zA-Z](?=[^>]{1000})")
# A quoted value as far as the bracket in it, if there is one.
_QUOTED_BRACKET: Final = re.compile(rb"=\s*+(?:\"[^\"<>]*+|'[^'<>]*+)(?=[<>])")
_HALF_CROWDED: Final = re.compile(rb"<[^\s/>]*+" + _ANY_ATTRIBUTE + rb"{500}")
_FEW_BRACKETS: Final = 20

# A capital is taken for a formatting element.
_MAYBE_FORMATTING: Final = re.compile(
    rb"<(?:[A-Z]|[bius][\s/]|em[\s/]|tt[\s/]|big[\s/]|code[\s/]|font[\s/]|nobr[\s/]|small[\s/]|"
    rb"str(?:ike|ong)[\s/])"
)

# A tag as far as it goes: the search for the next one begins where it ends, so that all of them
# together take no longer than the page is long.
_OPENING: Final = re.compile(rb"<[a-zA-Z][^\s/>]*+(" + _ANY_ATTRIBUTE + rb"*+)")
_ATTRIBUTE: Final = re.compile(_ANY_ATTRIBUTE)
_OPENED: Final = re.compile(rb"<[a-zA-Z]")

# One that is opened, with attributes or with space for them: <b class=x>, <i/, not <b> nor <br>.
_FORMATTING: Final = re.compile(
    rb"<(?=[bcefinstu])(?:" + _FORMATTING_NAMES + rb")[\s/]", re.IGNORECASE
)
# The same, plainly written; group 2 where it is closed at once: <b class=x>3</b>.
_PLAIN_FORMATTING: Final = re.compile(
    rb"<(" + _FORMATTING_NAMES + rb")(?=[\s/])" + _PLAIN_ATTRIBUTE + rb"*+[\s/]*+>"
    rb"([^<]*+</\1\s*+>)?",
    re.IGNORECASE,
)


def parse(html: str) -> LexborHTMLParser:
    """Parse a page of any content.

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
            # In scripts and comments there may be more, so that it is looked for without them.
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
    """Doubts about a page: what may be in it.

    Attributes:
        may_be_crowded: False where no tag has attributes enough to matter, for sure.
        tags: and what else begins like one, no fewer than there are.
        formatting: elements, with attributes or with space for them, that stay open until
            they are closed, no fewer than there are.
    """

    may_be_crowded: bool
    tags: int
    formatting: int


def _glance(page: bytes) -> _Glance:
    """Look a page over, in UTF-8."""
    tags = page.count(b"<")
    crowded = len(page) > _LARGE_TAG and (bool(_LONG_TAG.search(page)) or _has_odd_tag(page))
    return _Glance(crowded, tags, len(_MAYBE_FORMATTING.findall(page)) if tags > _MANY else tags)


def _has_odd_tag(page: bytes) -> bool:
    """Return True where a tag with a bracket in a quoted value may have a thousand attributes.

    A tag without one would be a long one. Of its attributes, no more than half fit before its
    first such bracket.
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


def _parts(page: bytes) -> Iterator[bytes]:
    """Give the page as far as a step, two steps, and so on: each as deep as a parser is then."""
    for at, tag in enumerate(_OPENED.finditer(page)):
        if at and not at % _STEP:
            yield page[: tag.start()]


def _refuse_deep(tree: LexborHTMLParser) -> None:
    if tree.css_first(_TOO_DEEP) is not None:
        raise bomb(f"elements nested deeper than {_DEPTH}")


def _refuse_hidden(tree: LexborHTMLParser) -> None:
    """Refuse what no search finds, so that nobody knows how deep it is."""
    hidden = sum((node.html or "").count("<") for node in tree.css("template"))
    if hidden > _STEP:
        raise bomb("templates of thousands of elements")


def _refuse_wide(tree: LexborHTMLParser) -> None:
    parents = (node.parent for node in tree.css("*"))
    if max(Counter(parent.mem_id for parent in parents if parent).values()) > _SIBLINGS:
        raise bomb(f"more than {_SIBLINGS} elements beside each other")


def bomb(what: str) -> SuspectPage:
    """Return the error for a page that is expensive by construction."""
    return SuspectPage(
        "markup_bomb", f"{what}: no notice board has that; check what the address serves"
    )
