"""Equal spellings: kinds of quotes, dots, brackets and widths, blanks, marks of amendment.

Texts and titles are compared by their letters. What is left out here must not change what a reader
understands: the place of a cell does, and so does a blank between two numbers. A line
break between digits is nothing: some PDFs break a line within a number.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

GAP: Final = "\x1f"
"""Stands between two numbers: ``2 30`` is not ``23 0``."""
_ROW_END: Final = "\x1e"

_SAME: Final = str.maketrans(
    {
        # Characters of full width, from "!" to "~".
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        **dict.fromkeys("\u201c\u201d\u201e", '"'),
        **dict.fromkeys("\u2018\u2019\u201a", "'"),
        **dict.fromkeys("\u318d\u2027\u30fb\uff65\u2022\u22c5\u2219\u119e", "\xb7"),
        **dict.fromkeys("\u223c\u301c", "~"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u3008\u2329", "<"),
        **dict.fromkeys("\u3009\u232a", ">"),
        **dict.fromkeys("\u3010\u3014", "["),
        **dict.fromkeys("\u3011\u3015", "]"),
        "\uff62": "\u300c",
        "\uff63": "\u300d",
    }
)
_DATE: Final = r"'?\d{2,4}[.\-/년]\d{1,2}[.\-/월]\d{1,2}[.일]?+"
_NUMBER: Final = r"제\d{1,4}조(?:의\d{1,3})*+(?:제\d{1,3}항)?+"
_WORD: Final = (
    r"(?:전문|전부|일부|제목|본조|본항|본호|본문|단서|후단|각호|타법)?+(?:개정|신설|삭제|제정)"
)
_MOVE: Final = rf"(?:종전의?+{_NUMBER}[은는])?+{_NUMBER}(?:에서|으?로)이동"
_DATES: Final = rf"{_DATE}(?:[,·;]{_DATE})*+"
# A closed grammar: "[개정 대상 학과는 제외한다]" is text.
_RULES: Final = r"(?:법률|규칙|규정|학칙|세칙|내규|지침)?+제\d{1,6}호"
_PART: Final = rf"(?:{_WORD}|{_MOVE}|{_DATES}|<{_DATES}>|{_RULES})"
_PARTS: Final = rf"(?:{_PART}[,·;:.{GAP}]*+){{1,60}}"
_AMENDMENT: Final = re.compile(
    # <개정 2024. 3. 1.>, [본조신설 2024. 3. 1.], [전문개정], [제3조에서 이동 <2024. 3. 1.>]
    rf"<(?=[^<>]{{0,300}}(?:개정|신설|삭제|제정|이동)){_PARTS}>"
    rf"|\[(?=[^\[\]]{{0,300}}(?:개정|신설|삭제|제정|이동)){_PARTS}\]"
    # Round brackets need a date, too: (신설), (삭제) may be words of the text.
    rf"|\((?=[^()]{{0,300}}(?:개정|신설|삭제|제정))(?=[^()]{{0,300}}{_DATE}){_PARTS}\)"
    rf"|<{_DATES}>"
)
_LAST_AMENDMENT: Final = re.compile(rf"(?:{_AMENDMENT.pattern})\Z")
# The readers' Markdown: marks of headings and lines of tables. A PDF of the same text lacks them.
_MARKDOWN: Final = re.compile(r"^(?:#{1,6} |\*\*|\|(?:-{3,}\|)+$)", re.MULTILINE)
_TABLE: Final = re.compile(r"^\|", re.MULTILINE)
_TABLE_ROW: Final = re.compile(r"^\|.*$", re.MULTILINE)
_BORDER: Final = re.compile(r"\\?\|")
_BETWEEN_NUMBERS: Final = re.compile(r"(?<=\d)(?:[^\S\n\x1e\x1f]|\\?\|)+(?=\d)")
_BLANKS_BETWEEN_NUMBERS: Final = re.compile(r"(?<=\d)[^\S\n\x1e\x1f]+(?=\d)")
_LETTER: Final = re.compile(r"\S")


def squeezed(text: str, *, borders: bool = False) -> str:
    """Return the text for comparing: texts that read equal become equal.

    Blanks, kinds of quotes, and marks of amendments do not count; blanks between numbers do.

    Args:
        text: with the readers' Markdown.
        borders: whether the borders of a table's cells count; give it if both texts have tables.
    """
    text = _MARKDOWN.sub("", text)
    if borders:
        # Empty cells at the end of a row say nothing.
        text = _TABLE_ROW.sub(lambda row: row[0].rstrip(" \t|") + _ROW_END, text)
        text = _BLANKS_BETWEEN_NUMBERS.sub(GAP, text)
    else:
        text = _BORDER.sub("", _BETWEEN_NUMBERS.sub(GAP, text))
    return _AMENDMENT.sub("", folded(text))


def has_table(text: str) -> bool:
    """Return whether a text has a table in Markdown."""
    return _TABLE.search(text) is not None


def folded(text: str) -> str:
    """Return the letters in one spelling, without blanks; marks of amendment stay."""
    # `split` takes the separators for blanks, too.
    return "".join(re.split(r"[^\S\x1e\x1f]+", unicodedata.normalize("NFC", text).translate(_SAME)))


def title_letters(title: str) -> str:
    """Return a title for comparing: in one spelling, without marks of amendment at its end."""
    letters = folded(title)
    while found := _LAST_AMENDMENT.search(letters):
        if not found.start():
            break
        letters = letters[: found.start()]
    return letters


def is_amendment(text: str) -> bool:
    """Return whether a text is nothing but marks of amendment; an empty text is."""
    return not _AMENDMENT.sub("", folded(text))


def without_amendments(title: str) -> str:
    """Return a heading's title without the marks of amendment at its end."""
    at = len(title)
    for start in range(len(title) - 1, -1, -1):
        if title[start] in "<[(\u3008\uff1c\u3010\u3014\uff3b\uff08" and is_amendment(
            title[start:at]
        ):
            at = start
    return title[:at].strip()


def letter_places(text: str, *, borders: bool = False) -> list[tuple[int, int]]:
    """Return the places of the letters that `squeezed` compares.

    Args:
        text: normalised (NFC), with the readers' Markdown.
        borders: see `squeezed`.
    """
    spelling = text.translate(_SAME)
    quiet = [found.span() for found in _MARKDOWN.finditer(text)]
    if borders:
        ends = (
            (row.start() + len(row[0].rstrip(" \t|")), row.end())
            for row in _TABLE_ROW.finditer(text)
        )
        quiet += ends
    else:
        quiet += (found.span() for found in _BORDER.finditer(text))
    skipped = bytearray(len(text))
    for start, end in quiet:
        skipped[start:end] = b"\1" * (end - start)
    places = [found.span() for found in _LETTER.finditer(spelling) if not skipped[found.start()]]
    letters = letters_at(text, places)
    owners = [number for number, letter in enumerate(letters) for _ in letter]
    amended: set[int] = set()
    for found in _AMENDMENT.finditer("".join(letters)):
        amended.update(owners[found.start() : found.end()])
    return [place for number, place in enumerate(places) if number not in amended]


def letters_at(text: str, places: Sequence[tuple[int, int]]) -> list[str]:
    """Return the letters at these places, in one spelling; a digit after a gap begins with it."""
    spelling = text.translate(_SAME)
    lines = _MARKDOWN.sub(lambda mark: "\n" * len(mark[0]), spelling)
    gaps = {found.end() for found in _BETWEEN_NUMBERS.finditer(lines)}
    return [GAP * (start in gaps) + spelling[start:end] for start, end in places]
