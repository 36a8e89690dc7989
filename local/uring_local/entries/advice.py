"""What an entry gets wrong about its page: what was seen, and the likely remedy."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Final

from bs4 import BeautifulSoup, Tag
from soupsieve import SelectorSyntaxError

from uring.errors import SourceTrouble, SuspectPage
from uring.notices.item import NoticeItem
from uring.notices.source import Source
from uring.reading.dates import compile_format, parse_date
from uring.reading.lists.html_limits import parse
from uring.reading.text import shorten
from uring.sources.rows import Page
from uring_local.propose.guess import guess
from uring_local.propose.ids import identity
from uring_local.propose.parts import date_rule
from uring_local.propose.paths import main_links
from uring_local.propose.rows import FEWEST, FURTHER_FORMATS, Rows, dates_in, seldom, text_of
from uring_local.words import counted

_RARE_FORMATS: Final = ("%m월 %d일", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%m/%d/%Y")
_HEAD: Final = 2_000
_FEEDS: Final = (("rss", re.compile(r"<(?:rss|rdf:RDF)[\s>]")), ("atom", re.compile(r"<feed[\s>]")))
_LITTLE_TEXT: Final = 300
_SAMPLES: Final = 3
_SHOWN: Final = 60
SKIPPED_SHARE: Final = 3
"""From a third on, skipped rows are no strays such as heads and hidden ones."""


def advise(
    source: Source, html: str, page: Page[NoticeItem], trouble: SourceTrouble | None, today: date
) -> list[str]:
    """Return a sentence for each thing that is wrong; empty where the entry reads its page well.

    Args:
        source: the entry.
        html: the page's text.
        page: what the entry reads there.
        trouble: why the page would not be believed, or None.
        today: for dates without a year.
    """
    if source.kind != "html":
        # There the reader's own words name the way that leads nowhere.
        return []
    try:
        return list(_wrong(source, html, page, trouble, today))
    except (SuspectPage, SelectorSyntaxError):
        # A page or a selector that BeautifulSoup cannot take.
        return []


def _wrong(
    source: Source, html: str, page: Page[NoticeItem], trouble: SourceTrouble | None, today: date
) -> Iterator[str]:
    soup = soup_of(html)
    rows = Rows(source.rows.select, (), tuple(soup.select(source.rows.select)), 0)
    if page.rows:
        yield from _unread(source, rows, page)
        yield from _skipped(page)
        yield from _dated_title(source, rows)
        yield from _undated(source, rows, page, today)
        yield from _display_number(source, rows, page)
    elif trouble is None or trouble.reason == "no_rows":
        # What stands there instead, if it is known, the trouble names.
        yield _no_rows(source, html, soup, today)


def soup_of(html: str) -> BeautifulSoup:
    """Return the tree that a browser would build: table bodies and closing tags included.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    return BeautifulSoup(parse(html).html or "", "html.parser")


def kind_of(text: str) -> str:
    """Return ``rss``, ``atom``, ``json``, or ``html`` where it is none of them."""
    if text.lstrip()[:1] in ("{", "["):
        return "json"
    return next((kind for kind, sign in _FEEDS if sign.search(text[:_HEAD])), "html")


def _no_rows(source: Source, html: str, soup: BeautifulSoup, today: date) -> str:
    seen = f"rows: nothing in the page matches {source.rows.select!r}"
    kind = kind_of(html)
    if kind != "html":
        return f'{seen}; the answer is {kind}: write "kind": "{kind}", and fields for it'
    guessed = guess(soup, source.url, today)
    if guessed.keys:
        rows = json.dumps(guessed.keys["rows"], ensure_ascii=False)
        return (
            f'{seen}; it has {guessed.reasons[0]}; write "rows": {rows}, '
            "or have `uring add` propose the whole entry"
        )
    scripts = len(soup.find_all("script"))
    for element in soup.find_all(["script", "style", "noscript", "template"]):
        element.decompose()
    words = len(text_of(soup))
    if scripts and words < _LITTLE_TEXT:
        return (
            f"{seen}; it has {counted(scripts, 'script')} and {words} characters of text: scripts "
            "fill the list in. Look in the browser's network panel for the JSON or the feed they "
            "fetch, and watch that"
        )
    return f"{seen}; {guessed.reasons[-1]}: an empty list, or another page than the list"


def _unread(source: Source, rows: Rows, page: Page[NoticeItem]) -> Iterator[str]:
    """Name the selectors that match in no row."""
    for name in ("id", "title", "category", "link"):
        rule = getattr(source.fields, name)
        select = rule.select if rule is not None else None
        lost = [
            row for row in page.rows if (row.reason or "").startswith(f"{name}: nothing matches")
        ]
        if select is None or len(lost) < len(page.rows):
            continue
        links = main_links(rows)
        better = f"; their notices are linked at {links.selector!r}" if links else ""
        yield (
            f"{name}: {select!r} matches in none of {counted(len(page.rows), 'row')}{better}; "
            f"correct fields.{name}.select"
        )


def _skipped(page: Page[NoticeItem]) -> Iterator[str]:
    """Name rows that are skipped where they are more than strays."""
    if not page.items or page.skipped < FEWEST or page.skipped * SKIPPED_SHARE <= len(page.rows):
        return
    reason, _ = Counter(row.reason for row in page.rows if row.reason).most_common(1)[0]
    yield (
        f"rows: {page.skipped} of {counted(len(page.rows), 'row')} are skipped, such as for "
        f"{reason}; narrow rows.select to the list, name what the others have in rows.drop, or "
        "widen what is read if they are notices"
    )


def _dated_title(source: Source, rows: Rows) -> Iterator[str]:
    """Name titles that hold the element of their date: an edit of either is one of both."""
    title, day = source.fields.title, source.fields.date
    if day is None or day.select is None or title.attribute or title.pattern:
        return
    pairs = [
        (row.select_one(title.select) if title.select else row, row.select_one(day.select))
        for row in rows.elements
    ]
    held = [
        (element, inner)
        for element, inner in pairs
        if element is not None and inner is not None and element in inner.parents
        if not any(part is inner or part in inner.parents for part in _dropped(element, title.drop))
    ]
    if len(held) < FEWEST or seldom(len(held), len(pairs)):
        return
    shown = shorten(text_of(held[0][0]), _SHOWN)
    drop = json.dumps([*title.drop, day.select.split()[-1]], ensure_ascii=False)
    yield (
        f'title: {shown!r} holds its own date; write "drop": {drop} into fields.title, so that it '
        "is read without"
    )


def _dropped(element: Tag, drop: Sequence[str]) -> list[Tag]:
    return [part for selector in drop for part in element.select(selector)]


def _undated(source: Source, rows: Rows, page: Page[NoticeItem], today: date) -> Iterator[str]:
    """Name a date that no row has, or that no format fits."""
    rule = source.fields.date
    if rule is None or any(row.item is not None and row.item.date for row in page.rows):
        return
    others = [
        row for row in page.rows if row.item is None and not (row.reason or "").startswith("date")
    ]
    if len(others) == len(page.rows):
        return
    texts = [
        text_of(element) if rule.attribute is None else str(element.get(rule.attribute) or "")
        for row in rows.elements
        if (element := row.select_one(rule.select) if rule.select else row) is not None
    ]
    texts = [text for text in texts if text]
    better = date_rule(rows, today)
    if texts:
        shown = ", ".join(repr(text) for text in dict.fromkeys(texts[:_SAMPLES]))
        seen = f"date: {rule.select!r} reads {shown}, which none of the formats fits"
        formats = _fitting(texts, today)
        if formats:
            yield f'{seen}; write "formats": {json.dumps(formats, ensure_ascii=False)}'
            return
    else:
        rows_seen = counted(len(page.rows), "row")
        seen = f"date: {rule.select!r} matches in none of {rows_seen}"
    if better is not None:
        dates = [
            text_of(element) for row in rows.elements for element in list(dates_in(row, today))[:1]
        ]
        example = json.dumps(better, ensure_ascii=False)
        yield f'{seen}; the rows have dates such as {dates[0]!r}; write "date": {example}'
    else:
        yield f"{seen}; write its format with %Y %y %m %d %H %M %S, or leave fields.date out"


def _fitting(texts: Sequence[str], today: date) -> list[str]:
    known = [(name, compile_format(name)) for name in (*FURTHER_FORMATS, *_RARE_FORMATS)]
    return next(
        (
            [name]
            for name, compiled in known
            if all(parse_date(text, [compiled], today) for text in texts)
        ),
        [],
    )


def _display_number(source: Source, rows: Rows, page: Page[NoticeItem]) -> Iterator[str]:
    """Name ids that count down by one beside the same numbers in the list."""
    pairs = [
        (row.item.id, _numbers(node))
        for row, node in zip(page.rows, _kept(rows.elements, page), strict=False)
        if row.item is not None and row.item.id.isdecimal()
    ]
    same = [int(key) for key, numbers in pairs if key in numbers]
    if len(same) < FEWEST or seldom(len(same), len(pairs)):
        return
    if {abs(one - other) for one, other in pairwise(same)} != {1}:
        return
    seen = (
        f"id: {same[0]}, {same[1]}, {same[2]} … are the numbers that the list shows: they move on "
        "when a notice is added or removed, and every notice then looks new"
    )
    links = main_links(rows)
    better = identity(rows, links, source.url) if links is not None else None
    if better is None:
        yield f"{seen}; look for an id in the links' addresses or their onclick"
    else:
        yield f'{seen}; write "id": {json.dumps(better.id, ensure_ascii=False)}'


def _kept(elements: Sequence[Tag], page: Page[NoticeItem]) -> Sequence[Tag]:
    """Return the elements that became rows, without those that ``rows.drop`` left out."""
    if len(elements) == len(page.rows):
        return elements
    kept: list[Tag] = []
    rest = list(elements)
    for row in page.rows:
        while rest and not text_of(rest[0]).startswith(row.text[:20].rstrip("…")):
            rest.pop(0)
        if rest:
            kept.append(rest.pop(0))
    return kept


def _numbers(row: Tag) -> set[str]:
    cells = row.find_all(["td", "th", "span", "em", "div"])
    return {text.replace(",", "") for cell in cells if (text := text_of(cell))[:1].isdigit()}
