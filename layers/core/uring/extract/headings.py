"""The first lines of the pieces of a regulation: 제1조, 제1장, 부칙, 별표.

A particle stands before a blank: "제3장 의 규정에" refers to a chapter, "제3장 의료" is one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from uring.extract.spelling import is_amendment, without_amendments

Number = tuple[int, tuple[int, ...]]
"""Of an article: 제2조의3 is (2, (3,))."""

START: Final[Number] = (0, ())
"""Before the first article."""
FIRST_LETTERS: Final = "제第부附별別<〈\uff1c([【\u3014\uff3b\uff08■□◆◇▣●○※"
"""The characters that a heading may begin with."""
MOST_LINES: Final = 5
"""The most lines of a heading."""

_TITLE: Final = 100
_MOST_IN_RANGE: Final = 200
_LONGEST: Final = 180
_OPENING: Final = "(\uff08[【\u3014\uff3b"
_CLOSING: Final = ")\uff09]】\u3015\uff3d"
_OPEN: Final = "<〈\uff1c(\\[【\u3014\uff3b\uff08"
_CLOSE: Final = ">〉\uff1e)\\]】\u3015\uff3d\uff09"
_OPENS: Final = "(\uff08<\uff1c〈[\uff3b【\u3014"
_CLOSES: Final = ")\uff09>\uff1e〉]\uff3d】\u3015"
# Character by character, so that a place in one spelling is a place in the other.
_HANGUL: Final = str.maketrans("第條章節編款之附則別表紙削除", "제조장절편관의부칙별표지삭제")

_ARTICLE: Final = re.compile(
    r"제 ?(\d{1,4}) ?조((?: ?의 ?\d{1,3})*)"
    r"(\.(?=[ \t]*[(\uff08\[【\u3014\uff3b\u300c]|[ \t]+[가-힣]))?[ \t]*(?:\*\*)?"
)
_LISTED: Final = r"제 ?\d{1,4} ?조(?: ?의 ?\d{1,3})*"
_BETWEEN: Final = "부터|에서|및|내지|[~\u223c\uff5e\u301c,·ㆍ-]"
_RANGE: Final = re.compile(
    rf"{_LISTED}(?: ?(?:{_BETWEEN}) ?{_LISTED}){{1,20}}(?: ?까지)? ?[{_OPEN}]? ?삭 ?제"
    rf"(?=[ \t.\d{_OPEN}{_CLOSE}]|$)"
)
_IN_RANGE: Final = re.compile(rf"({_BETWEEN})? ?제 ?(\d{{1,4}}) ?조((?: ?의 ?\d{{1,3}})*)")
_PART: Final = re.compile(r"제 ?(\d{1,4}) ?([편장절관])((?: ?의 ?\d{1,3})?)(.*)")
_SUPPLEMENT: Final = re.compile(
    rf"([{_OPEN}]?)[ \t]*부[ \t]{{0,6}}칙[ \t]*([{_CLOSE}]?)[ \t]*"
    rf"(?:([{_OPEN}].{{0,100}}[{_CLOSE}])|([\d.,제호학칙규정년월일\s]{{0,60}}))$"
)
_ANNEX: Final = re.compile(
    rf"([{_OPEN}]?)[ \t]*(별[ \t]?표|별지|별첨)[ \t]*"
    r"(?:제?[ \t]?(\d{1,3}(?:-\d{1,3})?)[ \t]?호?)?((?:[ \t]?의[ \t]?\d{1,3})?)[ \t]*(?:호[ \t]*)?"
    rf"(?:서식)?[ \t]*([{_CLOSE}]?)(?=[ \t{_OPEN}]|$)(.*)"
)
# The official heading of an annex: ■ 가람대학교 학칙 [별표 1] <개정 2024. 1. 1.>
_ANNEX_OF: Final = re.compile(rf"[■□◆◇▣●○※][ \t]*[^{_OPEN}]{{0,100}}(?=[{_OPEN}][ \t]*별)")
_RELATED: Final = re.compile(r"\([^()]{1,80}관련[^()]{0,20}\)")
_REFERENCE: Final = re.compile(
    r"(?:에서|에게|에|의|을|를|은|는|과|와|및|또는|내지|부터|까지|으로|로|가)(?=[\s,.·]|$)"
)
_GOES_ON: Final = re.compile(
    r"(?:및|또는|내지|부터|까지|에서|에|의|을|를|은|는|가|과|와|중)(?=[\s,.·]|$)"
    r"|(?:부터|까지|내지)|제 ?\d{1,4} ?[항호목편장절관]|각 ?[호항목](?=[\s의에는을,.]|$)"
    r"|(?:본문|단서|전단|후단)(?:에서|에|의|을|를|은|는|이|가|과|와)?(?=[\s,.·]|$)"
    r"|(?:이하|이상|이외|이내|이전|이후)(?:의|에|에서|는|를|까지)?(?=[\s,.·]|$)|[,.·~]"
)
# A text may begin so, and so may the second line of a sentence.
_UNSURE: Final = re.compile(r"제 ?\d|[이가과은의에을를는와중각]|본문|단서|전단|후단|또는")
_PARTS_REFERENCE: Final = re.compile(r"(?:이|각)(?=[\s,.·]|$)|제 ?\d")
_SPACED: Final = re.compile(r"[가-힣](?:[ \t]+[가-힣])+$")
_SENTENCE: Final = re.compile(r"(?:다\.|[는를]|에서|에게|따라)$")
# 제1장학금, 제2절차, 제3관계: other words than 장, 절 and 관.
_OTHER_WORD: Final = re.compile(
    r"학|소|애|기|비|관|려|치|래|부|벽|차|감|대|취|반|계|련|리|할|람|문|광|세|객|내|사|한|입|집"
    r"|의|성|도|찬|지|견|익|에|을|를|은|는|이|가|과|와|중|각|까|및|또"
)
_GLUED: Final = re.compile(r"[가-힣](?:[가-힣 ·ㆍ]{0,18}[가-힣])?$")
_LAW: Final = re.compile(r"(?:법|법률|령|규칙|규정|학칙|정관|조례|세칙|지침)$")


@dataclass(frozen=True, slots=True)
class ArticleHead:
    """The heading of an article.

    Attributes:
        number: of the article; of a range the first.
        title: in its brackets; empty without one.
        is_certain: whether brackets name it; else it must be higher than the last number.
        needs_end: whether it begins an article only behind a finished sentence.
        needs_next: whether it begins an article only with a number soon behind the last.
        others: the other numbers of a range that says 삭제.
    """

    number: Number
    title: str = ""
    is_certain: bool = False
    needs_end: bool = False
    needs_next: bool = False
    others: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class PartHead:
    """The heading of a part: its number with ``의2``, its unit (편, 장, 절, 관) and its title.

    ``is_glued``: its title follows without a blank, so it must be the part behind the last one.
    """

    number: int
    suffix: str
    unit: str
    title: str
    is_glued: bool


def article_head(head: str) -> ArticleHead | None:
    """Return the heading of an article; None for another line and for a reference."""
    spelling = head.translate(_HANGUL)
    if (found := _RANGE.match(spelling)) is not None:
        first, *others = _numbers(found[0])
        return ArticleHead(first, others=tuple(others))
    found = _ARTICLE.match(spelling)
    if found is None:
        return None
    number = _number(found[1], found[2])
    rest = head[found.end() :]
    title, is_named = _title(rest)
    if is_named:
        is_reference = _REFERENCE.match(rest[len(title) + 2 :]) is not None
        return None if is_reference else ArticleHead(number, title.strip(), is_certain=True)
    is_apart = spelling[found.end() - 1 : found.end()].isspace()
    return _untitled(number, rest, is_apart=is_apart, is_dotted=bool(found[3]))


def _untitled(number: Number, rest: str, *, is_apart: bool, is_dotted: bool) -> ArticleHead | None:
    """Return the heading of an article whose text follows its number."""
    text = rest.strip().translate(_HANGUL)
    if not is_dotted and (not text or text[0] in "①<〈[(" or re.match(r"삭 ?제", text)):
        return ArticleHead(number)
    if not is_apart or text[:1] < "가" or _GOES_ON.match(text):
        return None
    is_unsure = is_dotted or _UNSURE.match(text) is not None
    is_reference = re.match(r"제 ?\d", text) is not None
    return ArticleHead(number, needs_end=is_unsure, needs_next=is_reference)


def part_head(head: str) -> PartHead | None:
    """Return the heading of a part; None for another line and for a reference."""
    found = _PART.match(head.translate(_HANGUL))
    if found is None:
        return None
    rest = head[found.start(4) :]
    title = without_amendments(rest)
    is_glued = bool(rest) and not rest[0].isspace()
    if is_glued and (_OTHER_WORD.match(title) or not _GLUED.match(title)):
        return None
    if not _SPACED.match(title) and (_GOES_ON.match(title) or _PARTS_REFERENCE.match(title)):
        return None
    if _SENTENCE.search(title):
        return None
    return PartHead(int(found[1]), "".join(found[3].split()), found[2], title, is_glued)


def supplement_head(head: str) -> str | None:
    """Return the name of a supplement, such as ``제1호,2026.3.1.``; None for another line."""
    spelling = head.translate(_HANGUL)
    if (
        spelling[0] in "[<("
        and spelling[-1] in "]>)"
        and not re.search(r"[]\[<>()]", spelling[1:-1])
    ):
        spelling = spelling[1:-1].strip()
    found = _SUPPLEMENT.match(spelling)
    if found is None or bool(found[1]) != bool(found[2]):
        return None
    return re.sub(rf"[{_OPEN}{_CLOSE}\s]", "", found[3] or found[4] or "")


def annex_head(head: str) -> tuple[str, str] | None:
    """Return the name of an annex, such as ``별표1``, and its title; None for another line."""
    spelling = head.translate(_HANGUL)
    of = _ANNEX_OF.match(spelling)
    at = of.end() if of else 0
    found = _ANNEX.match(spelling, at)
    if found is None or bool(found[1]) != bool(found[5]):
        return None
    title = without_amendments(head[found.start(6) :])
    if of and title and not _RELATED.fullmatch(title):
        return None
    if not is_amendment(title) and _GOES_ON.match(title):
        return None
    # Without brackets an annex needs a number: "별표와 같다" is a sentence.
    if not found[1] and (not found[3] or _SENTENCE.search(title)):
        return None
    name = "".join(f"{found[2]}{found[3] or ''}{found[4]}".split())
    return name, title


def heading_lines(lines: Sequence[str]) -> int:
    """Return how many of a paragraph's first lines are one heading; 1 where no break is within it.

    A PDF breaks a long heading where the line is full: within a supplement's name, an annex's
    amendment, the title of a chapter or an article.
    """
    found = 1
    for count in range(2, min(len(lines), MOST_LINES) + 1):
        head = " ".join(lines[:count])
        if len(head) > _LONGEST:
            break
        is_whole = count == len(lines)
        if (
            supplement_head(head) is not None
            or (is_whole and part_head(head) is not None)
            or ((is_whole or head[-1:] in _CLOSES) and _is_broken_annex(head, lines[0]))
        ):
            found = count
        elif found == 1 and is_open_heading(lines[0]) and _is_named_article(head):
            return count
    return found


def goes_on(head: str, line: str) -> bool:
    """Return whether a heading that began in the lines before goes on in this one."""
    if not head or len(head) > _LONGEST:
        return False
    if is_open_heading(head):
        return True
    # [별표 1] behind 부칙 <제1호> is a heading of its own.
    is_bracket = line[:1] in _OPENS and annex_head(line) is None
    return is_bracket and supplement_head(head) is not None


def is_open_heading(text: str) -> bool:
    """Return whether a text begins like a heading and ends within a bracket of it."""
    if not text or text[0] not in FIRST_LETTERS or len(text) > _LONGEST:
        return False
    article = _ARTICLE.match(text.translate(_HANGUL))
    depth = 0
    for char in text[article.end() :] if article else text:
        depth += (char in _OPENS) - (char in _CLOSES)
        if article and not depth:
            # Brackets behind an article's title belong to its text.
            return False
    return depth > 0


def _is_broken_annex(head: str, first: str) -> bool:
    return annex_head(head) is not None and annex_head(first) is None


def _is_named_article(head: str) -> bool:
    found = article_head(head)
    return found is not None and found.is_certain


def _number(number: str, suffix: str) -> Number:
    return int(number), tuple(map(int, re.findall(r"\d+", suffix)))


def _numbers(text: str) -> list[Number]:
    """Return the numbers of a range or a list of articles, each once, in order."""
    numbers: list[Number] = []
    for between, number, suffix in _IN_RANGE.findall(text):
        this = _number(number, suffix)
        if between not in ("", "및", ",", "·", "ㆍ") and numbers:
            last = numbers[-1][0]
            numbers += [(each, ()) for each in range(last + 1, min(this[0], last + _MOST_IN_RANGE))]
        numbers.append(this)
    return list(dict.fromkeys(numbers))


def _title(rest: str) -> tuple[str, bool]:
    """Return the text of the leading bracket, and whether it is a title.

    Brackets may nest. 삭제, 개정 and 신설 are not titles; an unclosed bracket gives an empty text.
    """
    if rest.startswith("\u300c"):
        title, is_closed, behind = rest[1:_TITLE].partition("\u300d")
        is_law = _LAW.search(title) is not None
        return title, bool(is_closed) and not is_law and (not behind or behind[0].isspace())
    if not rest or rest[0] not in _OPENING:
        return "", False
    depth = 0
    for at, char in enumerate(rest[:_TITLE]):
        depth += (char in _OPENING) - (char in _CLOSING)
        if not depth:
            title = rest[1:at]
            return title, not title.replace(" ", "").startswith(("삭제", "개정", "신설"))
    return "", False
