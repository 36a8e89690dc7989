"""A difference as an HTML page: one file, without scripts, for phones, in light and dark."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from uring.extract.differences import ArticleChange, Difference
from uring.extract.patience import equal_runs
from uring.extract.spelling import GAP, letters_of

_CHANGES: Final = {
    "added": "신설",
    "removed": "없어짐",
    "changed": "개정",
    "deleted": "삭제",
    "renumbered": "이동",
}
_WORDS: Final = re.compile(r"\S+")
_BORDER: Final = re.compile(r"(?<!\\)\|")
_SAME: Final = (
    "조문의 말은 그대로입니다. 띄어쓰기, 줄바꿈, 부호의 모양, 개정 표시는 비교하지 않습니다."
)
_STYLE: Final = """
:root { color-scheme: light dark; --text: #1c1e21; --page: #fff; --line: #d8dbe0; --quiet: #666c75;
  --new: #e3f5e6; --new-word: #b2e2ba; --gone: #fdeaea; --gone-word: #f6c2c2 }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --page: #16181c; --line: #373b42;
  --quiet: #9aa1ab; --new: #16301c; --new-word: #24582f; --gone: #391b1d; --gone-word: #6b2a2e } }
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--page); color: var(--text);
  font: 1rem/1.65 system-ui, sans-serif; word-break: keep-all; overflow-wrap: anywhere }
h1 { font-size: 1.35rem } h2 { font-size: 1.05rem; margin: 0 0 .4rem }
article { border-top: 1px solid var(--line); padding: 1rem 0 }
p { margin: 0; padding: .15rem .6rem } .new { background: var(--new) }
.gone { background: var(--gone) }
ins, del { text-decoration: none } ins { background: var(--new-word) }
del { background: var(--gone-word); text-decoration: line-through }
.quiet { color: var(--quiet); font-size: .9rem } nav a { color: inherit; margin-right: .7rem }
""".strip()
_PAGE: Final = """<!doctype html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<h1>{title}</h1>
<p class="quiet">{summary}</p>
<nav>{links}</nav>
{body}
</body>
</html>
"""


def difference_html(difference: Difference, title: str) -> str:
    """Return the HTML page of a difference; without changes it says that the words are the same.

    Args:
        difference: the changes to show.
        title: of the page, such as the regulation's name with its two revisions.
    """
    counts = {
        word: sum(article.change == change for article in difference.articles)
        for change, word in _CHANGES.items()
    }
    summary = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    links = (
        f'<a href="#a{number}">{escape(article.key)}</a>'
        for number, article in enumerate(difference.articles)
    )
    bodies = (_article(number, article) for number, article in enumerate(difference.articles))
    return _PAGE.format(
        title=escape(title),
        style=_STYLE,
        summary=summary or _SAME,
        links="\n".join(links),
        body="\n".join(bodies),
    )


def _article(number: int, article: ArticleChange) -> str:
    was = f"{escape(article.previous_key)} → " if article.previous_key else ""
    name = f"({escape(article.title)})" if article.title else ""
    head = f"<h2>{was}{escape(article.key)}{name} · {_CHANGES[article.change]}</h2>"
    return f'<article id="a{number}">\n{head}\n{"".join(_lines(article.diff))}</article>'


def _lines(diff: Sequence[str]) -> Iterator[str]:
    hunks = [(sign, [line[1:] for line in lines]) for sign, lines in groupby(diff, _sign)]
    for at, (sign, lines) in enumerate(hunks):
        if sign == "@":
            yield f'<p class="quiet">… {escape(lines[0])}개 항목은 같음</p>\n'
        elif sign == " ":
            yield from (f"<p>{escape(line)}</p>\n" for line in lines)
        else:
            yield from _changed(sign, lines, _counterpart(hunks, at, sign))


def _sign(line: str) -> str:
    return line[:1]


def _counterpart(hunks: Sequence[tuple[str, list[str]]], at: int, sign: str) -> list[str]:
    """Return the lines that replace these, or that these replace; empty where there are none."""
    other, place = ("+", at + 1) if sign == "-" else ("-", at - 1)
    if 0 <= place < len(hunks) and hunks[place][0] == other:
        return hunks[place][1]
    return []


def _changed(sign: str, lines: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    kind, tag = ("gone", "del") if sign == "-" else ("new", "ins")
    for at, line in enumerate(lines):
        # Lines are compared word by word only where each has a counterpart.
        shown = _row(line, others[at], tag) if len(lines) == len(others) else escape(line)
        yield f'<p class="{kind}">{shown}</p>\n'


def _row(line: str, other: str, tag: str) -> str:
    """Return the marked line; rows of as many cells are compared cell by cell."""
    cells, other_cells = _BORDER.split(line), _BORDER.split(other)
    if not line.startswith("|") or len(cells) != len(other_cells):
        return _marked(line, other, tag)
    pairs = zip(cells, other_cells, strict=True)
    return "|".join(_marked(cell, other_cell, tag) for cell, other_cell in pairs)


def _marked(line: str, other: str, tag: str) -> str:
    """Return the escaped line, its words that the other line lacks in a tag.

    Words are compared by their letters: neither another break nor a mark of amendment is marked.
    """
    places = [found.span() for found in _WORDS.finditer(line)]
    letters = letters_of([line[start:end] for start, end in places])
    # A word of a mark of amendment has no letters.
    places = [place for place, word in zip(places, letters, strict=True) if word]
    words = [word for word in letters if word]
    others = [word for word in letters_of(_WORDS.findall(other)) if word]
    parts: list[str] = []
    done = at = there = 0
    for start, other_start, length in [*equal_runs(words, others), (len(words), len(others), 0)]:
        first, last = _differing(words[at:start], others[there:other_start])
        if first < last:
            begin, end = places[at + first][0], places[at + last - 1][1]
            parts += [escape(line[done:begin]), f"<{tag}>{escape(line[begin:end])}</{tag}>"]
            done = end
        at, there = start + length, other_start + length
    return "".join([*parts, escape(line[done:])])


def _differing(words: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """Return the range of words behind and before equal letters, which may have other breaks."""
    first = _shared(words, others)
    last = _shared([word[::-1] for word in reversed(words)], [o[::-1] for o in reversed(others)])
    return first, max(first, len(words) - last)


def _shared(words: Sequence[str], others: Sequence[str]) -> int:
    """Return the number of leading words whose letters are whole words of the others, too."""
    text, ends = _joined(words)
    other, other_ends = _joined(others)
    unlike = (at for at, pair in enumerate(zip(text, other, strict=False)) if pair[0] != pair[1])
    length = next(unlike, min(len(text), len(other)))
    both = {end for end in ends if end <= length}.intersection(other_ends)
    return ends.index(max(both)) + 1 if both else 0


def _joined(words: Sequence[str]) -> tuple[str, list[int]]:
    """Return the letters of words, and where each word ends; two numbers stay apart."""
    parts: list[str] = []
    ends: list[int] = []
    length, last = 0, ""
    for word in words:
        part = GAP + word if last.isdigit() and word[0].isdigit() else word
        length, last = length + len(part), word[-1]
        parts.append(part)
        ends.append(length)
    return "".join(parts), ends
