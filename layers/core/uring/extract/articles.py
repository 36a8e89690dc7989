"""The articles of a regulation: 제1조, 제2조의2, those of each 부칙, 별표 and 별지.

An article begins in a line with its number and a title in brackets, 삭제, ① or a sentence. "제3조에
따라" and "제3조(등록)에 따른" at a line's start are references. A number without brackets must be
higher than the last one, because a line of a PDF may begin with a reference. "제2조부터 제4조까지
삭제" is one piece, under its first number. `uring.extract.headings` knows the spellings.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from uring.extract.headings import (
    FIRST_LETTERS,
    START,
    ArticleHead,
    Number,
    annex_head,
    article_head,
    goes_on,
    heading_lines,
    part_head,
    supplement_head,
)
from uring.extract.spelling import folded
from uring.extract.units import without_pages

Kind = Literal["preamble", "part", "article", "supplement", "annex", "section"]

_HEAD: Final = 200
# Numbers that are left out where articles were removed.
_MOST_GONE: Final = 5
# Ten times the longest statute's, with room: a hostile text has half a million.
_MOST_PIECES: Final = 10_000
# Lines of a broken heading and the blank ones between them.
_MOST_AHEAD: Final = 12
_PREFIX: Final = re.compile(r"[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*)?")
_DELETED: Final = re.compile(
    r"[제第]\d{1,4}[조條](?:[의之]\d{1,3})*(?:[(\[].{0,100}?[)\]])?[(<\[]?(?:삭제|削除)"
)
# A table of contents: its name, and lines that end with dots and a page's number, or the number.
_CONTENTS: Final = re.compile(r"(?:#+ )?[\[(<]?(?:목 *차|차 *례|目 *次)[\])>]?")
_DOTS: Final = "[.\xb7\u2025\u2026\u2219\u22c5\u22ef\u318d]"
_DOTTED: Final = re.compile(rf"(?:(?:{_DOTS} ?){{3}}|[\u2026\u22ef])(?:{_DOTS}|[ \t])*\d{{1,4}}$")
_NUMBERED: Final = re.compile(r"[ \t]\d{1,4}$")
_LINE_END: Final = 60
_MARKDOWN_HEADING: Final = re.compile(r"#{1,6} +(.{1,150})$")
# The end of a line whose sentence goes on.
_OPEN_END: Final = re.compile(
    r"(?:[,·은는을를에며]|및|또는|따라|따른|의한|관한|대한|에서|까지|부터|하여|하고|같고)$"
)


@dataclass(frozen=True, slots=True)
class Article:
    """A piece of a regulation.

    Attributes:
        key: unique in its regulation: ``제2조의2``, ``부칙제1호,2026.3.1./제1조``, ``별표1``.
        kind: articles of a supplement are ``article``, too.
        title: in its brackets or behind its number; empty without one.
        text: the whole piece, heading included.
        covers: the keys of the other articles of a range, as in "제2조부터 제4조까지 삭제".
    """

    key: str
    kind: Kind
    title: str
    text: str
    covers: tuple[str, ...] = ()

    @property
    def is_deleted(self) -> bool:
        """True for an article with 삭제 right behind its number and title."""
        if self.kind != "article":
            return False
        return bool(self.covers) or _DELETED.match(folded(self.text[:_HEAD])) is not None


@dataclass(frozen=True, slots=True)
class _Mark:
    """The start of a piece."""

    key: str
    kind: Kind
    title: str
    covers: tuple[str, ...] = ()


WHOLE: Final = "본문"
"""The key of a text in one piece."""


def articles(text: str, *, by_headings: bool = True) -> tuple[Article, ...]:
    """Return the pieces of a text in order; together they hold all of its lines.

    A text without articles is split at its headings, if ``by_headings``. Without headings it is one
    piece, `WHOLE`. An empty text has no pieces. The last of 10,001 pieces has all that is left.
    """
    lines = without_pages(text).split("\n")
    pieces = _pieces(lines, _Scanner().mark)
    if not any(piece.kind == "article" for piece in pieces):
        pieces = _pieces(lines, _heading if by_headings else lambda _: None)
    return _unique(pieces)


def _pieces(lines: Sequence[str], mark_of: Callable[[str], _Mark | None]) -> list[Article]:
    pieces: list[Article] = []
    mark = _Mark("머리", "preamble", "")
    waiting: list[str] = []
    # The line behind the heading that was read last.
    behind = 0
    contents = _contents(lines)
    for at, line in enumerate(lines):
        if len(pieces) < _MOST_PIECES and at >= behind and at not in contents:
            head, behind = _whole_head(lines, at)
            begun = mark_of(head)
            if begun is not None:
                pieces += _piece(mark, waiting)
                mark, waiting = begun, []
        waiting.append(line)
    pieces += _piece(mark, waiting)
    if len(pieces) == 1 and mark.kind == "preamble":
        return [Article(WHOLE, "section", "", pieces[0].text)]
    return pieces


def _contents(lines: Sequence[str]) -> frozenset[int]:
    """Return the indices of the lines of a table of contents: they name headings and are none."""
    found: set[int] = set()
    is_inside = False
    for at, line in enumerate(lines):
        end = line.rstrip()[-_LINE_END:]
        if not end:
            continue
        if _DOTTED.search(end) or (is_inside and _NUMBERED.search(end)):
            found.add(at)
        else:
            is_inside = _CONTENTS.fullmatch(end.strip()) is not None
    return frozenset(found)


def _whole_head(lines: Sequence[str], at: int) -> tuple[str, int]:
    """Return the heading at a line with its further lines, and the index of the line behind them.

    A text may be broken where a line or a page is full: 부칙(… 관한 규정) <제3호, 2024. 3. / 1.>
    """
    line = lines[at]
    if line[_begin(line) :][:1] not in FIRST_LETTERS:
        return line, at + 1
    parts, ends = [line[_begin(line) :].rstrip()], [at + 1]
    for next_at in range(at + 1, min(at + _MOST_AHEAD, len(lines))):
        part = lines[next_at].strip()
        if part and not goes_on(" ".join(parts), part):
            break
        if part:
            parts.append(part)
            ends.append(next_at + 1)
    count = heading_lines(parts)
    return (" ".join(parts[:count]) if count > 1 else line), ends[count - 1]


def _begin(line: str) -> int:
    """Return the place of a line's text behind blanks and Markdown's marks."""
    found = _PREFIX.match(line[:_HEAD])
    return found.end() if found else 0


def _piece(mark: _Mark, lines: Sequence[str]) -> list[Article]:
    text = "\n".join(lines).strip()
    return [Article(mark.key, mark.kind, mark.title, text, mark.covers)] if text else []


def _unique(pieces: Sequence[Article]) -> tuple[Article, ...]:
    """Return the pieces with unique keys: a repeated key gets ``#2``, ``#3`` and so on."""
    seen: Counter[str] = Counter()
    named: list[Article] = []
    for piece in pieces:
        seen[piece.key] += 1
        again = seen[piece.key]
        named.append(replace(piece, key=f"{piece.key}#{again}") if again > 1 else piece)
    return tuple(named)


def _heading(line: str) -> _Mark | None:
    found = _MARKDOWN_HEADING.match(line)
    return _Mark("".join(found[1].split()), "section", found[1]) if found else None


class _Scanner:
    """A scanner of a regulation's lines; it keeps the scope and the last numbers."""

    def __init__(self) -> None:
        self._scope = ""
        self._part = ""
        self._last = START
        self._last_parts: dict[str, int] = {}
        self._is_open = False

    def mark(self, line: str) -> _Mark | None:
        """Return the mark of the piece that begins with this line; None if none begins."""
        mark = self._mark(line)
        is_heading = mark is not None and mark.kind != "article"
        self._is_open = not is_heading and _OPEN_END.search(line.rstrip()[-3:]) is not None
        return mark

    def _mark(self, line: str) -> _Mark | None:
        head = line[:_HEAD][_begin(line) :].rstrip()
        # Cheap: few lines begin with one of these characters.
        if not head or head[0] not in FIRST_LETTERS:
            return None
        return (
            self._article(head) or self._supplement(head) or self._parted(head) or self._annex(head)
        )

    def _article(self, head: str) -> _Mark | None:
        found = article_head(head)
        if found is None:
            return None
        if not found.is_certain and not self._may_begin(found):
            return None
        self._last = max((found.number, *found.others))
        key, *others = (self._key(number) for number in (found.number, *found.others))
        return _Mark(key, "article", found.title, tuple(others))

    def _may_begin(self, found: ArticleHead) -> bool:
        """Return whether an article without a title may begin here: a reference looks the same."""
        if found.number <= self._last or (found.needs_end and self._is_open):
            return False
        return not found.needs_next or found.number[0] <= self._last[0] + _MOST_GONE + 1

    def _key(self, number: Number) -> str:
        suffix = "".join(f"의{part}" for part in number[1])
        return f"{f'{self._scope}/' if self._scope else ''}제{number[0]}조{suffix}"

    def _supplement(self, head: str) -> _Mark | None:
        name = supplement_head(head)
        if name is None:
            return None
        self._enter(f"부칙{name}")
        return _Mark(self._scope, "supplement", "")

    def _parted(self, head: str) -> _Mark | None:
        found = None if self._scope else part_head(head)
        if found is None:
            return None
        if found.is_glued and found.number not in (1, self._last_parts.get(found.unit, 0) + 1):
            return None
        self._last_parts[found.unit] = found.number
        name = f"제{found.number}{found.unit}{found.suffix}"
        if found.unit in "편장":
            self._part = name
        elif self._part:
            name = f"{self._part}/{name}"
        return _Mark(name, "part", found.title)

    def _annex(self, head: str) -> _Mark | None:
        found = annex_head(head)
        if found is None:
            return None
        name, title = found
        self._enter(name)
        return _Mark(name, "annex", title)

    def _enter(self, scope: str) -> None:
        """Begin a supplement or an annex, whose articles start again at 1."""
        self._scope = scope
        self._last = START
