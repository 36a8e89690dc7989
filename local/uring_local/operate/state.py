"""`uring state show` and `uring state repair`: for the person whom the dead-letter alarm called."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from rich.console import Console

from uring.changes.state import SourceState
from uring.clock import system_clock, timestamp
from uring.records.model import RecordState
from uring.regulations.texts.state import TextState
from uring.watch.status import facts_of
from uring_local.operate.bucket import VersionedBucket, open_bucket
from uring_local.operate.past_state import (
    Examined,
    document,
    examine,
    family_of,
    put_back,
    state_key,
)

_SHOWN: Final = (
    "before its next change a check takes what was published since from latest.json and the "
    "archive, and pushes only what came later"
)
_TEXTS: Final = "a file that was read since is read again; the ledger holds back its push"
_SEEN: Final = "a record that has left the state since then counts as new if it returns"
_MADE: Final = "the next check pushes only what came since, and learns the board's noise again"
_PUBLISHED: Final = "the next check writes it as the state is, without a push"
_REDRIVE: Final = (
    "redrive or purge the family's dead-letter queue: its jobs are overdue and do nothing"
)


def show_state(source: str, *, stack: str, family: str | None, as_json: bool) -> bool:
    """Print a source's state; return True if it can be read and readers see it."""
    bucket = open_bucket(stack)
    registered = family_of(bucket, source, family)
    objects = examine(bucket, registered, source)
    problems = [
        f"{each.key}: {each.problem}; `uring state repair {source} --stack {stack}`"
        for each in objects
        if each.problem
    ]
    key = state_key(registered, source)
    said: dict[str, Any] = {"state": key, "versions": len(bucket.versions(key))}
    if not objects[-1].problem:
        state = objects[-1].value
        said |= facts_of(state, "").model_dump(exclude={"etag", "dates", "shown"})
        said["outbox"] = [f"{each.kind} {each.id}" for each in state.outbox]
        problems += _hidden(bucket, state)
    _print({**said, "problems": problems}, as_json=as_json)
    return not problems


def repair_state(
    source: str, *, stack: str, family: str | None, write: bool, as_json: bool
) -> bool:
    """Put back readable versions of broken objects; return False if any stays broken.

    If none is broken, and readers see another change than the state's, the next check publishes the
    state again.

    Raises:
        Superseded: a check committed meanwhile; its commit stays.
    """
    bucket = open_bucket(stack)
    registered = family_of(bucket, source, family)
    said: dict[str, Any] = {"broken": [], "put_back": [], "then": []}
    written = []
    objects = examine(bucket, registered, source)
    for each in objects:
        if not each.problem:
            continue
        said["broken"].append(f"{each.key}: {each.problem}")
        # The newest version is the object itself, if it exists.
        older = each.broken[1:] if each.stored else each.broken
        said["broken"] += [f"{each.key} of {timestamp(old.at)}: {why}" for old, why in older]
        said["put_back"].append(f"{each.key} {_origin(each)}")
        said["then"].append(_MADE if each.is_made else _what_follows(each.value))
        if write:
            put_back(bucket, registered, each)
            written.append(each.key)
    if said["broken"]:
        said |= {"written": written, "next": _REDRIVE if written else "--yes writes it"}
    elif hidden := _hidden(bucket, found := objects[-1].value):
        said |= {"hidden": hidden, "then": [_PUBLISHED]}
        if write:
            put_back(bucket, registered, replace(objects[-1], value=_unpublished(found)))
            written.append(objects[-1].key)
        said["written"] = written
    _print(said, as_json=as_json)
    return bool(written) or not (said["broken"] or said.get("hidden"))


def _hidden(bucket: VersionedBucket, state: SourceState) -> list[str]:
    """Return what readers see otherwise than the state has it, a sentence each."""
    latest = f"data/{state.source}/latest.json"
    return [f"{latest}: {each}" for each in _differences(state, document(bucket.get(latest)))]


def _unpublished(state: Any) -> Any:
    """Return the state with the mark that readers do not see it yet."""
    mark = "republish" if isinstance(state, RecordState) else "is_shown"
    return state.replace(**{mark: isinstance(state, RecordState)})


def _origin(found: Examined) -> str:
    if found.version is None:
        return "as latest.json and the archive show it"
    age = str(system_clock() - found.version.at).partition(".")[0]
    return f"of {timestamp(found.version.at)}, {age} ago"


def _what_follows(value: Any) -> str:
    if not isinstance(value, SourceState):
        return _SEEN
    return _TEXTS if isinstance(value, TextState) else _SHOWN


def _differences(state: SourceState, shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield differences between state and published files, once everything was published."""
    if state.outbox or not state.is_published or not (shown or state.last_change):
        return
    is_list = isinstance(state, RecordState)
    changed = shown.get("last_updated" if is_list else "fetched_at")
    if changed != state.last_change:
        remedy = "the next one, or `uring state repair`, writes it again"
        yield f"shows the change of {changed}; {remedy}"
    if isinstance(state, RecordState) and shown:
        try:
            items = [(item["id"], item["revision"]) for item in shown["items"]]
            is_ahead = shown["seq"] > state.seq
        except (KeyError, TypeError):
            items, is_ahead = [], False
        if items != [(item.id, item.revision) for item in state.hot]:
            yield "items are not those of the state; the next change writes it again"
        if is_ahead:
            yield f"seq is above {state.seq}: nothing new is shown; put back an earlier version"


def _print(said: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(said, ensure_ascii=False, indent=1))
        return
    console = Console(highlight=False)
    for name, value in said.items():
        for line in (value or ["none"]) if isinstance(value, list) else [value]:
            text = f"{name.replace('_', ' '):9} {line}"
            console.print(text, markup=False, soft_wrap=True)
