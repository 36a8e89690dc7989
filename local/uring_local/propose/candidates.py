"""The values of rows that may be ids: parameters, parts of paths, arguments, data attributes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bs4 import Tag

from uring.reading.links import VOLATILE, call_argument, path_segment, query_parameter
from uring.reading.patterns import compile_pattern
from uring_local.propose.paths import Located
from uring_local.propose.rows import ADDRESS_ATTRIBUTES, Rows

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
RARE_RANK: Final = 90


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read the id.

    Attributes:
        rule: in the form of ``fields.id``.
        values: the value in each row.
        rank: the lower, the likelier.
        name: of the parameter, or a description.
        call: the function whose argument it is.
        link: in the form of ``fields.link``, if the address is in another attribute than href.
        is_address: True if the value is a part of an address.
        arguments: of the call in each row.
    """

    rule: dict[str, Any]
    values: tuple[str | None, ...]
    rank: tuple[int, int]
    name: str
    call: str = ""
    link: dict[str, Any] | None = None
    is_address: bool = False
    arguments: tuple[tuple[str, ...], ...] = ()


def find_candidates(rows: Rows, link: Located) -> Iterator[Candidate]:
    """Yield every value that each row may have as its id."""
    # A row may be a link itself.
    is_link = all(row.name == "a" for row in rows.elements)
    hrefs = _values(rows.elements if is_link else link.elements, "href")
    own = {} if is_link else {"select": link.selector}
    names = dict.fromkeys(name for href in hrefs if href for name in parameters_of(href))
    for name in names:
        values = tuple(query_parameter(href, name) if href else None for href in hrefs)
        rule = {**own, "attribute": "href", "parameter": name}
        yield Candidate(rule, values, (0, rank_of(name)), name, is_address=True)
    yield from _in_path(own, hrefs)
    yield from _in_fragment(own, hrefs)
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
            yield Candidate({**base, "attribute": name}, values, (2 + further, rank_of(name)), name)


def _in_address(rule: Mapping[str, Any], elements: Sequence[Tag | None]) -> Iterator[Candidate]:
    """Find a parameter of the address behind a click."""
    texts = _values(elements, rule["attribute"])
    pattern = None
    if rule["attribute"] == "onclick":
        pattern = _LOCATION
        texts = [_found(pattern, text) for text in texts]
    link = {**rule, "pattern": pattern} if pattern else dict(rule)
    names = dict.fromkeys(name for text in texts if text for name in parameters_of(text))
    for name in names:
        values = tuple(query_parameter(text, name) if text else None for text in texts)
        # The address is in quotes, and the parameter may be its last.
        own = {**rule, "parameter": name, **({"pattern": _WORD} if pattern else {})}
        yield Candidate(own, values, (1, rank_of(name)), name, link=link, is_address=True)


def _in_path(own: Mapping[str, Any], hrefs: Sequence[str | None]) -> Iterator[Candidate]:
    """Find a part of the path, counted from its end: a number, a numbered file, any word."""
    for at in (-1, -2, -3):
        parts = [path_segment(href, at) if href else None for href in hrefs]
        given = [part for part in parts if part]
        rule: dict[str, Any] = {**own, "attribute": "href", "segment": at}
        name, values, rank = f"part {at} of the path", tuple(parts), (4, -at)
        if given and all(part.isdecimal() for part in given):
            rank = (1, -at)
        elif given and all(_NUMBERED_FILE.match(part) for part in given):
            values = tuple(_found(r"(\d+)", part) for part in parts)
            rule["pattern"], rank = r"\d+", (1, -at)
        yield Candidate(rule, values, rank, name, is_address=True)


def _in_fragment(own: Mapping[str, Any], hrefs: Sequence[str | None]) -> Iterator[Candidate]:
    """Find the number or word at the end of the part after #."""
    pattern = r"#.*?([\w.-]+)/?$"
    values = tuple(_found(pattern, href) if href and "#" in href else None for href in hrefs)
    numbers = [value.lstrip("abcdefghijklmnopqrstuvwxyz_-") for value in values if value]
    if all(map(str.isdecimal, numbers)) and [int(each) - int(numbers[0]) for each in numbers] == [
        *range(len(numbers))
    ]:
        # Anchors that count the rows name other notices tomorrow.
        return
    rule = {**own, "attribute": "href", "pattern": pattern}
    yield Candidate(rule, values, (4, 9), "the end of the part after #", is_address=True)


def _in_call(rule: Mapping[str, Any], elements: Sequence[Tag | None]) -> Iterator[Candidate]:
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
        yield Candidate({**rule, "pattern": pattern}, values, (1, rank_of(key[1])), key[1])
    counted = range(1, _ARGUMENTS + 1)
    arguments = tuple(
        tuple(call_argument(text, number) or "" for number in counted) if text else ()
        for text in texts
    )
    for number in counted:
        values = tuple(call_argument(text, number) if text else None for text in texts)
        name = f"argument {number} of {begin[1]}()"
        # The last of several differing arguments is the notice: site, board, notice.
        rank = (1, 50 - number)
        own = {**rule, "argument": number}
        yield Candidate(own, values, rank, name, begin[1], arguments=arguments)


def _values(elements: Sequence[Tag | None], attribute: str) -> list[str | None]:
    return [
        str(element[attribute]) if element and element.get(attribute) else None
        for element in elements
    ]


def parameters_of(href: str) -> list[str]:
    """Return the names in the query of an address."""
    query = href.partition("?")[2].partition("#")[0]
    return [pair.partition("=")[0] for pair in query.split("&") if "=" in pair]


def _found(pattern: str, text: str | None) -> str | None:
    return compile_pattern(pattern).find(text) if text else None


def rank_of(name: str) -> int:
    """Return the rank of a name: the lower, the likelier an id."""
    lower = name.lower()
    if lower in _RARELY:
        return RARE_RANK
    return _USUAL.index(lower) if lower in _USUAL else 40
