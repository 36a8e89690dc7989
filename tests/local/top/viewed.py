"""Views of a stack, made by hand."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from uring.changes.history.beats import Beat
from uring_local.look.index import Index, IndexedSource
from uring_local.queues.pairs import Pair, Queue
from uring_local.top.model import Action, Name, StackSnapshot, ViewState
from uring_local.top.press import press

NOW = datetime(2026, 3, 2, 1, 30, tzinfo=UTC)
HOSTILE = "\x1b[2J\x1b]0;t\x07\r\n\u202e한글" + "e\u0301" * 90 + "가" * 5000


def source(id_: str, failures: int = 0, listed: str = "departments", **more: Any) -> IndexedSource:
    status = {"status": "failed", "reason": "timeout"} if failures else {"status": "ok"}
    entry = {
        "id": id_,
        "name": f"{id_}과",
        **status,
        "consecutive_failures": failures,
        "last_success": "2026-03-02T01:00:00Z",
        "interval_minutes": 10,
    }
    return IndexedSource(listed, {**entry, **more}, "notices")


def pair(name: str, depth: int = 0, dead: int = 0) -> Pair:
    return Pair(
        Queue(name, f"{name}.fifo", "https://q", depth, 0), Queue(f"{name}Dead", "d", "", dead, 0)
    )


def seen(
    *sources: IndexedSource,
    written_at: str = "2026-03-02T01:29:00Z",
    at: datetime = NOW,
    pairs: Sequence[Pair] = (),
    beats: dict[Name, Sequence[Beat]] | None = None,
) -> StackSnapshot:
    return StackSnapshot(at, Index(sources, written_at), pairs, beats or {})


def view(*sources: IndexedSource, **more: Any) -> ViewState:
    return ViewState.first("uring-here", seen(*sources, **more))


def pressed(state: ViewState, *keys: str) -> tuple[ViewState, Action | None]:
    """The view after some keys, and what the last one asks for."""
    action = None
    for key in keys:
        state, action = press(state, key, NOW)
    return state, action


def ids(state: ViewState) -> list[str]:
    return [each.id for each in state.rows]


def beat(outcome: str, minutes: int = 0, **more: Any) -> Beat:
    return Beat(NOW - timedelta(minutes=minutes), outcome, **more)
