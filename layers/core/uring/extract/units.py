"""The units of an article to compare: headings, items, sentences, rows of tables.

Lines are not units: a PDF breaks a sentence where the line is full, and another revision elsewhere.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

BEGINS: Final = re.compile(
    r"제 ?\d{1,4} ?[편장절관](?: |의|$)|제 ?\d{1,4} ?조(?: ?의 ?\d{1,3})* ?(?:[(\uff08\[【]|삭제|$)"
    r"|[\u2460-\u2473]|\d{1,3}\. |[가-하]\. "
    r"|[(\uff08]?\d{1,3}[)\uff09] |[가-하][)\uff09] |부 {0,6}칙|[<\[〈]?별[표지]|[■□◆◇▣]"
)
"""The start of a line that begins a paragraph: an article, an item, a heading."""

_RULE: Final = re.compile(r"\|(?:-{3,}\|)+$")
# Before a numbered item within a line, and after a sentence with the brackets behind it; "다."
# alone is the number of an item.
_PARTS: Final = re.compile(r" +(?=[\u2460-\u2473])|(?<=[가-힣]다\.) +(?=[^\s<\[])")
_BREAK: Final = "\x1f"
_WITHIN_NUMBER: Final = re.compile(rf"(?<=\d){_BREAK}(?=\d)")
_HEADING: Final = re.compile(r"#{1,6} ")
# Only a run's first newline begins a try: each of a thousand would look at all behind it.
_PAGE: Final = re.compile(r"(?:(?<!\n)\n+)?<!-- page \d{1,6} -->\n*")


def units(text: str) -> list[str]:
    """Return the units of a text in order."""
    return [unit for block in _blocks(text) for unit in _PARTS.split(block) if unit]


def _blocks(text: str) -> Iterator[str]:
    waiting: list[str] = []
    for line in (line.strip() for line in text.split("\n")):
        # The cells of a PDF's table are two blanks apart.
        is_row = line.startswith(("|", "#")) or "  " in line
        if waiting and (not line or is_row or BEGINS.match(line)):
            yield _joined(waiting)
            waiting = []
        if is_row and not _RULE.match(line):
            yield _HEADING.sub("", line, count=1) if line.startswith("#") else line
        elif line and not is_row:
            waiting.append(line)
    if waiting:
        yield _joined(waiting)


def _joined(lines: Sequence[str]) -> str:
    """Return lines as one; a break between digits stays, since it may be within a number."""
    return _WITHIN_NUMBER.sub("\n", _BREAK.join(lines)).replace(_BREAK, " ")


def without_pages(text: str) -> str:
    """Return the text without the page comments of a PDF, so that a paragraph can go on."""
    return _PAGE.sub("\n", text)
