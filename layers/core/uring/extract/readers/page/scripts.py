"""Text that is not written from left to right: its letters by place, its words by gaps.

PDFium orders such text by runs of its own. It gives some words of a line backwards, and no blanks
between letters that stand below each other.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from uring.extract.readers.page.layout import TextBox

# Gaps between words as shares of a letter's height; within PDFium's words only the wide ones.
_GAP: Final = 0.15
_WIDE_GAP: Final = 0.5
_DOWNWARDS_GAP: Final = 0.33
_RIGHT_TO_LEFT: Final = "\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefe"
_LATIN: Final = rf"[^\W\d_{_RIGHT_TO_LEFT}]"
# Words from left to right and the numbers beside them, and numbers alone. A number looks no farther
# for a word: a line of numbers would cost its square.
_RUN: Final = re.compile(
    rf"(?:{_LATIN}|\d)(?=[^{_RIGHT_TO_LEFT}]{{0,200}}{_LATIN}|(?<={_LATIN}))"
    rf"[^{_RIGHT_TO_LEFT}]*(?:{_LATIN}|\d)|\d+(?:[.,:/\u066b\u066c]\d+)*"
)
_FORMS: Final = re.compile("[\ufb50-\ufdff\ufe70-\ufefc]+")


@dataclass(frozen=True, slots=True)
class PlacedLetter:
    """A letter with its marks, the number of its word, and its box as of upright text."""

    text: str
    word: int
    left: float
    bottom: float
    right: float
    top: float


def downwards(letters: Sequence[PlacedLetter]) -> list[TextBox]:
    """Return the words of letters that stand below each other; an empty list of none."""
    words: list[list[PlacedLetter]] = []
    for letter in letters:
        before = words[-1][-1] if words else None
        if before and letter.left - before.right <= _DOWNWARDS_GAP * _height(before):
            words[-1].append(letter)
        else:
            words.append([letter])
    return [_box(word, "".join(each.text for each in word)) for word in words]


def leftwards(letters: Sequence[PlacedLetter]) -> TextBox:
    """Return one piece of text in logical order, of letters that are read from the right."""
    placed = sorted(letters, key=lambda letter: -letter.right)
    return _box(placed, _logical("".join(_spaced(placed))))


def _spaced(placed: Sequence[PlacedLetter]) -> Iterator[str]:
    before: PlacedLetter | None = None
    for letter in placed:
        if before and _is_apart(before, letter):
            yield " "
        yield letter.text
        before = letter


def _is_apart(before: PlacedLetter, letter: PlacedLetter) -> bool:
    gap = (before.left - letter.right) / _height(before)
    # Letters that are joined have boxes with gaps; brackets may be in the word beyond the blank.
    is_word = before.word == letter.word and before.text.isalpha() and letter.text.isalpha()
    return gap > (_WIDE_GAP if is_word else _GAP)


def _logical(text: str) -> str:
    """Return text as it is read, of letters from the right edge to the left one.

    Numbers and words from left to right are turned back.
    """
    text = _RUN.sub(lambda run: run[0][::-1], text)
    return _FORMS.sub(lambda form: unicodedata.normalize("NFKC", form[0]), text)


def _height(letter: PlacedLetter) -> float:
    return max(letter.top - letter.bottom, 1)


def _box(letters: Sequence[PlacedLetter], text: str) -> TextBox:
    return TextBox.of(
        [TextBox(each.left, each.bottom, each.right, each.top, each.text) for each in letters]
    ).with_text(text)
