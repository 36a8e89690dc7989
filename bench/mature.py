"""States as a board has them after a year, and the hints that a job then carries."""

import json
from typing import Any, Final

from fakes.objects import MemoryBucket
from pages import source_id

from uring.changes.health import DAILY
from uring.changes.hint import hint_of
from uring.notices.state import NoticeState

# Below all that are on a page.
_OLDEST: Final = 1


def grow(objects: MemoryBucket, boards: int, posts: int) -> None:
    """Let every state know so many posts more, which left its page long ago."""
    for key in map(_key, range(boards)):
        stored = objects.get(key)
        if stored is None:
            raise AssertionError(f"{key} is missing")
        state = json.loads(stored.body)
        pattern = list(next(iter(state["known"].values())))
        known = {str(_OLDEST + number): pattern for number in range(posts)}
        state["known"] = state["known"] | known
        objects.plant(key, json.dumps(state, ensure_ascii=False).encode())


def hints(objects: MemoryBucket, boards: int) -> dict[str, Any]:
    """Return what a job of each board carries, as monitor and orchestrator make it."""
    made = {}
    for number in range(boards):
        stored = objects.get(_key(number))
        if stored is None:
            raise AssertionError(f"{_key(number)} is missing")
        state = NoticeState.model_validate_json(stored.body)
        made[source_id(number)] = hint_of(state, stored.etag, DAILY).model_dump()
    return made


def _key(number: int) -> str:
    return f"state/notices/{source_id(number)}.json"
