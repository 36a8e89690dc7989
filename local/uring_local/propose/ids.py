"""The ids of rows without a matching preset, and the addresses of their notices."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from bs4 import Tag

from uring.reading.links import VOLATILE, call_argument, path_segment, query_parameter
from uring.reading.patterns import compile_pattern
from uring_local.propose.paths import Located
from uring_local.propose.rows import ADDRESS_ATTRIBUTES, Rows, seldom, text_of

_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,63}\Z")
_USUAL_NAMES: Final = (
    "articleno nttno ntt_no wr_id document_srl uid seq idx no id num boardseq bbsidx article_no "
    "articleid board_no bbs_no post_id postid b_idx bno"
)
_USUAL: Final = _USUAL_NAMES.split()
# Positions in a thread or list.
_RARELY: Final = frozenset({*VOLATILE, "fid", "gid", "oid", "depth", "row", "rownum", "rn", "step"})
_ARGUMENTS: Final = 6
_CALL: Final = re.compile(r"(?:javascript:)?\s*(?:return\s+)?(?!\w*\.?location)([\w.]+)\s*\(")
_LOCATION: Final = r"location(?:\.href)?(?:\s*=|\.(?:assign|replace)\()\s*['\"]([^'\"]+)"
_WORD: Final = r"[\w.-]+"
_KEY: Final = re.compile(r"(\w+)\s*:\s*['\"]?\w+['\"]?\s*}")
_NUMBERED_FILE: Final = re.compile(r"\d+\.\w+\Z")
_MANY_SHARED: Final = 0.5


@dataclass(frozen=True, slots=True)
class Identity:
    """Rules for id and link, and the reasons.

    Attributes:
        id: in the form of ``fields.id``.
        link: in the form of ``fields.link``.
        reasons: for people.
        guessed: True if the link is a guess, which a person should open once.
    """

    id: dict[str, Any]
    link: dict[str, Any] | str
    reasons: tuple[str, ...]
    guessed: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One way to read the id.

    Attributes:
        rule: in the form of ``fields.id``.
        values: the value in each row.
        rank: the lower, the likelier.
        name: of the parameter, or a description.
        call: the function whose argument it is.
        link: in the form of ``fields.link``, if the address is in another attribute than href.
    """

    rule: dict[str, Any]
    values: tuple[str | None, ...]
    rank: tuple[int, int]
    name: str
    call: str = ""
    link: dict[str, Any] | None = None


def identity(rows: Rows, link: Located, url: str, scripts: str = "") -> Identity | None:
    """Return the rule that identifies the notices; None if nothing in the rows does.

    Args:
        rows: the rows of the list.
        link: the notice's link in each row.
        url: the address of the list.
        scripts: the page's scripts, which may make links.
    """
    titles = [text_of(element) if element else "" for element in link.elements]
    usable: list[_Candidate] = []
    refused: list[str] = []
    for candidate in _candidates(rows, link):
        if _tells_apart(candidate.values, titles):
            if _is_display_number(rows, candidate.values):
                refused.append(f"{candidate.name} is the number that the list shows")
            else:
                usable.append(candidate)
    if not usable:
        return None
    best = min(usable, key=lambda candidate: candidate.rank)
    reasons = [f"the id is {best.name}: it differs from notice to notice", *refused]
    if best.link is not None:
        return Identity(best.rule, best.link, tuple(reasons), guessed=False)
    hrefs = [str(element.get("href") or "") for element in link.elements if element]
    leading = sum(_leads(href) for href in hrefs)
    if not seldom(leading, len(hrefs)):
        return Identity(best.rule, link.selector, tuple(reasons), guessed=False)
    template = _assigned(best, scripts)
    if template is not None:
        reasons.append(f"links are made by {best.call}() in the page")
        return Identity(best.rule, {"template": template}, tuple(reasons), guessed=False)
    reasons.append("links are made by script; the address of a notice is a guess, open one")
    link_rule = {"template": view_address(url, best.name)}
    return Identity(best.rule, link_rule, tuple(reasons), guessed=True)


def telling_parameter(addresses: Sequence[str]) -> str | None:
    """Return the query parameter that differs in all addresses; None without one."""
    names = dict.fromkeys(name for address in addresses for name in _parameters(address))
    telling = [
        name
        for name in names
        if len({query_parameter(address, name) for address in addresses}) == len(addresses)
        and _rank(name) < _rank("page")
        and all(query_parameter(address, name) for address in addresses)
    ]
    return min(telling, key=_rank, default=None)


def view_address(url: str, parameter: str) -> str:
    """Return a likely address of a notice, a template relative to its list: View for List."""
    parts = urlsplit(url)
    page = re.sub("list", "view", re.sub("List", "View", parts.path.rpartition("/")[2]))
    query = f"{parts.query}&" if parts.query else ""
    name = parameter if parameter.isidentifier() else "seq"
    return f"{page}?{query}{name}={{id}}".replace("{{", "{")


def _candidates(rows: Rows, link: Located) -> Iterator[_Candidate]:
    hrefs = _values(link.elements, "href")
    names = dict.fromkeys(name for href in hrefs if href for name in _parameters(href))
    for name in names:
        values = tuple(query_parameter(href, name) if href else None for href in hrefs)
        rule = {"select": link.selector, "attribute": "href", "parameter": name}
        yield _Candidate(rule, values, (0, _rank(name)), name)
    yield from _in_path(link, hrefs)
    places: tuple[tuple[dict[str, Any], Sequence[Tag | None]], ...] = (
        ({"select": link.selector}, link.elements),
        ({}, rows.elements),
    )
    for further, (base, elements) in enumerate(places):
        for attribute in ("onclick", "href"):
            yield from _in_call({**base, "attribute": attribute}, elements)
        for attribute in ("onclick", *ADDRESS_ATTRIBUTES):
            yield from _in_address({**base, "attribute": attribute}, elements)
        attributes = {
            name
            for element in elements
            if element
            for name in element.attrs
            if name.startswith("data-")
        }
        for name in sorted(attributes):
            values = tuple(_values(elements, name))
            yield _Candidate({**base, "attribute": name}, values, (2 + further, _rank(name)), name)


def _in_address(rule: Mapping[str, Any], elements: Sequence[Tag | None]) -> Iterator[_Candidate]:
    """Find a parameter of the address behind a click."""
    texts = _values(elements, rule["attribute"])
    pattern = None
    if rule["attribute"] == "onclick":
        pattern = _LOCATION
        texts = [_found(pattern, text) for text in texts]
    link = {**rule, "pattern": pattern} if pattern else dict(rule)
    names = dict.fromkeys(name for text in texts if text for name in _parameters(text))
    for name in names:
        values = tuple(query_parameter(text, name) if text else None for text in texts)
        # The address is in quotes, and the parameter may be its last.
        own = {**rule, "parameter": name, **({"pattern": _WORD} if pattern else {})}
        yield _Candidate(own, values, (1, _rank(name)), name, link=link)


def _in_path(link: Located, hrefs: Sequence[str | None]) -> Iterator[_Candidate]:
    """Find a part of the path, counted from its end: a number, a numbered file, any word."""
    for at in (-1, -2, -3):
        parts = [path_segment(href, at) if href else None for href in hrefs]
        given = [part for part in parts if part]
        rule: dict[str, Any] = {"select": link.selector, "attribute": "href", "segment": at}
        name, values, rank = f"part {at} of the path", tuple(parts), (4, -at)
        if given and all(part.isdecimal() for part in given):
            rank = (1, -at)
        elif given and all(_NUMBERED_FILE.match(part) for part in given):
            values = tuple(_found(r"(\d+)", part) for part in parts)
            rule["pattern"], rank = r"\d+", (1, -at)
        yield _Candidate(rule, values, rank, name)


def _in_call(rule: Mapping[str, Any], elements: Sequence[Tag | None]) -> Iterator[_Candidate]:
    """Find an argument of the function that a click calls, or a key of an object among them."""
    attribute = rule["attribute"]
    texts = _values(elements, attribute)
    known = next((text for text in texts if text and "(" in text), None)
    begin = _CALL.match(known) if known else None
    if begin is None or (attribute == "href" and not begin[0].startswith("javascript:")):
        return
    key = _KEY.search(begin.string)
    if key is not None:
        pattern = rf"{key[1]}\s*:\s*['\"]?([\w.-]+)"
        values = tuple(_found(pattern, text) for text in texts)
        yield _Candidate({**rule, "pattern": pattern}, values, (1, _rank(key[1])), key[1])
    for number in range(1, _ARGUMENTS + 1):
        values = tuple(call_argument(text, number) if text else None for text in texts)
        name = f"argument {number} of {begin[1]}()"
        # The last of several differing arguments is the notice: site, board, notice.
        rank = (1, 50 - number)
        yield _Candidate({**rule, "argument": number}, values, rank, name, begin[1])


def _assigned(candidate: _Candidate, scripts: str) -> str | None:
    """Return the address to which a function of one argument appends it; None without one."""
    if not candidate.call:
        return None
    body = re.search(
        rf"\b{re.escape(candidate.call)}\b[^(\n]*\(\s*\w+\s*\)[^{{\n]*\{{([^}}]*)}}", scripts
    )
    address = re.search(r"['\"]([^'\"\s#{}]+[=/])['\"]\s*\+\s*\w", body[1]) if body else None
    return f"{address[1]}{{id}}" if address else None


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


def _values(elements: Sequence[Tag | None], attribute: str) -> list[str | None]:
    return [
        str(element[attribute]) if element and element.get(attribute) else None
        for element in elements
    ]


def _parameters(href: str) -> list[str]:
    query = href.partition("?")[2].partition("#")[0]
    return [pair.partition("=")[0] for pair in query.split("&") if "=" in pair]


def _found(pattern: str, text: str | None) -> str | None:
    return compile_pattern(pattern).find(text) if text else None


def _rank(name: str) -> int:
    lower = name.lower()
    if lower in _RARELY:
        return 90
    return _USUAL.index(lower) if lower in _USUAL else 40


def _leads(href: str) -> bool:
    return bool(href) and not href.startswith(("#", "javascript:")) and not href.endswith("#")
