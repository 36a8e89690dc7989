"""HWPX (OWPML, KS X 6101): a zip of XML, of the standards of 2011 and 2024 alike.

Elements are matched by local name, because the two standards differ in their namespaces alone. Text
deleted under tracked changes is left out. The file does not hold the number that a style gives a
paragraph.
"""

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from uring.extract.readers.markdown import join, paragraph, table, tidy
from uring.extract.readers.package import Package
from uring.extract.readers.reading import (
    ExtractLimits,
    FileReading,
    Trouble,
    Unreadable,
    numbering_note,
)
from uring.fetch.xml import Element, XmlLimits, XmlRefused, parse_xml

_XML: Final = XmlLimits(
    document=64_000_000, depth=200, elements=500_000, attributes=200, text=5_000_000
)
_PACKAGE: Final = "application/hwpml-package+xml"
_SECTIONS: Final = 500
_ROWS: Final = 10_000
_COLUMNS: Final = 1_000
_DIGITS: Final = 12
_SECTION: Final = re.compile(r"section(\d{1,6})\.xml$")
_NUMBERED: Final = {"NUMBER", "OUTLINE"}
_CHARACTERS: Final = {"tab": " ", "lineBreak": "\n", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}
_NOTES: Final = {"footNote", "endNote"}
# Heads and feet of pages are not the regulation's text; a default repeats its case.
_SILENT: Final = {"header", "footer", "default", "linesegarray", "secPr", "shapeComment", "pageNum"}


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the text of an HWPX file.

    Raises:
        Unreadable: ``encrypted``, ``damaged`` or ``too_big``.
    """
    package = Package(body)
    _refuse_encrypted(package)
    text = _Text(_numbered_styles(package))
    blocks = [block for name in _sections(package) for block in text.blocks(_xml(package, name))]
    return FileReading(join(blocks), notes=numbering_note(text.numbered))


def _xml(package: Package, name: str) -> Element:
    try:
        return parse_xml(package.part(name).decode("utf-8"), _XML)
    except UnicodeDecodeError as error:
        raise Unreadable("damaged", f"its part {name[:60]!r} is not in UTF-8") from error
    except XmlRefused as error:
        outcome: Trouble = "too_big" if error.reason == "limit" else "damaged"
        raise Unreadable(outcome, f"its part {name[:60]!r}: {error.detail}") from error


def _refuse_encrypted(package: Package) -> None:
    manifest = "META-INF/manifest.xml"
    if manifest in package and any(
        element.name == "encryption-data" for element in _xml(package, manifest).walk()
    ):
        raise Unreadable("encrypted", "it has a password; ask for an HWPX or PDF without one")


def _sections(package: Package) -> list[str]:
    """Return the names of the sections in the order of the spine, or of their numbers."""
    place = _content(package)
    content = _xml(package, place)
    items = {
        element.attributes.get("id", ""): element.attributes.get("href", "")
        for element in content.walk()
        if element.name == "item"
    }
    spine = [
        items.get(element.attributes.get("idref", ""), "")
        for element in content.walk()
        if element.name == "itemref"
    ]
    # By number, never as text: section10 comes after section9.
    found = [name for name in spine if _SECTION.search(name)] or sorted(
        (name for name in items.values() if _SECTION.search(name)), key=_number
    )
    if not found:
        raise Unreadable("damaged", "it names no section; ask the site to store it again")
    if len(found) > _SECTIONS:
        raise Unreadable("too_big", f"it has {len(found)} sections; at most {_SECTIONS} are read")
    folder = posixpath.dirname(place)
    return [name if name in package else posixpath.join(folder, name) for name in found]


def _number(name: str) -> int:
    found = _SECTION.search(name)
    return int(found[1]) if found else 0


def _content(package: Package) -> str:
    container = "META-INF/container.xml"
    if container in package:
        for element in _xml(package, container).walk():
            if element.name == "rootfile" and element.attributes.get("media-type") == _PACKAGE:
                return element.attributes.get("full-path", "")
    return "Contents/content.hpf"


def _numbered_styles(package: Package) -> frozenset[str]:
    """Return the ids of the paragraph styles that the word processor numbers."""
    header = "Contents/header.xml"
    if header not in package:
        return frozenset()
    return frozenset(
        style.attributes.get("id", "")
        for style in _xml(package, header).walk()
        if style.name == "paraPr"
        and any(
            child.name == "heading" and child.attributes.get("type") in _NUMBERED
            for child in style.walk()
        )
    )


class _Text:
    """The text of the sections; ``numbered`` counts paragraphs whose number the file lacks."""

    def __init__(self, numbered_styles: frozenset[str]) -> None:
        self.numbered = 0
        self._numbered_styles = numbered_styles
        self._is_deleted = False

    def blocks(self, parent: Element) -> Iterator[str]:
        """Yield the paragraphs and tables below an element, in order."""
        for child in parent.children:
            if child.name == "p":
                yield from self._paragraph(child)
            elif child.name not in _SILENT:
                yield from self.blocks(child)

    def _paragraph(self, element: Element) -> Iterator[str]:
        notes: list[str] = []
        text = ""
        for part in self._parts(element, notes):
            if isinstance(part, str):
                text += part
                continue
            if text.strip():
                yield paragraph(tidy(text))
            text = ""
            yield from self._table(part) if part.name == "tbl" else self.blocks(part)
        if text.strip():
            self.numbered += element.attributes.get("paraPrIDRef") in self._numbered_styles
            yield paragraph(tidy(text))
        yield from notes

    def _parts(self, element: Element, notes: list[str]) -> Iterator[str | Element]:
        """Yield the text of a paragraph's runs, its tables and its lists, in order.

        The texts of footnotes and endnotes are appended to ``notes``.
        """
        for child in element.children:
            if child.name == "t":
                yield self._words(child)
            elif child.name in _NOTES:
                notes.append("[각주] " + " ".join(self.blocks(child)))
            elif child.name in ("tbl", "subList"):
                yield child
            elif child.name == "script":
                yield child.text
            elif child.name not in _SILENT:
                yield from self._parts(child, notes)

    def _words(self, element: Element) -> str:
        words: list[str] = []
        for part in element.content:
            if isinstance(part, str):
                words.append("" if self._is_deleted else part)
            elif part.name in ("deleteBegin", "deleteEnd"):
                self._is_deleted = part.name == "deleteBegin"
            else:
                words.append(_CHARACTERS.get(part.name, ""))
        return "".join(words)

    def _table(self, element: Element) -> Iterator[str]:
        cells: dict[tuple[int, int], str] = {}
        for row in element.children:
            for cell in row.children if row.name == "tr" else ():
                if cell.name == "tc":
                    address = next(
                        (part for part in cell.children if part.name == "cellAddr"), cell
                    )
                    place = (
                        _index(address.attributes.get("rowAddr"), _ROWS),
                        _index(address.attributes.get("colAddr"), _COLUMNS),
                    )
                    cells[place] = " ".join(self.blocks(cell))
        yield table(cells)


def _index(value: str | None, most: int) -> int:
    if not value or not value.isascii() or not value.isdigit():
        return 0
    index = int(value[:_DIGITS])
    if index >= most:
        raise Unreadable(
            "damaged", f"a table has a cell at {index}; ask the site to store it again"
        )
    return index
