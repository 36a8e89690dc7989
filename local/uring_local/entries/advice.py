"""Advice on an entry's faults: the observation on its page, and the likely remedy."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from bs4 import BeautifulSoup
from soupsieve import SelectorSyntaxError

from uring.errors import SourceTrouble, SuspectPage
from uring.reading.lists.html_limits import parse, with_table
from uring.reading.lists.json import markup_in
from uring.reading.lists.json_text import document, from_text
from uring.sources.entry import Entry
from uring.sources.rows import Page
from uring_local.entries.family import FileFamily
from uring_local.propose.paths import main_links
from uring_local.propose.rows import FEWEST, Rows, grouped, text_of
from uring_local.words import counted

_HEAD: Final = 2_000
_FEEDS: Final = (("rss", re.compile(r"<(?:rss|rdf:RDF)[\s>]")), ("atom", re.compile(r"<feed[\s>]")))
_LITTLE_TEXT: Final = 300
SKIPPED_SHARE: Final = 3
"""From a third of the rows on, skipped rows are more than strays such as heads."""


def advise(
    family: FileFamily[Any, Any],
    source: Entry,
    html: str,
    page: Page[Any],
    trouble: SourceTrouble | None,
    today: date,
) -> list[str]:
    """Return a sentence for each fault of an entry; empty if it reads its page well.

    Of feeds and JSON only values are doubted. Empty for a page or selector that BeautifulSoup
    refuses.

    Args:
        family: of the entry.
        source: the entry.
        html: the page's text.
        page: the rows that the entry reads.
        trouble: the reason why the page is suspect, or None.
        today: for dates without a year.
    """
    if source.kind != "html":
        # The reader's own message names the path that matches nothing.
        return list(family.warn(source, page, today))
    try:
        return list(_wrong(family, source, html, page, trouble, today))
    except (SuspectPage, SelectorSyntaxError):
        # BeautifulSoup refuses the page or the selector.
        return []


def _wrong(
    family: FileFamily[Any, Any],
    source: Entry,
    html: str,
    page: Page[Any],
    trouble: SourceTrouble | None,
    today: date,
) -> Iterator[str]:
    if source.rows.markup is not None:
        html = markup_in(source.rows, source.require, html)
    soup = soup_of(html)
    elements = tuple(soup.select(source.rows.select))
    if source.rows.next is not None:
        elements = grouped(soup, elements, source.rows.next)
    rows = Rows(source.rows.select, (), elements, 0)
    if page.rows:
        yield from _unread(family, source, rows, page)
        yield from _skipped(family, page)
        yield from family.advise(source, rows, page, today)
    elif trouble is None or trouble.reason == "no_rows":
        # Any other trouble already names the page's real content.
        yield _no_rows(family, source, html, soup, today)


def soup_of(html: str) -> BeautifulSoup:
    """Return a page's tree as a browser builds it, with table bodies and closing tags.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    return BeautifulSoup(parse(with_table(html)).html or "", "html.parser")


def kind_of(text: str) -> str:
    """Return ``rss``, ``atom`` or ``json``, and ``html`` for any other text."""
    if text.lstrip()[:1] in ("{", "["):
        return "json"
    return next((kind for kind, sign in _FEEDS if sign.search(text[:_HEAD])), "html")


def json_of(text: str) -> Any:
    """Return the JSON of an answer, also behind a prefix or in a call; None for any other text."""
    if text.lstrip()[:1] == "<":
        return None
    try:
        value = document(text)
    except SuspectPage:
        return None
    return from_text(value) if isinstance(from_text(value), dict | list) else None


def _no_rows(
    family: FileFamily[Any, Any], source: Entry, html: str, soup: BeautifulSoup, today: date
) -> str:
    seen = f"rows: nothing in the page matches {source.rows.select!r}"
    kind = kind_of(html)
    if kind != "html":
        return f'{seen}; the answer is {kind}: write "kind": "{kind}", and fields for it'
    guessed = family.guess(soup, source.url, today)
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


def _unread(
    family: FileFamily[Any, Any], source: Any, rows: Rows, page: Page[Any]
) -> Iterator[str]:
    """Yield the selectors that match in no row."""
    for name in family.fields:
        rule = getattr(source.fields, name)
        select = rule.select if rule is not None else None
        lost = [
            row for row in page.rows if (row.reason or "").startswith(f"{name}: nothing matches")
        ]
        if select is None or len(lost) < len(page.rows):
            continue
        links = main_links(rows)
        better = f"; their {family.nouns.records} are linked at {links.selector!r}" if links else ""
        yield (
            f"{name}: {select!r} matches in none of {counted(len(page.rows), 'row')}{better}; "
            f"correct fields.{name}.select"
        )


def _skipped(family: FileFamily[Any, Any], page: Page[Any]) -> Iterator[str]:
    """Yield advice on skipped rows, if they are more than strays."""
    if not page.items or page.skipped < FEWEST or page.skipped * SKIPPED_SHARE <= len(page.rows):
        return
    reason, _ = Counter(row.reason for row in page.rows if row.reason).most_common(1)[0]
    yield (
        f"rows: {page.skipped} of {counted(len(page.rows), 'row')} are skipped, such as for "
        f"{reason}; narrow rows.select to the list, exclude the others by rows.drop, or widen the "
        f"fields' selectors if they are {family.nouns.records}"
    )
