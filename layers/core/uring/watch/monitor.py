"""What is derived from the sources' states and can wait ten minutes: health, feeds, index, alerts.

    memory ─► list of states ─► changed? ─► feeds, health.json ─► index ─► alerts ─► memory

A state that has not changed is not read again. An object is read before the state it is made of,
and replaced only if it is still that one: so nothing newer is ever replaced, whoever else runs.
Alerts are sent before they are remembered: a death in between sends them again, none is lost.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.changes.ports import Listed, ObjectStore, Stored
from uring.clock import Clock, timestamp
from uring.errors import Contended, CorruptState, PreconditionFailed
from uring.notices.orchestrate import read_sitemap
from uring.notices.source import Source
from uring.records.feeds import ATOM_TYPE, JSON_FEED_TYPE, atom_feed, json_feed
from uring.records.model import SourceState
from uring.runtime.telemetry import Telemetry
from uring.watch.status import (
    Facts,
    Outlook,
    corrupt,
    down_line,
    facts_of,
    health_document,
    index_entry,
    outlook,
    up_line,
)

MEMORY_KEY: Final = "state/monitor/notices.json"
INDEX_KEY: Final = "data/index.json"

_STATES: Final = "state/notices/"
_JSON: Final = "application/json; charset=utf-8"
_BRIEFLY: Final = "public, max-age=60"
_CACHED: Final = "public, max-age=300"
_MOST_LINES: Final = 100
# For the index, the alerts and the memory, each with its retries.
_RESERVE_SECONDS: Final = 20


class Objects(ObjectStore, Protocol):
    """The object store, with listings."""

    def list(self, prefix: str) -> Iterator[Listed]:
        """Every object below a prefix, by key.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such bucket, or no permission.
        """
        ...


class Alerts(Protocol):
    """Where people are told."""

    def send(self, subject: str, text: str) -> None:
        """Send one message; twice is possible where an answer is lost.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such topic, or no permission.
        """
        ...


class Memory(BaseModel):
    """What the last run knew: the facts of each state, and which sources people know to be down."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    facts: dict[str, Facts] = {}
    down: dict[str, str] = {}


class NoticeMonitor:
    """Watches the states of the notices.

    Args:
        objects: the bucket.
        alerts: where people are told.
        config_key: the sitemap's key.
        clock: the time, aware UTC.
    """

    def __init__(
        self,
        objects: Objects,
        alerts: Alerts,
        telemetry: Telemetry,
        *,
        config_key: str,
        clock: Clock,
    ) -> None:
        self._objects = objects
        self._alerts = alerts
        self._telemetry = telemetry
        self._config_key = config_key
        self._clock = clock

    def run(self, time_left: Callable[[], float]) -> dict[str, int]:
        """Bring everything up to date; how many sources there are, by status.

        What there is no time for is left to the next run: a new stack of two thousand sources is
        done after a few.

        Args:
            time_left: seconds until this run would be ended.

        Raises:
            Misconfigured: there is no sitemap.
            ConfigInvalid: the sitemap as a whole is unreadable.
            Unavailable: S3 or SNS gave no answer; the next run makes up for it.
        """
        now = self._clock()
        sources = read_sitemap(self._objects, self._config_key).sources
        stored = self._objects.get(MEMORY_KEY)
        memory = self._remembered(stored)
        index = self._objects.get(INDEX_KEY)
        etags = self._etags()
        facts: dict[str, Facts] = {}
        found: dict[str, Outlook] = {}
        behind = False
        for source in sources:
            known = memory.facts.get(source.id)
            if (etag := etags.get(source.id)) is not None:
                if known is None or known.etag != etag or known.shown != _shown(source, known, now):
                    in_time = time_left() > _RESERVE_SECONDS
                    published = self._publish(source, now) if in_time else None
                    behind |= published is None
                    known = published or known
                if known is not None:
                    facts[source.id] = known
            found[source.id] = outlook(source, facts.get(source.id), now)
        # Where another run was quicker, or time too short, an index made here would be an old one.
        if not behind:
            self._write_index(sources, found, index, now)
        down = self._alert(sources, found, memory.down)
        after = Memory(facts=facts, down=down)
        if after != memory:
            self._put(MEMORY_KEY, stored, after.model_dump_json().encode())
        return self._counted(found)

    def _remembered(self, stored: Stored | None) -> Memory:
        """The last run's memory; where it is damaged, all is read again and told again."""
        try:
            return Memory() if stored is None else Memory.model_validate_json(stored.body)
        except ValidationError:
            self._telemetry.problem(
                "memory_damaged", key=MEMORY_KEY, remedy="it is made again; alerts may be repeated"
            )
            return Memory()

    def _etags(self) -> dict[str, str]:
        names = (
            (each.key.removeprefix(_STATES), each.etag) for each in self._objects.list(_STATES)
        )
        return {
            name.removesuffix(".json"): etag
            for name, etag in names
            if name.endswith(".json") and not name.endswith(".seen.json")
        }

    def _publish(self, source: Source, now: datetime) -> Facts | None:
        """Write what readers see of a source; None where another run was quicker, for the next."""
        folder = f"data/{source.id}"
        health = self._objects.get(f"{folder}/health.json")
        feed = self._objects.get(f"{folder}/feed.json")
        atom = self._objects.get(f"{folder}/feed.atom")
        stored = self._objects.get(f"{_STATES}{source.id}.json")
        if stored is None:
            return None
        state = self._read(source, stored)
        facts = corrupt(stored.etag) if state is None else facts_of(state, stored.etag)
        written = True
        if state is not None and state.hot:
            body = json_feed(source, state, feed.body if feed else None, now)
            written = self._put(f"{folder}/feed.json", feed, body, JSON_FEED_TYPE) and self._put(
                f"{folder}/feed.atom", atom, atom_feed(source, body), ATOM_TYPE
            )
        body = _compact(health_document(source, outlook(source, facts, now)))
        if not (written and self._put(f"{folder}/health.json", health, body, cache=_BRIEFLY)):
            return None
        return facts.model_copy(update={"shown": _shown(source, facts, now)})

    def _read(self, source: Source, stored: Stored) -> SourceState | None:
        try:
            return SourceState.from_json(
                stored.body, key=f"{_STATES}{source.id}.json", source=source.id
            )
        except CorruptState as error:
            self._telemetry.problem("corrupt", department_id=source.id, reason=str(error))
            return None

    def _write_index(
        self,
        sources: Sequence[Source],
        found: Mapping[str, Outlook],
        stored: Stored | None,
        now: datetime,
    ) -> None:
        departments = [index_entry(source, found[source.id]) for source in sources]
        if _departments(stored) != departments:
            body = _compact({"generated_at": timestamp(now), "departments": departments})
            self._put(INDEX_KEY, stored, body, cache=_BRIEFLY)

    def _alert(
        self, sources: Sequence[Source], found: Mapping[str, Outlook], before: Mapping[str, str]
    ) -> dict[str, str]:
        """Tell people once of each source that went down or came back; who is down now."""
        after, lines = {}, []
        for source in sources:
            each = found[source.id]
            if each.down is not None:
                after[source.id] = before.get(source.id, each.down)
                if source.id not in before:
                    lines.append(down_line(source, each))
            elif source.id in before and each.status != "ok":
                # No longer down and not yet well: the first check of a worker that is back failed.
                after[source.id] = before[source.id]
            elif source.id in before:
                lines.append(up_line(source, before[source.id]))
        if lines:
            ups = sum(line.startswith("UP ") for line in lines)
            more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
            self._alerts.send(
                f"uRing: {len(lines) - ups} sources down, {ups} up",
                "\n".join([*lines[:_MOST_LINES], *more]),
            )
            for line in lines:
                self._telemetry.event("alerted", line=line)
        return after

    def _put(
        self,
        key: str,
        before: Stored | None,
        body: bytes,
        content_type: str = _JSON,
        *,
        cache: str = _CACHED,
    ) -> bool:
        """Replace exactly what was read; False where it is another by now."""
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

    def _counted(self, found: Mapping[str, Outlook]) -> dict[str, int]:
        counts = Counter[str](each.status for each in found.values())
        down = sum(each.down is not None for each in found.values())
        self._telemetry.count("Sources", len(found))
        self._telemetry.count("SourcesDown", down)
        self._telemetry.event("watched", sources=len(found), down=down, **counts)
        return dict(counts)


def _shown(source: Source, facts: Facts, now: datetime) -> str:
    """A digest of all that readers are told of a source beside its notices."""
    shown = index_entry(source, outlook(source, facts, now))
    return hashlib.sha256(_compact(shown)).hexdigest()[:16]


def _departments(stored: Stored | None) -> Any:
    try:
        return json.loads(stored.body)["departments"] if stored else None
    except (ValueError, KeyError, TypeError):
        return None


def _compact(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
