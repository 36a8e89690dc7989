"""Markdown as spans: words to translate, and markup that stays unchanged.

Code blocks, comments (``<!-- page 3 -->``), the marks of headings, lists and quotes, numbering, the
pipes of tables, white space and everything without a letter stay. Joined, the spans are the text.
Each character is looked at a bounded number of times, whatever the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_COMMENT: Final = "<!--"
_END_OF_COMMENT: Final = "-->"
_PREFIX: Final = re.compile(
    r"[^\S\n]*"
    r"(?:>[^\S\n]*)*"
    r"(?:\#{1,6}[^\S\n]+"
    r"|(?:[-*+]|\d{1,9}[.)]|[가나다라마바사아자차카타파하][.)])[^\S\n]+(?:\[[ xX]\][^\S\n]+)?"
    r"|\(\d{1,3}\)[^\S\n]*"
    r"|[①-⑳][^\S\n]*)?"
)
_DEFINITION: Final = re.compile(r" {0,3}\[[^\]\n]{1,200}\]:[^\S\n]*(?:<|[a-z][a-z0-9+.-]*:|[/#.])")
# A pipe that is escaped is text, in a table too.
_CELL: Final = re.compile(r"\\.|\|")


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A part of a text.

    Attributes:
        text: the characters of the part; words to translate are not blank and within one line.
        is_words: whether the part is translated.
        starts_line: whether only white space is before it in its line.
        in_row: whether it is a cell of a row.
    """

    text: str
    is_words: bool = False
    starts_line: bool = False
    in_row: bool = False


def spans(text: str) -> Iterator[TextSpan]:
    """Yield the spans of a text; joined, they are the text."""
    position = 0
    for start, end in _Blocks(text):
        yield from _prose(text[position:start])
        yield TextSpan(text[start:end])
        position = end
    yield from _prose(text[position:])


class _Blocks:
    """Code blocks and comments of a text, in order; a block without an end is plain text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._fences = [_Fence.of(match) for match in _FENCE.finditer(text)]
        # The longest closing fence of each kind after each fence: shows whether a block has an end.
        self._longest: list[dict[str, int]] = []
        longest = {"`": 0, "~": 0}
        for fence in reversed(self._fences):
            self._longest.append(dict(longest))
            if fence.closes:
                longest[fence.kind] = max(longest[fence.kind], fence.length)
        self._longest.reverse()
        self._last_end = text.rfind(_END_OF_COMMENT)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        position, index = 0, 0
        comment = self._text.find(_COMMENT)
        while True:
            while index < len(self._fences) and not self._opens(index, position):
                index += 1
            if 0 <= comment < position:
                comment = self._text.find(_COMMENT, position)
            if comment + len(_COMMENT) > self._last_end:
                comment = -1
            is_fence = index < len(self._fences)
            if is_fence and (comment < 0 or self._fences[index].start < comment):
                start, (index, position) = self._fences[index].start, self._closed(index)
            elif comment >= 0:
                start = comment
                position = self._text.find(_END_OF_COMMENT, comment + len(_COMMENT))
                position += len(_END_OF_COMMENT)
            else:
                return
            yield start, position

    def _opens(self, index: int, position: int) -> bool:
        fence = self._fences[index]
        longest = self._longest[index][fence.kind]
        return fence.start >= position and fence.opens and longest >= fence.length

    def _closed(self, index: int) -> tuple[int, int]:
        """Return the index after the closing fence, and the position after that fence."""
        first = self._fences[index]
        for number in range(index + 1, len(self._fences)):
            fence = self._fences[number]
            if fence.closes and fence.kind == first.kind and fence.length >= first.length:
                return number + 1, fence.end
        raise AssertionError("an opening fence has an end")


@dataclass(frozen=True, slots=True)
class _Fence:
    start: int
    end: int
    kind: str
    length: int
    opens: bool
    closes: bool

    @classmethod
    def of(cls, match: re.Match[str]) -> "_Fence":
        marks, info = match[1], match[2]
        kind = marks[0]
        return cls(
            match.start(),
            match.end(),
            kind,
            len(marks),
            opens=not (kind == "`" and "`" in info),
            closes=not info.strip(),
        )


def _prose(text: str) -> Iterator[TextSpan]:
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        if end > position:
            yield from _line(text[position:end])
        if end < len(text):
            yield TextSpan("\n")
        position = end + 1


def _line(line: str) -> Iterator[TextSpan]:
    if _DEFINITION.match(line):
        yield TextSpan(line)
        return
    match = _PREFIX.match(line)
    prefix = match.end() if match else 0
    if prefix:
        yield TextSpan(line[:prefix])
    pipes = [found.start() for found in _CELL.finditer(line, prefix) if found[0] == "|"]
    position = prefix
    for pipe in pipes:
        yield from _words(line[position:pipe], starts_line=position == 0, in_row=True)
        yield TextSpan("|")
        position = pipe + 1
    yield from _words(line[position:], starts_line=position == 0, in_row=bool(pipes))


def _words(text: str, *, starts_line: bool, in_row: bool) -> Iterator[TextSpan]:
    """Yield the words of a text, and the white space around them; without letters as it is."""
    core = text.strip()
    if not any(map(str.isalpha, core)):
        if text:
            yield TextSpan(text)
        return
    start = text.index(core[0])
    end = start + len(core)
    if start:
        yield TextSpan(text[:start])
    yield TextSpan(core, is_words=True, starts_line=starts_line, in_row=in_row)
    if end < len(text):
        yield TextSpan(text[end:])
