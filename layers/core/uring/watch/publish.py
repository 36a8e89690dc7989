"""Publication of a source beside its records: its feeds and ``health.json``, from its state.

    health.json ─► state ─► other records? ─► feeds, and the state again ─► feeds, health.json

An object is read before the state that it is made from, and replaced only if it is unchanged since:
so no concurrent run's newer object is replaced.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from uring import media
from uring.changes.history.beats import beats_of
from uring.changes.registry import Registration, WatchedSource
from uring.changes.state import SourceState
from uring.errors import Contended, CorruptState, PreconditionFailed
from uring.objects import Objects, Stored
from uring.records.calendar import RULES, calendar
from uring.records.feeds import atom_feed, json_feed
from uring.records.model import RecordState
from uring.runtime.telemetry import Telemetry
from uring.watch.status import (
    Facts,
    assess,
    corrupt,
    facts_of,
    health_document,
    index_entry,
    told,
)

BRIEFLY: Final = "public, max-age=60"
_CACHED: Final = "public, max-age=300"
_FEEDS: Final = ("feed.json", "feed.atom")
_CALENDAR: Final = "due.ics"


@dataclass(frozen=True, slots=True)
class PublishedSource:
    """A source whose readers see all of its state.

    Attributes:
        facts: of the state.
        state: as it was read, its ETag in the facts; None where it cannot be read.
    """

    facts: Facts
    state: SourceState | None = field(repr=False)


class Publisher:
    """Writes what readers see of sources.

    Args:
        objects: the bucket.
    """

    def __init__(self, objects: Objects, telemetry: Telemetry) -> None:
        self._objects = objects
        self._telemetry = telemetry

    def publish(
        self, family: Registration, source: WatchedSource, known: Facts | None, now: datetime
    ) -> PublishedSource | None:
        """Write what changed of a source; None where another run was quicker, for the next.

        Raises:
            NewerRelease: a newer release wrote its state.
        """
        folder = f"data/{source.id}"
        health = self._objects.get(f"{folder}/health.json")
        read = self._read(family, source)
        if read is not None and (fed := _fed(family, source, read)) != (known.fed if known else ""):
            names = (*_FEEDS, _CALENDAR) if family.deadline else _FEEDS
            feeds = {name: self._objects.get(f"{folder}/{name}") for name in names}
            read = self._read(family, source)
            if read is None or not self._feed(family, source, read, feeds, now):
                return None
            fed = _fed(family, source, read)
        if read is None:
            return None
        document = health_document(source, assess(source, read.facts, now))
        if read.state is not None and (beats := beats_of(read.state.health.beats)):
            document["beats"] = [beat.document() for beat in beats]
        if not _tells(health, document):
            body = compact(document)
            if not self.put(f"{folder}/health.json", health, body, cache=BRIEFLY):
                return None
        digest = shown(family, source, read.facts, now)
        return PublishedSource(
            read.facts.model_copy(update={"shown": digest, "fed": fed}), read.state
        )

    def put(
        self,
        key: str,
        before: Stored | None,
        body: bytes,
        content_type: str = media.JSON,
        *,
        cache: str = _CACHED,
    ) -> bool:
        """Replace exactly what was read; return False where it is another by now."""
        if before is not None and before.body == body:
            return True
        try:
            self._objects.put(
                key,
                body,
                if_match=before.etag if before else None,
                content_type=content_type,
                cache_control=cache,
            )
        except (PreconditionFailed, Contended):
            return False
        return True

    def _feed(
        self,
        family: Registration,
        source: WatchedSource,
        read: PublishedSource,
        before: Mapping[str, Stored | None],
        now: datetime,
    ) -> bool:
        """Write the feeds of a state, if it has any; return False where they are others by now."""
        if not _fed(family, source, read) or not isinstance(read.state, RecordState):
            return True
        feed = before["feed.json"]
        stored = feed.body if feed else None
        body = json_feed(family.name, source, read.state, stored, now, family.deadline)
        bodies = {
            "feed.json": (body, media.JSON),
            "feed.atom": (atom_feed(family.name, source, body), media.XML),
        }
        if family.deadline:
            bodies[_CALENDAR] = (calendar(source, body), media.CALENDAR)
        return all(
            self.put(f"data/{source.id}/{name}", before[name], made, kind)
            for name, (made, kind) in bodies.items()
        )

    def _read(self, family: Registration, source: WatchedSource) -> PublishedSource | None:
        key = f"state/{family.name}/{source.id}.json"
        stored = self._objects.get(key)
        if stored is None:
            return None
        try:
            state = family.state().from_json(stored.body, key=key, source=source.id)
        except CorruptState as error:
            self._telemetry.problem(
                "corrupt",
                family=family.name,
                source=source.id,
                **family.named(source.id),
                reason=str(error),
            )
            return PublishedSource(corrupt(stored.etag), None)
        return PublishedSource(facts_of(state, stored.etag), state)


def shown(family: Registration, source: WatchedSource, facts: Facts, now: datetime) -> str:
    """Return a digest of a source's published fields besides its records."""
    entry = index_entry(family, source, assess(source, facts, now))
    return hashlib.sha256(compact(told(entry))).hexdigest()[:16]


def compact(document: Mapping[str, Any]) -> bytes:
    """Return a document as readers get it."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _fed(family: Registration, source: WatchedSource, read: PublishedSource) -> str:
    """Return a digest of what a source's feeds are made of; empty where it has none."""
    if not (family.has_feeds and isinstance(read.state, RecordState) and read.state.hot):
        return ""
    items = [item.model_dump(mode="json") for item in read.state.hot]
    names = [source.name, source.base_url, source.zone]
    if family.deadline:
        names.append(f"deadlines {RULES}")
    return hashlib.sha256(json.dumps([names, items]).encode()).hexdigest()[:16]


def _tells(stored: Stored | None, document: Mapping[str, Any]) -> bool:
    """Return whether the stored document shows the same to readers; False for a malformed one."""
    try:
        before = json.loads(stored.body) if stored else None
    except ValueError:
        return False
    return isinstance(before, dict) and told(before) == told(document)
