"""XML sitemaps and feeds, counted by expat while parsing: no tree, no DOCTYPE, under limits."""

import re
from collections import Counter
from collections.abc import Callable
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
# An image's loc is not a page; of a tool that forgets the element between, it is.
_HOLDERS: Final = frozenset({"url", "sitemap", "urlset", "sitemapindex"})
_EXTENSIONS: Final = {"image": "images", "video": "videos", "news": "news"}
_DEPTH: Final = 20
# Without their ends they lie within each other.
_ENTRIES: Final = frozenset({"url", "sitemap", "item", "entry"})
_ATTRIBUTES: Final = 50
# 50,000 URLs, each with a date, a priority and three images.
_ELEMENTS: Final = 600_000
# Expat keeps every name that occurred.
_NAMES: Final = 5_000
# Expat parses a whole tag before it calls a handler with a limit.
_DATE: Final = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d(?:T[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d))?)?)?")
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
        contents: the number of ``images``, ``videos``, ``news``, ``alternates`` (pages in other
            languages) and ``lastmods``.
        newest: the latest ``lastmod`` in ISO 8601, as written; empty without one.
        fault: why parsing stopped before the end; empty if it did not.
        detail: more on the fault.
    """

    kind: XmlKind | None = None
    count: int = 0
    locs: list[str] = field(default_factory=list)
    refused: int = 0
    elements: int = 0
    contents: Counter[str] = field(default_factory=Counter)
    newest: str = ""
    fault: Fault = ""
    detail: str = ""


def count_xml(
    document: bytes, *, truncated: bool, each: Callable[[str], object] | None = None
) -> Counts:
    """Count the URLs of a document in UTF-8; never raises.

    Args:
        document: all of it or its beginning, without leading white space.
        truncated: True if more would have followed; then a missing end does not count.
        each: called with the URL of each page of a sitemap; None if only their number counts.
    """
    if _LONG_TAG.search(document):
        return Counts(fault="limit", detail="a tag of more than 20000 bytes")
    # This encoding overrides the one of the declaration.
    parser = expat.ParserCreate("utf-8")
    counter = _Counter(parser, each)
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
    """The handlers; each may stop the parse by raising.

    Elements are known by their local names and the element around them: sites forget to declare a
    prefix, and a default namespace may change within a file.
    """

    def __init__(self, parser: expat.XMLParserType, each: Callable[[str], object] | None) -> None:
        self.counts = Counts()
        self._each = each
        self._parser = parser
        self._around: list[str] = []
        self._reads = ""
        self._is_named = True
        self._item = ""
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
        around = self._around[-1] if self._around else ""
        if around in _ENTRIES and len(self._around) == _DEPTH:
            raise _End("malformed")
        if (
            counts.elements > _ELEMENTS
            or len(self._around) >= _DEPTH
            or len(attributes) > 2 * _ATTRIBUTES
            or len(self._parser.intern) > _NAMES
        ):
            raise _End("limit")
        local = name.rpartition(":")[2]
        self._around.append(local)
        if counts.kind is None:
            self._root(local)
        elif local == self._item:
            counts.count += 1
        elif self._item:
            pass
        elif local == "loc" and around in _HOLDERS:
            self._is_named = True
            self._begin(local)
        elif local == "sitemap" and counts.kind == "sitemapindex":
            # Some indexes have their URLs in this element, without a loc.
            self._is_named = False
            self._begin(local)
        elif around == "url":
            self._part(local, attributes)
        elif self._reads == "sitemap":
            # A lastmod is not a part of the URL before it.
            self._parser.CharacterDataHandler = None

    def _root(self, local: str) -> None:
        kind = ROOTS.get(local)
        if kind is None:
            raise _End("html" if local.lower() == "html" else "not_a_sitemap")
        self.counts.kind = kind
        self._item = _ITEMS.get(kind, "")

    def _part(self, local: str, attributes: list[str]) -> None:
        """Count what a URL has besides its address."""
        if local == "lastmod":
            self._begin(local)
        elif local == "link" and "hreflang" in attributes[::2]:
            self.counts.contents["alternates"] += 1
        elif local in _EXTENSIONS:
            self.counts.contents[_EXTENSIONS[local]] += 1

    def _begin(self, local: str) -> None:
        self._reads, self._text, self._size = local, [], 0
        self._parser.CharacterDataHandler = self._read

    def _read(self, data: str) -> None:
        self._size += len(data)
        if self._size <= 2 * LONGEST_LOC:
            self._text.append(data)

    def _end(self, name: str) -> None:
        self._around.pop()
        local = name.rpartition(":")[2]
        if local != self._reads or (local == "sitemap" and self._is_named):
            return
        self._reads = ""
        self._parser.CharacterDataHandler = None
        text = "".join(self._text).strip()
        if local == "lastmod":
            self._modified(text)
        elif not 0 < len(text) <= LONGEST_LOC or self._size > 2 * LONGEST_LOC:
            self.counts.refused += 1
        else:
            self.counts.count += 1
            if self.counts.kind != "sitemapindex":
                if self._each is not None:
                    self._each(text)
            elif len(self.counts.locs) < MOST_LOCS:
                self.counts.locs.append(text)

    def _modified(self, text: str) -> None:
        self.counts.contents["lastmods"] += 1
        if _DATE.fullmatch(text):
            self.counts.newest = max(self.counts.newest, text)
