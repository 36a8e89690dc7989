"""What is wrong with a source's state, object by object. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import TypeAdapter, ValidationError

from uring.changes.ports import Stored
from uring.errors import CorruptState
from uring.records.model import Event, Known, SourceState
from uring_local.operate.published import Hot, NotPublished, parsed, read_archive, read_hot
from uring_local.operate.repair import (
    Found,
    Rebuilt,
    never_published,
    rebuild,
    salvaged,
    salvaged_reading,
)

_SEEN = TypeAdapter(dict[str, Known])
_MOST = 20


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of a source, as they were read; None for those that are not there.

    Attributes:
        months: the archive, body by key.
    """

    source: str
    family: str
    state: Stored | None
    seen: Stored | None
    hot: Stored | None
    months: Mapping[str, bytes]

    @property
    def state_key(self) -> str:
        """Of the register."""
        return f"state/{self.family}/{self.source}.json"

    @property
    def seen_key(self) -> str:
        """Of the memory behind it."""
        return f"state/{self.family}/{self.source}.seen.json"

    @property
    def hot_key(self) -> str:
        """Of what readers fetch."""
        return f"data/{self.source}/latest.json"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        place: the object's key, or where in it.
        mends: whether a repair mends it.
        remedy: what else to do; empty where a repair does.
    """

    place: str
    what: str
    mends: bool = True
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A source's state, judged.

    Attributes:
        found: what could be read.
        problems: what is wrong; none when all is well.
        rebuilt: what a repair would write; None where there is nothing to rebuild from.
    """

    objects: Objects
    found: Found
    problems: tuple[Problem, ...]
    rebuilt: Rebuilt | None


def judge(objects: Objects, now: datetime, *, earlier: Iterable[bytes] = ()) -> Report:
    """Hold the state against what was published.

    Args:
        objects: what there is.
        now: the time, aware UTC.
        earlier: what the state object was before, the newest first; for one that cannot be read.
    """
    problems: list[Problem] = []
    state = _state(objects, problems)
    seen = _seen(objects, problems)
    hot = _hot(objects, state, problems)
    archived = read_archive(objects.source, objects.months)
    lines = "restore an earlier version of the object, or repair with --skip-damaged"
    problems += [Problem(place, "damaged", mends=False, remedy=lines) for place in archived.damaged]
    pending = state.outbox if state else _pending(objects, earlier)
    reading = salvaged_reading(objects.state.body) if objects.state else ""
    found = Found(objects.source, state, seen, hot, archived, pending, reading)
    try:
        rebuilt = rebuild(found, now)
    except CorruptState as nothing:
        if objects.state is not None and state is None:
            problems.append(Problem(objects.source, "nothing was published", False, str(nothing)))
        return Report(objects, found, tuple(problems), None)
    if state is not None:
        problems += _differences(objects, found, state, rebuilt)
    return Report(objects, found, tuple(problems), rebuilt)


def _state(objects: Objects, problems: list[Problem]) -> SourceState | None:
    key = objects.state_key
    if objects.state is None:
        if objects.months or objects.hot:
            what = "is not there: the next check would take a new baseline and announce nothing"
            problems.append(Problem(key, what))
        return None
    body = objects.state.body
    try:
        state = SourceState.from_json(body, key=key, source=objects.source)
        parsed(body)
    except CorruptState as error:
        place, what = str(error).removeprefix(f"{key}: ").partition(";")[0].split(": ", 1)
        problems.append(Problem(key if place == "the object" else f"{key} {place}", what))
    except NotPublished as error:
        problems.append(Problem(key, str(error)))
    else:
        return state
    return None


def _seen(objects: Objects, problems: list[Problem]) -> Mapping[str, Known] | None:
    key = objects.seen_key
    if objects.seen is None:
        return {}
    try:
        return _SEEN.validate_json(objects.seen.body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = " ".join([key, *(str(part) for part in first["loc"])])
        problems.append(Problem(place, first["msg"]))
    return None


def _hot(objects: Objects, state: SourceState | None, problems: list[Problem]) -> Hot | None:
    what = "is not there"
    if objects.hot is None and not objects.months:
        return None
    if objects.hot is not None:
        try:
            return read_hot(objects.hot.body)
        except NotPublished as error:
            what = str(error)
    # With something in the outbox it is made anew anyway.
    due = bool(state and state.outbox)
    remedy = "the next check writes it anew" if due else ""
    problems.append(Problem(objects.hot_key, what, mends=not due, remedy=remedy))
    return None


def _pending(objects: Objects, earlier: Iterable[bytes]) -> tuple[Event, ...] | None:
    """The outbox of a broken state, or that of the last version that a check wrote."""
    events = salvaged(objects.source, objects.state.body) if objects.state else None
    if events is not None:
        return events
    for body in earlier:
        try:
            return SourceState.from_json(body, key="", source=objects.source).outbox
        except CorruptState:
            continue
    return None


def _differences(
    objects: Objects, found: Found, state: SourceState, rebuilt: Rebuilt
) -> Iterator[Problem]:
    key = objects.state_key
    yield from _first(_of_known(key, found, state, rebuilt), key)
    if state.baseline_at is None and found.archived.events:
        yield Problem(f"{key} baseline_at", "is null, and there is an archive")
    if state.hot != rebuilt.state.hot:
        yield Problem(f"{key} hot", "is not what the archive adds up to")
    if found.hot is None:
        return
    if found.hot.seq > state.seq:
        what = f"{found.hot.seq} is above the state's {state.seq}: readers would see nothing new"
        yield Problem(f"{objects.hot_key} meta.seq", what)
    if found.hot.items != rebuilt.state.hot and not state.outbox:
        yield Problem(f"{objects.hot_key} items", "are not what the state shows")


def _of_known(key: str, found: Found, state: SourceState, rebuilt: Rebuilt) -> Iterator[Problem]:
    events = [*found.archived.events, *state.outbox]
    archived = {event.id: event for event in events}
    remembered = {**(found.seen or {}), **state.known}
    after = {**rebuilt.seen, **rebuilt.state.known}
    for record in sorted(after.keys() | state.known.keys()):
        place = f"{key} known.{record}"
        mine, right = remembered.get(record), after.get(record)
        if mine is None:
            yield Problem(place, "is not there, and archived: it would be announced again")
        elif right is None or _was_lost(found, record, mine, right):
            yield Problem(place, f"revision {mine.revision} was committed and never published")
        elif record in state.known and mine[:3] != right[:3]:
            yield Problem(
                place,
                f"revision {mine.revision} is not as archived, revision {right.revision}",
            )
        elif record in state.known and _beyond(mine, archived.get(record)):
            yield Problem(
                place,
                f"revision {mine.revision} is not in the archive",
                mends=False,
                remedy="restore an earlier version of the archive's month",
            )


def _was_lost(found: Found, key: str, record: Known, archived: Known) -> bool:
    return record.revision > archived.revision and never_published(found, key, archived)


def _beyond(record: Known, archived: Event | None) -> bool:
    return archived is None or archived.revision < record.revision


def _first(problems: Iterable[Problem], key: str) -> Iterator[Problem]:
    """The first few, and how many more there are."""
    every = list(problems)
    yield from every[:_MOST]
    if rest := every[_MOST:]:
        mends = any(problem.mends for problem in rest)
        yield Problem(f"{key} known", f"{len(rest)} more differ", mends=mends)
