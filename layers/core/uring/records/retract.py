"""Take pushes back: the next state of a list of records after a retraction. Pure and total.

A retraction is a revision of its record with the same content, of the kind `RETRACTED`. So it takes
the way of each change: outbox, archive, ``latest.json``, one message to the topic, ledger.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar

from uring.changes.state import event_id
from uring.clock import timestamp
from uring.records.model import Event, RecordState

RETRACTED: Final = "retracted"
"""The kind of a retraction."""

RETRACTS: Final = "retracts"
"""The key of the event ids that are taken back, separated by spaces."""

EXTENT: Final = "retracted"
"""The key that says whether all pushes of the record are taken back: ``all`` or ``part``."""

MOST_IDS: Final = 10
"""Event ids of one message: they fit beside the longest id without a cut."""

MOST_RECORDS: Final = 100
"""Records of one retraction."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """A push to take back.

    Attributes:
        id: of its record.
        event_id: of the push; of a digest for each of its records.
        is_last: whether no other push of the record stands.
        content: of the record, where ``latest.json`` no longer has it.
    """

    id: str
    event_id: str
    is_last: bool = True
    content: Mapping[str, str | None] = field(default_factory=dict, compare=False)


R = TypeVar("R", bound=RecordState)


def retract(state: R, pushes: Sequence[Pushed], now: datetime) -> R | None:
    """Return the state with the retraction in its outbox; None when nothing is left to take back.

    Pushes that the state knows as taken back from their record, and records that it does not know,
    are skipped. One message names up to `MOST_IDS` events; each record has its own line in the
    archive. A record stays in ``latest.json``, at its place: the notice may be real.

    Args:
        state: the committed state; its outbox may hold events, even those to take back.
        pushes: of up to `MOST_RECORDS` records; of one record the first `MOST_IDS` count.
        now: the time, aware UTC.
    """
    done = _done(state)
    records: dict[str, list[Pushed]] = {}
    for push in dict.fromkeys(pushes):
        if push.id in state.known and push.event_id not in done.get(push.id, ()):
            records.setdefault(push.id, []).append(push)
    if not records:
        return None
    stamp = timestamp(now)
    groups = list(_groups([of[:MOST_IDS] for of in records.values()][:MOST_RECORDS]))
    events = [event for group in groups for event in _events(state, group, stamp)]
    revised = {event.id: event for event in events}
    notes = {of[0].id: _note(of, of) for group in groups for of in group}
    return state.replace(
        changed_at=stamp,
        known={
            key: known._replace(revision=revised[key].revision) if key in revised else known
            for key, known in state.known.items()
        },
        hot=tuple(
            item.model_copy(
                update={"revision": revised[item.id].revision, "retraction": notes[item.id]}
            )
            if item.id in revised
            else item
            for item in state.hot
        ),
        outbox=(*state.outbox, *events),
    )


def taken_back(state: RecordState) -> frozenset[str]:
    """Return the event ids that the outbox and ``latest.json`` name as taken back."""
    return frozenset().union(*_done(state).values())


def _done(state: RecordState) -> dict[str, set[str]]:
    """Return the event ids that are taken back, by their record."""
    texts = [(item.id, item.retraction.get(RETRACTS)) for item in state.hot]
    texts += [(event.id, event.content.get(RETRACTS)) for event in state.outbox]
    done: dict[str, set[str]] = {}
    for record_id, text in texts:
        done.setdefault(record_id, set()).update((text or "").split())
    return done


def _groups(records: Sequence[list[Pushed]]) -> Iterator[list[list[Pushed]]]:
    """Yield groups of whole records with up to `MOST_IDS` events."""
    group: list[list[Pushed]] = []
    named: set[str] = set()
    for of in records:
        own = {push.event_id for push in of}
        if group and len(named | own) > MOST_IDS:
            yield group
            group, named = [], set()
        group.append(of)
        named |= own
    yield group


def _events(state: RecordState, group: Sequence[list[Pushed]], stamp: str) -> Iterator[Event]:
    """Yield an event for each record; the first one is pushed, and names all pushes of the group.

    The keys are a part of the content: a release before this one publishes and sends them, too.
    """
    together = [push for of in group for push in of]
    for number, of in enumerate(group):
        first = of[0]
        known = state.known[first.id]
        item = next((item for item in state.hot if item.id == first.id), None)
        content = {**(item.content if item else first.content)}
        revision = known.revision + 1
        yield Event(
            event_id=event_id(state.source, first.id, revision, known.hash, state.history),
            kind=RETRACTED,
            detected_at=stamp,
            push=number == 0,
            id=first.id,
            revision=revision,
            hash=known.hash,
            is_marked=known.is_marked,
            first_seen=known.first_seen,
            content={**content, **_note(of, of if number else together)},
        )


def _note(of: Sequence[Pushed], named: Sequence[Pushed]) -> dict[str, str]:
    return {
        RETRACTS: " ".join(dict.fromkeys(push.event_id for push in named)),
        EXTENT: "all" if of[0].is_last else "part",
    }
