"""The numbers of Word's lists (제1조, ①, 가.), by ECMA-376, part 1, 17.9.

- Lists (``num``) of one definition (``abstractNum``) are counted together; a list that overrides
  the start begins again at its first paragraph.
- A number empties the deeper levels, unless their ``lvlRestart`` says otherwise; a higher level
  that was skipped shows its first number and is not counted by that.
"""

from dataclasses import dataclass, field
from typing import Final

from uring.extract.readers.hancom.numbering import spelled
from uring.extract.readers.word.word_styles import (
    WordStyles,
    is_on,
    number_of,
    part,
    value_of,
)
from uring.fetch.xml import Element

_LEVELS: Final = 9
_MOST: Final = 65_535
# Of a level's text, and of the label made of it: a file may name both at any length.
_TEXT: Final = 40
_LABEL: Final = 200
_SHAPES: Final = {
    "upperRoman": "ROMAN_CAPITAL",
    "lowerRoman": "ROMAN_SMALL",
    "ganada": "HANGUL_SYLLABLE",
    "chosung": "HANGUL_JAMO",
    "decimalEnclosedCircle": "CIRCLED_DIGIT",
    "decimalEnclosedCircleChinese": "CIRCLED_DIGIT",
    "koreanCounting": "HANGUL_PHONETIC",
    "chineseCounting": "IDEOGRAPH",
    "chineseCountingThousand": "IDEOGRAPH",
    "japaneseCounting": "IDEOGRAPH",
    "taiwaneseCounting": "IDEOGRAPH",
    "taiwaneseCountingThousand": "IDEOGRAPH",
    "ideographTraditional": "DECAGON_CIRCLE_HANJA",
}
_DIGITS: Final = {
    "koreanDigital": "영일이삼사오육칠팔구",
    "koreanDigital2": "零一二三四五六七八九",
    "ideographDigital": "〇一二三四五六七八九",
}
_LETTERS: Final = {
    "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "lowerLetter": "abcdefghijklmnopqrstuvwxyz",
}
# The first of twenty letters: ⑴ and ⒈.
_TWENTY: Final = {"decimalEnclosedParen": 0x2474, "decimalEnclosedFullstop": 0x2488}
_NATIVE_TENS: Final = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"]
_NATIVE_ONES: Final = ["", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"]


@dataclass(frozen=True, slots=True)
class _Level:
    text: str
    shape: str
    start: int
    restart: int
    is_legal: bool
    style: str


@dataclass(slots=True)
class _List:
    """A list: its definition's id, its levels, and the levels whose start it overrides."""

    definition: str
    levels: dict[int, _Level]
    starts: dict[int, int] = field(default_factory=dict)


class WordNumbers:
    """The numbers of a document's paragraphs, to be asked once for each in order.

    Args:
        root: of ``word/numbering.xml``; None for a document without lists.
        styles: a definition may name a style, which holds its levels.
    """

    def __init__(self, root: Element | None, styles: WordStyles) -> None:
        children = root.children if root else ()
        self._styles = styles
        self._definitions = {
            each.attributes.get("abstractNumId", ""): each
            for each in children
            if each.name == "abstractNum"
        }
        self._nums = {
            each.attributes.get("numId", ""): each for each in children if each.name == "num"
        }
        self._levels: dict[int, dict[int, _Level]] = {}
        self._lists: dict[str, _List | None] = {}
        self._numbers: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()

    def label(self, name: str, level: int | None, style: str) -> str:
        """Return the label of the next paragraph of a list; empty without a number.

        Args:
            name: the list's numId; "0" and an unknown one give no number, as in Word.
            level: from 0; None for the level that belongs to the style.
            style: the paragraph's.
        """
        found = self._list(name)
        if found is None:
            return ""
        if level is None:
            own = (at for at, each in found.levels.items() if style and each.style == style)
            level = next(own, 0)
        if level not in found.levels:
            return ""
        numbers = self._numbers.setdefault(found.definition, {})
        self._count(name, found, level, numbers)
        return _label(found.levels, level, numbers)

    def _count(self, name: str, found: _List, level: int, numbers: dict[int, int]) -> None:
        first = found.starts.get(level, found.levels[level].start)
        if level in found.starts and (name, level) not in self._begun:
            self._begun.add((name, level))
            numbers[level] = first
        else:
            numbers[level] = numbers.get(level, first - 1) + 1
        for deeper in [at for at in numbers if at > level]:
            each = found.levels.get(deeper)
            if each is None or level < each.restart:
                del numbers[deeper]

    def _list(self, name: str) -> _List | None:
        if name not in self._lists:
            num = self._nums.get(name)
            self._lists[name] = self._read(num) if num else None
        return self._lists[name]

    def _read(self, num: Element) -> _List | None:
        identity, definition = self._definition(num)
        if definition is None:
            return None
        # Read once: thousands of lists may share a definition of thousands of levels.
        if id(definition) not in self._levels:
            self._levels[id(definition)] = _levels(definition)
        levels = {**self._levels[id(definition)]}
        starts: dict[int, int] = {}
        for override in num.children:
            at = number_of(override.attributes.get("ilvl", ""))
            if override.name != "lvlOverride" or at is None or at >= _LEVELS:
                continue
            levels |= _levels(override)
            start = number_of(value_of(override, "startOverride"))
            if start is not None:
                starts[at] = min(start, _MOST)
        return _List(identity, levels, starts)

    def _definition(self, num: Element) -> tuple[str, Element | None]:
        """Return a list's definition and its id; a definition may borrow a style's, once."""
        identity = value_of(num, "abstractNumId")
        definition = self._definitions.get(identity)
        link = value_of(definition, "numStyleLink")
        linked = self._nums.get(self._styles.numbering(link)[0]) if link else None
        if linked is not None:
            identity = value_of(linked, "abstractNumId")
            definition = self._definitions.get(identity, definition)
        return identity, definition


def _levels(parent: Element) -> dict[int, _Level]:
    levels: dict[int, _Level] = {}
    for each in parent.children:
        at = number_of(each.attributes.get("ilvl", ""))
        if each.name != "lvl" or at is None or at >= _LEVELS:
            continue
        shape = _shape(each)
        is_silent = shape == "bullet" or is_on(part(each, "rPr"), "vanish")
        restart = number_of(value_of(each, "lvlRestart"))
        levels[at] = _Level(
            "" if is_silent else value_of(each, "lvlText")[:_TEXT],
            shape,
            min(_start(each), _MOST),
            at if restart is None else restart,
            is_on(each, "isLgl") or False,
            value_of(each, "pStyle"),
        )
    return levels


def _start(level: Element) -> int:
    start = number_of(value_of(level, "start"))
    return 0 if start is None else start


def _shape(level: Element) -> str:
    """Return the format of a level's numbers; of alternatives the format that all versions know."""
    alternative = part(part(level, "AlternateContent"), "Fallback")
    return value_of(level, "numFmt") or value_of(alternative, "numFmt") or "decimal"


def _label(levels: dict[int, _Level], level: int, numbers: dict[int, int]) -> str:
    first, *rest = levels[level].text.split("%")
    label = first
    for each in rest:
        at = int(each[0]) - 1 if each[:1].isascii() and each[:1].isdigit() else -1
        if at not in levels:
            label += "%" + each if at < 0 else each[1:]
            continue
        number = numbers.get(at, levels[at].start)
        shape = "decimal" if levels[level].is_legal else levels[at].shape
        label += _spelled(min(number, _MOST), shape) + each[1:]
    return label[:_LABEL]


def _spelled(number: int, shape: str) -> str:
    """Return a number in one of Word's formats; digits where the format has no such number."""
    if shape == "none" or number <= 0:
        return "" if shape == "none" else str(number)
    again, at = divmod(number - 1, 26)
    if shape in _LETTERS:
        # z, aa, bb: each round repeats the letter.
        return _LETTERS[shape][at] * min(again + 1, _TEXT)
    if shape in _DIGITS:
        return "".join(_DIGITS[shape][int(digit)] for digit in str(number))
    if shape in _TWENTY and number <= 20:  # noqa: PLR2004
        return chr(_TWENTY[shape] + number - 1)
    if shape == "koreanLegal" and number < 100:  # noqa: PLR2004
        return _NATIVE_TENS[number // 10] + _NATIVE_ONES[number % 10]
    label = spelled(number, _SHAPES.get(shape, "DIGIT"))
    return label.zfill(2) if shape == "decimalZero" else label
