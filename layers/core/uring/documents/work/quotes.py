"""Quotations found in a text, even with other white space or other composition of letters.

Quotation and text are folded: to NFC, with each run of white space as one space, without unseen
characters, and with plain letters for similar ones: a model sees the text cleaned. The result is a
place in the text before folding, so that ``text[start:end]`` is the quotation.
"""

import unicodedata
from array import array
from typing import Final

from uring.characters import comparable

LEAST_CHARACTERS: Final = 4
"""The fewest characters of a folded quotation: a shorter one occurs in any text."""

_UNSEEN: Final = "\0"
_VOWELS_AND_FINALS: Final = ("\u1160", "\u11ff")


class QuotableText:
    """A text that quotations are looked up in; folded once, in time linear in its length."""

    def __init__(self, text: str) -> None:
        self._text = text
        # The start and end of each folded character in the text.
        self._starts = array("q")
        self._ends = array("q")
        self._folded = self._fold()

    def find(self, quote: str, near: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """Return the first place of a quotation, preferably in a part of the text.

        Args:
            quote: as a model wrote it.
            near: start and end of the part that the model was shown.

        Returns:
            Start and end; None for a quotation that is not in the text, or has fewer than 4
            characters.
        """
        needle = " ".join(unicodedata.normalize("NFC", comparable(quote)).split())
        if len(needle) < LEAST_CHARACTERS:
            return None
        place = self._find_near(needle, near) if near else -1
        if place < 0:
            place = self._folded.find(needle)
        if place < 0:
            return None
        return self._starts[place], self._ends[place + len(needle) - 1]

    def _find_near(self, needle: str, near: tuple[int, int]) -> int:
        place = self._folded.find(needle, self._folded_index(near[0]))
        return place if place >= 0 and self._starts[place] < near[1] else -1

    def _folded_index(self, position: int) -> int:
        """Return the first folded character that does not begin before a place in the text."""
        low, high = 0, len(self._starts)
        while low < high:
            middle = (low + high) // 2
            if self._starts[middle] < position:
                low = middle + 1
            else:
                high = middle
        return low

    def _fold(self) -> str:
        folded: list[str] = []
        # Of the same length: an unseen character is a null.
        text, position = comparable(self._text, _UNSEEN), 0
        while position < len(text):
            end = position + 1
            if text[position].isspace():
                while end < len(text) and (text[end].isspace() or text[end] == _UNSEEN):
                    end += 1
                self._add(folded, " ", position, end)
            elif text[position] != _UNSEEN:
                while end < len(text) and (text[end] == _UNSEEN or _composes(text[end])):
                    end += 1
                letters = text[position:end].replace(_UNSEEN, "")
                self._add(folded, unicodedata.normalize("NFC", letters), position, end)
            position = end
        return "".join(folded)

    def _add(self, folded: list[str], characters: str, start: int, end: int) -> None:
        folded.append(characters)
        # An unchanged letter has its own place; a composed one has the place of all its parts.
        alone = len(characters) == end - start
        for offset in range(len(characters)):
            self._starts.append(start + offset if alone else start)
            self._ends.append(start + offset + 1 if alone else end)


def _composes(character: str) -> bool:
    """Return whether a character may compose with the character before it."""
    if character < "\u0300":
        return False
    first, last = _VOWELS_AND_FINALS
    return first <= character <= last or unicodedata.category(character).startswith("M")
