"""The units of an article to compare: headings, items, sentences, rows of tables.

Lines are not units: a PDF breaks a sentence where the line is full, and another revision elsewhere.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

BEGINS: Final = re.compile(
    r"제 ?\d{1,4} ?[편장절관](?: |의|$)|제 ?\d{1,4} ?조(?: ?의 ?\d{1,3})* ?(?:[(\uff08\[【]|삭제|$)"
    r"|[\u2460-\u2473]|\d{1,3}\. |[가-하]\. "
    r"|[(\uff08]?\d{1,3}[)\uff09] |[가-하][)\uff09] |부 {0,6}칙|[<\[〈]?별[표지]"
)
"""The start of a line that begins a paragraph: an article, an item, a heading."""

_RULE: Final = re.compile(r"\|(?:-{3,}\|)+$")
# Before a numbered item within a line, and after a sentence with the brackets behind it.
_PARTS: Final = re.compile(r" +(?=[\u2460-\u2473])|(?<=다\.) +(?=[^\s<\[])")
_HEADING: Final = re.compile(r"#{1,6} ")
_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\uff02", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\uff07", "'"),
        **dict.fromkeys("\u318d\u2027\u30fb\uff65\u2022\u22c5\u119e", "\xb7"),
        **dict.fromkeys("\u223c\uff5e\u301c", "~"),
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF08, 0xFF1B)},
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u3008\u2329\uff1c", "<"),
        **dict.fromkeys("\u3009\u232a\uff1e", ">"),
    }
)
# <개정 2024. 3. 1.>, [본조신설 2024. 3. 1.], <2024. 3. 1.>
_AMENDMENT: Final = re.compile(
    r"[<\[](?:(?:전문|전부|일부|제목|본조|본항|단서|후단)?(?:개정|신설|이동|삭제)|제\d{1,4}조(?:의\d{1,3})?에서이동"
    r"|종전)[^<>\[\]]{0,200}[>\]]|<\d{4}[\d.,년월일]{0,60}>"
)
_PAGE: Final = re.compile(r"\n*<!-- page \d{1,6} -->\n*")
# The readers' Markdown: marks of headings and lines of tables. A PDF of the same text lacks them.
_MARKDOWN: Final = re.compile(r"^(?:#{1,6} |\*\*|\|(?:-{3,}\|)+$)|\\?\|", re.MULTILINE)


def units(text: str) -> list[str]:
    """Return the units of a text in order."""
    return [unit for block in _blocks(text) for unit in _PARTS.split(block) if unit]


def _blocks(text: str) -> Iterator[str]:
    waiting: list[str] = []
    for line in (line.strip() for line in text.split("\n")):
        # The cells of a PDF's table are two blanks apart.
        is_row = line.startswith(("|", "#")) or "  " in line
        if waiting and (not line or is_row or BEGINS.match(line)):
            yield " ".join(waiting)
            waiting = []
        if is_row and not _RULE.match(line):
            yield _HEADING.sub("", line, count=1) if line.startswith("#") else line
        elif line and not is_row:
            waiting.append(line)
    if waiting:
        yield " ".join(waiting)


def squeezed(text: str) -> str:
    """Return the text for comparing: texts without a real change become equal.

    Blanks, kinds of quotes, and marks of amendments do not count.
    """
    text = unicodedata.normalize("NFC", _MARKDOWN.sub("", text)).translate(_SAME)
    return _AMENDMENT.sub("", "".join(text.split()))


def without_pages(text: str) -> str:
    """Return the text without the page comments of a PDF, so that a paragraph can go on."""
    return _PAGE.sub("\n", text)
