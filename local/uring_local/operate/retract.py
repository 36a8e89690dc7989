"""`uring retract`: the push of a notice is taken back.

    1 state (If-Match; outbox)   the only write: all else follows from it at the next check

A command that dies before this write has changed nothing, and a repeated command finds its pushes
taken back. If a check commits meanwhile, the command looks again.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from uring.changes.register import StateRegister, StateVersion, Superseded
from uring.changes.retry import Backoff
from uring.clock import Clock, system_clock
from uring.errors import Misconfigured, WriteConflict
from uring.notices.item import fields
from uring.notices.registration import NAME
from uring.notices.state import NoticeState
from uring.objects import Objects
from uring.records.archive import Archive
from uring.records.latest import Latest, Publication, RecordProjections
from uring.records.retract import MOST_RECORDS, RETRACTED, Pushed, retract, taken_back
from uring_local.operate.archive_lines import Line, first_moment, lines_of, under_new_ids
from uring_local.operate.bucket import open_bucket


@dataclass(frozen=True, slots=True)
class Wanted:
    """Pushes to take back: the latest ones of notices, and those of events."""

    ids: Sequence[str] = ()
    events: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Retraction:
    """Pushes to take back, with the titles of their notices, and pushes taken back before."""

    pushes: Sequence[Pushed]
    titles: Sequence[str]
    already: Sequence[str]


def retract_pushes(
    source: str,
    ids: Sequence[str],
    events: Sequence[str],
    *,
    stack: str,
    write: bool,
    as_json: bool,
    clock: Clock = system_clock,
) -> bool:
    """Take pushes back; print what follows. Return whether they are taken back now.

    Raises:
        Misconfigured: nothing is named, or something named was not pushed; nothing was written.
        WriteConflict: checks committed first in every attempt; nothing was written.
    """
    wanted = Wanted(tuple(dict.fromkeys(ids)), tuple(dict.fromkeys(events)))
    if not 0 < len(wanted.ids) + len(wanted.events) <= MOST_RECORDS:
        raise Misconfigured(
            f"name 1 to {MOST_RECORDS} pushes: ids of notices, or --event with ids of events"
        )
    bucket = open_bucket(stack)
    register = StateRegister(bucket, NAME, NoticeState, clock=clock, backoff=Backoff())
    plan = take_back(bucket, register, source, wanted, write=write, clock=clock)
    is_done = write or not plan.pushes
    said: dict[str, Any] = {
        "retract": [
            f"{push.event_id} {push.id} {title}"
            for push, title in zip(plan.pushes, plan.titles, strict=True)
        ],
        "already": list(plan.already),
        "then": "the next check sends `retracted` to the topic; archive and latest.json say so, "
        "and the notices stay in both",
        "next": "stored for the next check" if is_done else "--yes stores it",
    }
    if not plan.pushes:
        said["then"], said["next"] = "nothing is left to take back", "nothing was written"
    _print(said, as_json=as_json)
    return is_done


def take_back(
    objects: Objects,
    register: StateRegister[NoticeState],
    source: str,
    wanted: Wanted,
    *,
    write: bool,
    clock: Clock,
) -> Retraction:
    """Retraction by the committed state, and commit; plan again after another run's commit.

    Raises:
        Misconfigured: something named was not pushed; nothing was written.
        WriteConflict: no clear answer; a repeat is safe.
    """
    for _ in Backoff().attempts():
        # The state first: a commit never rests on an archive older than its state.
        version = register.read(source)
        if version is None:
            raise Misconfigured(
                f"there is no department {source} with a state; correct the id, or wait for its "
                "first check"
            )
        if (recovered := _shown(objects).recovered(version.state)) is not None:
            # The state was put back: its revisions count on from the published ones.
            version = replace(version, state=recovered)
        now = clock()
        plan = _plan(objects, version, wanted, now)
        after = retract(version.state, plan.pushes, now)
        if not write or after is None:
            return plan
        try:
            register.write(version, after)
        except Superseded:
            continue
        return plan
    raise WriteConflict(f"{source}: checks committed first in every attempt; run it again")


def _shown(objects: Objects) -> RecordProjections:
    backoff = Backoff()
    publication = Publication(NAME, "", "", {}, fields)
    return RecordProjections(
        Archive(objects, backoff=backoff), Latest(objects, backoff=backoff), publication
    )


def _plan(
    objects: Objects, version: StateVersion[NoticeState], wanted: Wanted, now: datetime
) -> Retraction:
    state = version.state
    stored = lines_of(objects, state.source, now)
    every = under_new_ids([*stored, *map(Line.of, state.outbox)])
    lines = {line.event_id: line for line in every}
    done = taken_back(state).union(*(line.retracts for line in lines.values()))
    chosen = [_latest_push(state, every, each, now) for each in wanted.ids]
    chosen += [_of_event(state, lines, each) for each in wanted.events]
    fresh = {line.event_id: line for line in chosen if line.event_id not in done}
    announced = [(line, line.event_id) for line in fresh.values()]
    announced += [
        (each, line.event_id)
        for line in fresh.values()
        for each in _members(line, every)
        if each.id in state.known
    ]
    gone = done.union(line.event_id for line, _ in announced)
    pushes = [
        Pushed(
            line.id,
            event,
            is_last=_is_last(state, every, line.id, gone, now),
            content=next(each.content for each in reversed(every) if each.id == line.id),
        )
        for line, event in announced
    ]
    already = [f"{line.event_id} {line.id}" for line in chosen if line.event_id in done]
    titles = [line.content.get("title") or "" for line, _ in announced]
    return Retraction(pushes, titles, already)


def _members(pushed: Line, lines: Iterable[Line]) -> list[Line]:
    """Return the other notices of a digest of new ones.

    Where a new notice is pushed, another one of the same check without a push is of its digest. Of
    edits nothing shows that: many of them are silent by themselves.
    """
    if pushed.kind != "new":
        return []
    return [
        line
        for line in lines
        if line.kind == "new" and not line.push and line.detected_at == pushed.detected_at
    ]


def _latest_push(state: NoticeState, lines: Iterable[Line], record: str, now: datetime) -> Line:
    own = [line for line in lines if line.id == record]
    # The oldest come first.
    pushed = [line for line in own if line.push and line.kind != RETRACTED]
    if not pushed:
        why = "was not pushed by itself" if own else "has no revision"
        raise Misconfigured(
            f"{record} {why} since {first_moment(now)}; if a digest announced it, take that back "
            "with --event: the archive has the ids of events"
        )
    return _known(state, pushed[-1])


def _of_event(state: NoticeState, lines: Mapping[str, Line], event: str) -> Line:
    line = lines.get(event)
    if line is None or not line.push or line.kind == RETRACTED:
        why = "is not in the archive" if line is None else "was not pushed"
        raise Misconfigured(f"the event {event} {why}; the archive's lines with push true have ids")
    return _known(state, line)


def _known(state: NoticeState, line: Line) -> Line:
    if line.id not in state.known:
        raise Misconfigured(
            f"{line.id} left the state long ago: its push of {line.detected_at} stays"
        )
    return line


def _is_last(
    state: NoticeState, lines: Iterable[Line], record: str, gone: Collection[str], now: datetime
) -> bool:
    """Return whether no push of a record stands; False where older ones may be unread."""
    if state.known[record].first_seen < first_moment(now):
        return False
    # A new notice without a push of its own was announced by a digest.
    pushes = [
        line
        for line in lines
        if line.id == record and line.kind != RETRACTED and (line.push or line.kind == "new")
    ]
    return all(line.event_id in gone for line in pushes)


def _print(said: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(said, ensure_ascii=False, indent=1))
        return
    for name, value in said.items():
        for text in (value or ["none"]) if isinstance(value, list) else [value]:
            print(f"{name:8} {text}")
