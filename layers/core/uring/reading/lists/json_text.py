"""The JSON of an answer: plain, behind a prefix, in a call, in a script of a page, in a text."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NoReturn

from selectolax.lexbor import LexborNode

from uring.errors import SuspectPage
from uring.reading.kinds import EACH, paths
from uring.reading.lists.html_limits import bomb, parse
from uring.reading.lists.html_search import Marks
from uring.reading.rules import RowRule
from uring.reading.text import clean, shorten

_SHOWN: Final = 60
_SIZE_LIMIT: Final = 2_000_000
_DEPTH_LIMIT: Final = 64
_MEMBERS: Final = 2_000
# Values may be shared, so that a path with several * has more steps than the answer has values.
_STEPS: Final = 200_000
_SCRIPTS: Final = 200
_OUTSIDE_STRINGS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|([\[{])|([\]}])', re.DOTALL)
# Prefixes that keep other sites from running an answer as a script.
_PREFIX: Final = re.compile(
    r"\s*(?:\)\]\}'?,?|(?:while|for)\s*\([^()]{0,9}\)\s*;?(?:\s*\{\s*\}\s*;?)?"
    r"|throw [^;{\[\n]{1,60}[;\n](?:\s*<[^<>\n]{1,60}>)?|\{\s*\}\s*&&|&&&START&&&)\s*"
)
# JSONP: a call with one argument, perhaps behind a comment and a test of the name.
_CALL: Final = re.compile(
    r"\s*(?:/\*[^*]{0,200}\*/\s*)?(?:typeof\s+[\w$.]+\s*===?\s*['\"]function['\"]\s*&&\s*)?"
    r"[A-Za-z_$][\w$.\[\]'\"-]{0,200}\s*\(\s*(?=[\[{])"
)
_CALL_END: Final = re.compile(r"\s*\)\s*;?\s*\Z")
_PARSED: Final = re.compile(r"\s*JSON\.parse\(\s*(?=['\"])")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"|\'(?:[^\'\\\n]|\\.)*+\'', re.DOTALL)
# A value that state in a script has, and JSON does not.
_UNDEFINED: Final = re.compile(r'("(?:[^"\\]|\\.)*+"?)|\bundefined\b', re.DOTALL)
_TRIES: Final = 5
_HEX: Final = re.compile(r"\\x([0-9a-fA-F]{2})|\\(['`/])|(\\.)|(\")", re.DOTALL)


class Number(str):
    """A number as it is written: ids have more digits than floats, ``1.10`` is not ``1.1``."""

    __slots__ = ()


def document(text: str) -> Any:
    """Return the value of a JSON answer; JSONP and prefixes such as ``)]}'`` are removed.

    Raises:
        SuspectPage: ``not_json`` or ``markup_bomb``.
    """
    if len(text) > _SIZE_LIMIT:
        raise bomb(f"more than {_SIZE_LIMIT} characters")
    bare = text[prefix.end() :] if (prefix := _PREFIX.match(text)) else text
    if call := _CALL.match(bare):
        inner = _balanced(bare, call.end())
        if inner is not None and _CALL_END.match(bare, call.end() + len(inner)):
            bare = inner
    return _parsed(bare, text)


def document_in(rule: RowRule, html: str) -> Any:
    """Return the JSON in a page, as ``script``, ``variable`` and ``attribute`` of the rule say.

    Raises:
        SuspectPage: ``not_json``, with the missing part, or ``markup_bomb``.
    """
    tree = parse(html)
    select = rule.script or "script"
    nodes = tree.css(Marks(tree).short(select))
    if not nodes:
        raise SuspectPage(
            "not_json",
            f"nothing in the page matches {select!r}; correct rows.script, or look where the "
            "page has its data now",
        )
    if rule.attribute is not None:
        return document(nodes[0].attrs.get(rule.attribute) or "")
    texts = (_script(node) for node in islice(nodes, _SCRIPTS))
    if rule.variable is None:
        return _unflattened(document(next(texts)))
    for text in texts:
        value = _assigned(rule.variable, text)
        if value is not None:
            return _parsed(_UNDEFINED.sub(lambda part: part[1] or "null", value), value)
    raise SuspectPage(
        "not_json",
        f"no script of the page assigns JSON to {rule.variable}; correct rows.variable. A value "
        "that is made by a function, or that has names without quotes, cannot be read",
    )


def values_at(value: Any, select: str) -> Iterator[tuple[str | None, Any]]:
    """Yield the values at the first path of ``select`` that has any, each with its key.

    ``*`` takes every member of a list or an object. A text on the path is read as JSON. The key is
    that of the nearest object with a ``*``, or None.
    """
    for path in paths(select):
        found = list(islice(_values(value, path, None, iter(range(_STEPS))), _MEMBERS))
        if any(part for _, part in found):
            yield from found
            return


def at(value: Any, path: Iterable[str]) -> Any:
    """Return the value at a path; None if it is missing or null."""
    for name in path:
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit():
            index = int(name[:9])
            value = value[index] if index < len(value) else None
        else:
            return None
    return value


def from_text(value: Any) -> Any:
    """Return the JSON in a text, as some services answer; any other value is returned unchanged.

    Raises:
        SuspectPage: ``markup_bomb``.
    """
    if not isinstance(value, str) or isinstance(value, Number) or value.lstrip()[:1] not in "[{":
        return value
    try:
        return document(value) if value.strip() else value
    except SuspectPage as error:
        if error.reason == "markup_bomb":
            raise
        return value


def _values(
    value: Any, path: tuple[str, ...], key: str | None, steps: Iterator[int]
) -> Iterator[tuple[str | None, Any]]:
    for at_name, name in enumerate(path):
        value = from_text(value)
        if name == EACH and name not in (value if isinstance(value, dict) else ()):
            members: Iterable[tuple[str | None, Any]] = ()
            if isinstance(value, dict):
                members = value.items()
            elif isinstance(value, list):
                members = ((key, member) for member in value)
            for own, member in members:
                if next(steps, None) is None:
                    raise bomb(f"a list with more than {_STEPS} members")
                yield from _values(member, path[at_name + 1 :], own, steps)
            return
        value = at(value, (name,))
    value = from_text(value)
    if value is not None:
        yield key, value


def _parsed(text: str, answer: str) -> Any:
    _refuse_depth(text)
    try:
        return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        seen = shorten(clean(answer[: _SHOWN * 4]), _SHOWN)
        raise SuspectPage(
            "not_json",
            f"{error}; the answer begins {seen!r}: an error or login page, or the list is html; "
            "see what the address answers without a browser",
        ) from error


def _refuse_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= _DEPTH_LIMIT:
        return
    depth = 0
    for token in _OUTSIDE_STRINGS.finditer(text):
        if token[1]:
            depth += 1
            if depth > _DEPTH_LIMIT:
                raise bomb(f"values nested deeper than {_DEPTH_LIMIT}")
        elif token[2]:
            depth -= 1


def _balanced(text: str, start: int) -> str | None:
    """Return the object or list that begins at ``start``; None if it does not end."""
    depth = 0
    for token in _OUTSIDE_STRINGS.finditer(text, start):
        depth += bool(token[1]) - bool(token[2])
        if not depth:
            return text[start : token.end()]
    return None


def _script(node: LexborNode) -> str:
    return (node.text() or "").strip().removeprefix("<!--").removesuffix("-->").strip()


def _assigned(name: str, script: str) -> str | None:
    """Return the JSON that a script assigns to a name, bare or in JSON.parse; None without it.

    An empty value is only a default.
    """
    short = re.escape(name.removeprefix("window."))
    assignment = rf"(?<![\w$.])(?:(?:window|self|globalThis)\.)?{short}\s*+=(?!=)\s*+"
    tries = 0
    for found in re.finditer(assignment, script):
        value = None
        if script[found.end() : found.end() + 1] in ("{", "["):
            value = _balanced(script, found.end())
        elif call := _PARSED.match(script, found.end()):
            quoted = _STRING.match(script, call.end())
            value = _unquoted(quoted[0]) if quoted else None
        else:
            continue
        tries += 1
        if value is not None and value.strip("[]{} \n"):
            return value
        if tries == _TRIES:
            break
    return None


def _unquoted(literal: str) -> str | None:
    """Return the text of a JavaScript string; None for escapes that JSON does not have."""
    text = _HEX.sub(_escape, literal[1:-1])
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _escape(match: re.Match[str]) -> str:
    if match[1]:
        return f"\\u00{match[1]}"
    return match[2] or match[3] or '\\"'


_NUXT_TAGS: Final = frozenset({"Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef"})


def _unflattened(value: Any) -> Any:
    """Return the payload of Nuxt 3, a list whose values name other values by place, as a tree.

    Shared values stay shared, so that the tree is never larger than the list. Other documents are
    returned unchanged.
    """
    head = value[0] if isinstance(value, list) and value else None
    is_payload = isinstance(head, list) and len(head) > 1 and head[0] in _NUXT_TAGS
    if not is_payload:
        return value
    made: list[Any] = [
        {} if isinstance(part, dict) else [] if isinstance(part, list) else part for part in value
    ]
    for place, part in enumerate(value):
        tag = part[0] if isinstance(part, list) and len(part) > 1 else None
        if isinstance(tag, Number) or not isinstance(tag, str):
            continue
        made[place] = _Reference(part[1]) if tag in _NUXT_TAGS else part[1]
    for whole, part in zip(list(made), value, strict=True):
        if isinstance(part, Mapping) and isinstance(whole, dict):
            whole.update({name: _resolved(made, index) for name, index in part.items()})
        elif isinstance(part, list) and isinstance(whole, list):
            whole.extend(_resolved(made, index) for index in part)
    return _resolved(made, Number("0"))


class _Reference:
    def __init__(self, place: Any) -> None:
        self.place = place


def _resolved(made: list[Any], place: Any) -> Any:
    for _ in range(_DEPTH_LIMIT):
        if not (isinstance(place, Number) and place.isdigit() and int(place[:9]) < len(made)):
            return None
        value = made[int(place[:9])]
        if not isinstance(value, _Reference):
            return value
        place = value.place
    return None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not valid JSON")
