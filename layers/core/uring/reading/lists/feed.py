"""The rows of RSS (2.0, 1.0 and older) and Atom."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final
from urllib.parse import urljoin

from uring.errors import SuspectPage
from uring.fetch.xml import BASE, Element, XmlRefused, parse_xml
from uring.reading.kinds import paths
from uring.reading.lists.html_limits import bomb
from uring.reading.lists.rows import ROW_LIMIT, Listing
from uring.reading.rules import RowRule
from uring.reading.text import clean, plain, shorten

_ROOTS: Final = {"rss": ("rss", "RDF"), "atom": ("feed",)}
# Characters that XML 1.0 forbids (production 2), although databases contain them.
_NO_CHARACTER: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BARE_AMPERSAND: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
_RAW_LIMIT: Final = 50_000
_MOST_PARTS: Final = 20
# A DOCTYPE that names its declarations, as that of RSS 0.91, but holds none.
_PROLOG: Final = r"(?:\s|<\?(?:[^?]|\?(?!>))*+\?>|<!--(?:[^-]|-(?!->))*+-->)*+"
_DOCTYPE: Final = re.compile(
    rf"(\A\ufeff*{_PROLOG})<!DOCTYPE\s+[\w:.-]+(?:\s+|PUBLIC|SYSTEM|\"[^\"<>]*\"|'[^'<>]*')*+"
    r"(?:\[\s*\]\s*)?>",
    re.IGNORECASE,
)
# A page's own warnings may stand before a feed, or a comment behind its end.
_BEGIN: Final = re.compile(r"<\?xml\s|<!DOCTYPE\s|<(?:[\w.-]+:)?(?:rss|feed|RDF)[\s>]")
_ROOT: Final = re.compile(r"<((?:[\w.-]+:)?(?:rss|feed|RDF))[\s>]")
_LONGEST_BASE: Final = 2_000
_STRAY: Final = 4_096
_ABSOLUTE: Final = re.compile(r"https?://|/", re.IGNORECASE)
# RFC 4287, section 4.2.7.2: a relation may be written as an IRI.
_RELATIONS: Final = "http://www.iana.org/assignments/relation/"


@dataclass(frozen=True, slots=True)
class FeedNode:
    """An element; ``select`` is a path of names of children, without prefix, separated by dots.

    Of several children with one name, those with the row's own prefix come first: ``title`` before
    ``media:title``. The text of an empty element is its ``href``, as Atom's links need it.

    Attributes:
        element: the element.
        base: of relative addresses in it, by ``xml:base`` around it or its own; empty for the
            feed's address.
    """

    link_attribute: ClassVar[str | None] = None
    escape: ClassVar[str] = ""
    has_names: ClassVar[bool] = True
    element: Element
    base: str = ""

    def first(self, select: str) -> "FeedNode | None":
        """Return the first part that ``select`` finds, or None."""
        return next(iter(self.every(select, 1)), None)

    def every(self, select: str, most: int) -> Iterable["FeedNode"]:
        """Return the first ``most`` parts that ``select`` finds."""
        parts = (part for path in paths(select) for part in self._below(path))
        return islice(parts, most)

    def others(self, select: str) -> Iterable["FeedNode"]:
        """Return the parts after the first one, 19 at most."""
        return islice(self.every(select, _MOST_PARTS), 1, None)

    def address(self, value: str, /) -> str:
        """Return an address in it, against its own base.

        Empty for a ``guid`` that is not a permanent link (RSS 2.0, guid): by its attribute, or
        because it is neither absolute nor a path.
        """
        if self.element.name == "guid":
            is_permanent = (self.attribute("ispermalink") or "").strip().lower() != "false"
            if not is_permanent or not _ABSOLUTE.match(value):
                return ""
        return joined(self.base, value) if self.base and value else value

    def _below(self, path: tuple[str, ...]) -> list["FeedNode"]:
        parts = [self]
        for name in path:
            parts = [
                FeedNode(child, base_in(child, part.base))
                for part in parts
                for child in part.element.children
                if _named(child, name)
            ]
        return sorted(parts, key=lambda part: part.element.prefix != self.element.prefix)

    def shows(self, select: str) -> bool:
        """Return True if ``select`` finds an element."""
        return self.first(select) is not None

    def text(self, _drop: Collection[str] = (), /) -> str:
        """Return its text, or its ``href`` if that is empty; ``_drop`` is ignored."""
        text = self.element.text[:_RAW_LIMIT]
        return plain(text if text.strip() else self.element.attributes.get("href", ""))

    def attribute(self, name: str, /) -> str | None:
        """Return an attribute's clean text, or None. Case is ignored."""
        # The names in rules are in lower case.
        attributes = self.element.attributes.items()
        return next((plain(value) for key, value in attributes if key.lower() == name), None)

    def glimpse(self, most: int) -> str:
        """Return the text of its children, at most ``most`` characters."""
        children = islice(self.element.children, most)
        texts = (plain(child.text[: most * 2]) for child in children)
        return shorten(" ".join(filter(None, texts)), most)


def feed_rows(rule: RowRule, kind: str, text: str, url: str) -> Listing:
    """Return the rows of a feed, at any depth; rows inside other rows are ignored.

    Raises:
        SuspectPage: ``not_feed`` or ``markup_bomb``.
    """
    root = _parsed(text)
    if root.name not in _ROOTS[kind]:
        raise SuspectPage(
            "not_feed",
            f"the document is <{shorten(root.name, 40)}>, not <{_ROOTS[kind][0]}>; "
            'correct "kind", or the address',
        )
    rows = (row for path in paths(rule.select) for row in _rows(root, path, url))
    return Listing([*islice(rows, ROW_LIMIT)], url)


def _parsed(text: str) -> Element:
    """Parse strictly; if that fails, again without what feed readers read past.

    That is: control characters, bare ampersands, and text before or behind the feed.
    """
    text = _DOCTYPE.sub(r"\1", text, count=1)
    try:
        try:
            return parse_xml(text)
        except XmlRefused as error:
            if error.reason != "malformed":
                raise
            return parse_xml(_mended(text))
    except XmlRefused as error:
        if error.reason == "limit":
            raise bomb(error.detail) from error
        seen = shorten(clean(text[:240]), 60)
        raise SuspectPage(
            "not_feed",
            f"{error.detail}; the answer begins {seen!r}: an error or login page, a broken feed, "
            "or the list is html; see what the address answers without a browser",
        ) from error


def _mended(text: str) -> str:
    """Escape bare ampersands, remove forbidden characters, and text before and behind the feed.

    Inside CDATA this adds an escape, which `plain` removes.
    """
    if begin := _BEGIN.search(text, 0, _STRAY):
        text = _DOCTYPE.sub(r"\1", text[begin.start() :], count=1)
    if root := _ROOT.search(text, 0, _STRAY):
        end = text.rfind(f"</{root[1]}")
        close = text.find(">", end) if end > 0 else -1
        if close > 0 and len(text) - close < _STRAY:
            text = text[: close + 1]
    return _BARE_AMPERSAND.sub("&amp;", _NO_CHARACTER.sub("", text))


def joined(base: str, address: str) -> str:
    """Return an address against a base; unchanged if they cannot be joined."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address


def base_in(element: Element, base: str, url: str = "") -> str:
    """Return the base in an element: its own ``xml:base``, against that around it.

    A base longer than 2,000 characters is ignored.
    """
    own = element.attributes.get(BASE)
    if own is None or len(own) > _LONGEST_BASE:
        return base
    inner = joined(base or url, own.strip())
    return inner if len(inner) <= _LONGEST_BASE else base


def _rows(root: Element, path: tuple[str, ...], url: str) -> Iterator[FeedNode]:
    pending: list[tuple[FeedNode, tuple[str, ...]]] = [
        (FeedNode(root, base_in(root, "", url)), (root.name,))
    ]
    while pending:
        node, names = pending.pop()
        if names[-len(path) :] == path:
            yield node
            continue
        pending += (
            (FeedNode(child, base_in(child, node.base, url)), (*names, child.name))
            for child in reversed(node.element.children)
        )


def _named(element: Element, name: str) -> bool:
    """Return whether an element has this name; a link must be ``rel="alternate"``, the default.

    Other links lead to other forms of a notice, its comments or its feed.
    """
    if element.name != name or name != "link":
        return element.name == name
    relations = element.attributes.get("rel", "").lower().split()
    return not relations or "alternate" in (each.removeprefix(_RELATIONS) for each in relations)
