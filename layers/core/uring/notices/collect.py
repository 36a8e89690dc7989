"""One check of one department: fetch → read → diff → commit (N4 to N9).

    job ─► state ─ outbox? drain ─► fetch ─► same bytes? ─► read ─► diff ─► commit and publish
                                     │           │           │        └─ unchanged
                                     └ failed    └ unchanged └ suspect

An unchanged check costs one S3 GET and one HTTP request and writes nothing.
"""

import hashlib
import json
import threading
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Literal, Protocol
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from uring.changes.diff import advance
from uring.changes.model import Event, Health, Known, Observation, SourceState, Validators
from uring.changes.projection import Publication
from uring.changes.publisher import Publisher
from uring.changes.register import Superseded, Version
from uring.changes.retry import Backoff
from uring.clock import Clock, timestamp
from uring.contracts import CollectNotices
from uring.errors import MalformedMessage, SourceTrouble, SuspectPage, WriteConflict
from uring.fetch import Request, Response
from uring.notices.config import Source
from uring.notices.item import NoticeItem
from uring.notices.page import Page, read_page
from uring.notices.site import request_for, text_of

Outcome = Literal["baseline", "changed", "unchanged", "failed", "suspect", "dropped"]


class Fetches(Protocol):
    """The guarded HTTP client; `uring.fetch.Fetcher` is the real one."""

    def fetch(self, request: Request) -> Response:
        """One answer, 200 or 304; raises FetchFailed."""
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """How one check ended: exactly one outcome word, and what happened.

    ``events`` are the revisions that this check committed and published, ``recovered`` those that
    an earlier run had committed and not published.
    """

    source: str
    outcome: Outcome
    reason: str = ""
    detail: str = ""
    http_requests: int = 0
    rows: int = 0
    skipped_rows: int = 0
    events: tuple[Event, ...] = ()
    recovered: tuple[Event, ...] = ()


class NoticeCollector:
    """Checks departments; safe to share between threads.

    Args:
        fetcher: the guarded HTTP client.
        publisher: commits and publishes; its register is that of the family ``notices``.
        clock: the time, aware UTC.
        backoff: between tries that lost to another run.
    """

    def __init__(
        self, fetcher: Fetches, publisher: Publisher, *, clock: Clock, backoff: Backoff
    ) -> None:
        self._fetcher = fetcher
        self._publisher = publisher
        self._register = publisher.register
        self._clock = clock
        self._backoff = backoff
        # One page's tree in memory at a time: the interpreter parses one at a time anyway.
        self._reading = threading.Lock()

    def collect(self, job: CollectNotices) -> Check:
        """Check the job's department once.

        Raises:
            MalformedMessage: the job's entry is no valid source.
            CorruptState: the stored state cannot be trusted; nothing was fetched or written.
            Retryable: S3 or the queue gave no clear answer.
        """
        source = _source(job)
        age = self._clock() - job.scheduled_at
        if age > timedelta(minutes=source.interval_minutes):
            return Check(
                source.id,
                "dropped",
                "overdue",
                f"scheduled {int(age.total_seconds())} s ago, the interval is "
                f"{source.interval_minutes} min: the next job is due, this one is not run",
            )
        for _ in self._backoff.attempts():
            try:
                return self._check(source)
            except Superseded:
                continue
        raise WriteConflict(f"{source.id}: other runs committed first, again and again")

    def _check(self, source: Source) -> Check:
        publication = Publication(source.id, source.name, source.base_url, source.topic)
        version = self._register.read(source.id) or self._first(source)
        recovered = version.state.outbox
        version = self._publisher.drain(version, publication)
        state = version.state
        requests = 1
        try:
            response = self._fetcher.fetch(request_for(source, _validators(source, state)))
            requests = response.requests
            fingerprint = _fingerprint(source, response.body)
            if response.status == 304 or fingerprint == state.fingerprint:  # noqa: PLR2004
                self._healthy(version)
                return Check(source.id, "unchanged", http_requests=requests, recovered=recovered)
            page = self._read(source, response)
        except SourceTrouble as trouble:
            self._unhealthy(version, trouble)
            outcome: Outcome = "suspect" if isinstance(trouble, SuspectPage) else "failed"
            return Check(
                source.id,
                outcome,
                trouble.reason,
                trouble.detail,
                http_requests=requests,
                recovered=recovered,
            )
        seen = [_observation(item) for item in page.items]
        step = advance(
            state,
            seen,
            recalled=self._recall(state, seen),
            push_kinds=source.push_kinds,
            now=self._clock(),
        )
        if step is None:
            self._healthy(version)
        else:
            committed = step.state.replace(
                fingerprint=fingerprint,
                validators=Validators(etag=response.etag, last_modified=response.last_modified),
                health=self._ok(state),
            )
            self._publisher.commit(version, committed, step.spill, publication)
        events = step.state.outbox if step else ()
        outcome = "changed" if events else "unchanged"
        if state.baseline_at is None:
            outcome = "baseline"
        return Check(
            source.id,
            outcome,
            http_requests=requests,
            rows=len(page.rows),
            skipped_rows=page.skipped,
            events=events,
            recovered=recovered,
        )

    def _read(self, source: Source, response: Response) -> Page:
        today = self._clock().astimezone(ZoneInfo(source.zone)).date()
        with self._reading:
            text = text_of(source, response.body, response.content_type)
            return read_page(source, text, response.url, today)

    def _first(self, source: Source) -> Version:
        health = Health(since=timestamp(self._clock()))
        return Version(SourceState(source=source.id, health=health), None)

    def _recall(self, state: SourceState, seen: list[Observation]) -> dict[str, Known]:
        strangers = frozenset(item.id for item in seen if item.id not in state.known)
        if not state.spilled or not strangers:
            return {}
        return self._register.recall(state.source, strangers)

    def _ok(self, state: SourceState) -> Health:
        if state.health.status == "ok":
            return state.health
        return Health(since=timestamp(self._clock()))

    def _healthy(self, version: Version) -> None:
        state = version.state
        if state.health.status != "ok":
            self._register.write(version, state.replace(health=self._ok(state)))

    def _unhealthy(self, version: Version, trouble: SourceTrouble) -> None:
        """Write the health when its class changes, so that a site that stays down costs no PUT."""
        state = version.state
        status: Literal["suspect", "failed"] = (
            "suspect" if isinstance(trouble, SuspectPage) else "failed"
        )
        if (state.health.status, state.health.reason) != (status, trouble.reason):
            health = Health(status=status, reason=trouble.reason, since=timestamp(self._clock()))
            self._register.write(version, state.replace(health=health))


def _source(job: CollectNotices) -> Source:
    try:
        return _validated(json.dumps(job.source))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in ("source", *first["loc"]))
        raise MalformedMessage(
            f"CollectNotices: {place}: {first['msg']}; correct the entry in the sitemap, "
            "`uring config check` explains it"
        ) from error


# The same few hundred entries come round every tick. Refused ones are not remembered.
@lru_cache(maxsize=512)
def _validated(entry: str) -> Source:
    return Source.model_validate(json.loads(entry))


def _validators(source: Source, state: SourceState) -> Validators:
    """Those of the committed page, if it was read by this very entry."""
    same_entry = state.fingerprint.startswith(f"{source.fingerprint}:")
    return state.validators if same_entry else Validators()


def _fingerprint(source: Source, body: bytes) -> str:
    return f"{source.fingerprint}:{hashlib.blake2b(body, digest_size=16).hexdigest()}"


def _observation(item: NoticeItem) -> Observation:
    content = {
        "title": item.title,
        "date": item.date,
        "category": item.category,
        "link": item.link,
    }
    return Observation(item.id, item.hash, item.is_pinned, content)
