"""The ids of rows without a matching preset, and the addresses of their notices."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from uring.reading.links import query_parameter
from uring_local.propose.candidates import (
    RARE_RANK,
    Candidate,
    find_candidates,
    parameters_of,
    rank_of,
)
from uring_local.propose.made_links import MadeLink, by_form, by_function
from uring_local.propose.paths import Located
from uring_local.propose.rows import Rows, seldom, text_of

_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,63}\Z")
_MANY_SHARED: Final = 0.5
_PARTS: Final = 8
# A number that begins again with each year has fewer digits than a year's notices need.
_DIGITS: Final = 5
_YEAR_NAME: Final = re.compile(r"year|yyyy|\byy?\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Identity:
    """Rules for id and link, and the reasons.

    Attributes:
        id: in the form of ``fields.id``.
        link: in the form of ``fields.link``.
        reasons: for people.
        guessed: True if the link is a guess, which a person should open once.
        is_shown: True if the id is the number that the list shows, and in the notice's address.
    """

    id: dict[str, Any]
    link: dict[str, Any] | str
    reasons: tuple[str, ...]
    guessed: bool
    is_shown: bool = False


@dataclass(frozen=True, slots=True)
class NoIdentity:
    """The reasons why nothing in the rows identifies the notices; may be empty."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The chosen id, of one or two parts, and the reasons."""

    best: Candidate
    further: Candidate | None
    reasons: tuple[str, ...]
    is_shown: bool = False


def identity(rows: Rows, link: Located, url: str, page: BeautifulSoup) -> Identity | NoIdentity:
    """Return the rule that identifies the notices, or the reasons why nothing in the rows does.

    A number that the list shows is an id only where it is in the notice's address, and nothing else
    tells the notices apart.

    Args:
        rows: the rows of the list.
        link: the notice's link in each row.
        url: the address of the list.
        page: the page, whose scripts and forms may make links.
    """
    chosen = _choose(rows, link, page)
    if isinstance(chosen, NoIdentity):
        return chosen
    best, further = chosen.best, chosen.further
    rule = best.rule if further is None else {**best.rule, "further": [further.rule]}

    def found(own: dict[str, Any] | str, *more: str, guessed: bool = False) -> Identity:
        return Identity(rule, own, (*chosen.reasons, *more), guessed, chosen.is_shown)

    is_link = all(row.name == "a" for row in rows.elements)
    places = rows.elements if is_link else link.elements
    hrefs = [str(element.get("href") or "") for element in places if element]
    place: dict[str, Any] = {"attribute": "href"} if is_link else {"select": link.selector}
    if best.link is None and _fragments(hrefs):
        return found(
            {**place, "fragment": True}, "the part after # opens the notice: links keep it"
        )
    if best.link is not None or not seldom(sum(map(_leads, hrefs)), len(hrefs)):
        return found(best.link or (place if is_link else link.selector))
    if further is not None:
        why = f"the id has two parts, {best.name} and {further.name}, and scripts make the links"
        return NoIdentity((why,))
    made = _made(best, page)
    if made is None:
        why = "links are made by script; the address of a notice is a guess, open one"
        return found({"template": view_address(url, best.name)}, why, guessed=True)
    template: dict[str, Any] = {"template": made.template}
    if made.argument is not None:
        template = {**best.rule, "argument": made.argument, **template}
    return found(template, made.origin)


def _choose(rows: Rows, link: Located, page: BeautifulSoup) -> _Chosen | NoIdentity:
    titles = [text_of(element) if element else "" for element in link.elements]
    candidates = list(find_candidates(rows, link))
    telling = [each for each in candidates if _tells_apart(each.values, titles)]
    shown = [each for each in telling if _is_display_number(rows, each.values)]
    rest = [each for each in telling if each not in shown]
    usable = [each for each in rest if not _is_place(each)]
    refused = tuple(
        dict.fromkeys(f"{each.name} is the number that the list shows" for each in shown)
    )
    addressed = [each for each in shown if each.is_address]
    if usable:
        best = min(usable, key=lambda candidate: candidate.rank)
        if best.call:
            # An argument that the address does not use is a place, or a number for people.
            opened = [each for each in usable if each.call == best.call and _opens(each, page)]
            best = min(opened, key=lambda candidate: candidate.rank, default=best)
        further = _year_of(best, candidates)
        why = f"the id is {best.name}: it differs from notice to notice"
        if further is not None:
            why = f"the id is {best.name} with {further.name}: such numbers begin again each year"
        return _Chosen(best, further, (why, *refused))
    if addressed:
        best = min(addressed, key=lambda candidate: candidate.rank)
        why = f"the id is {best.name} in the links: the list shows the same number"
        return _Chosen(best, _year_of(best, candidates), (why,), is_shown=True)
    pair = _pair(candidates, titles, rows)
    if pair is not None:
        why = f"the id is {pair[0].name} with {pair[1].name}: neither alone differs everywhere"
        return _Chosen(*pair, (why,))
    if rest:
        best = min(rest, key=lambda candidate: candidate.rank)
        why = f"the id is {best.name}: it differs from notice to notice"
        return _Chosen(best, None, (why, *refused))
    return NoIdentity(refused)


def _made(best: Candidate, page: BeautifulSoup) -> MadeLink | None:
    if best.call and "argument" in best.rule:
        made = by_function(page, best.call, best.rule["argument"], best.arguments)
        if made is not None:
            return made
    return by_form(page)


def _opens(candidate: Candidate, page: BeautifulSoup) -> bool:
    argument = candidate.rule.get("argument")
    made = argument and by_function(page, candidate.call, argument, candidate.arguments)
    return bool(made)


def _is_place(candidate: Candidate) -> bool:
    """Return True for a position in a thread or list, by its name."""
    return candidate.rank[1] >= RARE_RANK


def _year_of(best: Candidate, candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the year beside a small number in an address: such numbers begin again each year."""
    numbers = [value for value in best.values if value]
    if not best.is_address or not all(
        value.isdecimal() and len(value) < _DIGITS for value in numbers
    ):
        return None
    return next(
        (
            each
            for each in candidates
            if each.is_address and each is not best
            if _YEAR_NAME.search(each.name) or each.name.startswith("part ")
            if all(value and _YEAR.fullmatch(value) for value in each.values)
        ),
        None,
    )


def _pair(
    candidates: Sequence[Candidate], titles: Sequence[str], rows: Rows
) -> tuple[Candidate, Candidate] | None:
    """Return the likeliest two values that tell the notices apart together."""
    parts = [
        each
        for each in candidates
        if len(set(each.values)) > 1 and all(value and _ID.match(value) for value in each.values)
        if not _is_place(each) and not _is_display_number(rows, each.values)
    ]
    parts.sort(key=lambda candidate: candidate.rank)
    for one, other in combinations(parts[:_PARTS], 2):
        joined = [f"{a}.{b}" for a, b in zip(one.values, other.values, strict=True)]
        if _tells_apart(joined, titles) and len(set(joined)) == len(joined):
            # The number comes first: it has more different values.
            pair = sorted((one, other), key=lambda each: -len(set(each.values)))
            return pair[0], pair[1]
    return None


def _fragments(hrefs: Sequence[str]) -> bool:
    """Return True if the links differ in the part after # alone."""
    given = [href for href in hrefs if href]
    bare = {href.partition("#")[0] for href in given}
    return len(bare) < len(set(given)) and all("#" in href for href in given) and len(bare) == 1


def telling_parameter(addresses: Sequence[str]) -> str | None:
    """Return the query parameter that differs in all addresses; None without one."""
    names = dict.fromkeys(name for address in addresses for name in parameters_of(address))
    telling = [
        name
        for name in names
        if len({query_parameter(address, name) for address in addresses}) == len(addresses)
        and rank_of(name) < rank_of("page")
        and all(query_parameter(address, name) for address in addresses)
    ]
    return min(telling, key=rank_of, default=None)


def view_address(url: str, parameter: str) -> str:
    """Return a likely address of a notice, a template relative to its list: View for List."""
    parts = urlsplit(url)
    page = re.sub("list", "view", re.sub("List", "View", parts.path.rpartition("/")[2]))
    query = f"{parts.query}&" if parts.query else ""
    name = parameter if parameter.isidentifier() else "seq"
    return f"{page}?{query}{name}={{id}}".replace("{{", "{")


def _tells_apart(values: Sequence[str | None], titles: Sequence[str]) -> bool:
    """Return True if almost every row has a value; equal values mark copies of a notice."""
    given = [value for value in values if value and _ID.match(value)]
    if seldom(len(given), len(values)) or len(set(given)) <= len(given) * _MANY_SHARED:
        return False
    title: dict[str, str] = {}
    return all(
        title.setdefault(value, text)[-10:] == text[-10:]
        for value, text in zip(values, titles, strict=True)
        if value
    )


def _is_display_number(rows: Rows, values: Sequence[str | None]) -> bool:
    """Return True if the values are the first column's numbers, which shift with every notice."""
    shown = [row.find("td") for row in rows.elements]
    numbers = [text_of(cell).replace(",", "") if cell else "" for cell in shown]
    pairs = [
        (number, value)
        for number, value in zip(numbers, values, strict=True)
        if number.isdigit() and value
    ]
    same = sum(number == value for number, value in pairs)
    return bool(pairs) and not seldom(same, len(pairs))


def _leads(href: str) -> bool:
    return bool(href) and not href.startswith(("#", "javascript:")) and not href.endswith("#")
