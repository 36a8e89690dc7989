"""The sitemap, ``config/sitemap.json``: ``{"sources": [entry, …]}`` (N2, N3).

A bad entry costs itself alone. Every problem says where it is, what is wrong and what to do.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from uring.errors import ConfigInvalid
from uring.notices.presets import expanded
from uring.notices.problems.findings import Finding, Problem, located, nearest, refusals
from uring.notices.problems.places import Place
from uring.notices.source import Source

__all__ = ["Problem", "Sitemap", "Source", "load_sitemap"]

SIZE_LIMIT: Final = 5_000_000
SOURCE_LIMIT: Final = 2_000
# Ten jobs, their entries included, go into one SendMessageBatch of at most 256 KiB.
ENTRY_LIMIT: Final = 16_000

# Editors complete a file that names its JSON Schema; nothing here reads the name.
_TOP: Final = ("sources", "$schema")

Judge = Callable[[int, Mapping[int, Source]], Iterable[Finding]]
"""Finds more that is wrong, given how many entries there are, and the usable ones by index."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The usable sources in the file's order, and why the others are not."""

    sources: tuple[Source, ...]
    problems: tuple[Problem, ...]


def load_sitemap(body: bytes, *, taken: Mapping[str, str], judge: Judge = lambda *_: ()) -> Sitemap:
    """Read a sitemap.

    Args:
        body: of the file.
        taken: folders of ``data/`` that no source may be named like, with their families.
        judge: see there.

    Raises:
        ConfigInvalid: the whole is unreadable; the message says where and what to do.
    """
    text = _decoded(body)
    document = _parse(text)
    if not isinstance(document, dict) or not isinstance(document.get("sources"), list):
        raise ConfigInvalid(
            'the sitemap is no object with a list "sources"; write {"sources": [ … ]}'
        )
    entries = document["sources"]
    findings = [
        Finding((key,), "unknown key", nearest(key, _TOP)) for key in document if key not in _TOP
    ]
    findings += _repeated(document, (), skip="sources")
    if surplus := entries[SOURCE_LIMIT:]:
        message = f"{len(surplus)} entries from here on are more than {SOURCE_LIMIT}"
        findings.append(Finding(("sources", SOURCE_LIMIT), message, "split the deployment"))
    sources: dict[int, Source] = {}
    owners: dict[str, int] = {}
    for index, entry in enumerate(entries[:SOURCE_LIMIT]):
        source, refused = _read(entry, ("sources", index), taken)
        if source is not None:
            first = owners.setdefault(source.id, index)
            if first == index:
                sources[index] = source
            else:
                message = f"{source.id!r} is the id of another source already"
                remedy = "give each source an id of its own"
                place = ("sources", index, "id")
                refused = [Finding(place, message, remedy, ("sources", first))]
        findings += refused
    findings += judge(len(entries), sources)
    return Sitemap(tuple(sources.values()), located(findings, text, entries))


class _Object(dict[str, Any]):
    """A JSON object that remembers which keys it had more than once."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object(pairs)
    if len(result) != len(pairs):
        times = Counter(name for name, _ in pairs)
        result.repeated = tuple(name for name in result if times[name] > 1)
    return result


def _decoded(body: bytes) -> str:
    if len(body) > SIZE_LIMIT:
        raise ConfigInvalid(f"the sitemap is larger than {SIZE_LIMIT} bytes; split the deployment")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigInvalid(
            f"the sitemap is no UTF-8 text (byte {error.start}); save the file as UTF-8"
        ) from error


def _parse(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
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


def _read(
    entry: Any, place: Place, taken: Mapping[str, str]
) -> tuple[Source | None, list[Finding]]:
    if repeated := _repeated(entry, place):
        return None, repeated
    if (size := _size(entry)) > ENTRY_LIMIT:
        message = f"the entry has {size} characters, at most {ENTRY_LIMIT} fit into its jobs"
        return None, [Finding(place, message, "shorten its form, headers and patterns")]
    try:
        return Source.model_validate(entry, context={"taken": taken}), []
    except ValidationError as error:
        return None, refusals(error, entry, place)


def _repeated(value: Any, place: Place, skip: str = "") -> list[Finding]:
    """Every key that an object in ``value`` has twice. The depth is what the JSON parser took."""
    findings = []
    pending = [(value, place)]
    while pending:
        current, path = pending.pop()
        if isinstance(current, _Object):
            findings += [
                Finding((*path, name), "the key stands here twice", "keep one of the two")
                for name in current.repeated
            ]
            pending += [(item, (*path, key)) for key, item in current.items() if key != skip]
        elif isinstance(current, list):
            pending += [(item, (*path, index)) for index, item in enumerate(current)]
    return findings


def _size(entry: Any) -> int:
    """In characters, as jobs carry it."""
    return len(json.dumps(expanded(entry) if isinstance(entry, dict) else entry))
