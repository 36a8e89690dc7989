"""Untrusted XML as elements of `xml.etree`, built and searched in C.

For documents that are searched by name, as often as weather reports. The limits and the refusals
are those of `uring.fetch.xml`: its reader decides if a limit may be exceeded.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element as Element  # noqa: PLC0414 - for modules that read trees
from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from uring.fetch.xml import LIMITS, XmlLimits, XmlRefused, local_attributes, parse_xml
from uring.fetch.xml import Element as Part

# The fewest characters of an attribute, with its separator: ` a=""`.
_SHORTEST: Final = 5


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Local names by written name: a document without other prefixed names is not renamed.

    Attributes:
        written: ``{"gml:id": "id"}``.
        attributes: the local names of its attributes. A document that also has one of them without
            a prefix is renamed attribute by attribute: the plain one counts.
    """

    written: MappingProxyType[str, str]
    attributes: frozenset[str]


NO_NAMES: Final = KnownNames(MappingProxyType({}), frozenset())


def parse_tree(document: str, limits: XmlLimits = LIMITS, known: KnownNames = NO_NAMES) -> Element:
    """Parse as `parse_xml`. Names are local ones; namespace declarations may remain.

    Raises:
        XmlRefused: the document is not XML, has a DOCTYPE, or exceeds a limit.
    """
    if not _is_doubtful(document, limits):
        tree = _built(document, known)
        # No text is longer than the document.
        is_long = len(document) > limits.text
        if tree is not None and not (
            _is_large(tree, limits) or (is_long and _longest_text(tree) > limits.text)
        ):
            return tree
    return tree_of(parse_xml(document, limits))


def tree_of(part: Part) -> Element:
    """Return an element, and all below it, as elements of `xml.etree`."""
    tree = Element(part.name, part.attributes)
    last = None
    # The depth is limited.
    for content in part.content:
        if not isinstance(content, str):
            last = tree_of(content)
            tree.append(last)
        elif last is None:
            tree.text = (tree.text or "") + content
        else:
            last.tail = (last.tail or "") + content
    return tree


def text_of(part: Element) -> str:
    """Return all text in an element and its children, unchanged."""
    return "".join(part.itertext()) if len(part) else part.text or ""


def first_child(part: Element | None) -> Element | None:
    """Return the first child element, or None."""
    return part[0] if part is not None and len(part) else None


def _is_doubtful(document: str, limits: XmlLimits) -> bool:
    """Return True if a tree of the document might exceed the limits."""
    if len(document) > limits.document:
        return True
    # Nearly every element is two tags; comments count as tags here, too.
    most = 2 * limits.elements
    if len(document) > most and document.count("<") > most:
        return True
    # No value has a "<" in it: a tag ends at the next one at the latest.
    long = _long_tags(limits.attributes * _SHORTEST).findall(document)
    return any(tag.count("=") > limits.attributes for tag in long)


@lru_cache(maxsize=16)
def _long_tags(characters: int) -> re.Pattern[str]:
    return re.compile(f"<[^<]{{{characters},}}+")


def _built(document: str, known: KnownNames) -> Element | None:
    """Return the tree; None for a malformed document."""
    body = document.lstrip("\ufeff \t\r\n").encode("utf-8", "replace")
    names = known.written.copy()
    try:
        tree = _parsed(body, names)
        if not _are_known(islice(names, len(known.written), None), known):
            tree = _renamed(_parsed(body, {}))
    except (expat.ExpatError, XmlRefused):
        return None
    return tree


def _parsed(body: bytes, names: dict[str, str]) -> Element:
    """Parse; names that are keys of ``names`` become their values, others are added to it."""
    builder = TreeBuilder()
    parser = expat.ParserCreate("utf-8", None, names)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _doctype
    # Methods in C, which expat calls without the interpreter.
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.Parse(body, True)
    return builder.close()


def _doctype(*_: object) -> None:
    raise XmlRefused("doctype", "it has a DOCTYPE")


def _are_known(added: Iterable[str], known: KnownNames) -> bool:
    """Return True when the added names are local and none is a known attribute's."""
    return not any(
        name in known.attributes or (":" in name and not name.startswith("xmlns:"))
        for name in added
    )


def _renamed(tree: Element) -> Element:
    """Give all names their local form; ``xmlns`` of a renamed element is its own namespace."""
    spaces: dict[str, str] = {}
    for part in tree.iter():
        written = part.attrib
        prefix, _, part.tag = part.tag.rpartition(":")
        if written:
            spaces |= {name[6:]: it for name, it in written.items() if name.startswith("xmlns:")}
            part.attrib = local_attributes(written)
        if prefix in spaces:
            part.attrib["xmlns"] = spaces[prefix]
    return tree


def _is_large(tree: Element, limits: XmlLimits) -> bool:
    """Return True if a tree is deeper, or has more elements, than the limits."""
    level, elements, depth = [tree], 1, 1
    while level := list(chain.from_iterable(level)):
        elements += len(level)
        depth += 1
        if depth > limits.depth or elements > limits.elements:
            return True
    return False


def _longest_text(tree: Element) -> int:
    """Return the length of the longest text in one element, without its children's."""
    return max(
        len(part.text or "") + sum(len(inner.tail or "") for inner in part) for part in tree.iter()
    )
