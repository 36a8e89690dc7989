"""Untrusted XML: expat under limits, no DOCTYPE, hence no entities beyond XML's five.

The limits are checked while expat reads, so that a bomb costs no more than its part below them.
Nothing is looked up or loaded, and prefixes need no declaration: names are local ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal
from xml.parsers import expat

from uring.errors import UringError

BASE: Final = "xml:base"
"""The attribute with the base of relative addresses (https://www.w3.org/TR/xmlbase)."""

Reason = Literal["malformed", "doctype", "limit"]


class XmlRefused(UringError):
    """Raised when a document is refused; callers translate it for their source.

    Args:
        reason: ``malformed``, ``doctype``, or ``limit`` (a bomb, or larger than foreseen).
        detail: the problem and its place.
    """

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason: Reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class XmlLimits:
    """The limits of a document.

    Attributes:
        document: characters of the whole document.
        depth: nested elements, the root included.
        elements: elements of the whole document.
        attributes: attributes of one element.
        text: characters of one element, those of its children not counted.
    """

    document: int = 2_000_000
    depth: int = 50
    elements: int = 50_000
    attributes: int = 50
    text: int = 500_000


LIMITS: Final = XmlLimits()


@dataclass(slots=True)
class Element:
    """An element. Names have no prefix; a plain attribute wins over prefixed ones of its name.

    Attributes:
        name: such as ``creator`` of ``dc:creator``.
        prefix: such as ``dc``; empty for a plain name.
        attributes: by name, without declarations of namespaces; ``xml:base`` keeps its prefix.
        content: text and child elements in the document's order; not to be changed once
            ``children`` or ``below`` was read, because both are kept.
    """

    name: str
    prefix: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    content: list["str | Element"] = field(default_factory=list)
    _children: "Sequence[Element] | None" = field(default=None, repr=False, compare=False)
    _below: "Sequence[Element] | None" = field(default=None, repr=False, compare=False)

    @property
    def children(self) -> Sequence["Element"]:
        """The child elements."""
        children = self._children
        if children is None:
            content = self.content
            # Most elements hold text only; they share one empty tuple.
            if not content or (len(content) == 1 and isinstance(content[0], str)):
                children = ()
            else:
                children = [part for part in content if not isinstance(part, str)]
            self._children = children
        return children

    @property
    def below(self) -> Sequence["Element"]:
        """All elements below it, in the document's order."""
        below = self._below
        if below is None:
            flat: list[Element] = []
            for child in self.children:
                flat.append(child)
                # The recursion ends: the depth is limited. Each child keeps its own list, too.
                if child.children:
                    flat += child.below
            below = self._below = flat or ()
        return below

    @property
    def text(self) -> str:
        """All text in the element and its children, unchanged."""
        content = self.content
        if len(content) == 1 and isinstance(only := content[0], str):
            return only
        # The recursion ends: the depth is limited.
        return "".join(part if isinstance(part, str) else part.text for part in content)

    def walk(self) -> Iterator["Element"]:
        """Yield the element and all elements below it, in the document's order."""
        yield self
        yield from self.below


def parse_xml(document: str, limits: XmlLimits = LIMITS) -> Element:
    """Parse a decoded document and return its root; the declared encoding does not count.

    White space before the declaration, which no standard allows and many servers send, is ignored.

    Raises:
        XmlRefused: the document is not well-formed, has a DOCTYPE, or exceeds a limit.
    """
    if len(document) > limits.document:
        raise XmlRefused("limit", f"more than {limits.document} characters")
    reader = _Reader(limits)
    # This encoding overrules the declared one.
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        # In one piece: expat is quadratic in pieces of one long token.
        parser.Parse(document.lstrip("\ufeff \t\r\n").encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise XmlRefused(
            "malformed", f"line {error.lineno}, column {error.offset + 1}: {what}"
        ) from None
    return reader.root


class _Reader:
    """The handlers that build the tree; each may end the parse with XmlRefused."""

    __slots__ = ("_elements", "_limits", "_most_text", "_names", "_open", "_sizes", "root")

    def __init__(self, limits: XmlLimits) -> None:
        self.root = Element("")
        self._limits = limits
        self._most_text = limits.text
        self._open: list[Element] = []
        self._sizes: list[int] = []
        self._elements = 0
        # Prefix and local name by full name: a document has few names, each many times.
        self._names: dict[str, tuple[str, str]] = {}

    def doctype(self, name: str, *_: object) -> None:
        raise XmlRefused("doctype", f"it has a DOCTYPE {name[:40]!r}")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        limits = self._limits
        around = self._open
        self._elements += 1
        if self._elements > limits.elements:
            raise XmlRefused("limit", f"more than {limits.elements} elements")
        if len(around) >= limits.depth:
            raise XmlRefused("limit", f"elements nested deeper than {limits.depth}")
        names = self._names.get(name)
        if names is None:
            names = self._names[name] = _split(name)
        if attributes:
            if len(attributes) > limits.attributes:
                raise XmlRefused("limit", f"an element with {len(attributes)} attributes")
            attributes = local_attributes(attributes)
        element = Element(names[1], names[0], attributes, [])
        if around:
            around[-1].content.append(element)
        else:
            self.root = element
        around.append(element)
        self._sizes.append(0)

    def end(self, _: str) -> None:
        self._open.pop()
        self._sizes.pop()

    def text(self, data: str) -> None:
        size = self._sizes[-1] = self._sizes[-1] + len(data)
        if size > self._most_text:
            raise XmlRefused("limit", f"more than {self._most_text} characters in one element")
        self._open[-1].content.append(data)


def _split(name: str) -> tuple[str, str]:
    prefix, _, local = name.rpartition(":")
    return prefix, local


def local_attributes(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return attributes by local name, without declarations of namespaces.

    ``xml:base`` keeps its prefix: it belongs to no element's own language. A plain attribute wins
    over prefixed ones; of prefixed ones the first wins.
    """
    plain: dict[str, str] = {}
    prefixed: list[str] = []
    for name, value in attributes.items():
        if ":" in name:
            prefixed.append(name)
        elif name != "xmlns":
            plain[name] = value
    for name in prefixed:
        prefix, local = _split(name)
        if prefix and prefix != "xmlns":
            plain.setdefault(BASE if name == BASE else local, attributes[name])
    return plain
