"""The rows of RSS (2.0, 1.0 and older) and Atom."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Final

from uring.errors import SuspectPage
from uring.fetch.xml import Element, XmlRefused, parse_xml
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


@dataclass(frozen=True, slots=True)
class FeedNode:
    """An element; ``select`` is a path of names of children, without prefix, separated by dots.

    Of several children with one name, those with the row's own prefix come first: ``title`` before
    ``media:title``. The text of an empty element is its ``href``, as Atom's links need it.
    """

    link_attribute: ClassVar[str | None] = None
    escape: ClassVar[str] = ""
    element: Element

    def first(self, select: str) -> "FeedNode | None":
        """Return the first part that ``select`` finds, or None."""
        return next(iter(self.every(select, 1)), None)

    def every(self, select: str, most: int) -> Iterable["FeedNode"]:
        """Return the first ``most`` parts that ``select`` finds."""
        parts = (part for path in paths(select) for part in _below(self.element, path))
        return (FeedNode(part) for part in islice(parts, most))

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
    rows = (row for path in paths(rule.select) for row in _rows(root, path))
    return Listing([FeedNode(row) for row in islice(rows, ROW_LIMIT)], url)


def _parsed(text: str) -> Element:
    """Parse strictly; if that fails, again without control characters and bare ampersands."""
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
    """Escape bare ampersands and remove forbidden characters.

    Inside CDATA this adds an escape, which `plain` removes.
    """
    return _BARE_AMPERSAND.sub("&amp;", _NO_CHARACTER.sub("", text))


def _rows(root: Element, path: tuple[str, ...]) -> Iterator[Element]:
    pending: list[tuple[Element, tuple[str, ...]]] = [(root, (root.name,))]
    while pending:
        element, names = pending.pop()
        if names[-len(path) :] == path:
            yield element
            continue
        children = list(element.children)
        pending += ((child, (*names, child.name)) for child in reversed(children))


def _below(element: Element, path: tuple[str, ...]) -> list[Element]:
    parts = [element]
    for name in path:
        parts = [child for part in parts for child in part.children if _named(child, name)]
    return sorted(parts, key=lambda part: part.prefix != element.prefix)


def _named(element: Element, name: str) -> bool:
    """Return whether an element has this name; a link must be ``rel="alternate"``, the default.

    Other links lead to other forms of a notice, its comments or its feed.
    """
    return element.name == name and (
        name != "link" or element.attributes.get("rel", "alternate") == "alternate"
    )
