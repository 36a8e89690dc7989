"""What happened between what is known and what is seen now. Pure and total.

known ─┐
       ├─ diff ─► changes ─ advance ─► next state (known, hot, outbox)
seen ──┘
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from uring.clock import parse_timestamp, timestamp
from uring.records.model import Event, Kind, Known, Observation, Revision, SourceState, event_id

HOT_ITEMS = 30
KNOWN_BEYOND_PAGE = 300
FORGET_AFTER = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Terms:
    """What the subscribers of a source are told of.

    Attributes:
        push: the kinds of change that they hear of; the others are archived alone.
        returned: whether a record that comes back unchanged is a revision at all.
        digest_over: more pushes than this from one check become a single one (N18).
    """

    push: frozenset[Kind]
    returned: bool = False
    digest_over: int = 20


@dataclass(frozen=True, slots=True)
class Change:
    """One record that is new or differs from what is known of it (N5, N6)."""

    kind: Kind
    observation: Observation
    revision: int


def diff(
    known: Mapping[str, Known], seen: Sequence[Observation], gone: Collection[str] = ()
) -> tuple[Change, ...]:
    """Changes in page order; empty when everything seen is known as it is.

    A record that left the page is no change, and one that comes back is judged by what was known
    of it (N19): if nothing else changed, it has ``returned`` only where it is among ``gone``. A pin
    flip with the same hash is a revision of its own (N6).
    """
    changes = []
    for observation in seen:
        before = known.get(observation.id)
        if before is None:
            changes.append(Change("new", observation, 1))
        elif before.hash != observation.hash:
            changes.append(Change("edited", observation, before.revision + 1))
        elif before.is_pinned != observation.is_pinned:
            kind: Kind = "pinned" if observation.is_pinned else "unpinned"
            changes.append(Change(kind, observation, before.revision + 1))
        elif observation.id in gone:
            changes.append(Change("returned", observation, before.revision + 1))
    return tuple(changes)


@dataclass(frozen=True, slots=True)
class Advance:
    """The next state, and the known records that leave it for the ``.seen`` object."""

    state: SourceState
    spill: Mapping[str, Known]


def advance(
    state: SourceState,
    seen: Sequence[Observation],
    *,
    recalled: Mapping[str, Known],
    terms: Terms,
    now: datetime,
    reread: bool = False,
    renew: bool = False,
) -> Advance | None:
    """Apply what was seen to the state, or None when nothing has to be written.

    A recalled record that shows up unchanged is written back into ``known`` without an event, so
    that the next check need not look it up again.

    Args:
        state: the committed state, its outbox empty.
        seen: the page, in page order, each id once.
        recalled: records found in the ``.seen`` object, unknown to the state.
        terms: what subscribers hear of. A baseline is always silent (N16).
        now: the time of this check, aware UTC.
        reread: the page was read by other rules than those of the state. What was known is then
            taken anew in silence, for nobody can tell our change from the site's; so is what
            comes back later and was last read by the old rules. A record that was not known is
            new, unless most are: then it is the ids that the rules changed.
        renew: what readers see of the source itself changed: write, and publish, in any case.
    """
    known = {**recalled, **state.known}
    baseline = state.baseline_at is None
    strangers = sum(observation.id not in known for observation in seen)
    silent = baseline or (reread and strangers * 2 > len(seen))
    changes = diff(known, seen, _gone(state, recalled) if terms.returned else ())
    if not (changes or baseline or recalled or reread or renew):
        return None
    stamp = timestamp(now)
    old_rules = {
        key
        for key, record in known.items()
        if reread or (state.reread_at is not None and record.last_seen < state.reread_at)
    }
    for observation in seen:
        if observation.id in known:
            known[observation.id] = known[observation.id]._replace(last_seen=stamp)
    events = []
    for change in changes:
        record = change.observation
        before = known.get(record.id)
        first_seen = before.first_seen if before else stamp
        known[record.id] = Known(record.hash, change.revision, record.is_pinned, first_seen, stamp)
        misread = record.id in old_rules and (reread or change.kind == "edited")
        kind: Kind = "baseline" if silent or misread else change.kind
        events.append(
            Event(
                event_id=event_id(state.source, record.id, change.revision, record.hash),
                kind=kind,
                detected_at=stamp,
                push=kind in terms.push,
                id=record.id,
                revision=change.revision,
                hash=record.hash,
                is_pinned=record.is_pinned,
                first_seen=first_seen,
                content=dict(record.content),
            )
        )
    events = _digested(events, terms.digest_over)
    kept, spill = _split(known, {observation.id for observation in seen}, now)
    next_state = state.replace(
        baseline_at=state.baseline_at or stamp,
        changed_at=stamp if events else state.changed_at,
        known=kept,
        spilled=state.spilled or bool(spill),
        hot=_hot(state.hot, events),
        # Boards list the newest first; subscribers hear of them in the order they were posted.
        outbox=tuple(reversed(events)),
        republish=renew and not events,
        reread_at=stamp if reread else state.reread_at,
    )
    return Advance(next_state, spill)


def _gone(state: SourceState, recalled: Mapping[str, Known]) -> frozenset[str]:
    """The records that were not on the page of the last commit."""
    last = max((record.last_seen for record in state.known.values()), default="")
    left = (key for key, record in state.known.items() if record.last_seen < last)
    return frozenset((*recalled, *left))


def _digested(events: list[Event], limit: int) -> list[Event]:
    """Over the limit the first one on the page that is to be pushed stands for them all (N18)."""
    pushed = [event for event in events if event.push]
    if len(pushed) <= limit:
        return events
    digest = pushed[0].model_copy(update={"digest_of": len(pushed)})
    return [
        digest if event is pushed[0] else event.model_copy(update={"push": False})
        for event in events
    ]


def _hot(hot: Sequence[Revision], events: Sequence[Event]) -> tuple[Revision, ...]:
    """Changed items first, in page order, then the others as they stood; at most 30 (N7)."""
    changed = [
        Revision(**{name: getattr(event, name) for name in Revision.model_fields})
        for event in events
    ]
    ids = {revision.id for revision in changed}
    return tuple([*changed, *(old for old in hot if old.id not in ids)][:HOT_ITEMS])


def _split(
    known: Mapping[str, Known], on_page: Collection[str], now: datetime
) -> tuple[dict[str, Known], dict[str, Known]]:
    """Keep the page and the most recent others, spill the rest, forget what is long gone."""
    others = sorted(
        (item for item in known.items() if item[0] not in on_page),
        key=lambda item: item[1].last_seen,
        reverse=True,
    )
    kept = {key: value for key, value in known.items() if key in on_page}
    kept.update(others[:KNOWN_BEYOND_PAGE])
    spill = {
        key: value
        for key, value in others[KNOWN_BEYOND_PAGE:]
        if now - parse_timestamp(value.last_seen) < FORGET_AFTER
    }
    return kept, spill
