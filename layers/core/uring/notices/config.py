"""The sitemap, ``config/sitemap.json``: ``{"sources": [entry, …]}`` (N2, N3).

A bad entry costs itself alone. Every problem says where it is, what is wrong and what to do.
"""

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from uring.errors import ConfigInvalid
from uring.notices.presets import expanded
from uring.notices.source import Source

__all__ = ["Problem", "Sitemap", "Source", "load_sitemap"]

SIZE_LIMIT: Final = 5_000_000
SOURCE_LIMIT: Final = 2_000
# Ten jobs, their entries included, go into one SendMessageBatch of at most 256 KiB.
ENTRY_LIMIT: Final = 16_000

_SHOWN: Final = 60
# Editors complete a file that names its JSON Schema; nothing here reads the name.
_TOP: Final = ("sources", "$schema")
# They come from url and id unless they are given.
_DERIVED: Final = ("base_url", "topic")
_REMEDIES: Final = {
    "missing": "add it",
    "string_type": 'write a text in double quotes: "…"',
    "int_type": "write a whole number without quotes",
    "float_type": "write a number without quotes",
    "bool_type": "write true or false without quotes",
    "tuple_type": "write a list: […]",
    "model_type": "write an object: {…}",
    "mapping_type": "write an object: {…}",
    "dict_type": "write an object: {…}",
    "literal_error": "choose one of these",
    "string_too_short": "write something into it",
    "string_too_long": "shorten it",
    "too_long": "remove some",
    "too_short": "add one, or remove the key",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with one entry.

    Attributes:
        path: where in the file, such as ``sources[3].fields.date.formats[0]``.
        message: what is wrong.
        remedy: what to do about it.
    """

    path: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The usable sources in the file's order, and why the others are not."""

    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]


def load_sitemap(body: bytes, *, taken: Mapping[str, str]) -> Sitemap:
    """Read a sitemap.

    Args:
        body: of the file.
        taken: folders of ``data/`` that no source may be named like, with their families.

    Raises:
        ConfigInvalid: the whole is unreadable; the message says where and what to do.
    """
    document = _parse(body)
    if not isinstance(document, dict) or not isinstance(document.get("sources"), list):
        raise ConfigInvalid(
            'the sitemap is no object with a list "sources"; write {"sources": [ … ]}'
        )
    entries = document["sources"]
    problems = [
        Problem(_path((key,)), "unknown key", _nearest(key, _TOP))
        for key in document
        if key not in _TOP
    ]
    problems += _repeated(document, (), skip="sources")
    if surplus := entries[SOURCE_LIMIT:]:
        message = f"{len(surplus)} entries from here on are more than {SOURCE_LIMIT}"
        problems.append(Problem(_path(("sources", SOURCE_LIMIT)), message, "split the deployment"))
    sources: dict[str, tuple[int, Source]] = {}
    for index, entry in enumerate(entries[:SOURCE_LIMIT]):
        place = ("sources", index)
        found = _repeated(entry, place)
        source = None
        if not found and (size := _size(entry)) > ENTRY_LIMIT:
            message = f"the entry has {size} characters, at most {ENTRY_LIMIT} fit into its jobs"
            found = [Problem(_path(place), message, "shorten its form, headers and patterns")]
        if not found:
            source, found = _validate(entry, place, taken)
        if source is not None:
            first, _ = sources.setdefault(source.id, (index, source))
            if first != index:
                found = [
                    Problem(
                        _path((*place, "id")),
                        f"{source.id!r} is the id of sources[{first}] already",
                        "give each source an id of its own",
                    )
                ]
        problems += found
    return Sitemap(tuple(source for _, source in sources.values()), tuple(problems))


class _Object(dict[str, Any]):
    """A JSON object that remembers which keys it had more than once."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object(pairs)
    if len(result) != len(pairs):
        times = Counter(name for name, _ in pairs)
        result.repeated = tuple(name for name in result if times[name] > 1)
    return result


def _parse(body: bytes) -> Any:
    if len(body) > SIZE_LIMIT:
        raise ConfigInvalid(f"the sitemap is larger than {SIZE_LIMIT} bytes; split the deployment")
    try:
        return json.loads(body.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise ConfigInvalid(
            f"the sitemap is no UTF-8 text (byte {error.start}); save the file as UTF-8"
        ) from error
    except json.JSONDecodeError as error:
        raise ConfigInvalid(
            f"the sitemap is no JSON: line {error.lineno}, column {error.colno}: {error.msg}; "
            "look for a missing comma, quote or bracket just before that place"
        ) from error
    except (RecursionError, ValueError) as error:
        raise ConfigInvalid(
            "the sitemap is nested too deeply or holds a number too long to read; "
            "restore the last version that worked"
        ) from error


def _repeated(value: Any, place: tuple[str | int, ...], skip: str = "") -> list[Problem]:
    """Every key that an object in ``value`` has twice. The depth is what the JSON parser took."""
    problems = []
    pending = [(value, place)]
    while pending:
        current, path = pending.pop()
        if isinstance(current, _Object):
            problems += [
                Problem(_path((*path, name)), "the key stands here twice", "keep one of the two")
                for name in current.repeated
            ]
            pending += [(item, (*path, key)) for key, item in current.items() if key != skip]
        elif isinstance(current, list):
            pending += [(item, (*path, index)) for index, item in enumerate(current)]
    return problems


def _size(entry: Any) -> int:
    """In characters, as jobs carry it."""
    return len(json.dumps(expanded(entry) if isinstance(entry, dict) else entry))


def _validate(
    entry: Any, place: tuple[str | int, ...], taken: Mapping[str, str]
) -> tuple[Source | None, list[Problem]]:
    try:
        return Source.model_validate(entry, context={"taken": taken}), []
    except ValidationError as error:
        given = entry if isinstance(entry, dict) else {}
        details = [
            detail
            for detail in error.errors(include_url=False)
            if detail["loc"][:1] not in {(name,) for name in _DERIVED if name not in given}
        ]
        if any(detail["loc"] == ("preset",) for detail in details):
            # What an unknown preset would have filled in is not what is wrong.
            details = [detail for detail in details if detail["type"] != "missing"]
        places = [detail["loc"] for detail in details]
        return None, [_problem(detail, place) for detail in details if not _follows(detail, places)]


def _follows(detail: ErrorDetails, places: list[tuple[str | int, ...]]) -> bool:
    """Return whether a list is short only because what is in it was refused."""
    own = detail["loc"]
    return detail["type"] == "too_short" and any(
        place != own and place[: len(own)] == own for place in places
    )


def _problem(detail: ErrorDetails, place: tuple[str | int, ...]) -> Problem:
    location = tuple(part for part in detail["loc"] if part != "[key]")
    path = _path((*place, *location))
    kind, message, seen = detail["type"], detail["msg"], detail["input"]
    if kind == "refused":
        return Problem(path, message, detail["ctx"]["remedy"])
    if kind == "extra_forbidden":
        return Problem(path, "unknown key", _nearest(str(location[-1]), _keys_beside(location)))
    if kind == "missing":
        return Problem(path, "is missing", _REMEDIES[kind])
    message = message.removeprefix("Input ").replace("tuple", "list")
    if isinstance(seen, str | int | float | None):
        message += f", not {_shown(seen)}"
    return Problem(path, message, _REMEDIES.get(kind, "correct the value"))


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _nearest(key: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(key[:100], known, n=1)
    return f'write "{close[0]}"' if close else f"remove it; known here: {', '.join(known)}"


def _keys_beside(location: tuple[str | int, ...]) -> tuple[str, ...]:
    model: type[BaseModel] = Source
    for part in location[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            model = next(_models_in(model.model_fields[part].annotation), model)
    return tuple(model.model_fields)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _path(parts: tuple[str | int, ...]) -> str:
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            shown = ascii(part[:_SHOWN])[1:-1]
            text += f".{shown}" if text else shown
    return text
