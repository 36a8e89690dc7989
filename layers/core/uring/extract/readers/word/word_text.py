"""The text of a Word document as Word prints it: paragraphs, tables, text boxes, notes.

Elements are matched by local name, because the transitional and the strict form differ in their
namespaces alone. Deleted revisions, hidden text, comments, heads and feet of pages, and the codes
of fields are left out. A paragraph whose mark is deleted or hidden goes on in the next one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from uring.extract.readers.hancom.numbering import joined
from uring.extract.readers.markdown import paragraph, tables, tidy
from uring.extract.readers.reading import Unreadable
from uring.extract.readers.word.word_numbers import WordNumbers
from uring.extract.readers.word.word_styles import (
    WordStyles,
    is_on,
    list_of,
    number_of,
    outline_of,
    part,
    value_of,
)
from uring.fetch.xml import Element

NoteKind = Literal["footnote", "endnote"]

_COLUMNS: Final = 1_000
_LONGEST_HEADING: Final = 150
_HEADING_LEVELS: Final = 6
_NOTES: Final[dict[str, tuple[NoteKind, str]]] = {
    "footnoteReference": ("footnote", "각주"),
    "endnoteReference": ("endnote", "미주"),
}
_UNREAD: Final = {
    "chart": "chart",
    "relIds": "diagram",
    "altChunk": "part from another file",
    "subDoc": "part from another file",
}
_SILENT_NAMES: Final = (
    "del moveFrom pPr rPr tblPr tblGrid tcPr trPr sdtPr sdtEndPr sectPr instrText delText "
    "delInstrText"
)
_SILENT: Final = frozenset(_SILENT_NAMES.split())
_DELETED: Final = ("del", "moveFrom")
# An article is not a heading: its text stands in the line of its number.
_ARTICLE: Final = re.compile(r"제 ?\d{1,4} ?조")


def _symbol(element: Element) -> str:
    """Return the letter of a symbol's font, which is in Unicode's private area."""
    code = element.attributes.get("char", "")
    is_code = re.fullmatch(r"[0-9A-Fa-f]{4}", code) is not None
    return chr(int(code, 16)) if is_code else ""


_LETTERS: Final[dict[str, Callable[[Element], str]]] = {
    "t": lambda element: element.text,
    "tab": lambda _: " ",
    "ptab": lambda _: " ",
    "br": lambda _: "\n",
    "cr": lambda _: "\n",
    "noBreakHyphen": lambda _: "-",
    "sym": _symbol,
    "textpath": lambda element: element.attributes.get("string", ""),
}


@dataclass(slots=True)
class _Line:
    """A paragraph in the making: its label, its text, the blocks in it and its notes."""

    label: str = ""
    pieces: list[str] = field(default_factory=list)
    has_text: bool = False
    outline: int | None = None
    is_hidden: bool = False
    inner: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def blocks(self) -> Iterator[str]:
        """Yield the paragraph; a text box at its start stands above it, another one below."""
        if self.has_text:
            text = joined(self.label, "".join(self.pieces))
            yield _marked(tidy(text).strip(), self.outline)
        yield from self.inner
        yield from self.notes


class WordText:
    """The text of one document.

    Attributes:
        unread: how many charts, diagrams and parts of other files are left out, by name.

    Args:
        styles: of the document.
        numbers: of its lists.
        notes: the elements of footnotes and endnotes by id.
    """

    def __init__(
        self,
        styles: WordStyles,
        numbers: WordNumbers,
        notes: Mapping[NoteKind, Mapping[str, Element]],
    ) -> None:
        self.unread: Counter[str] = Counter()
        self._styles = styles
        self._numbers = numbers
        self._notes = notes
        self._told: dict[NoteKind, set[str]] = {"footnote": set(), "endnote": set()}
        self._is_in_note = False
        self._waiting: _Line | None = None
        # Of each open field, whether its result has begun.
        self._fields: list[bool] = []

    def blocks(self, container: Element) -> Iterator[str]:
        """Yield the paragraphs and tables of a body, a cell, a note or a text box, in order."""
        around, self._waiting = self._waiting, None
        yield from self._walk(container)
        yield from self._end()
        self._waiting = around

    def _walk(self, parent: Element) -> Iterator[str]:
        for child in _visible(parent):
            if child.name == "p":
                yield from self._paragraph(child)
            elif child.name == "tbl":
                yield from self._end()
                yield from self._table(child)
            elif child.name in _UNREAD:
                self.unread[_UNREAD[child.name]] += 1
            else:
                yield from self._walk(child)

    def _end(self) -> Iterator[str]:
        """Yield the paragraph that waits for its end."""
        line, self._waiting = self._waiting, None
        if line:
            yield from line.blocks()

    def _paragraph(self, element: Element) -> Iterator[str]:
        if not all(self._fields):
            # The code of a field ends in its paragraph, or it is damage.
            self._fields.clear()
        properties = part(element, "pPr")
        style = self._styles.of_paragraph(properties)
        mark = part(properties, "rPr")
        is_deleted = any(part(mark, name) is not None for name in _DELETED)
        line, self._waiting = self._waiting or _Line(), None
        if not is_deleted:
            line.label = line.label or self._label(properties, style)
            outline = outline_of(properties)
            line.outline = self._styles.outline(style) if outline is None else outline
        line.is_hidden = self._styles.is_hidden(style)
        for piece in self._parts(element, line):
            if isinstance(piece, str):
                line.pieces.append(piece)
                line.has_text = line.has_text or bool(piece.strip())
            elif line.has_text:
                line.inner += self.blocks(piece)
            else:
                yield from self.blocks(piece)
        if is_deleted or is_on(mark, "vanish"):
            self._waiting = line
        else:
            yield from line.blocks()

    def _label(self, properties: Element | None, style: str) -> str:
        name, level = list_of(properties)
        if not name:
            name, of_style = self._styles.numbering(style)
            level = of_style if level is None else level
        return self._numbers.label(name, level, style) if name else ""

    def _parts(self, element: Element, line: _Line) -> Iterator[str | Element]:
        """Yield the texts of a paragraph's runs and its text boxes, in order.

        The texts of footnotes and endnotes are appended to the line's notes.
        """
        for child in _visible(element):
            name = child.name
            if name in _LETTERS:
                # The result of a field within another one's code is not printed.
                yield _LETTERS[name](child) if all(self._fields[:-1]) else ""
            elif name == "fldChar":
                yield self._field(child)
            elif name in _UNREAD:
                self.unread[_UNREAD[name]] += 1
            elif name in _NOTES:
                line.notes += self._note(child)
            elif name == "ruby":
                yield self._ruby(child, line)
            elif name == "txbxContent":
                yield child
            elif name != "r" or not self._is_hidden(child, line):
                yield from self._parts(child, line)

    def _is_hidden(self, run: Element, line: _Line) -> bool:
        properties = part(run, "rPr")
        own = is_on(properties, "vanish")
        if own is not None:
            return own
        return line.is_hidden or self._styles.is_hidden(value_of(properties, "rStyle"))

    def _field(self, mark: Element) -> str:
        """Note the begin, the result or the end of a field; return what a form's field shows."""
        kind = mark.attributes.get("fldCharType", "")
        if kind == "begin":
            self._fields.append(False)
            return _form_value(part(mark, "ffData"))
        if self._fields and kind == "separate":
            self._fields[-1] = True
        elif self._fields and kind == "end":
            self._fields.pop()
        return ""

    def _ruby(self, element: Element, line: _Line) -> str:
        base, above = (
            "".join(piece for piece in self._parts(found, line) if isinstance(piece, str))
            for found in (part(element, name) or Element("") for name in ("rubyBase", "rt"))
        )
        return f"{base}({above.strip()})" if above.strip() else base

    def _note(self, reference: Element) -> Iterator[str]:
        """Yield a note once, with its number; a note within a note is left out."""
        kind, label = _NOTES[reference.name]
        name = reference.attributes.get("id", "")
        element = self._notes[kind].get(name)
        if element is None or name in self._told[kind] or self._is_in_note:
            return
        has_own_mark = reference.attributes.get("customMarkFollows") in ("1", "true", "on")
        if not has_own_mark:
            self._told[kind].add(name)
        number = "" if has_own_mark else f" {len(self._told[kind])}"
        fields, self._fields = self._fields, []
        self._is_in_note = True
        text = " ".join(self.blocks(element))
        self._is_in_note, self._fields = False, fields
        if text:
            yield f"[{label}{number}] {text}"

    def _table(self, element: Element) -> Iterator[str]:
        cells: dict[tuple[int, int], list[str]] = {}
        merged: set[int] = set()
        number = 0
        for row in _below(element, "tr"):
            properties = part(row, "trPr")
            if part(properties, "del") is not None or is_on(properties, "hidden"):
                continue
            self._row(row, number, cells, merged)
            number += 1
        yield from tables(cells)

    def _row(
        self,
        row: Element,
        number: int,
        cells: dict[tuple[int, int], list[str]],
        merged: set[int],
    ) -> None:
        """Read a row's cells; ``merged`` has the columns whose cell goes on in the next row."""
        column = number_of(value_of(part(row, "trPr"), "gridBefore")) or 0
        for cell in _below(row, "tc"):
            properties = part(cell, "tcPr")
            if part(properties, "cellDel") is not None:
                continue
            if column >= _COLUMNS:
                raise Unreadable(
                    "damaged", f"a table has a cell at {column}; ask the site to store it again"
                )
            merge = part(properties, "vMerge")
            is_first = merge is None or merge.attributes.get("val") == "restart"
            is_continued = not is_first and column in merged
            merged.discard(column)
            if merge is not None:
                merged.add(column)
            is_beside = part(properties, "hMerge") is not None and (
                value_of(properties, "hMerge") != "restart"
            )
            cells[number, column] = [] if is_continued or is_beside else [*self.blocks(cell)]
            column += max(number_of(value_of(properties, "gridSpan")) or 1, 1)


def _visible(parent: Element) -> Iterator[Element]:
    """Yield the children that are printed; of alternatives the first one."""
    for child in parent.children:
        if child.name == "AlternateContent":
            chosen = part(child, "Choice") or part(child, "Fallback")
            if chosen:
                yield chosen
        elif child.name not in _SILENT:
            yield child


def _below(parent: Element, name: str) -> Iterator[Element]:
    """Yield the rows of a table or the cells of a row, also those in content controls."""
    for child in _visible(parent):
        if child.name == name:
            yield child
        elif child.name not in ("tr", "tc", "p", "tbl"):
            yield from _below(child, name)


def _marked(text: str, outline: int | None) -> str:
    """Return a paragraph; a heading of the document's own gets ``#`` by its level."""
    block = paragraph(text)
    is_heading = outline is not None and outline < _HEADING_LEVELS and len(text) <= _LONGEST_HEADING
    if block != text or not is_heading or "\n" in text or _ARTICLE.match(text):
        return block
    return f"{'#' * ((outline or 0) + 1)} {text}"


def _form_value(form: Element | None) -> str:
    """Return what a check box or a list of an old form shows; "" for other fields."""
    box, choice = part(form, "checkBox"), part(form, "ddList")
    if box is not None:
        is_checked = is_on(box, "checked")
        return "☒" if (is_on(box, "default") if is_checked is None else is_checked) else "☐"
    if choice is not None:
        entries = _values(choice, "listEntry")
        chosen = number_of(value_of(choice, "result") or value_of(choice, "default")) or 0
        return entries[chosen] if chosen < len(entries) else ""
    return ""


def _values(parent: Element, name: str) -> Sequence[str]:
    return [each.attributes.get("val", "") for each in parent.children if each.name == name]


def unread_notes(unread: Mapping[str, int]) -> Iterable[str]:
    """Yield a sentence on each kind of content that the text lacks."""
    for name, count in unread.items():
        yield f"1 {name} is not read" if count == 1 else f"{count} {_plural(name)} are not read"


def _plural(name: str) -> str:
    return name.replace("part", "parts", 1) if name.startswith("part") else f"{name}s"
