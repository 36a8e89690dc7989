"""A quick look at a page: is it worth examining for what would exhaust the parser?

Nearly no page is, and to examine one takes as long as to parse it. So what is cheap to count is
counted first: upper bounds, of all that stands in the page, scripts and comments included.
"""

import re
from dataclasses import dataclass
from typing import Final

from uring.reading.lists.html_tags import ANY_ATTRIBUTE

# A tag of this size takes 0.3 s at worst: what its attributes cost grows with their square.
_LARGE: Final = 50_000
# So many formatting elements are not copied too often, even if each element is one of them.
_MANY: Final = 500

_LONG_TAG: Final = re.compile(rb"<[a-zA-Z](?=[^>]{1000})")
# A quoted value as far as the bracket in it, if there is one.
_QUOTED_BRACKET: Final = re.compile(rb"=\s*+(?:\"[^\"<>]*+|'[^'<>]*+)(?=[<>])")
_HALF_CROWDED: Final = re.compile(rb"<[^\s/>]*+" + ANY_ATTRIBUTE + rb"{500}")
_FEW_BRACKETS: Final = 20

# A capital is taken for a formatting element.
_FORMATTING: Final = re.compile(
    rb"<(?:[A-Z]|[bius][\s/]|em[\s/]|tt[\s/]|big[\s/]|code[\s/]|font[\s/]|nobr[\s/]|small[\s/]|"
    rb"str(?:ike|ong)[\s/])"
)


@dataclass(frozen=True, slots=True)
class Glance:
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


def glance(page: bytes) -> Glance:
    """Look a page over, in UTF-8."""
    tags = page.count(b"<")
    crowded = len(page) > _LARGE and (bool(_LONG_TAG.search(page)) or _has_odd_tag(page))
    return Glance(crowded, tags, len(_FORMATTING.findall(page)) if tags > _MANY else tags)


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
