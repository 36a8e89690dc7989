"""Untrusted XML as elements of `xml.etree`, built and searched in C.

For documents that are read by name, as often as weather reports are. The limits, and what is
refused, are those of `uring.fetch.xml`: its reader decides wherever one of them may be exceeded.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element as Element  # noqa: PLC0414 - for those who read trees
from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from uring.fetch.xml import LIMITS, XmlLimits, XmlRefused, local_attributes, parse_xml
from uring.fetch.xml import Element as Part

# Characters of an attribute and what parts it from the one before, at least: ` a=""`.
_SHORTEST: Final = 5


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Local names by what is written: documents that have no others with a prefix are not renamed.

    Attributes:
        written: ``{"gml:id": "id"}``.
        attributes: the local names of attributes in it. A document that has one of them without a
            prefix, too, is renamed attribute by attribute: the plain one counts.
    """

    written: MappingProxyType[str, str]
    attributes: frozenset[str]


NO_NAMES: Final = KnownNames(MappingProxyType({}), frozenset())


def parse_tree(document: str, limits: XmlLimits = LIMITS, known: KnownNames = NO_NAMES) -> Element:
    """Parse as `parse_xml` does. Names are local ones; declarations of namespaces may be there.

    Raises:
        XmlRefused: it is no XML, has a DOCTYPE, or exceeds a limit.
    """
    if not _is_doubtful(document, limits):
        tree = _built(document, known)
        # A text is no longer than the document.
        is_long = len(document) > limits.text
        if tree is not None and not (
            _is_large(tree, limits) or (is_long and _longest_text(tree) > limits.text)
        ):
            return tree
    return tree_of(parse_xml(document, limits))


def tree_of(part: Part) -> Element:
    """Return the same element, and all below it, as those of `xml.etree`."""
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
    """Return all text in it, that of its children included, as it stands."""
    return "".join(part.itertext()) if len(part) else part.text or ""


def first_child(part: Element | None) -> Element | None:
    """Return the first child element, or None."""
    return part[0] if part is not None and len(part) else None


def _is_doubtful(document: str, limits: XmlLimits) -> bool:
    """Return True where building a tree of it might take more than the limits allow."""
    if len(document) > limits.document:
        return True
    # Nearly all elements are two tags; comments are tags here, too.
    most = 2 * limits.elements
    if len(document) > most and document.count("<") > most:
        return True
    # No value has a "<" in it, so that a tag reaches to the next one at most.
    long = _long_tags(limits.attributes * _SHORTEST).findall(document)
    return any(tag.count("=") > limits.attributes for tag in long)


@lru_cache(maxsize=16)
def _long_tags(characters: int) -> re.Pattern[str]:
    return re.compile(f"<[^<]{{{characters},}}+")


def _built(document: str, known: KnownNames) -> Element | None:
    """Build the tree; None where anything is wrong with the document."""
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
    """Parse; a name that is a key of ``names`` becomes its value, every other is added to them."""
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
    """Return True when the names that were added are local ones, and none is that of another."""
    return not any(
        name in known.attributes or (":" in name and not name.startswith("xmlns:"))
        for name in added
    )


def _renamed(tree: Element) -> Element:
    for part in tree.iter():
        if ":" in part.tag:
            part.tag = part.tag.rpartition(":")[2]
        if part.attrib:
            part.attrib = local_attributes(part.attrib)
    return tree


def _is_large(tree: Element, limits: XmlLimits) -> bool:
    """Return True where a tree is deeper, or of more elements, than the limits."""
    level, elements, depth = [tree], 1, 1
    while level := list(chain.from_iterable(level)):
        elements += len(level)
        depth += 1
        if depth > limits.depth or elements > limits.elements:
            return True
    return False


def _longest_text(tree: Element) -> int:
    """Return the characters of the longest text in one element, its children's not counted."""
    return max(
        len(part.text or "") + sum(len(inner.tail or "") for inner in part) for part in tree.iter()
    )
