"""Hot: ``data/{source}/latest.json``, what readers fetch through the CDN (N7).

A projection of the state, never the state: it can be made again at any time, and an older one
never replaces a newer one.
"""

import json
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.changes.ports import ObjectStore
from uring.changes.retry import Backoff
from uring.changes.rewrite import rewrite
from uring.records.model import SourceState

CONTENT_TYPE = "application/json; charset=utf-8"
CACHE_CONTROL = "public, max-age=300"


@dataclass(frozen=True, slots=True)
class Publication:
    """What readers and subscribers are told about a source beside its records."""

    source: str
    name: str
    base_url: str
    topic: str


class _Meta(BaseModel):
    model_config = ConfigDict(extra="ignore")
    seq: int


class _Head(BaseModel):
    model_config = ConfigDict(extra="ignore")
    meta: _Meta


def project(state: SourceState, publication: Publication) -> bytes:
    """``{meta, items}`` as N7 has it. ``meta.seq`` grows with every change of the source."""
    document = {
        "meta": {
            "dept_name": publication.name,
            "base_url": publication.base_url,
            "last_updated": state.changed_at,
            "seq": state.seq,
        },
        "items": [
            {
                "id": item.id,
                **item.content,
                "is_pinned": item.is_pinned,
                "revision": item.revision,
                "hash": item.hash,
                "first_seen": item.first_seen,
            }
            for item in state.hot
        ],
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


class Latest:
    """Writes the projection, unless a newer one is there."""

    def __init__(self, objects: ObjectStore, *, backoff: Backoff) -> None:
        self._objects = objects
        self._backoff = backoff

    def write(self, state: SourceState, publication: Publication) -> None:
        """Make ``latest.json`` show this state, or leave a newer one.

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
            content_type=CONTENT_TYPE,
            cache_control=CACHE_CONTROL,
            # Before a baseline there is nearly always nothing.
            likely_absent=not state.republish
            and all(event.kind == "baseline" for event in state.outbox),
        )


def _seq(body: bytes) -> int:
    """The projection's age; one that cannot be read is older than any."""
    try:
        return _Head.model_validate_json(body).meta.seq
    except ValidationError:
        return -1
