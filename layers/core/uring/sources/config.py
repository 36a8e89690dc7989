"""A configuration file and its list of entries: ``{"sources": [entry, …]}`` (N2, N3).

A bad entry costs itself alone. Every problem says where it is, what is wrong and what to do.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, cast

from pydantic import ValidationError

from uring.contracts import Job
from uring.errors import ConfigInvalid, MalformedMessage, NewerRelease
from uring.sources.entry import E, Entry, F
from uring.sources.presets import Presets, expanded
from uring.sources.problems.findings import Finding, Problem, located, nearest, refusals
from uring.sources.problems.places import Place

SIZE_LIMIT: Final = 5_000_000
SOURCE_LIMIT: Final = 2_000
# Ten jobs, their entries included, go into one SendMessageBatch of at most 256 KiB.
ENTRY_LIMIT: Final = 16_000

# Editors complete a file that names its JSON Schema; nothing here reads the name.
_SCHEMA: Final = "$schema"

Judge = Callable[[int, Mapping[int, F]], Iterable[Finding]]
"""Finds more that is wrong, given how many entries there are, and the usable ones by index."""


@dataclass(frozen=True, slots=True)
class Entries(Generic[F]):
    """The usable sources in the file's order, and why the others are not."""

    sources: tuple[F, ...]
    problems: tuple[Problem, ...]


def load_entries(
    body: bytes,
    model: type[F],
    *,
    key: str,
    what: str,
    taken: Mapping[str, str],
    judge: Judge[F] = lambda *_: (),
) -> Entries[F]:
    """Read a configuration file.

    Args:
        body: of the file.
        model: of an entry.
        key: of the list in the file: ``sources``.
        what: the file in words: ``the sitemap``.
        taken: folders of ``data/`` that no source may be named like, with their families.
        judge: see there.

    Raises:
        ConfigInvalid: the whole is unreadable; the message says where and what to do.
    """
    text = _decoded(body, what)
    document = _parse(text, what)
    if not isinstance(document, dict) or not isinstance(document.get(key), list):
        raise ConfigInvalid(f'{what} is no object with a list "{key}"; write {{"{key}": [ … ]}}')
    entries = document[key]
    known = (key, _SCHEMA)
    findings = [
        Finding((name,), "unknown key", nearest(name, known))
        for name in document
        if name not in known
    ]
    findings += _repeated(document, (), skip=key)
    if surplus := entries[SOURCE_LIMIT:]:
        message = f"{len(surplus)} entries from here on are more than {SOURCE_LIMIT}"
        findings.append(Finding((key, SOURCE_LIMIT), message, "split the deployment"))
    sources: dict[int, F] = {}
    owners: dict[str, int] = {}
    for index, entry in enumerate(entries[:SOURCE_LIMIT]):
        source, refused = _read(entry, model, (key, index), taken)
        if source is not None:
            first = owners.setdefault(source.id, index)
            if first == index:
                sources[index] = source
            else:
                message = f"{source.id!r} is the id of another source already"
                remedy = "give each source an id of its own"
                place = (key, index, "id")
                refused = [Finding(place, message, remedy, (key, first))]
        findings += refused
    findings += judge(len(entries), sources)
    return Entries(tuple(sources.values()), located(findings, text, key, entries))


def entry_of(job: Job, model: type[E], *, what: str = "its configuration file") -> E:
    """Return the job's entry.

    Args:
        job: of one source.
        model: of an entry.
        what: the file that the entry stands in, in words.

    Raises:
        MalformedMessage: the job's entry is no valid source.
        NewerRelease: but for keys that a newer release has, it is one.
    """
    try:
        source = validated(json.dumps(job.entry), model)
    except ValidationError as error:
        place, message, *_ = refusals(error, job.entry, model)[0]
        key = ".".join(str(part) for part in ("entry", *place))
        problems = error.errors(include_url=False, include_input=False)
        if all(problem["type"] == "extra_forbidden" for problem in problems):
            # Its orchestrator has checked it: that one knows a key that this release does not.
            raise NewerRelease(
                f"Job: {key}: is not known to this release; a newer release sent it: deploy that "
                "one again"
            ) from error
        raise MalformedMessage(
            f"Job: {key}: {message}; correct the entry in {what}, `uring config check` explains it"
        ) from error
    if source.id != job.source:
        raise MalformedMessage(f"Job: entry.id: is {source.id!r}, the job's source {job.source!r}")
    return cast("E", source)


# The same few hundred entries come round every tick. Refused ones are not remembered.
@lru_cache(maxsize=512)
def validated(entry: str, model: type[Entry]) -> Entry:
    """Return the entry in this JSON; raises pydantic's error where it is none."""
    return model.model_validate(json.loads(entry))


class _Object(dict[str, Any]):
    """A JSON object that remembers which keys it had more than once."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    result = _Object(pairs)
    if len(result) != len(pairs):
        times = Counter(name for name, _ in pairs)
        result.repeated = tuple(name for name in result if times[name] > 1)
    return result


def _decoded(body: bytes, what: str) -> str:
    if len(body) > SIZE_LIMIT:
        raise ConfigInvalid(f"{what} is larger than {SIZE_LIMIT} bytes; split the deployment")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigInvalid(
            f"{what} is no UTF-8 text (byte {error.start}); save the file as UTF-8"
        ) from error


def _parse(text: str, what: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ConfigInvalid(
            f"{what} is no JSON: line {error.lineno}, column {error.colno}: {error.msg}; "
            "look for a missing comma, quote or bracket just before that place"
        ) from error
    except (RecursionError, ValueError) as error:
        raise ConfigInvalid(
            f"{what} is nested too deeply or holds a number too long to read; "
            "restore the last version that worked"
        ) from error


def _read(
    entry: Any, model: type[F], place: Place, taken: Mapping[str, str]
) -> tuple[F | None, list[Finding]]:
    if repeated := _repeated(entry, place):
        return None, repeated
    if (size := _size(entry, model.presets)) > ENTRY_LIMIT:
        message = f"the entry has {size} characters, at most {ENTRY_LIMIT} fit into its jobs"
        return None, [Finding(place, message, "shorten its form, headers and patterns")]
    try:
        return model.model_validate(entry, context={"taken": taken}), []
    except ValidationError as error:
        return None, refusals(error, entry, model, place)


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


def _size(entry: Any, presets: Presets) -> int:
    """In characters, as jobs carry it."""
    return len(json.dumps(expanded(entry, presets) if isinstance(entry, dict) else entry))
