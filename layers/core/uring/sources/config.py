"""A configuration file and its list of entries: ``{"sources": [entry, …]}`` (N2, N3).

Some keys of entries may stand beside the list, for all entries that do not have their own.

A bad entry affects no other entry. Every problem has its place, its message and its remedy.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Final, Generic, cast

from pydantic import TypeAdapter, ValidationError

from uring.changes.shard import WHOLE, Shard
from uring.contracts import Job
from uring.errors import ConfigInvalid, MalformedMessage, NewerRelease
from uring.sources.document import SIZE_LIMIT, JsonObject, read_document
from uring.sources.entry import E, Entry, F, FileEntry
from uring.sources.presets import Presets, expanded
from uring.sources.problems.findings import ConfigFinding, ConfigProblem, located, nearest, refusals
from uring.sources.problems.places import Place
from uring.sources.shards import SHARDS, refused_bounds

# Above the number that orchestrator and monitor were measured with: bench/README.md.
SOURCE_LIMIT: Final = 12_000
# Ten jobs, their entries included, go into one SendMessageBatch of at most 256 KiB.
ENTRY_LIMIT: Final = 16_000

# The remedy for a large file, by whether its family has shards.
_SPLIT: Final = {True: "`uring config split` makes several files of it", False: "remove some"}

# The most surplus entries that a message names.
_NAMED: Final = 20

# Editors complete a file that names its JSON Schema; this code ignores the name.
_SCHEMA: Final = "$schema"

Judge = Callable[[int, Mapping[int, F]], Iterable[ConfigFinding]]
"""Returns further findings, from the number of entries and the usable ones by index."""


@dataclass(frozen=True, slots=True)
class Entries(Generic[F]):
    """The usable sources in the file's order, and the problems of the others."""

    sources: tuple[F, ...]
    problems: tuple[ConfigProblem, ...]


def load_entries(
    body: bytes,
    model: type[F],
    *,
    key: str,
    what: str,
    taken: Mapping[str, str],
    judge: Judge[F] = lambda *_: (),
    shard: Shard = WHOLE,
) -> Entries[F]:
    """Read a configuration file.

    Args:
        body: of the file.
        model: of an entry.
        key: of the list in the file: ``sources``.
        what: the file in words: ``the sitemap``.
        taken: folders of ``data/`` that no source may have as its id, with their families.
        judge: see `Judge`.
        shard: of the file; an entry of another shard is refused.

    Raises:
        ConfigInvalid: the file as a whole is unreadable; the message has the place and the remedy.
    """
    read = read_document(body, key, what)
    document = read.value
    if not isinstance(document, dict) or not isinstance(document.get(key), list):
        raise ConfigInvalid(
            f'{what} is not an object with a list "{key}"; write {{"{key}": [ … ]}}'
        )
    entries = document[key]
    known = (key, _SCHEMA, *model.of_file, *((SHARDS,) if model.is_sharded else ()))
    findings = [
        ConfigFinding((name,), "unknown key", nearest(name, known))
        for name in document
        if name not in known
    ]
    findings += _repeated(document, (), skip=key)
    common, refused = _common(document, model)
    findings += refused
    if model.is_sharded:
        findings += refused_bounds(document, shard)
    findings += _surplus(entries, key, _SPLIT[model.is_sharded], is_cut=read.is_cut)
    sources: dict[int, F] = {}
    owners: dict[str, int] = {}
    for index, entry in enumerate(entries[:SOURCE_LIMIT]):
        source, refused = _read(entry, model, (key, index), taken, common)
        if source is not None and not shard.has(source.id):
            message = f"{source.id!r} belongs into another file: this one has ids {shard.words}"
            remedy = "`uring config split` moves it there"
            refused = [ConfigFinding((key, index, "id"), message, remedy)]
        elif source is not None:
            first = owners.setdefault(source.id, index)
            if first == index:
                sources[index] = source
            else:
                message = f"{source.id!r} is the id of another source already"
                remedy = "give each source an id of its own"
                place = (key, index, "id")
                refused = [ConfigFinding(place, message, remedy, (key, first))]
        findings += refused
    findings += judge(len(entries), sources)
    return Entries(tuple(sources.values()), located(findings, read.text, key, entries))


def entry_of(job: Job, model: type[E], *, what: str = "its configuration file") -> E:
    """Return the job's entry.

    Args:
        job: of one source.
        model: of an entry.
        what: the entry's file, in words.

    Raises:
        MalformedMessage: the job's entry is invalid, or is of another source.
        NewerRelease: the entry has unknown keys and no other errors: a newer release sent it.
    """
    try:
        source = validated(json.dumps(job.entry), model)
    except ValidationError as error:
        place, message, *_ = refusals(error, job.entry, model)[0]
        key = ".".join(str(part) for part in ("entry", *place))
        problems = error.errors(include_url=False, include_input=False)
        if all(problem["type"] == "extra_forbidden" for problem in problems):
            # The orchestrator has checked the entry, so its release knows these keys.
            raise NewerRelease(
                f"Job: {key}: is unknown to this release; a newer release sent it: deploy the "
                "newer release again"
            ) from error
        raise MalformedMessage(
            f"Job: {key}: {message}; correct the entry in {what}, `uring config check` explains it"
        ) from error
    if source.id != job.source:
        raise MalformedMessage(f"Job: entry.id: is {source.id!r}, the job's source {job.source!r}")
    return cast("E", source)


# The same few hundred entries come back at every tick. Refused ones are not cached.
@lru_cache(maxsize=512)
def validated(entry: str, model: type[Entry]) -> Entry:
    """Return the entry of a JSON text.

    Raises:
        ValidationError: the entry is invalid.
    """
    return model.model_validate(json.loads(entry))


def _surplus(
    entries: Sequence[Any], key: str, remedy: str, *, is_cut: bool
) -> Iterator[ConfigFinding]:
    """Yield the findings for surplus entries and a cut file; the first entries are still used."""
    if surplus := entries[SOURCE_LIMIT:]:
        ids = [entry.get("id") if isinstance(entry, dict) else None for entry in surplus[:_NAMED]]
        named = ", ".join(ascii(str(each)[:64])[1:-1] for each in ids)
        more = ", …" if len(surplus) > _NAMED else ""
        message = f"{len(surplus)} entries above the limit of {SOURCE_LIMIT}: {named}{more}"
        yield ConfigFinding((key, SOURCE_LIMIT), message, remedy)
    if is_cut:
        message = f"the file has more than {SIZE_LIMIT} bytes; the rest was not read"
        yield ConfigFinding((key, len(entries) - 1), message, remedy)


def _common(
    document: Mapping[str, Any], model: type[FileEntry]
) -> tuple[dict[str, Any], list[ConfigFinding]]:
    """Return the usable keys beside the list that hold for all entries, and the refused ones."""
    common: dict[str, Any] = {}
    findings: list[ConfigFinding] = []
    for name in model.of_file:
        if name not in document:
            continue
        try:
            field = model.model_fields[name]
            key: Any = Annotated[field.annotation, *field.metadata]
            TypeAdapter[Any](key).validate_python(document[name])
        except ValidationError as error:
            findings += refusals(error, document[name], model, (name,))
        else:
            common[name] = document[name]
    return common, findings


def _read(
    entry: Any,
    model: type[F],
    place: Place,
    taken: Mapping[str, str],
    common: Mapping[str, Any],
) -> tuple[F | None, list[ConfigFinding]]:
    if repeated := _repeated(entry, place):
        return None, repeated
    if (size := _size(entry, model.presets)) > ENTRY_LIMIT:
        message = f"the entry has {size} characters, at most {ENTRY_LIMIT} fit into its jobs"
        return None, [ConfigFinding(place, message, "shorten its form, headers and patterns")]
    try:
        whole = {**common, **entry} if common and isinstance(entry, dict) else entry
        return model.model_validate(whole, context={"taken": taken}), []
    except ValidationError as error:
        return None, refusals(error, entry, model, place)


def _repeated(value: Any, place: Place, skip: str = "") -> list[ConfigFinding]:
    """Return a finding for each repeated key at any depth; the value of ``skip`` is skipped."""
    findings = []
    pending = [(value, place)]
    while pending:
        current, path = pending.pop()
        if isinstance(current, JsonObject):
            findings += [
                ConfigFinding((*path, name), "the key occurs twice", "keep one of the two")
                for name in current.repeated
            ]
            pending += [(item, (*path, key)) for key, item in current.items() if key != skip]
        elif isinstance(current, list):
            pending += [(item, (*path, index)) for index, item in enumerate(current)]
    return findings


def _size(entry: Any, presets: Presets) -> int:
    """Return the size of an entry in characters, as JSON with its preset filled in."""
    return len(json.dumps(expanded(entry, presets) if isinstance(entry, dict) else entry))
