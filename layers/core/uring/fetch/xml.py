"""Untrusted XML: expat under limits, no DOCTYPE, hence no entities beyond XML's five.

The limits are checked while expat reads, so that a bomb costs what was read up to its limit.
Nothing is looked up or loaded, and prefixes need no declaration: names are local ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal
from xml.parsers import expat

from uring.errors import UringError

Reason = Literal["malformed", "doctype", "limit"]


class XmlRefused(UringError):
    """A document was refused; callers say what that means for their source.

    Args:
        reason: ``malformed``, ``doctype``, or ``limit`` (it is a bomb, or larger than foreseen).
        detail: what was seen and where.
    """

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason: Reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class XmlLimits:
    """The limits of a document.

    Attributes:
        document: characters of the whole.
        depth: elements in each other, the root included.
        elements: of the whole.
        attributes: of one element.
        text: characters in one element, those of its children not counted.
    """

    document: int = 2_000_000
    depth: int = 50
    elements: int = 50_000
    attributes: int = 50
    text: int = 500_000


LIMITS: Final = XmlLimits()


@dataclass(slots=True)
class Element:
    """An element. Names are without prefix; of attributes with one local name the plain one counts.

    Attributes:
        name: such as ``creator`` of ``dc:creator``.
        prefix: such as ``dc``, empty without one.
        attributes: by name, without declarations of namespaces.
        content: text and child elements in the document's order.
    """

    name: str
    prefix: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    content: list["str | Element"] = field(default_factory=list)

    @property
    def children(self) -> Iterator["Element"]:
        """The child elements."""
        return (part for part in self.content if isinstance(part, Element))

    @property
    def text(self) -> str:
        """All text in it, that of its children included, as it stands."""
        return "".join(
            part if isinstance(part, str) else part.text  # the depth is limited
            for part in self.content
        )

    def walk(self) -> Iterator["Element"]:
        """Yield it and all elements below it, in the document's order."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse_xml(document: str, limits: XmlLimits = LIMITS) -> Element:
    """Parse a document that is text already; its declaration's encoding does not count.

    White space before the declaration, which no standard allows and many servers send, is ignored.

    Raises:
        XmlRefused: it is no XML, has a DOCTYPE, or exceeds a limit.
    """
    if len(document) > limits.document:
        raise XmlRefused("limit", f"more than {limits.document} characters")
    reader = _Reader(limits)
    # The encoding given here overrules that of the declaration.
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
    """The handlers that build the tree; each may end the parse by raising."""

    def __init__(self, limits: XmlLimits) -> None:
        self.root = Element("")
        self._limits = limits
        self._open: list[Element] = []
        self._sizes: list[int] = []
        self._elements = 0

    def doctype(self, name: str, *_: object) -> None:
        raise XmlRefused("doctype", f"it has a DOCTYPE {name[:40]!r}")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > self._limits.elements:
            raise XmlRefused("limit", f"more than {self._limits.elements} elements")
        if len(self._open) >= self._limits.depth:
            raise XmlRefused("limit", f"elements nested deeper than {self._limits.depth}")
        if len(attributes) > self._limits.attributes:
            raise XmlRefused("limit", f"an element with {len(attributes)} attributes")
        prefix, local = _split(name)
        element = Element(local, prefix, _local(attributes) if attributes else {})
        if self._open:
            self._open[-1].content.append(element)
        else:
            self.root = element
        self._open.append(element)
        self._sizes.append(0)

    def end(self, _: str) -> None:
        self._open.pop()
        self._sizes.pop()

    def text(self, data: str) -> None:
        self._sizes[-1] += len(data)
        if self._sizes[-1] > self._limits.text:
            raise XmlRefused("limit", f"more than {self._limits.text} characters in one element")
        self._open[-1].content.append(data)


def _split(name: str) -> tuple[str, str]:
    prefix, _, local = name.rpartition(":")
    return prefix, local


def _local(attributes: dict[str, str]) -> dict[str, str]:
    plain = {name: value for name, value in attributes.items() if ":" not in name}
    plain.pop("xmlns", None)
    for name, value in attributes.items():
        prefix, local = _split(name)
        if prefix and prefix != "xmlns":
            plain.setdefault(local, value)
    return plain
