"""``state/{family}/{source}.seen.json``: the records that have left a state."""

from collections.abc import Collection, Mapping
from typing import Final

from pydantic import TypeAdapter, ValidationError

from uring.changes.register import JSON
from uring.changes.restore import restored
from uring.changes.retry import Backoff, rewrite
from uring.clock import Clock, timestamp
from uring.errors import CorruptState, NewerRelease
from uring.objects import Objects
from uring.records.apply import FORGET_AFTER
from uring.records.model import Known

_SEEN: Final = TypeAdapter(dict[str, Known])


class SeenStore:
    """The ``.seen`` objects of one family: the records evicted from its states."""

    def __init__(self, objects: Objects, family: str, *, clock: Clock, backoff: Backoff) -> None:
        self._objects = objects
        self._family = family
        self._clock = clock
        self._backoff = backoff

    def lookup(self, source: str, ids: Collection[str]) -> dict[str, Known]:
        """Return the stored records of these ids; unknown ids are left out.

        A state names its object, so a missing one was deleted: its newest readable version is
        stored again.

        Raises:
            CorruptState: the object is damaged.
            NewerRelease: a newer release wrote it.
        """
        key = self._key(source)
        stored = self._objects.get(key)
        known = read_seen(key, stored.body if stored else self._restored(key))
        return {record_id: known[record_id] for record_id in ids if record_id in known}

    def add(self, source: str, evicted: Mapping[str, Known]) -> None:
        """Add records, before they leave the state.

        Records unseen for `FORGET_AFTER` are dropped. Of two revisions the higher one is kept, so
        a repeated call, or one by a run that never commits, is harmless.

        Raises:
            WriteConflict: no clear answer within the bounded attempts.
        """
        oldest = timestamp(self._clock() - FORGET_AFTER)
        key = self._key(source)

        def revise(body: bytes | None) -> bytes | None:
            known = read_seen(key, self._restored(key) if body is None else body)
            merged = known | {
                record_id: record
                for record_id, record in evicted.items()
                if record_id not in known or known[record_id].revision <= record.revision
            }
            if merged == known:
                return None
            return _SEEN.dump_json(
                {name: record for name, record in merged.items() if record.last_seen > oldest}
            )

        rewrite(self._objects, key, revise, backoff=self._backoff, content_type=JSON)

    def _restored(self, key: str) -> bytes | None:
        return restored(self._objects, key, lambda body: read_seen(key, body), JSON)

    def _key(self, source: str) -> str:
        return f"state/{self._family}/{source}.seen.json"


def read_seen(key: str, body: bytes | None) -> dict[str, Known]:
    """Return the records of a ``.seen`` object; empty for a missing object.

    Raises:
        CorruptState: the object is damaged.
        NewerRelease: a newer release wrote it, with more fields a record.
    """
    if body is None:
        return {}
    try:
        return _SEEN.validate_json(body)
    except ValidationError as error:
        if all(problem["type"] == "unexpected_positional_argument" for problem in error.errors()):
            raise NewerRelease(
                f"{key}: a newer release wrote it: deploy the newer release again"
            ) from error
        raise CorruptState(
            f"{key}: {error.errors(include_url=False, include_input=False)[0]['msg']}; restore an "
            "earlier version of the object: `uring state repair`"
        ) from error
