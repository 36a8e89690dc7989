"""Advice for entries of boards only: dates, titles that hold a date, display numbers."""

import json
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

from bs4 import BeautifulSoup, Tag

from uring.errors import SuspectPage
from uring.notices.guards import judge_ids
from uring.notices.item import NoticeItem
from uring.notices.source import Source
from uring.reading.date_formats import DEFAULT_FORMATS, compile_format
from uring.reading.dates import parse_date, read_date
from uring.reading.rules import DateRule, ValueRule
from uring.reading.text import shorten
from uring.sources.rows import Page
from uring_local.propose.date_texts import ChosenFormats, chosen_formats
from uring_local.propose.dates import date_proposal
from uring_local.propose.ids import Identity, identity, telling_parameter
from uring_local.propose.paths import main_links
from uring_local.propose.rows import FEWEST, Rows, seldom, text_of
from uring_local.words import counted

_FEEDS: Final = ("rss", "atom")
_OLDEST: Final = 1990
_SAMPLES: Final = 3
_SHOWN: Final = 60


def advise(source: Source, rows: Rows, page: Page[NoticeItem], today: date) -> Iterator[str]:
    """Yield a sentence for each fault of an entry; the page has rows."""
    yield from _dated_title(source, rows)
    yield from _undated(source, rows, page, today)
    yield from strange_years(page, today)
    yield from _other_order(source, rows, today)
    yield from shared_ids(source, page)
    yield from _display_number(source, rows, page)
    yield from _cut_fragments(source, rows, page)


def _cut_fragments(source: Source, rows: Rows, page: Page[NoticeItem]) -> Iterator[str]:
    """Yield advice on notices with one link, whose addresses differ in the part after # alone."""
    rule = source.fields.link
    if rule.fragment or rule.select is None or len(page.items) < FEWEST:
        return
    links = [row.select_one(rule.select) for row in rows.elements]
    fragments = {str(link.get("href") or "").partition("#")[2] for link in links if link}
    if len({item.link for item in page.items}) == 1 and len(fragments) >= len(page.items):
        yield (
            f'link: all notices have the link {page.items[0].link}; write "fragment": true into '
            "fields.link to keep the part after #"
        )


def _dated_title(source: Source, rows: Rows) -> Iterator[str]:
    """Yield advice on titles that hold the element of their date: a new date changes the title."""
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
        f'title: {shown!r} contains its date; write "drop": {drop} into fields.title to leave the '
        "date out"
    )


def _dropped(element: Tag, drop: Sequence[str]) -> list[Tag]:
    return [part for selector in drop for part in element.select(selector)]


def _undated(source: Source, rows: Rows, page: Page[NoticeItem], today: date) -> Iterator[str]:
    """Yield advice on a date rule that matches in no row, or whose formats fit no text."""
    rule = source.fields.date
    if rule is None or any(row.item is not None and row.item.date for row in page.rows):
        return
    others = [
        row for row in page.rows if row.item is None and not (row.reason or "").startswith("date")
    ]
    if len(others) == len(page.rows):
        return
    texts = _date_texts(rule, rows)
    better = date_proposal(rows, today)
    if texts:
        shown = ", ".join(repr(text) for text in dict.fromkeys(texts[:_SAMPLES]))
        seen = f"date: {rule.select!r} reads {shown}, which no format fits"
        reason = read_date(texts[0], rule.compiled, today, ZoneInfo(source.zone)).reason
        if reason:
            yield f"date: {rule.select!r} reads {shown}; {reason}"
            return
        formats = chosen_formats(texts, today)
        if formats.names:
            names = json.dumps(formats.names, ensure_ascii=False)
            yield f'{seen}; write "formats": {names}'
            return
        seen = f"{seen}; {formats.reason}"
    else:
        rows_seen = counted(len(page.rows), "row")
        seen = f"date: {rule.select!r} matches in none of {rows_seen}"
    if better.rule is not None:
        example = json.dumps(better.rule, ensure_ascii=False)
        yield f'{seen}; the rows have dates such as {better.sample!r}; write "date": {example}'
    else:
        yield f"{seen}; write its format with %Y %y %m %b %d %H %M, or leave fields.date out"


def _date_texts(rule: DateRule, rows: Rows) -> list[str]:
    texts = [
        text_of(element) if rule.attribute is None else str(element.get(rule.attribute) or "")
        for row in rows.elements
        if (element := row.select_one(rule.select) if rule.select else row) is not None
    ]
    return [text for text in texts if text]


def _other_order(source: Source, rows: Rows, today: date) -> Iterator[str]:
    """Yield advice on years of two digits that the formats of all entries look for elsewhere."""
    rule = source.fields.date
    if rule is None or rule.pattern is not None or rule.formats != DEFAULT_FORMATS:
        return
    texts = _date_texts(rule, rows)
    chosen = chosen_formats(texts, today) if texts else ChosenFormats(())
    for name in chosen.names[:1] if chosen.names != DEFAULT_FORMATS else ():
        read = parse_date(texts[0], rule.compiled, today)
        better = parse_date(texts[0], [compile_format(name)], today)
        if read and better and read != better:
            yield (
                f"date: {texts[0]!r} is read as {read}, and the rows say {better}; write "
                f'"formats": {json.dumps([name])}'
            )


def strange_years(page: Page[NoticeItem], today: date) -> Iterator[str]:
    """Yield advice on years that no board shows: another order of the date, or another calendar."""
    dates = [row.item.date for row in page.rows if row.item is not None and row.item.date]
    strange = [day for day in dates if not _OLDEST <= int(day[:4]) <= today.year + 1]
    if strange:
        yield (
            f"date: {strange[0]} in {counted(len(strange), 'row')} is not between {_OLDEST} and "
            f"{today.year + 1}; correct fields.date, or its formats"
        )


def _display_number(source: Source, rows: Rows, page: Page[NoticeItem]) -> Iterator[str]:
    """Yield advice on ids that count down by one and are shown as numbers in the list."""
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
        f"id: {same[0]}, {same[1]}, {same[2]} … are the numbers that the list shows: they shift "
        "when a notice is added or removed, and every notice then looks new"
    )
    links = main_links(rows)
    found = identity(rows, links, source.url, BeautifulSoup()) if links is not None else None
    better = found if isinstance(found, Identity) else None
    if _reads_address(source.fields.id) and (better is None or better.is_shown):
        # The server finds the notice by this number, and nothing else tells the notices apart.
        return
    if better is None:
        yield f"{seen}; look for an id in the links' addresses or their onclick"
    else:
        yield f'{seen}; write "id": {json.dumps(better.id, ensure_ascii=False)}'


def _reads_address(rule: ValueRule) -> bool:
    return rule.parameter is not None or rule.segment is not None or rule.attribute == "href"


def _kept(elements: Sequence[Tag], page: Page[NoticeItem]) -> Sequence[Tag]:
    """Return the elements that became rows, without the rows that ``rows.drop`` removed."""
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


def shared_ids(source: Source, page: Page[NoticeItem]) -> Iterator[str]:
    """Yield a sentence that names a better rule for the id, if rows share one."""
    try:
        judge_ids(page.rows)
    except SuspectPage:
        better = telling_rule(source, page)
        remedy = (
            f'write "id": {json.dumps(better, ensure_ascii=False)}'
            if better
            else "no part of their links tells them apart either; look for a number in the rows' "
            'attributes, or combine parts, such as the section and the number, with "further"'
        )
        yield f"id: several notices share an id; {remedy}"


def telling_rule(source: Source, page: Page[NoticeItem]) -> dict[str, Any] | None:
    """Return a rule for ``fields.id`` that differs from notice to notice; None without one.

    It reads the link, its parameter first. An id that tells the notices of a section apart gets
    the category as its further part.
    """
    items = [row.item for row in page.rows if row.item is not None and not row.item.is_pinned]
    titles: dict[str, str] = {}
    for item in items:
        titles.setdefault(item.link, item.title)
    rule = source.fields.link
    if all(titles[item.link] == item.title for item in items) and rule.template is None:
        links = list(titles)
        name = telling_parameter(links)
        base: dict[str, Any] = {} if rule.select is None else {"select": rule.select}
        if source.kind == "html":
            base["attribute"] = rule.attribute or "href"
        if name is not None:
            return {**base, "parameter": name}
        if source.kind in _FEEDS or len(links) > 1:
            return base
    own = source.fields.id.model_dump(mode="json", exclude_defaults=True)
    category = source.fields.category
    parts = {(item.id, item.category): item.title for item in items if item.category}
    is_told = len(parts) == len({(item.id, item.title) for item in items})
    if category is not None and is_told:
        return {**own, "further": [category.model_dump(mode="json", exclude_defaults=True)]}
    return None
