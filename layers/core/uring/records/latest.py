"""The readers' view of a source of records: ``latest.json`` (N7), beside the archive (N8).

It is a projection of the state: it can be rebuilt at any time, and an older one never replaces a
newer one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from uring import media
from uring.changes.retry import Backoff, rewrite
from uring.clock import parse_timestamp
from uring.contracts import DAY_SECONDS, ChangePublished
from uring.objects import Objects, Stored
from uring.records.archive import Archive
from uring.records.model import Event, RecordState, Revision
from uring.records.put_back import ShownRecords, caught_up
from uring.records.retract import RETRACTED
from uring.records.same import same_as

# A reader's own copy may be five minutes old (N7), the CDN's a few seconds: a pushed client reads
# at once, and can bypass only its own copy.
CACHE_CONTROL: Final = "public, max-age=300, s-maxage=5"


# The clocks of two workers differ by less.
_SKEW: Final = timedelta(minutes=5)

WITHDRAWN: Final = "[취소]"
"""The word before the title in the message of a retraction."""

# The wrong banner stays on a phone until somebody reads it: its retraction has to find it there.
_RETRACTION_SECONDS: Final = 7 * DAY_SECONDS

Fields = Callable[[Revision], Mapping[str, Any]]
"""Returns a record's published fields, in order."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The published description of a source, without its records.

    Attributes:
        family: of the source.
        source: its name, and its folder in ``data/``.
        topic: its FCM topic.
        meta: the first keys of ``latest.json``'s ``meta``.
        fields: see `Fields`.
        site: the address of the site, where its records may be on boards of other sources, too;
            then messages carry their names, see `uring.records.same`.
        urgent: the kinds whose push wakes a sleeping phone; a digest never does.
        derived: further keys of the items of ``latest.json``, in no archive and no message. Their
            values are objects: a put-back state takes only texts for content.
    """

    family: str
    source: str
    topic: str
    meta: Mapping[str, str]
    fields: Fields
    site: str = ""
    urgent: frozenset[str] = frozenset()
    derived: Fields | None = None


class _Meta(BaseModel):
    model_config = ConfigDict(extra="ignore")
    seq: int
    last_updated: str | None = None


class _Head(BaseModel):
    model_config = ConfigDict(extra="ignore")
    meta: _Meta


def project(state: RecordState, publication: Publication) -> bytes:
    """Return ``{meta, items}`` as in N7. ``meta.seq`` grows with every change of the source."""
    document = {
        "meta": {
            **publication.meta,
            "last_updated": state.changed_at,
            "seq": state.seq,
        },
        "items": [
            {
                "id": item.id,
                **publication.fields(item),
                **item.retraction,
                **(publication.derived(item) if publication.derived else {}),
                "revision": item.revision,
                "hash": item.hash,
                "first_seen": item.first_seen,
            }
            for item in state.hot
        ],
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


class Latest:
    """Writes ``latest.json`` unless a newer one is stored."""

    def __init__(self, objects: Objects, *, backoff: Backoff) -> None:
        self._objects = objects
        self._backoff = backoff

    def read(self, source: str) -> Stored | None:
        """Return the document; None for a source without one."""
        return self._objects.get(f"data/{source}/latest.json")

    def write(
        self, state: RecordState, publication: Publication, likely: Stored | None = None
    ) -> None:
        """Write this state to ``latest.json``; a newer or equal one is left as it is.

        ``likely`` is the document as it was read before: it is not read again if it is unchanged.

        Raises:
            WriteConflict: no clear answer within the bounded attempts.
        """
        key = f"data/{state.source}/latest.json"
        body = project(state, publication)

        def revise(published: bytes | None) -> bytes | None:
            return None if published is not None and _seq(published) >= state.seq else body

        rewrite(
            self._objects,
            key,
            revise,
            backoff=self._backoff,
            content_type=media.JSON,
            cache_control=CACHE_CONTROL,
            # A source at its baseline hardly ever has a ``latest.json``.
            likely_absent=not state.republish
            and all(event.kind == "baseline" for event in state.outbox),
            likely=likely,
        )


def _seq(body: bytes) -> int:
    """Return the ``seq`` of a projection; -1, older than any, if it is damaged."""
    try:
        return _Head.model_validate_json(body).meta.seq
    except ValidationError:
        return -1


R = TypeVar("R", bound=RecordState)


def _changed_at(body: bytes) -> str | None:
    """Return the time of the last change that a projection shows; None if it is damaged."""
    try:
        return _Head.model_validate_json(body).meta.last_updated
    except ValidationError:
        return None


class RecordProjections:
    """Implements `uring.changes.outbox.Projections`: ``latest.json``, then the archive.

    In this order ``latest.json`` shows each change that the archive has: it is the witness of a
    state that was put back. A death between the two is made up for by the next drain; if the state
    is put back meanwhile, the archive has no line of the change, and it was not pushed.

    One object serves one check.
    """

    def __init__(self, archive: Archive, latest: Latest, publication: Publication) -> None:
        self._archive = archive
        self._latest = latest
        self._publication = publication
        self._shown: Stored | None = None

    def write(self, state: RecordState) -> None:
        """See `Projections.write`."""
        likely, self._shown = self._shown, None
        self._latest.write(state, self._publication, likely)
        if state.outbox:
            self._archive.add(state.source, state.outbox, self._publication.fields)

    def recovered(self, state: R) -> R | None:
        """See `Projections.recovered`. ``latest.json`` is read here instead of after the commit."""
        if state.baseline_at is None:
            return None
        self._shown = self._latest.read(state.source)
        at = _changed_at(self._shown.body) if self._shown else None
        if at is None or at == state.changed_at:
            return None
        shown = ShownRecords.read(self._shown)
        if shown is None:
            return None
        if state.outbox and shown.changed_at < (state.changed_at or ""):
            return None
        times = [parse_timestamp(at) for at in (state.changed_at, shown.changed_at) if at]
        lines = self._archive.lines(state.source, min(times) - _SKEW, max(times) + _SKEW)
        return caught_up(state, shown, list(lines))

    def is_known(self, source: str) -> bool:
        """See `Projections.is_known`. Readers see its ``latest.json``."""
        return self._latest.read(source) is not None

    def rebuilt(self, first: RecordState) -> None:
        """See `Projections.rebuilt`. Evicted records and marks of the site are in no document."""

    def message(self, state: RecordState, event: Event) -> ChangePublished:
        """See `Projections.message`."""
        publication = self._publication
        fields = {**publication.fields(event)}
        if event.renamed_from:
            fields["renamed_from"] = event.renamed_from
        names = same_as(event, state.hot, publication.site) if publication.site else ""
        if names and not event.digest_of and event.kind != RETRACTED:
            fields["same_as"] = names
        if event.kind == RETRACTED:
            # A client that does not know the kind shows a title.
            fields["title"] = f"{WITHDRAWN} {fields.get('title') or ''}".rstrip()
        return ChangePublished(
            event_id=event.event_id,
            family=publication.family,
            source=state.source,
            topic=publication.topic,
            kind=event.kind,
            id=event.id,
            revision=event.revision,
            digest_of=event.digest_of,
            detected_at=event.detected_at,
            content={name: _text(value) for name, value in fields.items()},
            urgency="high"
            if event.kind in publication.urgent and not event.digest_of
            else "normal",
            lifetime_seconds=_RETRACTION_SECONDS if event.kind == RETRACTED else DAY_SECONDS,
        )


def _text(value: Any) -> str | None:
    """Return a field as a string, as pushes need it (N11); None stays None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)
