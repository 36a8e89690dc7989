"""The plan of sources to check, from a configuration file in the bucket (N2, N3)."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Generic

from uring.changes.jobs import Cadence, Planned
from uring.changes.registry import WatchedSource
from uring.changes.shard import WHOLE, Shard
from uring.errors import Misconfigured, Unavailable
from uring.objects import Reads
from uring.runtime.telemetry import Telemetry
from uring.sources.config import Entries, load_entries
from uring.sources.entry import E, Entry, F
from uring.sources.shards import shards_in, usable_shards

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def read_entries(
    objects: Reads,
    config_key: str,
    *,
    model: type[F],
    key: str,
    what: str,
    taken: Mapping[str, str],
    shard: Shard = WHOLE,
) -> Entries[F]:
    """Return the entries of a file in the bucket.

    Args:
        objects: the bucket.
        config_key: of the file, such as ``config/sitemap.json``.
        model: of an entry.
        key: of the list in the file.
        what: the file in words.
        taken: folders of ``data/`` that belong to other families, with their families.
        shard: whose file it is, beside that key.

    Raises:
        Misconfigured: the file is missing.
        ConfigInvalid: the file as a whole is unreadable, or its bounds are.
        Unavailable: the bounds changed since they were read; the next run reads the new ones.
    """
    body = _read(objects, shard.key(config_key), what)
    if model.is_sharded and not shard.begin and shards_in(body)[0] != shard:
        raise Unavailable(f"{config_key}: was divided again meanwhile")
    return load_entries(body, model, key=key, what=what, taken=taken, shard=shard)


def read_shards(objects: Reads, config_key: str, what: str) -> tuple[Shard, ...]:
    """Return the shards of a file in the bucket.

    Raises:
        Misconfigured: the file is missing.
        ConfigInvalid: see `shards_in`.
    """
    return shards_in(_read(objects, config_key, what))


def _read(objects: Reads, config_key: str, what: str) -> bytes:
    stored = objects.get(config_key)
    if stored is None:
        raise Misconfigured(
            f"{config_key} is not in the bucket; upload {what} there: "
            "`uring config upload FILE --stack NAME`"
        )
    return stored.body


def report_refused(entries: Entries[Any], telemetry: Telemetry) -> None:
    """Log every problem of a file and count them: each entry concerned is skipped."""
    for problem in entries.problems:
        telemetry.problem(
            "entry_refused",
            path=problem.path,
            entry=problem.entry,
            line=problem.line,
            reason=problem.message,
            remedy=problem.remedy,
        )
    if entries.problems:
        # A counter written at each tick is billed all month, even if it is zero.
        telemetry.count("EntriesRefused", len(entries.problems))


RhythmOf = Callable[[E], Callable[[datetime], int] | None]
CadenceOf = Callable[[E], Cadence | None]


def uniform(_: Entry) -> None:
    """Return no rhythm: a source is checked in the interval of its entry at all hours."""


def watched_entries(
    entries: Iterable[E],
    remedies: Mapping[str, str],
    heartbeat: timedelta = timedelta(),
    rhythm: RhythmOf[E] = uniform,
    college: Callable[[E], str] = lambda _: "",
) -> list[WatchedSource]:
    """Return the sources as the monitor needs them; for the arguments see `WatchedSource`."""
    return [
        WatchedSource(
            source.id,
            source.name,
            source.base_url,
            source.topic,
            source.interval_minutes,
            source.zone,
            remedies,
            heartbeat,
            rhythm=rhythm(source),
            college=college(source),
        )
        for source in entries
    ]


def ids_of(body: bytes) -> frozenset[str]:
    """Return the ids in another family's file, which are folders too; empty if it is unreadable."""
    try:
        document = json.loads(body)
        lists = [part for part in document.values() if isinstance(part, list)]
    except (ValueError, AttributeError, RecursionError):
        return frozenset()
    entries = (entry for part in lists for entry in part if isinstance(entry, dict))
    return frozenset(entry["id"] for entry in entries if isinstance(entry.get("id"), str))


class EntriesPlan(Generic[E]):
    """Reads a configuration file at each tick; a bad entry is reported and skipped.

    A file of ten thousand entries takes two seconds of CPU: the plan of the same bytes is kept.

    Args:
        config_key: of the file in the bucket.
        model: see `load_entries`, also for ``key``, ``what`` and ``taken``.
        beside: other families' configuration files, whose sources have folders in ``data/`` too: by
            the file's key the family's name.
        rhythm: returns a source's intervals by time, see `Planned`.
        shard: of the family.
    """

    def __init__(
        self,
        objects: Reads,
        telemetry: Telemetry,
        *,
        config_key: str,
        model: type[E],
        key: str,
        what: str,
        taken: Mapping[str, str],
        beside: Mapping[str, str] = _NONE,
        rhythm: CadenceOf[E] = uniform,
        shard: Shard = WHOLE,
    ) -> None:
        self._objects = objects
        self._telemetry = telemetry
        self._config_key = shard.key(config_key)
        self._shard = shard
        self._model = model
        self._key = key
        self._what = what
        self._taken = taken
        self._beside = beside
        self._rhythm = rhythm
        self._known: tuple[bytes, Mapping[str, str]] | None = None
        self._entries: Entries[E] = Entries((), ())
        self._planned: Sequence[Planned] = ()

    def __call__(self) -> Sequence[Planned]:
        """Return every usable source.

        Raises:
            Misconfigured: the file is missing.
            ConfigInvalid: the file as a whole is unreadable.
        """
        body = _read(self._objects, self._config_key, self._what)
        taken = {**self._folders_of_others(), **self._taken}
        if self._known != (body, taken):
            self._entries = load_entries(
                body,
                self._model,
                key=self._key,
                what=self._what,
                taken=taken,
                shard=self._shard,
            )
            self._planned = [
                Planned(
                    source.id,
                    source.interval_minutes,
                    source.model_dump(mode="json", exclude_unset=True),
                    self._rhythm(source),
                )
                for source in self._entries.sources
            ]
            self._known = body, taken
        report_refused(self._entries, self._telemetry)
        return self._planned

    def _folders_of_others(self) -> dict[str, str]:
        return {
            source: family
            for key, family in self._beside.items()
            for source in self._ids_in_shards(key)
        }

    def _ids_in_shards(self, key: str) -> Iterator[str]:
        first = self._objects.get(key)
        if first is None:
            return
        yield from ids_of(first.body)
        _, *others = usable_shards(first.body)
        for shard in others:
            if (file := self._objects.get(shard.key(key))) is not None:
                yield from ids_of(file.body)
