"""HWPX (OWPML, KS X 6101): a zip of XML, of the standards of 2011 and 2024 alike."""

import posixpath
import re
from typing import Final

from uring.extract.readers.hancom.hwpx_text import HwpxText, numbered_styles
from uring.extract.readers.hancom.numbering import NumberedStyles
from uring.extract.readers.markdown import join
from uring.extract.readers.package import Package
from uring.extract.readers.reading import (
    ExtractLimits,
    FileReading,
    Unreadable,
    numbering_note,
    private_note,
)

_PACKAGE: Final = "application/hwpml-package+xml"
_SECTIONS: Final = 500
_SECTION: Final = re.compile(r"section(\d{1,6})\.xml$")


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the text of an HWPX file.

    Raises:
        Unreadable: ``encrypted``, ``damaged`` or ``too_big``.
    """
    package = Package(body)
    _refuse_encrypted(package)
    text = HwpxText(_styles(package))
    blocks = [block for name in _sections(package) for block in text.section(package.xml(name))]
    markdown = join(blocks)
    notes = (*numbering_note(text.numbers.unnumbered), *private_note(markdown))
    return FileReading(markdown, notes=notes)


def _refuse_encrypted(package: Package) -> None:
    manifest = "META-INF/manifest.xml"
    if manifest in package and any(
        element.name == "encryption-data" for element in package.xml(manifest).walk()
    ):
        raise Unreadable("encrypted", "it has a password; ask for an HWPX or PDF without one")


def _sections(package: Package) -> list[str]:
    """Return the names of the sections in the order of the spine, or of their numbers."""
    place = _content(package)
    content = package.xml(place)
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
        for element in package.xml(container).walk():
            if element.name == "rootfile" and element.attributes.get("media-type") == _PACKAGE:
                return element.attributes.get("full-path", "")
    return "Contents/content.hpf"


def _styles(package: Package) -> NumberedStyles:
    header = "Contents/header.xml"
    return numbered_styles(package.xml(header)) if header in package else NumberedStyles()
