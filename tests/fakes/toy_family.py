"""A third family: a shop's recalls, a list of records with deletions and renames.

All that it says is its own: what a recall is, where it comes from, when one is deleted or goes on
under another name. Commit, archive, feed, health, alerts and pushes are the engine's.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from uring.changes.family import Observed, Step
from uring.changes.registry import WatchedSource
from uring.changes.retry import Backoff
from uring.changes.state import Health
from uring.clock import timestamp
from uring.contracts import Job
from uring.errors import SourceTrouble
from uring.objects import Objects, Reads
from uring.records.apply import PushPolicy, Seen, apply
from uring.records.archive import Archive
from uring.records.diff import ListHints
from uring.records.latest import Latest, Publication, RecordProjections
from uring.records.model import Observation, RecordState, Revision

NAME = "recalls"
POLICY = PushPolicy(push=frozenset({"new", "edited", "deleted", "renamed", "returned"}))


@dataclass(frozen=True)
class Recall:
    """A product that is called back; its batch stays when its name is corrected."""

    name: str
    batch: str
    reason: str


Shelf = Sequence[Recall] | SourceTrouble


class Recalls:
    """Implements `uring.changes.family.Family`."""

    name = NAME
    heartbeat = timedelta(hours=1)
    eases_off = True
    seconds = 5.0
    fields: Mapping[str, Any] = {}

    def __init__(self, shelf: Callable[[], Shelf], objects: Objects, *, backoff: Backoff) -> None:
        self._shelf = shelf
        self._archive = Archive(objects, backoff=backoff)
        self._latest = Latest(objects, backoff=backoff)

    def entry(self, job: Job) -> str:
        return job.source

    def first(self, job: Job, now: datetime) -> RecordState:
        return RecordState(source=job.source, health=Health(since=timestamp(now)))

    def glance(self, job: Job, known: Mapping[str, Any], now: datetime) -> None:
        del job, known, now

    def observe(self, job: Job, state: RecordState, now: datetime) -> Observed[Sequence[Recall]]:
        del job, state, now
        shelf = self._shelf()
        if isinstance(shelf, SourceTrouble):
            return Observed(None, shelf, 1)
        return Observed(shelf, requests=1, fields={"rows": len(shelf)})

    def step(
        self, job: Job, state: RecordState, data: Sequence[Recall], now: datetime
    ) -> Step[RecordState]:
        del job
        seen = Seen([_observation(recall) for recall in data], hints=_hints(state, data))
        applied = apply(state, seen, POLICY, now)
        if applied is None:
            return Step(None)
        return Step(applied.state, "changed" if state.baseline_at else "baseline")

    def projections(self, job: Job) -> RecordProjections:
        meta = {"name": f"Recalls of {job.source}"}
        publication = Publication(NAME, job.source, job.source, meta, fields)
        return RecordProjections(self._archive, self._latest, publication)


def fields(revision: Revision) -> Mapping[str, str | None]:
    """Return a recall as readers see it."""
    return {**revision.content, "link": f"https://shop.example/{revision.content['batch']}"}


def _observation(recall: Recall) -> Observation:
    content = {"title": recall.name, "batch": recall.batch, "reason": recall.reason}
    digest = hashlib.sha256("|".join(content.values()).encode()).hexdigest()
    return Observation(recall.name, digest, content)


def _hints(state: RecordState, data: Sequence[Recall]) -> ListHints:
    """The shelf is whole: what is not on it is gone, unless its batch goes on under a new name."""
    names = {recall.name for recall in data}
    gone = {name for name, known in state.known.items() if known.hash and name not in names}
    batches = {item.content["batch"]: item.id for item in state.hot if item.id in gone}
    renamed = {
        recall.name: batches[recall.batch]
        for recall in data
        if recall.name not in state.known and recall.batch in batches
    }
    return ListHints(deleted=sorted(gone - set(renamed.values())), renamed=renamed)


class Registration:
    """Implements `uring.changes.registry.Registration`."""

    name, index_key, view, has_feeds, has_hints, config = NAME, NAME, "items", True, False, ""
    deadline = None
    word: Mapping[str, str] = {"ko": "리콜", "en": "Recalls"}
    folders: frozenset[str] = frozenset()

    def state(self) -> type[RecordState]:
        return RecordState

    def named(self, source: str) -> Mapping[str, str]:
        del source
        return {}

    def watched(
        self, environment: Mapping[str, str], objects: Reads, taken: Mapping[str, str]
    ) -> Sequence[WatchedSource]:
        del environment, objects, taken
        return [WatchedSource("shop", "A shop", "https://shop.example/", "shop", 10, "Asia/Seoul")]
