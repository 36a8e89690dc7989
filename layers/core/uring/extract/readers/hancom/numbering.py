"""The numbers that a style gives paragraphs (제1조, ①, 가.), as Hancom's word processor counts.

The rules were compared with labels that Hancom Office 12.30 wrote:

- Each definition is a list of its own, through other lists, tables and sections alike. Outlines and
  numbered paragraphs are counted apart.
- A definition that continues (start 0) takes over the numbers of the one used before it.
- A number empties the deeper levels; a higher level that was skipped has its first number.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

Kind = Literal["outline", "number"]

SHAPES: Final = (
    "DIGIT",
    "CIRCLED_DIGIT",
    "ROMAN_CAPITAL",
    "ROMAN_SMALL",
    "LATIN_CAPITAL",
    "LATIN_SMALL",
    "CIRCLED_LATIN_CAPITAL",
    "CIRCLED_LATIN_SMALL",
    "HANGUL_SYLLABLE",
    "CIRCLED_HANGUL_SYLLABLE",
    "HANGUL_JAMO",
    "CIRCLED_HANGUL_JAMO",
    "HANGUL_PHONETIC",
    "IDEOGRAPH",
    "CIRCLED_IDEOGRAPH",
    "DECAGON_CIRCLE",
    "DECAGON_CIRCLE_HANJA",
)
"""The shapes of numbers as HWPX names them, in the order of HWP's codes."""

LEVELS: Final = 10
_MOST: Final = 65_535
# Of a definition's text, and of the label made of it: a file may name both at any length.
_TEXT: Final = 40
_LABEL: Final = 200
_INITIALS: Final = "가나다라마바사아자차카타파하"
# 가 나 … 하 거 너 …: the vowels ㅏ ㅓ ㅗ ㅜ ㅡ ㅣ, which are so far apart in Unicode.
_VOWELS: Final = (0, 4 * 28, 8 * 28, 13 * 28, 18 * 28, 20 * 28)
_CYCLES: Final = {
    "LATIN_CAPITAL": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "LATIN_SMALL": "abcdefghijklmnopqrstuvwxyz",
    "CIRCLED_LATIN_CAPITAL": "".join(map(chr, range(0x24B6, 0x24D0))),
    "CIRCLED_LATIN_SMALL": "".join(map(chr, range(0x24D0, 0x24EA))),
    "HANGUL_SYLLABLE": "".join(chr(ord(each) + vowel) for vowel in _VOWELS for each in _INITIALS),
    "CIRCLED_HANGUL_SYLLABLE": "".join(map(chr, range(0x326E, 0x327C))),
    "HANGUL_JAMO": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "CIRCLED_HANGUL_JAMO": "".join(map(chr, range(0x3260, 0x326E))),
    "CIRCLED_IDEOGRAPH": "".join(map(chr, range(0x3280, 0x328A))),
    "DECAGON_CIRCLE": "갑을병정무기경신임계",
    "DECAGON_CIRCLE_HANJA": "甲乙丙丁戊己庚辛壬癸",
}
_CIRCLED: Final = "".join(
    map(chr, (*range(0x2460, 0x2474), *range(0x3251, 0x3260), *range(0x32B1, 0x32C0)))
)
_TENS: Final = {"HANGUL_PHONETIC": "십일이삼사오육칠팔구", "IDEOGRAPH": "十一二三四五六七八九"}
_ROMAN: Final = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L")),
    *((40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a definition.

    Attributes:
        text: the label; ``^1`` to ``^9`` stand for the numbers of levels, ``^n`` for all numbers
            down to this level with dots between them, ``^N`` for the same with a dot at the end.
        shape: one of `SHAPES`; others are digits.
        start: the first number.
    """

    text: str
    shape: str = "DIGIT"
    start: int = 1


@dataclass(frozen=True, slots=True)
class Numbering:
    """A definition: its levels from the highest, and whether it continues the one before."""

    levels: tuple[Level, ...]
    continues: bool = False


DEFAULT: Final = Numbering((Level("^N"),) * LEVELS, continues=True)
"""The outline of a file that defines none: 1., 1.1., 1.1.1."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The numbering of a style: its kind, its definition and its level from 0."""

    kind: Kind
    definition: str
    level: int


@dataclass(frozen=True, slots=True)
class NumberedStyles:
    """What a file says of numbers.

    Attributes:
        headings: of the styles that the word processor numbers, by id.
        definitions: by id.
    """

    headings: dict[str, Heading] = field(default_factory=dict)
    definitions: dict[str, Numbering] = field(default_factory=dict)


class ListCounters:
    """The numbers of a file's paragraphs, to be asked once for each in the document's order.

    Attributes:
        unnumbered: the number of paragraphs whose definition the file lacks.
    """

    def __init__(self, styles: NumberedStyles) -> None:
        self.unnumbered = 0
        self._headings = styles.headings
        self._definitions = styles.definitions
        self._numbers: dict[tuple[Kind, str], list[int]] = {}
        self._last: dict[Kind, tuple[Kind, str]] = {}
        self._outline = ""

    def begin_section(self, outline: str) -> None:
        """Begin a section whose outline has this definition, even if no paragraph uses it."""
        self._outline = outline
        self._list(self._defined("outline", outline))

    def label(self, style: str) -> str:
        """Return the label of the next paragraph of a style; empty without a number."""
        heading = self._headings.get(style)
        label = self.count(heading) if heading else ""
        self.unnumbered += label is None
        return label or ""

    def count(self, heading: Heading) -> str | None:
        """Return the next label of a list; None where the file lacks its definition.

        The definition of an outline is that of its section.
        """
        kind, definition, level = heading.kind, heading.definition, heading.level
        defined = self._defined(kind, self._outline if kind == "outline" else definition)
        found = self._definition(*defined)
        if found is None or not 0 <= level < len(found.levels):
            return None
        numbers = self._list(defined)
        while len(numbers) <= level:
            numbers.append(0 if len(numbers) == level else _start(found, len(numbers)))
        numbers[level] = numbers[level] + 1 if numbers[level] else _start(found, level)
        del numbers[level + 1 :]
        return _label(found, level, numbers)

    def _defined(self, kind: Kind, definition: str) -> tuple[Kind, str]:
        is_default = kind == "outline" and definition not in self._definitions
        return kind, "" if is_default else definition

    def _definition(self, kind: Kind, definition: str) -> Numbering | None:
        return self._definitions.get(definition, DEFAULT if kind == "outline" else None)

    def _list(self, key: tuple[Kind, str]) -> list[int]:
        """Return the numbers of a definition's list, which begins with its first use."""
        kind = key[0]
        if key not in self._numbers:
            found = self._definition(*key)
            before = self._numbers.get(self._last.get(kind, key), [])
            self._numbers[key] = [*before] if found and found.continues else []
        self._last[kind] = key
        return self._numbers[key]


def joined(label: str, text: str) -> str:
    """Return a paragraph behind its label: ``제1조(목적)``, ``1. 연구비``."""
    is_title = label[-1:].isalpha() and text.lstrip()[:1] in ("(", "\uff08", "[")
    return f"{label}{'' if is_title or not label else ' '}{text.lstrip()}"


def spelled(number: int, shape: str) -> str:
    """Return a number from 1 in one of `SHAPES`; digits where the shape has no such number."""
    if shape in _CYCLES:
        return _CYCLES[shape][(number - 1) % len(_CYCLES[shape])]
    if shape == "CIRCLED_DIGIT" and 0 < number <= len(_CIRCLED):
        return _CIRCLED[number - 1]
    if shape in _TENS and number < 100:  # noqa: PLR2004
        names, (tens, ones) = _TENS[shape], divmod(number, 10)
        lead = names[tens] if tens > 1 else ""
        return f"{lead}{names[0] if tens else ''}{names[ones] if ones else ''}"
    if shape in ("ROMAN_CAPITAL", "ROMAN_SMALL"):
        letters = ""
        for value, letter in _ROMAN:
            letters += letter * (number // value)
            number %= value
        return letters if shape == "ROMAN_CAPITAL" else letters.lower()
    return str(number)


def _start(numbering: Numbering, level: int) -> int:
    return min(max(numbering.levels[level].start, 1), _MOST)


def _label(numbering: Numbering, level: int, numbers: list[int]) -> str:
    levels = numbering.levels

    def number(place: int) -> str:
        value = numbers[place] if place < len(numbers) else _start(numbering, place)
        return spelled(value, levels[place].shape)

    # A caret takes one digit: Hancom prints ^10 as the first level's number and a 0.
    first, *rest = levels[level].text[:_TEXT].split("^")
    label = first
    for part in rest:
        sign, tail = part[:1], part[1:]
        if sign in ("n", "N"):
            label += ".".join(map(number, range(level + 1))) + "." * (sign == "N")
        elif sign.isdecimal() and 0 < int(sign) <= len(levels):
            label += number(int(sign) - 1)
        else:
            label += f"^{sign}"
        label += tail
    return label[:_LABEL]
