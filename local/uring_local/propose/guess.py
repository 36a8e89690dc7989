"""An entry for a page without a matching preset: its repeated rows, and their ids."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from bs4 import BeautifulSoup, Tag

from uring_local.propose.date_texts import is_plain_date
from uring_local.propose.dates import date_proposal
from uring_local.propose.ids import NoIdentity, identity
from uring_local.propose.pairs import paired
from uring_local.propose.parts import category_rule, pinned_signals, title_rule
from uring_local.propose.paths import main_links
from uring_local.propose.rows import Rows, find_rows, text_of

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
        today: for dates without a year, and relative ones: a datetime.
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
    dates = date_proposal(rows, today)
    doubt = GUESSED_LINK if rule.guessed else None
    if dates.rule is not None:
        fields["date"] = dates.rule
    elif dates.is_fault:
        doubt = dates.reason
    else:
        doubt = _heading(rows, today) or doubt
        reasons.append(dates.reason)
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


def _heading(rows: Rows, today: date) -> str | None:
    """Return a doubt about notices without a date below a heading that is one; else None."""
    first = rows.elements[0]
    for element in (first, first.parent):
        above = element.find_previous_sibling() if element is not None else None
        if isinstance(above, Tag) and is_plain_date(text_of(above), today):
            return f"{text_of(above)!r} above the notices is outside their rows: {_BY_HAND}"
    return None
