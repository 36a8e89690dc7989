"""The text of an HWPX's sections: paragraphs, tables, notes, and the numbers of styles.

Elements are matched by local name, because the standards of 2011 and 2024 differ in their
namespaces alone. Memos, hidden comments, heads and feet of pages, and text deleted under tracked
changes are left out without cutting a sentence.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from uring.extract.readers.hancom.numbering import (
    Heading,
    Kind,
    Level,
    ListCounters,
    NumberedStyles,
    Numbering,
    joined,
    spelled,
)
from uring.extract.readers.markdown import paragraph, tables, tidy
from uring.extract.readers.reading import Unreadable
from uring.fetch.xml import Element

_ROWS: Final = 10_000
_COLUMNS: Final = 1_000
_DIGITS: Final = 12
_KINDS: Final[dict[str, Kind]] = {"OUTLINE": "outline", "NUMBER": "number"}
_CHARACTERS: Final = {"tab": " ", "lineBreak": "\n", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}
_NOTES: Final = {"footNote": "각주", "endNote": "미주"}
# The numbers of a footnote stand in its mark; those of pages are not the regulation's text.
_COUNTED: Final = {"TABLE", "PICTURE", "EQUATION"}
# A default repeats its case; the list below a field's begin is a memo.
_SILENT_NAMES: Final = (
    "header footer default linesegarray secPr shapeComment pageNum fieldBegin hiddenComment"
)
_SILENT: Final = frozenset(_SILENT_NAMES.split())


def numbered_styles(header: Element) -> NumberedStyles:
    """Return the paragraph styles of a header that are numbered, and the definitions."""
    styles = NumberedStyles()
    for element in header.walk():
        name = element.attributes.get("id", "")
        if element.name == "paraPr":
            heading = next((each for each in element.walk() if each.name == "heading"), element)
            kind = _KINDS.get(heading.attributes.get("type", ""))
            if kind is not None:
                definition = heading.attributes.get("idRef", "")
                styles.headings[name] = Heading(kind, definition, _number(heading, "level"))
        elif element.name == "numbering":
            styles.definitions[name] = _numbering(element)
    return styles


class HwpxText:
    """The text of the sections, to be read in their order.

    Attributes:
        numbers: of the paragraphs read so far.
    """

    def __init__(self, styles: NumberedStyles) -> None:
        self.numbers = ListCounters(styles)
        self._notes: Counter[str] = Counter()
        self._is_deleted = False

    def section(self, root: Element) -> Iterator[str]:
        """Yield the paragraphs and tables of a section, in order."""
        self._is_deleted = False
        first = (run for each in root.children[:1] for run in each.children)
        outline = next(
            (each for run in first for each in run.children if each.name == "secPr"), root
        )
        self.numbers.begin_section(outline.attributes.get("outlineShapeIDRef", ""))
        yield from self._blocks(root)

    def _blocks(self, parent: Element) -> Iterator[str]:
        for child in parent.children:
            if child.name == "p":
                yield from self._paragraph(child)
            elif child.name not in _SILENT:
                yield from self._blocks(child)

    def _paragraph(self, element: Element) -> Iterator[str]:
        style = "" if self._is_deleted else element.attributes.get("paraPrIDRef", "")
        # An empty paragraph counts, too.
        label = self.numbers.label(style)
        notes: list[str] = []
        text = ""
        for part in self._parts(element, notes):
            if isinstance(part, str):
                text += part
                continue
            inner = [*(self._table(part) if part.name == "tbl" else self._blocks(part))]
            if not any(inner):
                continue
            if text.strip():
                yield paragraph(tidy(joined(label, text)))
                label = ""
            text = ""
            yield from inner
        if text.strip():
            yield paragraph(tidy(joined(label, text)))
        yield from notes

    def _parts(self, element: Element, notes: list[str]) -> Iterator[str | Element]:
        """Yield the text of a paragraph's runs, its tables and its lists, in order.

        The texts of footnotes and endnotes are appended to ``notes``.
        """
        for child in _ordered(element):
            name = child.name
            if name == "t":
                yield self._words(child)
            elif name in _NOTES:
                notes += self._note(child)
            elif name == "tbl" and self._is_deleted:
                # Read for the mark where the deletion ends.
                [*self._blocks(child)]
            elif name in ("tbl", "subList"):
                yield child
            elif name in ("script", "compose", "dutmal", "autoNum"):
                yield "" if self._is_deleted else _inline(child)
            elif name not in _SILENT:
                yield from self._parts(child, notes)

    def _note(self, element: Element) -> list[str]:
        name = _NOTES[element.name]
        self._notes[name] += 1
        number = element.attributes.get("number") or str(self._notes[name])
        text = " ".join(self._blocks(element))
        return [f"[{name} {number}] {text}"] if text else []

    def _words(self, element: Element) -> str:
        words: list[str] = []
        for part in element.content:
            if isinstance(part, str):
                words.append("" if self._is_deleted else part)
            elif part.name in ("deleteBegin", "deleteEnd"):
                self._is_deleted = part.name == "deleteBegin"
            elif not self._is_deleted:
                words.append(_CHARACTERS.get(part.name, ""))
        return "".join(words)

    def _table(self, element: Element) -> Iterator[str]:
        """Yield a table between its captions: one below it stands behind it."""
        cells: dict[tuple[int, int], list[str]] = {}
        captions: dict[bool, list[str]] = {False: [], True: []}
        for child in element.children:
            if child.name == "caption":
                captions[child.attributes.get("side") == "BOTTOM"] += self._blocks(child)
            for cell in child.children if child.name == "tr" else ():
                if cell.name == "tc":
                    cells.setdefault(_place(cell), []).extend(self._blocks(cell))
        yield from captions[False]
        yield from tables(cells)
        yield from captions[True]


def _ordered(element: Element) -> Sequence[Element]:
    """Return the children, a drawing's caption first unless it stands below."""
    if not any(child.name == "caption" for child in element.children):
        return element.children
    return sorted(element.children, key=_is_not_above)


def _is_not_above(element: Element) -> bool:
    return element.name != "caption" or element.attributes.get("side") == "BOTTOM"


def _numbering(element: Element) -> Numbering:
    levels: list[Level] = []
    for head in element.children:
        # In the order of their levels; a level that is left out has no label.
        if head.name == "paraHead":
            shape = head.attributes.get("numFormat", "DIGIT").replace("CAPTION", "CAPITAL")
            levels.append(Level(head.text, shape, _number(head, "start")))
    return Numbering(tuple(levels), continues=_number(element, "start") == 0)


def _inline(element: Element) -> str:
    """Return the words of an equation, of letters in one place, under a ruby, or of a number."""
    if element.name == "compose":
        letters = element.attributes.get("composeText", "")
        is_circled = "CIRCLE" in element.attributes.get("circleType", "")
        is_number = letters.isascii() and letters.isdigit()
        return spelled(int(letters[:4]), "CIRCLED_DIGIT") if is_circled and is_number else letters
    if element.name == "dutmal":
        parts = {part.name: part.text.strip() for part in element.children}
        above = parts.get("subText", "")
        return parts.get("mainText", "") + (f"({above})" if above else "")
    if element.name == "autoNum":
        is_counted = element.attributes.get("numType") in _COUNTED
        return element.attributes.get("num", "") if is_counted else ""
    return element.text


def _number(element: Element, name: str) -> int:
    value = element.attributes.get(name, "")
    return int(value[:_DIGITS]) if value.isascii() and value.isdigit() else 0


def _place(cell: Element) -> tuple[int, int]:
    address = next((part for part in cell.children if part.name == "cellAddr"), cell).attributes
    return _index(address.get("rowAddr"), _ROWS), _index(address.get("colAddr"), _COLUMNS)


def _index(value: str | None, most: int) -> int:
    if not value or not value.isascii() or not value.isdigit():
        return 0
    index = int(value[:_DIGITS])
    if index >= most:
        raise Unreadable(
            "damaged", f"a table has a cell at {index}; ask the site to store it again"
        )
    return index
