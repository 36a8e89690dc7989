"""An entry for a page without a matching preset: its repeated rows, and their ids."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from bs4 import BeautifulSoup, Tag

from uring_local.propose.ids import NoIdentity, identity
from uring_local.propose.pairs import paired
from uring_local.propose.parts import (
    category_rule,
    date_rule,
    pinned_signals,
    title_rule,
)
from uring_local.propose.paths import main_links
from uring_local.propose.rows import Rows, dates_in, find_rows, is_date, text_of

_BY_HAND: Final = "write fields.date by hand, or put the entry into the file without it"
GUESSED_LINK: Final = (
    "the address of a notice is a guess: open a notice in the browser and give its address with "
    "{id} in place of its id, such as --link 'view.do?no={id}'"
)


@dataclass(frozen=True, slots=True)
class Guess:
    """Keys of an entry, and the reasons for them. Without keys the reasons name the obstacle.

    Attributes:
        doubt: what a person must confirm before the entry is written, or None.
    """

    keys: dict[str, Any]
    reasons: tuple[str, ...]
    doubt: str | None = None


def guess(page: BeautifulSoup, url: str, today: date) -> Guess:
    """Propose rows, fields and pinned.

    Args:
        page: parsed as by a browser.
        url: the address of the list.
        today: for dates without a year.
    """
    rows = find_rows(page, today)
    if rows is None:
        return Guess({}, ("nothing in the page repeats like the rows of a list",))
    rows = paired(page, rows, today)
    reasons = [f"{len(rows.elements)} rows with links, {rows.dated} with a date: {rows.selector}"]
    link = main_links(rows)
    if link is None:
        return Guess({}, (*reasons, "no single selector finds the title's link in these rows"))
    rule = identity(rows, link, url, page)
    if isinstance(rule, NoIdentity):
        why = "no part of their links is unique like an id"
        return Guess({}, (*reasons, *rule.reasons, why))
    reasons += rule.reasons
    fields: dict[str, Any] = {"id": rule.id, "title": title_rule(link, today)}
    dates = date_rule(rows, today)
    doubt = GUESSED_LINK if rule.guessed else None
    if dates is None:
        doubt = _undated(rows, today) or doubt
        reasons.append("no place has a date in every row; notices get no date")
    else:
        fields["date"] = dates
    category = category_rule(rows)
    if category is not None:
        fields["category"] = category
    fields["link"] = rule.link
    more = {"drop": list(rows.drop), "next": rows.next}
    more = {name: value for name, value in more.items() if value}
    selected = {"select": rows.selector, **more} if more else rows.selector
    keys: dict[str, Any] = {"rows": selected, "fields": fields}
    pinned = pinned_signals(rows)
    if pinned:
        keys["pinned"] = pinned
    return Guess(keys, tuple(reasons), doubt)


def _undated(rows: Rows, today: date) -> str | None:
    """Return a doubt about notices without a date whose list shows dates; else None."""
    day = next((day for row in rows.elements for day in dates_in(row, today)), None)
    if day is not None and rows.dated * 2 >= len(rows.elements):
        return (
            f"the rows have dates such as {text_of(day)!r}, and no selector finds them: {_BY_HAND}"
        )
    first = rows.elements[0]
    for element in (first, first.parent):
        above = element.find_previous_sibling() if element is not None else None
        if isinstance(above, Tag) and is_date(above, today):
            return f"{text_of(above)!r} above the notices is outside their rows: {_BY_HAND}"
    return None
