"""Problems of a configuration file in plain words: place, message and remedy."""

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from uring.fetch.url import shown_url
from uring.sources.entry import FileEntry, keys_of
from uring.sources.problems.places import Lines, Place

_ADDRESS: Final = re.compile(r"://|^https?:|\?[^?=]*=")
_HAS_SCHEME: Final = re.compile(r"://|^https?:")
# Patterns and selectors are no addresses, whatever marks they have.
_NO_ADDRESSES: Final = frozenset({"pattern", "select", "drop", "next", "markup", "script"})
_SHOWN: Final = 60
# Keys that default to values made from url and id.
_DERIVED: Final = ("base_url", "topic")
_OBJECT: Final = ("is not an object", "write an object: {{…}}")
_LIST: Final = ("is not a list", "write a list: […]")
_TEXT: Final = ("is not a text", 'write a text in double quotes: "…"')
_WHOLE: Final = ("is not a whole number", "write a whole number without quotes")
# By pydantic's type of error; braces are filled from its context.
_WORDS: Final = {
    "missing": ("is missing", "add it"),
    "string_type": _TEXT,
    "string_unicode": ("has half of a letter", "write the text again"),
    "string_too_short": ("is empty", "write a text"),
    "string_too_long": ("has more than {max_length} letters", "shorten it"),
    "string_pattern_mismatch": (
        "is not an attribute name",
        "use letters, digits, _ - . and :, a letter first",
    ),
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": ("is not a number", "write a number without quotes"),
    "bool_type": ("is neither true nor false", "write true or false without quotes"),
    "tuple_type": _LIST,
    "model_type": _OBJECT,
    "mapping_type": _OBJECT,
    "dict_type": _OBJECT,
    "literal_error": ("is not {expected}", "choose one of these"),
    "too_long": ("has more than {max_length}", "remove some"),
    "too_short": ("is empty", "add one, or remove the key"),
    "greater_than_equal": ("is less than {ge:g}", "write {ge:g} or more"),
    "less_than_equal": ("is more than {le:g}", "write {le:g} or less"),
}


class ConfigFinding(NamedTuple):
    """An error at a place; ``other`` is a further place that the message mentions."""

    place: Place
    message: str
    remedy: str
    other: Place = ()


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """An error in a configuration file, or in one of its entries.

    Attributes:
        path: its place in the file, such as ``sources[3].fields.date.formats[0]``.
        message: the error.
        remedy: how to correct it.
        entry: the entry's id, or ``entry 4`` without one; empty outside the entries.
        line: in the file, from 1.
    """

    path: str
    message: str
    remedy: str
    entry: str
    line: int

    def __str__(self) -> str:
        """Return line, entry, place, message and remedy as one line."""
        key = self.path.partition("].")[2] if self.entry else self.path
        where = [self.entry, key] if self.entry else [key]
        told = ": ".join(part for part in where if part)
        return f"line {self.line}: {told}: {self.message}; {self.remedy}"


def located(
    findings: Iterable[ConfigFinding], text: str, key: str, entries: list[Any]
) -> tuple[ConfigProblem, ...]:
    """Return the findings with entry and line, from top to bottom.

    Args:
        findings: in any order.
        text: of the file.
        key: of the list of entries.
        entries: that list.
    """
    if not (found := tuple(findings)):
        return ()
    lines = Lines(text, key)
    problems = [_located(finding, lines, key, entries) for finding in found]
    return tuple(sorted(problems, key=lambda problem: problem.line))


def refusals(
    error: ValidationError, entry: Any, model: type[FileEntry], place: Place = ()
) -> list[ConfigFinding]:
    """Return the findings of a refused entry, without errors that only follow from others.

    Args:
        error: of the model.
        entry: as in the file.
        model: of the entry.
        place: of the entry.
    """
    given = entry if isinstance(entry, dict) else {}
    derived = {(name,) for name in _DERIVED if name not in given}
    details = [
        detail for detail in error.errors(include_url=False) if detail["loc"][:1] not in derived
    ]
    if any(detail["loc"] == ("preset",) for detail in details):
        # Keys that the unknown preset would have filled in are not reported as missing.
        details = [detail for detail in details if detail["type"] != "missing"]
    places = [detail["loc"] for detail in details]
    rank = {name: index for index, name in enumerate(keys_of(model))}
    details.sort(key=lambda detail: rank.get(str(*detail["loc"][:1]), len(rank)))
    return [_finding(detail, model, place) for detail in details if not _follows(detail, places)]


def nearest(key: str, known: tuple[str, ...]) -> str:
    """Return the remedy for an unknown key: the nearest known key, or all of them."""
    close = difflib.get_close_matches(key[:100], known, n=1)
    return f'write "{close[0]}"' if close else f"remove it; known keys: {', '.join(known)}"


def _located(finding: ConfigFinding, lines: Lines, key: str, entries: list[Any]) -> ConfigProblem:
    place, message, remedy, other = finding
    match place:
        case (top, int(index), *_) if top == key:
            entry = _name(entries[index], index)
        case _:
            entry = ""
    if other:
        message += f" (line {lines.line(other)})"
    return ConfigProblem(_path(place), message, remedy, entry, lines.line(place))


def _follows(detail: ErrorDetails, places: list[Place]) -> bool:
    """Return whether a list is too short only because its members were refused."""
    own = detail["loc"]
    return detail["type"] == "too_short" and any(
        place != own and place[: len(own)] == own for place in places
    )


def _finding(detail: ErrorDetails, entry: type[FileEntry], place: Place) -> ConfigFinding:
    location = tuple(part for part in detail["loc"] if part != "[key]")
    place = (*place, *location)
    kind, seen = detail["type"], detail["input"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == "refused":
        return ConfigFinding(place, detail["msg"], context["remedy"])
    if kind == "extra_forbidden":
        remedy = nearest(str(location[-1]), _keys_beside(entry, location))
        return ConfigFinding(place, "unknown key", remedy)
    message, remedy = _WORDS.get(kind, ("cannot be read", "correct the value"))
    context = {**context, "expected": str(context.get("expected", "")).replace("True", "true")}
    message, remedy = message.format_map(context), remedy.format_map(context)
    if isinstance(seen, str | int | float | None) and kind != "missing":
        is_address = _NO_ADDRESSES.isdisjoint(location[-2:])
        message = f"{_shown(seen, _ADDRESS if is_address else _HAS_SCHEME)} {message}"
    return ConfigFinding(place, message, remedy)


def _shown(value: object, address: re.Pattern[str]) -> str:
    # An address may have a secret, in a wrong place too.
    if isinstance(value, str) and address.search(value):
        value = shown_url(value)
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _keys_beside(entry: type[FileEntry], location: Place) -> tuple[str, ...]:
    model: type[BaseModel] = entry
    for part in location[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            model = next(_models_in(model.model_fields[part].annotation), model)
    return keys_of(model)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _name(entry: Any, index: int) -> str:
    own = entry.get("id") if isinstance(entry, dict) else None
    return _printable(own) if isinstance(own, str) and own else f"entry {index + 1}"


def _path(place: Place) -> str:
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{_printable(part)}" if text else _printable(part)
    return text


def _printable(text: str) -> str:
    return ascii(text[:_SHOWN])[1:-1]
