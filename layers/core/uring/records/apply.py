"""The next state of a list of records. Pure and total.

known ─┐
       ├─ diff ─► changes ─ classify ─► events ─► next state (known, hot, outbox)
seen ──┘
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from uring.changes.state import event_id
from uring.clock import parse_timestamp, timestamp
from uring.records.diff import Change, ListHints, diff
from uring.records.model import Event, Known, Observation, RecordState, Revision
from uring.records.quiet import quiet_edits

HOT_ITEMS: Final = 30
KNOWN_BEYOND_PAGE: Final = 300
FORGET_AFTER: Final = timedelta(days=400)
_ITEM: Final = Revision.model_fields.keys() - {"retraction"}


@dataclass(frozen=True, slots=True)
class PushPolicy:
    """The kinds of change that are pushed to a source's subscribers.

    Attributes:
        push: the pushed kinds of change; the others are only archived.
        names: a family's own words for kinds of change, such as ``pinned`` for ``marked``.
        returned: whether a record that comes back unchanged is a revision.
        digest_over: more pushes than this from one check become a single one (N18).
        alone: fields whose edit alone is not pushed, see `uring.records.quiet`.
        uniform: fields that a site may change in all records at once, see `uring.records.quiet`.
    """

    push: frozenset[str]
    names: Mapping[str, str] = field(default_factory=dict)
    returned: bool = False
    digest_over: int = 20
    alone: frozenset[str] = frozenset()
    uniform: frozenset[str] = frozenset()

    def name(self, kind: str, change: Change) -> str:  # noqa: ARG002 - a family's own may look at it
        """Return the family's word for a kind of change, ``baseline`` included."""
        return self.names.get(kind, kind)


@dataclass(frozen=True, slots=True)
class Seen:
    """The list as a check saw it.

    Attributes:
        records: in page order, each id once.
        recalled: records found in the ``.seen`` object, unknown to the state.
        reread: the list was read by other rules than those of the state. Known records are then
            replaced without a push, because our change cannot be distinguished from the site's.
            The same holds for records that come back later and were last read by the old rules.
            An unknown record is new, unless most are unknown: then the rules changed the ids.
        moved: the list is another one, at another address or with other ids: a known id that it
            does not show names another record from now on, which is new.
        renew: the published name or address of the source changed: write and publish in any case.
        old: unknown ids that are not pushed: the records are older than the watch on the list.
            Readers see them behind the others.
        quiet: known ids whose edit is not pushed, by the family's own judgement.
        differing: by id, the fields in which an edited record differs, where the family knows more
            than ``hot``; empty where only its hash is known.
        hints: see `uring.records.diff.ListHints`.
    """

    records: Sequence[Observation]
    recalled: Mapping[str, Known] = field(default_factory=dict)
    reread: bool = False
    moved: bool = False
    renew: bool = False
    old: Collection[str] = ()
    quiet: Collection[str] = ()
    differing: Mapping[str, frozenset[str]] = field(default_factory=dict)
    hints: ListHints = field(default_factory=ListHints)


R = TypeVar("R", bound=RecordState)


@dataclass(frozen=True, slots=True)
class Applied(Generic[R]):
    """The next state, and the known records that leave it for the ``.seen`` object."""

    state: R
    evicted: Mapping[str, Known]


def apply(
    state: R, seen: Seen, policy: PushPolicy, now: datetime, *, most: int | None = None
) -> Applied[R] | None:
    """Apply the list to the state; return None when nothing has to be written.

    A recalled record that is unchanged is written back into ``known`` without an event, so that
    the next check need not look it up again. The first check of a source pushes nothing (N16).

    Args:
        state: the committed state, its outbox empty.
        seen: the list.
        policy: the pushed kinds of change.
        now: the time of this check, aware UTC.
        most: the length of ``latest.json``; None (or 0) for `HOT_ITEMS`.
    """
    known = {**seen.recalled, **state.known}
    hints = seen.hints
    if policy.returned:
        hints = ListHints(_gone(state, seen.recalled), hints.deleted, hints.renamed)
    for key in hints.renamed:
        # An id of an earlier list is free.
        if key in known and not state.is_own(known[key]):
            known[key] = known[key]._replace(hash="")
    changes = diff(known, seen.records, hints)
    is_baseline = state.baseline_at is None
    is_stale = any(
        record.id in known and state.is_stale(known[record.id]) for record in seen.records
    )
    if not (changes or is_baseline or is_stale or seen.recalled or seen.reread or seen.renew):
        return None
    stamp = timestamp(now)
    if is_baseline:
        state = state.replace(history=stamp)
    kinds = _classify(state, seen, known, changes)
    quiet = quiet_edits(
        [change for change, kind in zip(changes, kinds, strict=True) if kind == "edited"],
        state.hot,
        sum(record.id in known for record in seen.records),
        seen.differing,
        alone=policy.alone,
        uniform=policy.uniform,
        rewritten=state.rewritten,
    )
    silent = quiet.ids.union(seen.quiet)
    names = [policy.name(kind, change) for change, kind in zip(changes, kinds, strict=True)]
    events = [
        _event(state, change, name, stamp, push=name in policy.push and change.id not in silent)
        for change, name in zip(changes, names, strict=True)
    ]
    events = _digested(events, policy.digest_over)
    kept, evicted = _split(_known_after(state, known, seen, changes, stamp), seen.records, now)
    return Applied(
        state.replace(
            baseline_at=state.baseline_at or stamp,
            changed_at=stamp if events else state.changed_at,
            known=kept,
            spilled=state.spilled or bool(evicted),
            # A list read by new rules is shown in page order, old records included.
            hot=_hot(
                state.hot, changes, events, () if seen.reread else seen.old, most or HOT_ITEMS
            ),
            # Lists show the newest first; pushes go out in the order of posting.
            outbox=tuple(reversed(events)),
            republish=seen.renew and not events,
            reread_at=stamp if seen.reread else state.reread_at,
            rewritten={**state.rewritten, **dict.fromkeys(quiet.rewritten, stamp)},
            moved_at=stamp if seen.moved else state.moved_at,
        ),
        evicted,
    )


def _classify(
    state: RecordState, seen: Seen, known: Mapping[str, Known], changes: Iterable[Change]
) -> list[str]:
    """Return each change's kind: ``baseline`` where our rules changed and not the record."""
    unknown_ids = sum(record.id not in known for record in seen.records)
    is_silent = state.baseline_at is None or (seen.reread and unknown_ids * 2 > len(seen.records))

    def kind(change: Change) -> str:
        if is_silent or change.id in seen.old or is_reading(change):
            return "baseline"
        return "new" if change.before and not state.is_own(change.before) else change.kind

    def is_reading(change: Change) -> bool:
        if change.before is None:
            return False
        if not state.is_own(change.before):
            return seen.moved
        if seen.reread:
            return True
        return state.is_stale(change.before) and change.kind == "edited"

    return [kind(change) for change in changes]


def _event(state: RecordState, change: Change, kind: str, stamp: str, *, push: bool) -> Event:
    seen, before = change.observation, change.before
    content = _last_content(state, change.id) if seen is None else dict(seen.content)
    digest = "" if seen is None else seen.hash
    return Event(
        event_id=event_id(state.source, change.id, change.revision, digest, state.history),
        kind=kind,
        detected_at=stamp,
        push=push,
        id=change.id,
        revision=change.revision,
        hash=digest,
        is_marked=seen is not None and seen.is_marked,
        first_seen=before.first_seen if before and state.is_own(before) else stamp,
        content=content,
        renamed_from=change.old_id or "",
    )


def _last_content(state: RecordState, record_id: str) -> dict[str, str | None]:
    """Return the last published content of a record; empty if it left ``latest.json``."""
    return next((dict(item.content) for item in state.hot if item.id == record_id), {})


def _known_after(
    state: RecordState,
    known: Mapping[str, Known],
    seen: Seen,
    changes: Iterable[Change],
    stamp: str,
) -> dict[str, Known]:
    after = dict(known)
    for record in seen.records:
        if record.id in after:
            after[record.id] = after[record.id]._replace(last_seen=stamp)
    for change in changes:
        if change.old_id is not None:
            # The old id stays known: counted from 1 again, its next revision would reuse a name.
            given_up = after[change.old_id]._replace(hash="")
            after[change.old_id] = given_up if seen.moved else given_up._replace(last_seen=stamp)
        shown = change.observation
        before = change.before
        first_seen = before.first_seen if before and state.is_own(before) else stamp
        digest, is_marked = (shown.hash, shown.is_marked) if shown else ("", False)
        after[change.id] = Known(digest, change.revision, is_marked, first_seen, stamp)
    return after


def _gone(state: RecordState, recalled: Mapping[str, Known]) -> frozenset[str]:
    """Return the records that were not on the page of the last commit."""
    last = max((record.last_seen for record in state.known.values()), default="")
    left = (key for key, record in state.known.items() if record.last_seen < last)
    return frozenset((*recalled, *left))


def _digested(events: list[Event], limit: int) -> list[Event]:
    """Above the limit, push only the first event on the page, as a digest of all (N18)."""
    pushed = [event for event in events if event.push]
    if len(pushed) <= limit:
        return events
    digest = pushed[0].model_copy(update={"digest_of": len(pushed)})
    return [
        digest if event is pushed[0] else event.model_copy(update={"push": False})
        for event in events
    ]


def _hot(
    hot: Sequence[Revision],
    changes: Sequence[Change],
    events: Sequence[Event],
    behind: Collection[str],
    most: int,
) -> tuple[Revision, ...]:
    """Return changed items in page order, then the others in their old order (N7).

    At most ``most`` items. Deleted records and old ids of renamed records are dropped. Items in
    ``behind`` come last, the newest first. A retraction stays until its record is pushed again.
    """
    is_digest = any(event.digest_of for event in events)
    retracted = {} if is_digest else {item.id: item.retraction for item in hot if item.retraction}
    shown = [
        Revision(
            **{name: getattr(event, name) for name in _ITEM},
            retraction={} if event.push else retracted.get(change.old_id or change.id, {}),
        )
        for change, event in zip(changes, events, strict=True)
        if change.observation is not None
    ]
    left = {change.id for change in changes} | {change.old_id for change in changes}
    return tuple(
        [
            *(item for item in shown if item.id not in behind),
            *(item for item in hot if item.id not in left),
            # The newest first, regardless of their place on the page.
            *sorted(
                (item for item in shown if item.id in behind),
                key=lambda item: (item.content.get("date") or "", item.id),
                reverse=True,
            ),
        ][:most]
    )


def _split(
    known: Mapping[str, Known], records: Collection[Observation], now: datetime
) -> tuple[dict[str, Known], dict[str, Known]]:
    """Split the known records into kept and evicted ones.

    The page and the most recent others are kept. Of the rest, records unseen for `FORGET_AFTER`
    are dropped.
    """
    on_page = {record.id for record in records}
    others = sorted(
        (item for item in known.items() if item[0] not in on_page),
        key=lambda item: item[1].last_seen,
        reverse=True,
    )
    kept = {key: value for key, value in known.items() if key in on_page}
    kept.update(others[:KNOWN_BEYOND_PAGE])
    evicted = {
        key: value
        for key, value in others[KNOWN_BEYOND_PAGE:]
        if now - parse_timestamp(value.last_seen) < FORGET_AFTER
    }
    return kept, evicted
