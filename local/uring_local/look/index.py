"""The published list of a stack's sources: ``data/index.json``, and its shards."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

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
    """

    listed: str
    entry: Mapping[str, Any]

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


def read_index(objects: Reads) -> list[IndexedSource]:
    """Return the sources of a stack in the order of its index; a broken entry is left out.

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
    return [*found.values()]


def _sources(index: Mapping[str, Any]) -> Iterator[IndexedSource]:
    for listed, entries in index.items():
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("id"), str):
                yield IndexedSource(listed, entry)


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
