"""An entry for a page without a matching preset: its repeated rows, and their ids."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from bs4 import BeautifulSoup

from uring_local.propose.dates import date_proposal
from uring_local.propose.ids import identity
from uring_local.propose.parts import category_rule, pinned_signals, title_rule
from uring_local.propose.paths import main_links
from uring_local.propose.rows import find_rows


@dataclass(frozen=True, slots=True)
class Guess:
    """Keys of an entry, and the reasons for them. Without keys the reasons name the obstacle.

    Attributes:
        faults: what the rows show and the keys do not read.
    """

    keys: dict[str, Any]
    reasons: tuple[str, ...]
    faults: tuple[str, ...] = ()


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
    reasons = [f"{len(rows.elements)} rows with links, {rows.dated} with a date: {rows.selector}"]
    link = main_links(rows)
    if link is None:
        return Guess({}, (*reasons, "no single selector finds the title's link in these rows"))
    scripts = "\n".join(script.get_text() for script in page.find_all("script"))
    rule = identity(rows, link, url, scripts)
    if rule is None:
        return Guess({}, (*reasons, "no part of their links is unique like an id"))
    reasons += rule.reasons
    fields: dict[str, Any] = {"id": rule.id, "title": title_rule(link, today)}
    dates = date_proposal(rows, today)
    if dates.rule is not None:
        fields["date"] = dates.rule
    elif not dates.is_fault:
        reasons.append(dates.reason)
    category = category_rule(rows)
    if category is not None:
        fields["category"] = category
    fields["link"] = rule.link
    keys: dict[str, Any] = {
        "rows": {"select": rows.selector, "drop": list(rows.drop)} if rows.drop else rows.selector,
        "fields": fields,
    }
    pinned = pinned_signals(rows)
    if pinned:
        keys["pinned"] = pinned
    return Guess(keys, tuple(reasons), (dates.reason,) if dates.is_fault else ())
