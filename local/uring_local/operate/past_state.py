"""The stored state of a source: its broken objects, and their readable versions.

    1 .seen   first: the state refers to it, and a check between the two writes would take its
              records for new. In the other order that check finds a state that is still broken,
              and stops, or no state: then it restores it by itself, and 2 is refused
    2 state   with a ``seq`` above all that readers have seen

Each write replaces the examined object and nothing newer: a check's commit meanwhile stays. An
interrupted repair is repeated: objects that it put back are readable by then, and stay.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from uring.changes.register import JSON, StateRegister, StateVersion, Superseded
from uring.changes.registry import Registration
from uring.changes.retry import Backoff
from uring.changes.state import SourceState
from uring.clock import system_clock
from uring.errors import CorruptState, Misconfigured, PreconditionFailed
from uring.functions.families import FAMILIES, family
from uring.objects import Stored
from uring.records.model import RecordState
from uring.records.seen import read_seen
from uring_local.operate.bucket import ObjectVersion, VersionedBucket
from uring_local.operate.made_state import FORGET, made_of_published


@dataclass(frozen=True, slots=True)
class Examined:
    """An object, and the version to put back if it is broken.

    Attributes:
        problem: the fault; empty for a sound object.
        value: its content, or that of the version; None if it is absent and not needed.
        version: the version to put back; None for a sound object.
        body: the body of that version.
        broken: the newer versions, which cannot be read, and why.
        is_made: whether the content is of no version: it was made from what readers see.
    """

    key: str
    stored: Stored | None
    problem: str = ""
    value: Any = None
    version: ObjectVersion | None = None
    body: bytes = b""
    broken: Sequence[tuple[ObjectVersion, str]] = ()
    is_made: bool = False


def state_key(registered: Registration, source: str) -> str:
    """Return the key of a source's state."""
    return f"state/{registered.name}/{source}.json"


def family_of(bucket: VersionedBucket, source: str, name: str | None) -> Registration:
    """Return the family of this name, or else the only one with a state of the source.

    Raises:
        Misconfigured: no family has one, or several have.
    """
    asked = (family(name),) if name else FAMILIES
    found = [each for each in asked if bucket.versions(state_key(each, source))]
    if not found:
        absent = " and no ".join(state_key(each, source) for each in asked)
        raise Misconfigured(f"there is no {absent}; correct the name, or wait for its first check")
    if len(found) > 1:
        names = " and ".join(each.name for each in found)
        raise Misconfigured(f"{source} is in {names}; choose one with --family")
    return found[0]


def examine(bucket: VersionedBucket, registered: Registration, source: str) -> list[Examined]:
    """Return the objects of a source in the order of the repair, its state last.

    Raises:
        NewerRelease: the state, or the version to put back, is of a newer release.
        CorruptState: no version of an object can be read.
    """
    model, key = registered.state(), state_key(registered, source)
    read = partial(_read_state, model, key, source)
    state = _examine(bucket, key, read, model.remedy, is_state=True)
    if state.problem and state.version is None:
        made = made_of_published(bucket, model, source)
        if made is None:
            is_list = issubclass(model, RecordState)
            remedy = FORGET.format(source=source) if is_list else model.remedy
            raise CorruptState(
                f"{key}: {state.problem}; no version of it can be read, and what readers see is "
                f"not enough to make it again; {remedy}"
            )
        state = replace(state, value=made, is_made=True)
    if not isinstance(state.value, RecordState):
        return [state]
    key = key.removesuffix(".json") + ".seen.json"
    read_records = partial(read_seen, key)
    remedy = "delete it: its records then count as new when they return"
    return [_examine(bucket, key, read_records, remedy, is_due=state.value.spilled), state]


def put_back(bucket: VersionedBucket, registered: Registration, found: Examined) -> None:
    """Write the found version over the examined object.

    Raises:
        Superseded: the object has changed meanwhile; it stays.
        Retryable: the outcome is unknown; a repeat is safe.
    """
    state, etag = found.value, found.stored.etag if found.stored else None
    try:
        if not isinstance(state, SourceState):
            bucket.put(found.key, found.body, if_match=etag, content_type=JSON)
            return
        latest = bucket.get(f"data/{state.source}/latest.json")
        seen = (document(each).get("seq") for each in (found.stored, latest))
        seq = max([state.seq, *(each for each in seen if isinstance(each, int))])
        register = StateRegister(
            bucket, registered.name, type(state), clock=system_clock, backoff=Backoff()
        )
        register.write(StateVersion(state.replace(seq=seq), etag), state)
    except (Superseded, PreconditionFailed) as error:
        raise Superseded(
            f"{found.key}: another run wrote it meanwhile, and its version stays; look again"
        ) from error


def document(stored: Stored | None) -> dict[str, Any]:
    """Return a JSON object with the keys of its ``meta``, if any; empty if malformed."""
    try:
        found = json.loads(stored.body if stored else b"")
        return {**found, **found.get("meta", {})}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _examine(
    bucket: VersionedBucket,
    key: str,
    read: Callable[[bytes], Any],
    remedy: str,
    *,
    is_due: bool = True,
    is_state: bool = False,
) -> Examined:
    stored, problem = bucket.get(key), "is gone"
    if stored is not None:
        try:
            return Examined(key, stored, value=read(stored.body))
        except CorruptState as error:
            problem = _what(key, error)
    broken: list[tuple[ObjectVersion, str]] = []
    for version in bucket.versions(key) if stored or is_due else ():
        body = bucket.body(key, version)
        try:
            return Examined(key, stored, problem, read(body), version, body, broken)
        except CorruptState as error:
            broken.append((version, _what(key, error)))
    if stored is None or is_state:
        return Examined(key, stored, problem if is_state else "", broken=broken)
    raise CorruptState(f"{key}: {problem}; no version of it can be read; {remedy}")


def _read_state(model: type[SourceState], key: str, source: str, body: bytes) -> SourceState:
    """Return a state; the mark of a lost one is broken.

    Raises:
        CorruptState: it cannot be read, or is such a mark.
    """
    state = model.from_json(body, key=key, source=source)
    if state.is_lost:
        raise CorruptState(f"{key}: is the mark of a lost state")
    return state


def _what(key: str, error: CorruptState) -> str:
    """Return the error's text without its object and its remedy."""
    return re.split("; restore ", str(error).removeprefix(f"{key}: "))[0]
