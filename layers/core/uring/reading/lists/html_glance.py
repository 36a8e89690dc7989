"""A quick look at a page: is it worth examining for what would exhaust the parser?

Nearly no page is, and to examine one takes as long as to parse it. So what is cheap to count is
counted first: upper bounds, of all that stands in the page, scripts and comments included.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from uring.reading.lists.html_tags import ANY_ATTRIBUTE, FLAT, FORMATTING, SCOPES

# A quoted value as far as the bracket in it, if there is one.
_QUOTED_BRACKET: Final = re.compile(rb"=\s*+(?:\"[^\"<>]*+|'[^'<>]*+)(?=[<>])")
_HALF_CROWDED: Final = re.compile(rb"<[^\s/>]*+" + ANY_ATTRIBUTE + rb"{500}")
_FEW_BRACKETS: Final = 20

# Small pages are looked over for long tags and for formatting elements, where a capital is taken
# for one: what is found is b"<" for a tag that goes on for long.
_LONG_OR_FORMATTING: Final = re.compile(
    rb"<(?=[a-zA-Z])(?:(?=[^>]{1001})|[A-Z]|b[\s/]|i[\s/]|u[\s/]|s[\s/]|em[\s/]|tt[\s/]|big[\s/]|"
    rb"code[\s/]|font[\s/]|nobr[\s/]|small[\s/]|str(?:ike|ong)[\s/])"
)
# Of large ones the names of all elements are counted, at the same cost: b"" is a long tag. What
# parts a name from attributes is kept, for formatting elements without any are few.
_LARGE: Final = 100_000
_NAME: Final = re.compile(rb"<(?:([a-zA-Z][^\s/>]*+(?![^>]{1000})[\s/]?+)|[a-zA-Z])")
_PARTING: Final = b" \t\n\r\f\v/"


# Small pages with more tags than this are looked over as large ones are.
_MANY_TAGS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Glance:
    """Doubts about a page: what may be in it.

    Attributes:
        may_be_crowded: False where no tag has a thousand attributes, for sure.
        openings: of elements, no fewer than there are.
        formatting: those of them, with attributes or with space for them, that stay open until
            they are closed, no fewer than there are.
        nesting: those that nest; 0 where fewer than 2,000 tags are in the page.
        scopes: those that end what is open in them; 0 likewise.
    """

    may_be_crowded: bool
    openings: int
    formatting: int
    nesting: int
    scopes: int


def glance(page: bytes) -> Glance:
    """Look a page over, in UTF-8."""
    if len(page) > _LARGE or (tags := page.count(b"<")) > _MANY_TAGS:
        return _at_large(page)
    found = _LONG_OR_FORMATTING.findall(page)
    return Glance(b"<" in found or _has_odd_tag(page), tags, len(found), 0, 0)


def _at_large(page: bytes) -> Glance:
    names = Counter(_NAME.findall(page))
    formatting = nesting = scopes = 0
    for written, count in names.items():
        name = written.rstrip(_PARTING).lower()
        if name not in FLAT:
            nesting += count
            formatting += count if name in FORMATTING and len(name) < len(written) else 0
            scopes += count if name in SCOPES else 0
    crowded = b"" in names or _has_odd_tag(page)
    return Glance(crowded, sum(names.values()), formatting, nesting, scopes)


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
