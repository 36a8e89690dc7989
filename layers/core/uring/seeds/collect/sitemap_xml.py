"""XML sitemaps and feeds, counted by expat while parsing: no tree, no DOCTYPE, under limits."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal
from xml.parsers import expat

XmlKind = Literal["urlset", "sitemapindex", "rss", "feed"]
Fault = Literal["", "malformed", "doctype", "limit", "html", "not_a_sitemap"]

MOST_LOCS: Final = 50_000
"""The most addresses of a file, by sitemaps.org; those of an index are kept."""
LONGEST_LOC: Final = 2_048

ROOTS: Final[dict[str, XmlKind]] = {
    "urlset": "urlset",
    "sitemapindex": "sitemapindex",
    "rss": "rss",
    "RDF": "rss",
    "feed": "feed",
}
_ITEMS: Final = {"rss": "item", "feed": "entry"}
_DEPTH: Final = 20
_ATTRIBUTES: Final = 50
# 50,000 URLs, each with a date, a priority and three images.
_ELEMENTS: Final = 600_000
# Expat keeps every name that occurred.
_NAMES: Final = 5_000
# Expat parses a whole tag before it calls a handler with a limit.
_LONG_TAG: Final = re.compile(rb"<[^<>]{20000}")


class _End(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault: Fault = fault


@dataclass(slots=True)
class Counts:
    """The counts of a file.

    Attributes:
        kind: by the root element; None if it is not a sitemap.
        count: the number of URLs: a sitemap's and an index's ``loc``, a feed's items.
        locs: the URLs of an index, in order.
        refused: the number of empty or too long ``loc``.
        elements: the number of elements parsed.
        fault: why parsing stopped before the end; empty if it did not.
        detail: more on the fault.
    """

    kind: XmlKind | None = None
    count: int = 0
    locs: list[str] = field(default_factory=list)
    refused: int = 0
    elements: int = 0
    fault: Fault = ""
    detail: str = ""


def count_xml(document: bytes, *, truncated: bool) -> Counts:
    """Count the URLs of a document in UTF-8; never raises.

    Args:
        document: all of it or its beginning, without leading white space.
        truncated: True if more would have followed; then a missing end does not count.
    """
    if _LONG_TAG.search(document):
        return Counts(fault="limit", detail="a tag of more than 20000 bytes")
    # This encoding overrides the one of the declaration.
    parser = expat.ParserCreate("utf-8")
    counter = _Counter(parser)
    try:
        # In one piece: expat takes quadratic time for pieces of one long token.
        parser.Parse(document, not truncated)
    except _End as end:
        counter.counts.fault = end.fault
        counter.counts.detail = f"after {counter.counts.elements} elements"
    except expat.ExpatError as error:
        counter.counts.fault = "malformed"
        counter.counts.detail = f"line {error.lineno}: {expat.ErrorString(error.code)}"
    finally:
        counter.release()
    return counter.counts


class _Counter:
    """The handlers; each may stop the parse by raising."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.counts = Counts()
        self._parser = parser
        self._depth = 0
        self._loc = self._child = ""
        self._is_named = True
        self._items: frozenset[str] = frozenset()
        self._text: list[str] = []
        self._size = 0
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    def release(self) -> None:
        """Drop the parser's references to this object."""
        self._parser.StartDoctypeDeclHandler = None
        self._parser.StartElementHandler = None
        self._parser.EndElementHandler = None
        self._parser.CharacterDataHandler = None

    def _doctype(self, *_: object) -> None:
        raise _End("doctype")

    def _start(self, name: str, attributes: list[str]) -> None:
        counts = self.counts
        counts.elements += 1
        self._depth += 1
        if (
            counts.elements > _ELEMENTS
            or self._depth > _DEPTH
            or len(attributes) > 2 * _ATTRIBUTES
            or len(self._parser.intern) > _NAMES
        ):
            raise _End("limit")
        if counts.kind is None:
            self._root(name)
        elif name in (self._loc, self._child):
            self._is_named = name == self._loc
            self._text, self._size = [], 0
            self._parser.CharacterDataHandler = self._read
        elif name in self._items:
            counts.count += 1
        elif not self._is_named:
            # A lastmod does not belong to the URL before it.
            self._parser.CharacterDataHandler = None

    def _root(self, name: str) -> None:
        prefix, colon, local = name.rpartition(":")
        kind = ROOTS.get(local)
        if kind is None:
            raise _End("html" if local.lower() == "html" else "not_a_sitemap")
        self.counts.kind = kind
        if item := _ITEMS.get(kind):
            # RDF has a prefix and its items have none.
            self._items = frozenset((item, f"{prefix}{colon}{item}"))
        else:
            # With the prefix of the root: image:loc and video:loc are not pages.
            self._loc = f"{prefix}{colon}loc"
            # Some indexes have their URLs in this element, without a loc.
            self._child = f"{prefix}{colon}sitemap" if kind == "sitemapindex" else ""

    def _read(self, data: str) -> None:
        self._size += len(data)
        if self._size <= 2 * LONGEST_LOC:
            self._text.append(data)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name != self._loc and (name != self._child or self._is_named):
            return
        self._is_named = True
        self._parser.CharacterDataHandler = None
        counts = self.counts
        loc = "".join(self._text).strip()
        if not 0 < len(loc) <= LONGEST_LOC or self._size > 2 * LONGEST_LOC:
            counts.refused += 1
            return
        counts.count += 1
        if counts.kind == "sitemapindex" and len(counts.locs) < MOST_LOCS:
            counts.locs.append(loc)
