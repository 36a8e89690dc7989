"""Markup inside a line, replaced by marks: targets of links, code, tags, emphasis.

A mark is ``⟦0⟧``, ``⟦1⟧``, … in the order of the line. A service may damage marks: its answer is
accepted only if it has every mark once and in order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

_TAGS: Final = (
    "a|abbr|b|big|blockquote|br|caption|code|col|colgroup|dd|del|details|div|dl|dt|em|font|h[1-6]|"
    "hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|small|span|strike|strong|sub|summary|sup|table|tbody|td|"
    "tfoot|th|thead|tr|tt|u|ul|var|wbr"
)
# How a link's target begins; in `[별표 1](제3조 관련)`, not a link, every word is translated.
_ADDRESS: Final = r"<|[A-Za-z][A-Za-z0-9+.-]{0,30}:|[/\#?.]|[!-'*-~]*\)"
# Each alternative is bounded, so that a character is read about twice at most.
_KEPT: Final = re.compile(
    r"""
      (?<!`)(?P<ticks>`{1,16})(?!`)[^`\n]+(?<!`)(?P=ticks)(?!`)    # code
    | `+
    | \]\((?=ADDRESS)                                         # a link's target
      (?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:\s+"[^"\n]*")?\)
    | \\[!-/:-@\[-`{-~]                                           # an escaped mark
    | </?(?:TAGS)(?:\s[^<>\n]*)?/?>                           # a tag
    | <[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>                     # an address in brackets
    | (?:https?://|mailto:|www\.)[!-~]*[A-Za-z0-9/=&_~-]          # an address
    | (?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}
    | &(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});
    | \*+ | ~~+ | (?<![^\W_])_+ | _+(?![^\W_])                    # emphasis
    | !?\[(?=[^\[\]\n]{0,500}\]\((?:ADDRESS))                      # before a link's text
    | [⟦⟧]                                                        # what marks are made of
    | [\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]+      # no text for any service
    """.replace("TAGS", _TAGS).replace("ADDRESS", _ADDRESS),
    re.VERBOSE,
)
_MARK: Final = re.compile("⟦([0-9]{1,9})⟧")


@dataclass(frozen=True, slots=True)
class Masked:
    """A line with marks in it.

    Attributes:
        text: the line with the marks.
        kept: the markup behind the marks, in their order.
        first: number of the first mark.
    """

    text: str
    kept: tuple[str, ...]
    first: int = 0

    @property
    def has_words(self) -> bool:
        """True when there is a letter besides the marks."""
        return any(map(str.isalpha, self.text))

    def unmask(self, text: str) -> str | None:
        """Replace the marks by their markup.

        Returns:
            The line; None if a mark is missing, doubled, damaged, out of order or unknown.
        """
        words, numbers = split(text)
        if numbers != list(range(self.first, self.first + len(self.kept))):
            return None
        if any(bracket in part for part in words for bracket in "⟦⟧"):
            return None
        return self.join(words)

    def join(self, words: Sequence[str]) -> str:
        """Return the line with other words around the markup; there is one word more than marks."""
        return "".join(
            part for pair in zip_longest(words, self.kept, fillvalue="") for part in pair
        )

    def part(self, text: str) -> "Masked":
        """Return a part of the masked text with its own marks."""
        _, numbers = split(text)
        first = numbers[0] if numbers else 0
        start = first - self.first if numbers else 0
        return Masked(text, self.kept[start : start + len(numbers)], first)


def mask(line: str) -> Masked:
    """Replace the markup in a line by marks."""
    parts: list[str] = []
    kept: list[str] = []
    position = 0
    for match in _KEPT.finditer(line):
        parts += (line[position : match.start()], f"⟦{len(kept)}⟧")
        kept.append(match[0])
        position = match.end()
    return Masked("".join((*parts, line[position:])), tuple(kept))


def split(text: str) -> tuple[list[str], list[int]]:
    """Return the words around marks, and the numbers of the marks."""
    parts = _MARK.split(text)
    return parts[::2], [int(number) for number in parts[1::2]]
