"""What was published of a source: its archive and its latest.json, read back. Pure."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from uring.records.model import Event, Known, Revision, event_id

R = TypeVar("R", bound=Revision)

_OWN_NAMES: Final = "event_id kind detected_at id is_pinned revision hash first_seen"
# Of a line; the rest is content.
_OWN: Final = frozenset(_OWN_NAMES.split())


@dataclass(frozen=True, slots=True)
class Archived:
    """All months of an archive.

    Attributes:
        events: the lines in the order in which they were found; none is to be pushed.
        damaged: the place of each line that cannot be read, and why.
    """

    events: tuple[Event, ...]
    damaged: tuple[str, ...]

    @property
    def newest(self) -> str:
        """When the last change was found; the empty string without any."""
        return max((event.detected_at for event in self.events), default="")


@dataclass(frozen=True, slots=True)
class Hot:
    """A ``latest.json``.

    Attributes:
        seq: of the state that it shows.
        items: as readers see them, in order.
    """

    seq: int
    items: tuple[Revision, ...]


class NotPublished(ValueError):
    """The object is not what the application publishes under its key. The message says where."""


def read_archive(source: str, months: Mapping[str, bytes]) -> Archived:
    """Read every line of an archive.

    Args:
        source: whose archive it is: event ids have it in them.
        months: body by key, ``data/{source}/archive/YYYYMM.jsonl``.
    """
    events: dict[str, Event] = {}
    damaged = []
    for key in sorted(months):
        for number, line in enumerate(months[key].split(b"\n"), start=1):
            if not line:
                continue
            try:
                event = _event(source, line, key, events)
            except NotPublished as problem:
                damaged.append(f"{key} line {number}: {problem}")
            else:
                events[event.event_id] = event
    return Archived(tuple(events.values()), tuple(damaged))


def read_hot(body: bytes) -> Hot:
    """Read a ``latest.json``.

    Raises:
        NotPublished: it is none.
    """
    document = parsed(body)
    try:
        seq = document["meta"]["seq"]
        items = [_revision(item) for item in document["items"]]
    except (KeyError, TypeError) as error:
        raise NotPublished(f"meta.seq or items: {error!r}") from error
    if not isinstance(seq, int):
        raise NotPublished("meta.seq: is no number")
    return Hot(seq, tuple(items))


def parsed(body: bytes) -> Any:
    """JSON in which no object has a key twice.

    Raises:
        NotPublished: it is none; with line and column.
    """
    try:
        return json.loads(body, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise NotPublished(f"line {error.lineno} column {error.colno}: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise NotPublished(f"byte {error.start}: is no UTF-8") from error
    except NotPublished:
        raise
    except (ValueError, RecursionError) as error:
        raise NotPublished(f"{error}") from error


def last_of_each(events: Iterable[Event]) -> dict[str, Event]:
    """The last event by record id; the record that changed last comes last."""
    last: dict[str, Event] = {}
    for event in events:
        last.pop(event.id, None)
        last[event.id] = event
    return last


def known_from(revision: Revision, last_seen: str) -> Known:
    """What the state remembers of a published revision."""
    return Known(
        revision.hash, revision.revision, revision.is_pinned, revision.first_seen, last_seen
    )


def as_revision(event: Event) -> Revision:
    """The event without what happened when: an item of hot."""
    return Revision(**{name: getattr(event, name) for name in Revision.model_fields})


def _event(source: str, line: bytes, key: str, before: Collection[str]) -> Event:
    fields = parsed(line)
    if not isinstance(fields, dict):
        raise NotPublished("is no object")
    own = {name: fields.pop(name) for name in _OWN if name in fields}
    fields.pop("push", None)
    event = _validated(Event, {**own, "content": fields, "push": False})
    if event.event_id != event_id(source, event.id, event.revision, event.hash):
        raise NotPublished("event_id: is not that of the line's id, revision and hash")
    if f"/{event.month}.jsonl" not in key:
        raise NotPublished(f"detected_at: {event.detected_at} is of another month")
    if event.event_id in before:
        raise NotPublished(f"event_id: {event.event_id} is there before")
    return event


def _revision(item: Any) -> Revision:
    if not isinstance(item, dict):
        raise NotPublished("items: one is no object")
    own = {name: item[name] for name in Revision.model_fields if name in item}
    content = {name: value for name, value in item.items() if name not in own}
    return _validated(Revision, {**own, "content": content})


def _validated(model: type[R], fields: Mapping[str, Any]) -> R:
    try:
        return model.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise NotPublished(f"{place}: {first['msg']}") from error


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotPublished(f"has the key {twice!r} twice")
    return found
