"""An entry for a JSON answer, which may hold markup, and for the JSON in a page's scripts."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from bs4 import BeautifulSoup, Tag

from uring.errors import SuspectPage
from uring.reading.lists.html_limits import parse, with_table
from uring.reading.lists.json_text import document_in
from uring.reading.rules import RowRule
from uring_local.propose.guess import Guess, guess
from uring_local.propose.objects import guess_objects

_MARKUP: Final = re.compile(r"<(?:li|tr|a|article|dt|div)[\s>]", re.IGNORECASE)
_FEWEST: Final = 3
_ASSIGNED: Final = re.compile(
    r"(?:^|[;\s{}])(?:var |let |const )?((?:window\.)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)"
    r"\s*=\s*(?:JSON\.parse\(|[\[{])"
)
_MOST: Final = 20
_VISITS: Final = 2_000
_SAFE: Final = re.compile(r"[A-Za-z_][\w-]*\Z")


def guess_json(answer: Any, url: str, today: date, link: str | None) -> Guess:
    """Propose rows and fields for a JSON answer: a list of objects, or markup in a value."""
    found = guess_objects(answer, today, link)
    if found.keys:
        return found
    for path, text in _markups(answer):
        page = BeautifulSoup(parse(with_table(text)).html or "", "html.parser")
        inner = guess(page, url, today)
        if inner.keys:
            rows = inner.keys["rows"]
            own = rows if isinstance(rows, dict) else {"select": rows}
            keys = {**inner.keys, "rows": {**own, "markup": path}}
            return Guess(keys, (f"{path} has markup", *inner.reasons), inner.doubt)
    return found


def guess_state(page: BeautifulSoup, today: date, link: str | None) -> Guess:
    """Propose rows and fields for JSON in a script or an attribute; without keys if none fits."""
    reasons: list[str] = []
    html = str(page)
    for place in _places(page):
        rule = RowRule(select="$", **place)
        try:
            value = document_in(rule, html)
        except SuspectPage:
            continue
        found = guess_objects(value, today, link)
        where = " ".join(place.values())
        if found.keys:
            keys = {**found.keys, "rows": {"select": found.keys["rows"], **place}}
            return Guess(keys, (f"the page has JSON in {where}", *found.reasons), found.doubt)
        reasons += [f"JSON in {where}: {reason}" for reason in found.reasons[:1]]
    return Guess({}, tuple(reasons[:_FEWEST]))


def _markups(answer: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts with markup in an answer, with their paths."""
    pending: list[tuple[Any, tuple[str, ...]]] = [(answer, ())]
    for _ in range(_VISITS):
        if not pending:
            return
        value, path = pending.pop(0)
        if isinstance(value, str) and len(_MARKUP.findall(value)) >= _FEWEST:
            yield ".".join(path) or "$", value
        elif isinstance(value, dict):
            pending += [(part, (*path, name)) for name, part in value.items() if "." not in name]
        elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            pending.append(("".join(value), path))


def _places(page: BeautifulSoup) -> Iterator[dict[str, str]]:
    """Yield the parts of a page that may have JSON, as keys of ``rows``."""
    for element in page.select("script[id]")[:_MOST]:
        if _is_json(element) and _SAFE.match(str(element["id"])):
            yield {"script": f"#{element['id']}"}
    if page.select_one("script[type='application/json']:not([id])") is not None:
        yield {"script": "script[type='application/json']"}
    names = dict.fromkeys(
        name for script in page.find_all("script") for name in _ASSIGNED.findall(script.get_text())
    )
    for name in list(names)[:_MOST]:
        yield {"variable": name}
    for element in page.select("[id][data-page], [id][data-props], [id][data-state]")[:_MOST]:
        name = next(name for name in ("data-page", "data-props", "data-state") if element.get(name))
        if _SAFE.match(str(element["id"])):
            yield {"script": f"#{element['id']}", "attribute": name}


def _is_json(element: Tag) -> bool:
    kind = str(element.get("type") or "")
    return "json" in kind or element.get_text().lstrip()[:1] in ("{", "[")
