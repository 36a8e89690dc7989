"""The articles of a regulation: 제1조, 제2조의2, those of each 부칙, 별표 and 별지.

An article begins in a line with its number and a title in brackets, 삭제, ① or a sentence. "제3조에
따라" and "제3조(등록)에 따른" at a line's start are references. A number without brackets must be
higher than the last one, because a line of a PDF may begin with a reference.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from uring.extract.units import squeezed, without_pages

Kind = Literal["preamble", "part", "article", "supplement", "annex", "section"]

_HEAD: Final = 200
_TITLE: Final = 100
_PREFIX: Final = re.compile(r"[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*)?")
_ARTICLE: Final = re.compile(r"제 ?(\d{1,4}) ?조((?: ?의 ?\d{1,3})*)[ \t]*(?:\*\*)?")
_PART: Final = re.compile(r"제 ?(\d{1,4}) ?([편장절관])((?: ?의 ?\d{1,3})?)(?=[ \t]|$)(.*)")
_SUPPLEMENT: Final = re.compile(
    r"부[ \t]{0,6}칙[ \t]*"
    r"(?:([<〈\uff1c(\[【].{0,100}[>〉\uff1e)\]】])|([\d.,제호학칙규정년월일\s]{0,60}))$"
)
_ANNEX: Final = re.compile(
    r"([<〈\uff1c\[【(]?)[ \t]*(별[ \t]?표|별지|별첨)[ \t]*"
    r"(?:제?[ \t]?(\d{1,3}(?:-\d{1,3})?)[ \t]?호?)?((?:[ \t]?의[ \t]?\d{1,3})?)[ \t]*(?:호[ \t]*)?"
    r"(?:서식)?[ \t]*([>〉\uff1e\]】)]?)(?=[ \t(]|$)(.*)"
)
_START: Final[tuple[int, tuple[int, ...]]] = (0, ())
_OPENING: Final = "(\uff08[【\u3014"
_CLOSING: Final = ")\uff09]】\u3015"
_REFERENCE: Final = re.compile(
    r"(?:에서|에게|에|의|을|를|은|는|과|와|및|또는|내지|부터|까지|으로|로|가)(?=[\s,.·]|$)"
)
_GOES_ON: Final = re.compile(
    r"제 ?\d|및|또는|내지|부터|까지|에|의|을|를|은|는|이|가|과|와|중|각|본문|단서|전단|후단|[,.·~]"
)
_DELETED: Final = re.compile(r"제\d{1,4}조(?:의\d{1,3})*(?:[(\[].{0,100}?[)\]])?[(<\[]?삭제")
_MARKDOWN_HEADING: Final = re.compile(r"#{1,6} +(.{1,150})$")


@dataclass(frozen=True, slots=True)
class Article:
    """A piece of a regulation.

    Attributes:
        key: unique in its regulation: ``제2조의2``, ``부칙제1호,2026.3.1./제1조``, ``별표1``.
        kind: articles of a supplement are ``article``, too.
        title: in its brackets or behind its number; empty without one.
        text: the whole piece, heading included.
    """

    key: str
    kind: Kind
    title: str
    text: str

    @property
    def is_deleted(self) -> bool:
        """True for an article with 삭제 right behind its number and title."""
        return self.kind == "article" and _DELETED.match(squeezed(self.text[:_HEAD])) is not None


@dataclass(frozen=True, slots=True)
class _Mark:
    """The start of a piece."""

    key: str
    kind: Kind
    title: str


WHOLE: Final = "본문"
"""The key of a text in one piece."""


def articles(text: str, *, by_headings: bool = True) -> tuple[Article, ...]:
    """Return the pieces of a text in order; together they hold all of its lines.

    A text without articles is split at its headings, if ``by_headings``. Without headings it is one
    piece, `WHOLE`. An empty text has no pieces.
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
    for line in lines:
        begun = mark_of(line)
        if begun is not None:
            pieces += _piece(mark, waiting)
            mark, waiting = begun, []
        waiting.append(line)
    pieces += _piece(mark, waiting)
    if len(pieces) == 1 and mark.kind == "preamble":
        return [Article(WHOLE, "section", "", pieces[0].text)]
    return pieces


def _piece(mark: _Mark, lines: Sequence[str]) -> list[Article]:
    text = "\n".join(lines).strip()
    return [Article(mark.key, mark.kind, mark.title, text)] if text else []


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
    """A scanner of a regulation's lines; it keeps the scope and the last number."""

    def __init__(self) -> None:
        self._scope = ""
        self._part = ""
        self._last = _START

    def mark(self, line: str) -> _Mark | None:
        """Return the mark of the piece that begins with this line; None if none begins."""
        head = line[:_HEAD]
        found = _PREFIX.match(head)
        head = head[found.end() :].rstrip() if found else head
        # Cheap: few lines begin with one of these characters.
        if not head or head[0] not in "제부별<〈\uff1c([【":
            return None
        return self._article(head) or self._heading(head) or _annex(head, self)

    def _article(self, head: str) -> _Mark | None:
        found = _ARTICLE.match(head)
        if found is None:
            return None
        number = (int(found[1]), tuple(map(int, re.findall(r"\d+", found[2]))))
        rest = head[found.end() :]
        title, is_named = _title(rest)
        if not is_named and not (_is_begun(rest, head, found.end()) and number > self._last):
            return None
        if is_named and _REFERENCE.match(rest[len(title) + 2 :]):
            return None
        self._last = number
        suffix = "".join(f"의{part}" for part in number[1])
        scope = f"{self._scope}/" if self._scope else ""
        return _Mark(f"{scope}제{number[0]}조{suffix}", "article", title.strip())

    def _heading(self, head: str) -> _Mark | None:
        found = _SUPPLEMENT.match(head)
        if found is not None:
            name = re.sub(r"[<〈\uff1c>〉\uff1e()\[\]【】\s]", "", found[1] or found[2] or "")
            self.enter(f"부칙{name}")
            return _Mark(self._scope, "supplement", "")
        found = _PART.match(head)
        if found is None or self._scope or _GOES_ON.match(found[4].strip()):
            return None
        suffix = "".join(found[3].split())
        name = f"제{found[1]}{found[2]}{suffix}"
        if found[2] in "편장":
            self._part = name
        elif self._part:
            name = f"{self._part}/{name}"
        return _Mark(name, "part", found[4].strip())

    def enter(self, scope: str) -> None:
        """Begin a supplement or an annex, whose articles start again at 1."""
        self._scope = scope
        self._last = _START


def _annex(head: str, scanner: _Scanner) -> _Mark | None:
    found = _ANNEX.match(head)
    if found is None or bool(found[1]) != bool(found[5]):
        return None
    rest = found[6].strip()
    # Without brackets an annex needs a number: "별표와 같다" is a sentence.
    if not found[1] and (not found[3] or _GOES_ON.match(rest)):
        return None
    kind = "".join(found[2].split())
    number = f"{found[3] or ''}{''.join(found[4].split())}"
    scanner.enter(f"{kind}{number}")
    return _Mark(f"{kind}{number}", "annex", rest)


def _title(rest: str) -> tuple[str, bool]:
    """Return the text of the leading bracket, and whether it is a title.

    Brackets may nest. 삭제, 개정 and 신설 are not titles; an unclosed bracket gives an empty text.
    """
    if not rest or rest[0] not in _OPENING:
        return "", False
    depth = 0
    for at, char in enumerate(rest[:_TITLE]):
        depth += (char in _OPENING) - (char in _CLOSING)
        if not depth:
            title = rest[1:at]
            return title, not title.replace(" ", "").startswith(("삭제", "개정", "신설"))
    return "", False


def _is_begun(rest: str, head: str, end: int) -> bool:
    """Return whether an article's text follows a number without brackets."""
    text = rest.strip()
    if not text or text[0] in "①<〈[(" or re.match(r"삭 ?제", text):
        return True
    return head[end - 1 : end].isspace() and _GOES_ON.match(text) is None and text[0] >= "가"
