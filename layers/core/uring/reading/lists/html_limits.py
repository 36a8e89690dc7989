"""Parsing of hostile pages.

The tree builder of the HTML standard takes quadratic time or memory for three kinds of page that
a few hundred kilobytes are enough for (measured with lexbor): elements nested 100,000 deep (10 s),
formatting elements left open, which every later block copies (6,000 tags, 700 MB), and one tag
with 100,000 attributes (13 s). Boards have none of them, so such a page is refused unparsed.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
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
_QUOTED: Final = r"\"[^\"]*+\"|'[^']*+'"
# As the tokenizer of the standard reads them, with quotes and brackets where nobody writes them:
#   <p/a=1 b"c='>' <d>    has a=1, b"c='>' and <d
_ANY_ATTRIBUTE: Final = (
    rf"(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:{_QUOTED}|[^\s>\"'][^\s>]*+))?+)"
)
# As they are written when nothing is wrong:
#   <i a=1 b='>' c>    has a=1, b='>' and c
_PLAIN_ATTRIBUTE: Final = rf"(?:[\s/]++[^\s/>=\"'<]++(?:\s*+=\s*+(?:{_QUOTED}|[^\s>\"'=<`]++))?+)"
# A tag as far as it goes: the search for the next one begins where it ends, so that all of them
# together take no longer than the page is long.
_OPENING: Final = re.compile(rf"<[a-zA-Z][^\s/>]*+({_ANY_ATTRIBUTE}*+)")
_ATTRIBUTE: Final = re.compile(_ANY_ATTRIBUTE)

_FORMATTING_NAMES: Final = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
# One that is opened, with attributes or with space for them: <b class=x>, <I/, not <b> nor <br>.
# The first letter is looked at ahead, for most tags are others.
_FORMATTING: Final = re.compile(rf"<(?=[bcefinstu])(?:{_FORMATTING_NAMES})[\s/]", re.IGNORECASE)
# The same, plainly written; group 2 where it is closed at once: <b class=x>3</b>.
_PLAIN_FORMATTING: Final = re.compile(
    rf"<({_FORMATTING_NAMES})(?=[\s/]){_PLAIN_ATTRIBUTE}*+[\s/]*+>([^<]*+</\1\s*+>)?", re.IGNORECASE
)
# Any tag: group 1 is the slash of a closing one, group 2 the name.
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)")
# Void elements, and those that the next of their kind closes: unclosed they do not nest.
_FLAT_NAMES: Final = (
    "area base basefont bgsound br col dd dt embed hr img input keygen li link meta option p param "
    "source tbody td tfoot th thead tr track wbr"
)
_FLAT: Final = frozenset(_FLAT_NAMES.split())
# A closing tag is not looked for outside of these.
_SCOPES: Final = frozenset(("applet", "caption", "marquee", "object", "table", "template"))


def parse(html: str) -> LexborHTMLParser:
    """Parse a page of any content.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    markup = markup_of(html)
    _refuse_bomb(markup, _LIMITS)
    if len(markup) < len(html):
        _refuse_bomb(html, _LIMITS_OF_ALL)
    return LexborHTMLParser(html.encode("utf-8", "replace"))


def _refuse_bomb(html: str, limits: _Limits) -> None:
    tags = html.count("<")
    if _is_crowded(html, limits.attributes):
        raise bomb(f"a tag with {limits.attributes} attributes")
    if _open_formatting(html) * (tags - html.count("</")) > limits.copies:
        raise bomb("formatting elements that are never closed")
    if tags > _FEW_TAGS and _is_deep(html, limits.depth):
        raise bomb(f"elements nested deeper than {limits.depth}")


def _is_crowded(html: str, limit: int) -> bool:
    """Return True when a tag has so many attributes."""
    # An attribute has a letter and what parts it from the one before.
    longest = (tag[1] for tag in _OPENING.finditer(html) if len(tag[1]) >= limit)
    return any(sum(1 for _ in _ATTRIBUTE.finditer(tag)) >= limit for tag in longest)


def _open_formatting(html: str) -> int:
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

    opener: str
    names: list[str] = field(default_factory=list)
    open: Counter[str] = field(default_factory=Counter)


def _is_deep(html: str, limit: int) -> bool:
    """Return True when elements nest too deep.

    Each tag is looked at once: a closing tag without its element costs no search for it.
    """
    scopes = [_Scope("")]
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
            closed = ""
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
