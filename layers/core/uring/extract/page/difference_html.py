"""A difference as an HTML page: one file, without scripts, for phones, in light and dark."""

from collections.abc import Iterator
from html import escape
from typing import Final

from uring.extract.differences import ArticleChange, Difference
from uring.extract.effective import NO_DATE, Effective
from uring.extract.page.rows import Letters, left_out, rows, shown
from uring.extract.page.style import STYLE

MOST_LETTERS: Final = 1_000_000
"""Letters of all lines on a page; what is behind them is in the difference's JSON."""

_CHANGES: Final = {
    "added": "신설",
    "removed": "없어짐",
    "changed": "개정",
    "deleted": "삭제",
    "renumbered": "이동",
}
_SAME: Final = (
    "조문의 말은 그대로입니다. 띄어쓰기, 줄바꿈, 부호의 모양, 개정 표시는 비교하지 않습니다."
)
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
<header>
<p class="quiet">신·구조문대비표</p>
<h1>{title}</h1>
{effective}<p class="quiet">{summary}</p>
{links}</header>
<main>
{body}
</main>
</body>
</html>
"""
_ARTICLE: Final = """<article id="a{number}">
{under}<h2>{head}</h2>
<table class="pair" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">구 (개정 전)</th>\
<th scope="col" role="columnheader">신 (개정 후)</th></tr></thead>
<tbody role="rowgroup">
{rows}</tbody>
</table>
</article>"""


def difference_html(difference: Difference, title: str, effective: Effective = NO_DATE) -> str:
    """Return the HTML page of a difference; without changes it says that the words are the same.

    Args:
        difference: the changes to show, `MOST_LETTERS` at most; of the rest the headings.
        title: of the page, such as the regulation's name with its two revisions.
        effective: when the change comes into force.
    """
    counts = {
        word: sum(article.change == change for article in difference.articles)
        for change, word in _CHANGES.items()
    }
    summary = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    links = " ".join(
        f'<a href="#a{number}">{_name(article.key)}</a>'
        for number, article in enumerate(difference.articles)
    )
    return _PAGE.format(
        title=shown(title),
        style=STYLE,
        effective="".join(_effective(effective)),
        summary=summary or _SAME,
        links=f'<nav aria-label="바뀐 조문">{links}</nav>\n' if links else "",
        body="\n".join(_articles(difference)),
    )


def shown_date(date: str) -> str:
    """Return a date ``YYYY-MM-DD`` as Korean law writes it: ``2026. 3. 1.``."""
    year, month, day = map(int, date.split("-"))
    return f"{year}. {month}. {day}."


def _effective(effective: Effective) -> Iterator[str]:
    if effective.date:
        at = escape(effective.date)
        yield f'<p>시행 <time datetime="{at}">{shown_date(effective.date)}</time></p>\n'
    if effective.text:
        yield f'<p class="quiet">시행일: {shown(effective.text)}</p>\n'


def _articles(difference: Difference) -> Iterator[str]:
    letters = Letters(MOST_LETTERS)
    for number, article in enumerate(difference.articles):
        yield _article(number, article, letters)


def _name(key: str) -> str:
    return shown(key.replace("/", " "))


def _article(number: int, article: ArticleChange, letters: Letters) -> str:
    was = f"{_name(article.previous_key)} → " if article.previous_key else ""
    name = f"({shown(article.title)})" if article.title else ""
    body = list(rows(article.diff, article.spelled_before, letters))
    if article.change == "renumbered" and not any(line[:1] in "-+" for line in article.diff):
        body.append(left_out("내용은 그대로이고 자리만 옮겨졌습니다."))
    return _ARTICLE.format(
        number=number,
        under=f'<p class="quiet under">{shown(article.under)}</p>\n' if article.under else "",
        head=f"{was}{_name(article.key)}{name} · {_CHANGES[article.change]}",
        rows="".join(body),
    )
