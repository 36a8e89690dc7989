"""The addresses that a page's own script or form makes of the arguments of a click."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from bs4 import BeautifulSoup, Tag

from uring.reading.links import VOLATILE

_LONGEST: Final = 4_000
_OPENS: Final = re.compile(
    r"(?:location(?:\.href)?\s*=(?!=)|location\.(?:assign|replace)\(|\bopen\()\s*"
)
_PIECE: Final = re.compile(
    r"\s*(?:encodeURI(?:Component)?\()?\s*(?:'([^'\n]*)'|\"([^\"\n]*)\"|`([^`]*)`|([A-Za-z_$][\w$.]*))\s*\)?\s*"
)
_HOLE: Final = re.compile(r"\$\{\s*([\w$.]+)\s*\}")
_FIELDS: Final = (
    re.compile(r"[.\]]\s*([A-Za-z_]\w*)\.value\s*=\s*([A-Za-z_$][\w$]*)"),
    re.compile(r"\[['\"](\w+)['\"]\]\.value\s*=\s*([A-Za-z_$][\w$]*)"),
    re.compile(r"getElementById\(\s*['\"](\w+)['\"]\s*\)\.value\s*=\s*([A-Za-z_$][\w$]*)"),
    re.compile(
        r"\$\(\s*['\"][^'\"(]*?(?:#|name=['\"\\]*)(\w+)['\"\\\]]*\s*\)\.val\(\s*([A-Za-z_$][\w$]*)"
    ),
)
_ACTION: Final = re.compile(
    r"(?:\.action\s*=\s*|(?:attr|prop)\(\s*['\"]action['\"]\s*,\s*)['\"]([^'\"\s]+)['\"]"
)
_VIEW: Final = re.compile(r"view|read|detail|show|article", re.IGNORECASE)
_SECRET: Final = re.compile(r"csrf|token|search|keyword|srch|query", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MadeLink:
    """A template of addresses with ``{id}``, perhaps ``{value}``, and its origin for people.

    Attributes:
        template: relative to the page.
        origin: the function or form that says so.
        argument: of the call that is ``{value}``; None for a template without it.
    """

    template: str
    origin: str
    argument: int | None = None


def by_function(
    page: BeautifulSoup, call: str, number: int, arguments: Sequence[Sequence[str]]
) -> MadeLink | None:
    """Return the address that a function of the page makes; None if it cannot be read.

    Args:
        page: the page.
        call: the function's name.
        number: the argument, from 1, that is the id.
        arguments: of the call in each row.
    """
    scripts = "\n".join(script.get_text() for script in page.find_all("script"))
    function = _function(scripts, call)
    if function is None:
        return None
    names, body = function
    if number > len(names):
        return None
    values, argument = _values(names, number, arguments)
    opened = _opened(body, scripts, values)
    if opened is None:
        opened = _submitted(page, body, values)
    if opened is None or "{id}" not in opened:
        return None
    used = argument if "{value}" in opened else None
    return MadeLink(opened, f"links are made by {call}() in the page", used)


def by_form(page: BeautifulSoup) -> MadeLink | None:
    """Return the address of the only form that opens a notice and waits for its id, or None."""
    found = []
    for form in page.find_all("form"):
        action = str(form.get("action") or "")
        empty = [
            str(field["name"])
            for field in form.select("input[type=hidden][name]")
            if not field.get("value") and _is_own(str(field["name"]))
        ]
        if _VIEW.search(action.rpartition("/")[2]) and len(empty) == 1:
            template = _with_fields(form, action, {empty[0]: "{id}"})
            found.append(MadeLink(template, f"the page's form opens {action} with {empty[0]}"))
    return found[0] if len(found) == 1 else None


def _function(scripts: str, call: str) -> tuple[list[str], str] | None:
    """Return the names of a function's parameters, and its body."""
    name = re.escape(call.rpartition(".")[2])
    heads = (
        rf"\bfunction\s+{name}\s*\(([^()]*)\)\s*\{{",
        rf"\b{name}\s*[=:]\s*(?:async\s+)?function\s*\w*\s*\(([^()]*)\)\s*\{{",
        rf"\b{name}\s*=\s*\(?([^()=]*)\)?\s*=>\s*\{{?",
    )
    head = next(filter(None, (re.search(pattern, scripts) for pattern in heads)), None)
    if head is None:
        return None
    rest = scripts[head.end() : head.end() + _LONGEST]
    depth = 1
    for sign in re.finditer(r"\$\{[^}]*\}|[{}]", rest):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if not depth:
            rest = rest[: sign.start()]
            break
    names = [part.partition("=")[0].strip() for part in head[1].split(",") if part.strip()]
    return names, rest


def _values(
    names: Sequence[str], number: int, arguments: Sequence[Sequence[str]]
) -> tuple[dict[str, str], int | None]:
    """Return each parameter's value: the id, a constant, or ``{value}`` if it varies."""
    values = {names[number - 1]: "{id}"}
    varying = None
    for place, name in enumerate(names):
        seen = {row[place] for row in arguments if place < len(row)}
        if place + 1 == number or not seen:
            continue
        if len(seen) == 1:
            values[name] = quote(seen.pop(), safe="")
        elif varying is None:
            varying = place + 1
            values[name] = "{value}"
    return values, varying


def _opened(body: str, scripts: str, values: Mapping[str, str]) -> str | None:
    for opens in _OPENS.finditer(body):
        made = _expression(body[opens.end() : opens.end() + _LONGEST], body, scripts, values)
        if made is not None and "{id}" in made:
            return made
    return None


def _expression(
    text: str, body: str, scripts: str, values: Mapping[str, str], depth: int = 0
) -> str | None:
    """Return the value of texts and names joined by ``+``; None with an unknown name."""
    made = ""
    at = 0
    while piece := _PIECE.match(text, at):
        single, double, literal, name = piece.groups()
        if literal is not None:
            holes = [_name(hole, body, scripts, values, depth) for hole in _HOLE.findall(literal)]
            if None in holes:
                return None
            filled = iter(holes)
            made += _HOLE.sub(lambda _, filled=filled: str(next(filled)), literal)
        elif name is not None:
            value = _name(name, body, scripts, values, depth)
            if value is None:
                return None
            made += value
        else:
            made += single if single is not None else double
        at = piece.end()
        if text[at : at + 1] != "+":
            break
        at += 1
    return made or None


def _name(name: str, body: str, scripts: str, values: Mapping[str, str], depth: int) -> str | None:
    if name in values:
        return values[name]
    if depth > 1:
        return None
    for text in (body, scripts):
        assigned = re.search(rf"(?<![\w$.]){re.escape(name)}\s*=(?!=)", text)
        if assigned:
            return _expression(text[assigned.end() :][:_LONGEST], body, scripts, values, depth + 1)
    return None


def _submitted(page: BeautifulSoup, body: str, values: Mapping[str, str]) -> str | None:
    """Return the address of a form that the function fills in and sends."""
    filled = {
        field: values[name]
        for pattern in _FIELDS
        for field, name in pattern.findall(body)
        if name in values
    }
    if "{id}" not in filled.values():
        return None
    field = next(field for field, value in filled.items() if value == "{id}")
    inputs = page.select(f"form [name='{field}'], form [id='{field}']")
    form = inputs[0].find_parent("form") if inputs else page.find("form")
    action = _ACTION.search(body)
    address = action[1] if action else str(form.get("action") or "") if form else ""
    if not address or address.startswith(("#", "javascript:")):
        return None
    named = {
        str(element.get("name") or name): value
        for name, value in filled.items()
        for element in [page.select_one(f"form [id='{name}']") or page.new_tag("input")]
    }
    return _with_fields(form, address, named)


def _with_fields(form: Tag | None, action: str, filled: Mapping[str, str]) -> str:
    fields = [] if form is None else form.select("input[type=hidden][name][value]")
    constants = {
        str(field["name"]): quote(str(field["value"]), safe="")
        for field in fields
        if field["value"] and _is_own(str(field["name"])) and str(field["name"]) not in filled
    }
    query = "&".join(f"{name}={value}" for name, value in {**constants, **filled}.items())
    return f"{action}{'&' if '?' in action else '?'}{query}"


def _is_own(name: str) -> bool:
    """Return True for a field of the notice, False for a page, a session or a search."""
    return name.lower() not in VOLATILE and _SECRET.search(name) is None
