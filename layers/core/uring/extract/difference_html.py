"""A difference as an HTML page: one file, without scripts, for phones, in light and dark."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from uring.extract.differences import ArticleChange, Difference
from uring.extract.patience import equal_runs

_CHANGES: Final = {
    "added": "신설",
    "removed": "없어짐",
    "changed": "개정",
    "deleted": "삭제",
    "renumbered": "이동",
}
_WORDS: Final = re.compile(r"\s+|[^\s]+")
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
    """Return the HTML page of a difference; a difference without changes says so.

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
        summary=summary or "달라진 내용이 없습니다.",
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
        shown = _marked(line, others[at], tag) if len(lines) == len(others) else escape(line)
        yield f'<p class="{kind}">{shown}</p>\n'


def _marked(line: str, other: str, tag: str) -> str:
    """Return the escaped line, its words that the other line lacks in a tag."""
    words, other_words = _WORDS.findall(line), _WORDS.findall(other)
    parts: list[str] = []
    at = 0
    for start, _, length in [*equal_runs(words, other_words), (len(words), 0, 0)]:
        changed = "".join(words[at:start])
        parts.append(f"<{tag}>{escape(changed)}</{tag}>" if changed.strip() else escape(changed))
        parts.append(escape("".join(words[start : start + length])))
        at = start + length
    return "".join(parts)
