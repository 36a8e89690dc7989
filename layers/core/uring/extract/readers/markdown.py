"""Markdown of regulations: headings, tables, one spelling.

Parts (편, 장), supplementary provisions (부칙) and annexes (별표, 별지) become ``##``, sections
(절, 관) ``###``. An article (제1조) stays a paragraph that begins with its number: its text stands
in the same line. Nothing but ``|`` in cells is escaped, so that a search finds a regulation's own
words.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from uring import characters
from uring.extract.readers.reading import Unreadable

_CELLS: Final = 200_000
_LONGEST_HEADING: Final = 80
# They stand for an object, or for a letter that was lost.
_REPLACED: Final = re.compile("[\ufffc\ufffd]")
# PDFs and pages may have two letters in one; others with the same words do not.
_LIGATURES: Final = str.maketrans(
    {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
)
_BLANKS: Final = re.compile("[ \t\xa0\u2000-\u200a\u3000]+")
_HEADINGS: Final = (
    (
        re.compile(r"제 ?\d{1,4} ?[편장](?: ?의 ?\d{1,3})?(?= |$)(?! (?:및|또는|에|의|을|를) )"),
        "## ",
    ),
    (
        re.compile(r"제 ?\d{1,4} ?[절관](?: ?의 ?\d{1,3})?(?= |$)(?! (?:및|또는|에|의|을|를) )"),
        "### ",
    ),
    (re.compile(r"부 {0,6}칙(?: *[<〈\uff1c(\[【].{0,70})?$"), "## "),
    (re.compile(r"[<〈\uff1c\[【(] ?별(?:표|지) ?.{0,40}$"), "## "),
)

_HEADING: Final = re.compile(r"^#{2,3} ")
_TABLE: Final = re.compile(r"\| .*\n\|---\|")


def tidy(text: str) -> str:
    """Return NFC with single blanks and without invisible characters; lines stay lines."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n")
    lines = (_BLANKS.sub(" ", line).strip() for line in visible(text).split("\n"))
    return "\n".join(lines)


def visible(text: str) -> str:
    """Return NFC without control characters, characters of no width and ligatures."""
    text = characters.visible(_REPLACED.sub("", text))
    return unicodedata.normalize("NFC", text.translate(_LIGATURES))


def paragraph(text: str) -> str:
    """Return a tidy paragraph; the heading of a regulation's part gets ``##`` or ``###``."""
    if len(text) <= _LONGEST_HEADING and "\n" not in text:
        for pattern, prefix in _HEADINGS:
            if pattern.match(text):
                return prefix + text
    return text


def table(cells: Mapping[tuple[int, int], str]) -> str:
    """Return a table of cells by row and column; missing cells are blank, no cells give "".

    Raises:
        Unreadable: ``too_big`` for more than 200,000 cells.
    """
    if not cells:
        return ""
    rows, columns = _size(cells)
    lines = [
        f"| {' | '.join(_cell(cells.get((row, column), '')) for column in range(columns))} |"
        for row in range(rows)
    ]
    lines.insert(1, "|" + "---|" * columns)
    return "\n".join(lines)


def tables(cells: Mapping[tuple[int, int], Sequence[str]]) -> Iterator[str]:
    """Yield a table of cells that hold paragraphs and tables, by row and column.

    A table whose rows have one cell each is a frame: its paragraphs stand by themselves. So do
    those of a row that holds a table, between the rows above and below.

    Raises:
        Unreadable: ``too_big`` for more than 200,000 cells.
    """
    rows: dict[int, list[int]] = {}
    for row, column in sorted(cells):
        rows.setdefault(row, []).append(column)
    is_frame = all(len(columns) == 1 for columns in rows.values())
    if not is_frame:
        _size(cells)
    waiting: dict[tuple[int, int], str] = {}
    top = 0
    for row, columns in rows.items():
        inner = [block for column in columns for block in cells[row, column]]
        if is_frame or any(_TABLE.match(block) for block in inner):
            yield table(waiting)
            yield from inner
            waiting, top = {}, row + 1
        else:
            waiting |= {
                (row - top, column): " ".join(
                    _HEADING.sub("", each, count=1) for each in cells[row, column]
                )
                for column in columns
            }
    yield table(waiting)


def join(blocks: Iterable[str]) -> str:
    """Return the blocks with a blank line between them; empty ones are left out."""
    text = "\n\n".join(block for block in blocks if block.strip())
    return f"{text}\n" if text else ""


def _size(cells: Iterable[tuple[int, int]]) -> tuple[int, int]:
    places = [*cells]
    rows = 1 + max(row for row, _ in places)
    columns = 1 + max(column for _, column in places)
    if rows * columns > _CELLS:
        raise Unreadable(
            "too_big", f"a table of {rows} by {columns} cells; at most {_CELLS} are read"
        )
    return rows, columns


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
