"""DOCX (ECMA-376, ISO/IEC 29500): a zip of XML, in the transitional and the strict form alike.

Only the parts of the package are read, and nothing is looked up outside it: external targets,
macros and embedded files are left alone.
"""

import posixpath
from typing import Final

from uring.extract.readers.markdown import join
from uring.extract.readers.package import Package
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable, private_note
from uring.extract.readers.word.word_numbers import WordNumbers
from uring.extract.readers.word.word_styles import WordStyles, part
from uring.extract.readers.word.word_text import NoteKind, WordText, unread_notes
from uring.fetch.xml import Element

_DOCUMENT: Final = "word/document.xml"
_NOTES: Final[tuple[NoteKind, ...]] = ("footnote", "endnote")


def read(body: bytes, _: ExtractLimits) -> FileReading:
    """Return the text of a DOCX file.

    Raises:
        Unreadable: ``encrypted``, ``damaged`` or ``too_big``.
    """
    package = Package(body)
    place = _targets(package, "").get("officeDocument", _DOCUMENT)
    document = part(package.xml(place), "body")
    if document is None:
        raise Unreadable("damaged", "it has no body; ask the site to store it again")
    targets = _targets(package, place)

    def root(kind: str) -> Element | None:
        return package.xml(targets[kind]) if targets.get(kind, "") in package else None

    styles = WordStyles(root("styles"))
    notes = {kind: _notes(root(f"{kind}s"), kind) for kind in _NOTES}
    text = WordText(styles, WordNumbers(root("numbering"), styles), notes)
    markdown = join(text.blocks(document))
    return FileReading(markdown, notes=(*unread_notes(text.unread), *private_note(markdown)))


def _targets(package: Package, source: str) -> dict[str, str]:
    """Return the names of the parts that a part refers to, by the last word of their kind."""
    folder, name = posixpath.split(source)
    place = posixpath.join(folder, "_rels", f"{name}.rels")
    if place not in package:
        return {}
    targets: dict[str, str] = {}
    for each in package.xml(place).children:
        attributes = each.attributes
        if attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            target = posixpath.join("/", folder, attributes.get("Target", ""))
            targets.setdefault(kind, posixpath.normpath(target).lstrip("/"))
    return targets


def _notes(root: Element | None, kind: NoteKind) -> dict[str, Element]:
    children = root.children if root else ()
    return {each.attributes.get("id", ""): each for each in children if each.name == kind}
