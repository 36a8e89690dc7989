"""The text of an HWP 5 file's sections: paragraphs, tables, notes, and the numbers of styles.

Memos, hidden comments, and heads and feet of pages are left out.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from typing import Final

from uring.extract.readers.hancom.hwp_records import (
    CTRL_HEADER,
    DRAWING,
    EQUATION,
    LIST_HEADER,
    MEMO_LIST,
    NUMBERING,
    PARA_HEADER,
    PARA_SHAPE,
    PARA_TEXT,
    TABLE,
    HwpRecord,
    damaged,
)
from uring.extract.readers.hancom.numbering import (
    LEVELS,
    SHAPES,
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

_ROWS: Final = 10_000
_COLUMNS: Final = 1_000
# The codes below 32 that take one unit; the others take eight.
_SHORT: Final = {0, 10, 13, *range(24, 32)}
_SHOWN: Final = {9: " ", 10: "\n", 24: "-", 30: " ", 31: " "}
# The codes of controls; each one's content is the paragraph's next CTRL_HEADER.
_CONTROLS: Final = {1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23}
_CONTROL: Final = "\0"
_NOTES: Final = {b"fn  ": "각주", b"en  ": "미주"}
_SILENT: Final = {b"head", b"foot", b"secd", b"cold", b"tcmt"}
_KINDS: Final[dict[int, Kind]] = {1: "outline", 2: "number"}
_LEVELS: Final = 7
_OBJECTS: Final = {TABLE, DRAWING}
_BELOW: Final = 3
# The numbers of figures, tables and equations; a footnote's stands in its mark.
_COUNTED: Final = {3, 4, 5}
_CIRCLES: Final = {1, 2}


def numbered_styles(info: HwpRecord) -> NumberedStyles:
    """Return the paragraph shapes of DocInfo that are numbered, and the definitions, from 1."""
    styles = NumberedStyles()
    shapes = 0
    for record in _walk(info):
        if record.tag == NUMBERING:
            styles.definitions[str(len(styles.definitions) + 1)] = _numbering(record.data)
        elif record.tag == PARA_SHAPE:
            kind = _KINDS.get(_word(record.data, 0, 4) >> 23 & 3)
            if kind is not None:
                definition = str(_word(record.data, 30, 2))
                styles.headings[str(shapes)] = Heading(kind, definition, _level(record.data))
            shapes += 1
    return styles


class HwpText:
    """The text of the sections, to be read in their order.

    Attributes:
        numbers: of the paragraphs read so far.
    """

    def __init__(self, styles: NumberedStyles) -> None:
        self.numbers = ListCounters(styles)
        self._notes: Counter[str] = Counter()

    def section(self, root: HwpRecord) -> Iterator[str]:
        """Yield the paragraphs and tables of a section, in order."""
        first = (each for above in root.children[:1] for each in above.children)
        outline = next((_word(each.data, 18, 2) for each in first if _kind(each) == b"secd"), 0)
        self.numbers.begin_section(str(outline))
        yield from self._blocks(root)

    def _blocks(self, parent: HwpRecord) -> Iterator[str]:
        for child in parent.children:
            if child.tag == MEMO_LIST:
                # What follows are the memos of the section.
                return
            if child.tag == PARA_HEADER:
                yield from self._paragraph(child)
            else:
                yield from self._blocks(child)

    def _paragraph(self, record: HwpRecord) -> Iterator[str]:
        # An empty paragraph counts, too.
        label = self.numbers.label(str(_word(record.data, 8, 2, missing=-1)))
        controls = (child for child in record.children if child.tag == CTRL_HEADER)
        notes: list[str] = []
        text = ""
        words = "".join(_words(child.data) for child in record.children if child.tag == PARA_TEXT)
        for number, words_between in enumerate(words.split(_CONTROL)):
            control = next(controls, None) if number else None
            if control:
                text += _inline(control)
            inner = [*self._control(control, notes)] if control else []
            if any(inner):
                if text.strip():
                    yield paragraph(tidy(joined(label, text)))
                    label = ""
                yield from inner
                text = ""
            text += words_between
        if text.strip():
            yield paragraph(tidy(joined(label, text)))
        yield from notes

    def _control(self, control: HwpRecord, notes: list[str]) -> Iterator[str]:
        kind = _kind(control)
        if kind in (b"tbl ", b"gso "):
            yield from self._captioned(control)
        elif kind in _NOTES:
            notes += self._note(control, _NOTES[kind])
        elif kind not in _SILENT:
            yield from self._blocks(control)

    def _note(self, control: HwpRecord, name: str) -> list[str]:
        self._notes[name] += 1
        number = _word(control.data, 4, 4) or self._notes[name]
        text = " ".join(self._blocks(control))
        return [f"[{name} {number}] {text}"] if text else []

    def _captioned(self, control: HwpRecord) -> Iterator[str]:
        """Yield a table or a drawing between its captions: one below it stands behind it.

        A list is a LIST_HEADER and the paragraphs up to the next one. Lists before the record of
        the table or drawing are captions; the others of a table are cells.
        """
        cells: dict[tuple[int, int], list[str]] = {}
        captions: dict[bool, list[str]] = {False: [], True: []}
        inner: list[str] = []
        words = inner
        is_begun = not any(child.tag in _OBJECTS for child in control.children)
        is_table = _kind(control) == b"tbl "
        for child in control.children:
            if child.tag == LIST_HEADER:
                if not is_begun:
                    words = captions[_word(child.data, 8, 4) & 3 == _BELOW]
                elif is_table:
                    words = cells.setdefault(_place(child.data), [])
            elif child.tag in _OBJECTS:
                is_begun, words = True, inner
            words += self._paragraph(child) if child.tag == PARA_HEADER else self._blocks(child)
        yield from captions[False]
        yield from inner
        yield from tables(cells)
        yield from captions[True]


def _walk(record: HwpRecord) -> Iterator[HwpRecord]:
    for child in record.children:
        yield child
        yield from _walk(child)


def _word(data: bytes, at: int, size: int, missing: int = 0) -> int:
    part = data[at : at + size]
    return int.from_bytes(part, "little") if len(part) == size else missing


def _string(data: bytes, at: int) -> tuple[str, int]:
    """Return the string at a place, behind its length, and the place behind it."""
    end = at + 2 + _word(data, at, 2) * 2
    return data[at + 2 : end].decode("utf-16-le", "replace").replace("\0", ""), end


def _kind(control: HwpRecord) -> bytes:
    return control.data[3::-1] if control.tag == CTRL_HEADER else b""


def _level(shape: bytes) -> int:
    """Return a shape's level; the three bits for it end at the seventh, the others stand apart."""
    level = _word(shape, 0, 4) >> 25 & 7
    deeper = _word(shape, 54, 4)
    return deeper if level == _LEVELS - 1 and _LEVELS <= deeper < LEVELS else level


def _numbering(data: bytes) -> Numbering:
    """Return a definition: seven levels, the start of the list, and those of its levels.

    Three levels more and their starts may follow. Files before 5.0.2.5 have the list's start alone.
    """
    heads, at = _heads(data, 0, _LEVELS)
    start = _word(data, at, 2)
    starts = [_word(data, at + 2 + 4 * level, 4, missing=1) for level in range(_LEVELS)]
    if len(data) < at + 2 + 4 * _LEVELS:
        starts = [start] + [1] * (_LEVELS - 1)
    at += 2 + 4 * _LEVELS
    if at < len(data):
        deeper, at = _heads(data, at, LEVELS - _LEVELS)
        heads += deeper
        starts += [_word(data, at + 4 * level, 4, missing=1) for level in range(len(deeper))]
    levels = (Level(*head, each) for head, each in zip(heads, starts, strict=True))
    return Numbering(tuple(levels), continues=start == 0)


def _heads(data: bytes, at: int, count: int) -> tuple[list[tuple[str, str]], int]:
    """Return the label and the shape of levels, and the place behind them.

    Each has 12 bytes of attributes and its text.
    """
    heads: list[tuple[str, str]] = []
    for _ in range(count):
        shape = SHAPES[_word(data, at, 4) >> 5 & 15]
        text, at = _string(data, at + 12)
        heads.append((text, shape))
    return heads, at


def _inline(control: HwpRecord) -> str:
    """Return the words of an equation, of letters in one place, under a ruby, or of a number."""
    kind, data = _kind(control), control.data
    if kind == b"eqed":
        scripts = (_string(each.data, 4)[0] for each in control.children if each.tag == EQUATION)
        return "".join(scripts)
    if kind == b"tdut":
        main, at = _string(data, 4)
        above, _ = _string(data, at)
        return main.strip() + (f"({above.strip()})" if above.strip() else "")
    if kind == b"tcps":
        letters, at = _string(data, 4)
        is_circled = _word(data, at, 1) in _CIRCLES and letters.isascii() and letters.isdigit()
        return spelled(int(letters[:4]), "CIRCLED_DIGIT") if is_circled else letters
    if kind == b"atno" and _word(data, 4, 4) & 15 in _COUNTED:
        return str(_word(data, 8, 2))
    return ""


def _place(data: bytes) -> tuple[int, int]:
    if len(data) < 12:  # noqa: PLR2004
        raise damaged("a cell has no place")
    column, row = struct.unpack_from("<HH", data, 8)
    if row >= _ROWS or column >= _COLUMNS:
        raise damaged(f"a table has a cell at {row}, {column}")
    return row, column


def _words(data: bytes) -> str:
    """Return a paragraph's text, with a NUL for each control."""
    words: list[str] = []
    at, end = 0, len(data) // 2 * 2
    while at < end:
        code = data[at] | data[at + 1] << 8
        if code >= 32:  # noqa: PLR2004 - where letters begin
            stop = at + 2
            while stop < end and (data[stop] >= 32 or data[stop + 1]):  # noqa: PLR2004
                stop += 2
            words.append(data[at:stop].decode("utf-16-le", "replace"))
            at = stop
        else:
            words.append(_CONTROL if code in _CONTROLS else _SHOWN.get(code, ""))
            at += 2 if code in _SHORT else 16
    return "".join(words)
