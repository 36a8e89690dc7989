"""The published list of a stack's sources: ``data/index.json``, and its shards."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from uring.changes.health import ALERT_AFTER
from uring.errors import Misconfigured
from uring.objects import Reads

_INDEX: Final = "data/index.json"
_MOST_SHARDS: Final = 1_000
_ILL: Final = ("corrupt", "unchecked")


@dataclass(frozen=True, slots=True)
class IndexedSource:
    """A source of the index.

    Attributes:
        listed: the name of its list: ``departments``.
        entry: as it is published.
        family: of its list; empty in an earlier release's index.
    """

    listed: str
    entry: Mapping[str, Any]
    family: str = ""

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.entry["id"])

    @property
    def failures(self) -> int:
        """The unsuccessful checks in a row."""
        failures = self.entry.get("consecutive_failures")
        return failures if isinstance(failures, int) else 0

    @property
    def needs_look(self) -> bool:
        """True if the monitor alerts its operator: never while the source is paused."""
        if self.entry.get("paused_until"):
            return False
        status = self.entry.get("status")
        is_down = self.failures >= ALERT_AFTER and status != "ok"
        return status in _ILL or is_down or bool(self.entry.get("stale_since"))

    def paused(self, until: str | None) -> Self:
        """Return the source as the index will show it after a pause, or after the end of one."""
        entry = {name: value for name, value in self.entry.items() if name != "paused_until"}
        return replace(self, entry={**entry, "paused_until": until} if until else entry)


@dataclass(frozen=True, slots=True)
class Index:
    """All sources of a stack.

    Attributes:
        sources: in the order of the index.
        written_at: when the monitor last found a difference; RFC 3339, UTC. Empty if unknown.
    """

    sources: Sequence[IndexedSource]
    written_at: str = ""


def by_need(sources: Iterable[IndexedSource]) -> list[IndexedSource]:
    """Return the sources that need a look, then the other failing ones, then the rest."""
    return sorted(sources, key=lambda each: (not each.needs_look, not each.failures))


def read_index(objects: Reads) -> Index:
    """Return the published sources of a stack; a broken entry is left out.

    Raises:
        Misconfigured: there is no index, or it is not JSON.
    """
    index = _object(objects, _INDEX)
    if index is None:
        raise Misconfigured(
            f"there is no {_INDEX}: the monitor writes it at its first run; are the sources "
            "uploaded, and the schedules on? `uring doctor` says"
        )
    found = {(each.listed, each.id): each for each in _sources(index)}
    for path in _shards(index):
        # A shard that is being divided may lie in two lists: the last one read counts.
        part = _object(objects, f"data/{path}") or {}
        found |= {(each.listed, each.id): each for each in _sources(part)}
    written_at = index.get("generated_at")
    return Index([*found.values()], written_at if isinstance(written_at, str) else "")


def _sources(index: Mapping[str, Any]) -> Iterator[IndexedSource]:
    for listed, entries in index.items():
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("id"), str):
                yield IndexedSource(listed, entry, _family(index, listed))


def _family(index: Mapping[str, Any], listed: str) -> str:
    lists = index.get("families")
    described = lists.get(listed) if isinstance(lists, dict) else None
    family = described.get("family") if isinstance(described, dict) else None
    return family if isinstance(family, str) else ""


def _shards(index: Mapping[str, Any]) -> list[str]:
    lists = index.get("families")
    found = [
        shard["path"]
        for each in (lists.values() if isinstance(lists, dict) else ())
        if isinstance(each, dict)
        for shard in each.get("shards") or ()
        if isinstance(shard, dict) and isinstance(shard.get("path"), str)
    ]
    return [*dict.fromkeys(found)][:_MOST_SHARDS]


def _object(objects: Reads, key: str) -> dict[str, Any] | None:
    stored = objects.get(key)
    if stored is None:
        return None
    try:
        document = json.loads(stored.body)
    except ValueError as error:
        raise Misconfigured(f"{key} is not JSON: {error}; the monitor writes it again") from error
    return document if isinstance(document, dict) else {}
