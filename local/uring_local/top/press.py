"""What a key does to the view. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Literal

from uring_local.look.index import IndexedSource
from uring_local.top.model import (
    HELP,
    MOST_TYPED,
    Action,
    PauseQuestion,
    TextPage,
    ViewState,
    name_of,
)

_PAUSE: Final = timedelta(hours=4)
_FAR: Final = 1_000_000
_LETTERS: Final = {"up": "k", "down": "j", "page down": " ", "home": "g", "end": "G"}

Pressed = tuple[ViewState, Action | None]


def press(state: ViewState, key: str, now: datetime) -> Pressed:
    """Return the view after a key, and what the key asks for.

    Args:
        state: before.
        key: as `uring_local.top.keys` names it.
        now: aware; a pause is proposed from it, in its zone.
    """
    if state.question is not None:
        return _decide(state, state.question, key)
    if state.is_filtering:
        return _filter(state, key), None
    if state.page is not None:
        return replace(state, page=_turn(state.page, key)), None
    return _list(state, key, now)


def _list(state: ViewState, key: str, now: datetime) -> Pressed:
    """Take a key of the list."""
    if by := _move(key, state.room):
        return state.moved(by), None
    if key in ("q", "again"):
        return state, Action("quit" if key == "q" else "read")
    if state.source is not None and key in ("r", "p", "d", "enter"):
        # The next refresh may sort the rows in another way: the source stays the chosen one.
        return _act(state.moved(0), state.source, key, now)
    return _view(state, key), None


def _move(key: str, room: int) -> int:
    """Return by how many lines a key moves; 0 for another key."""
    moves = {"k": -1, "j": 1, "page up": -room, " ": room, "g": -_FAR, "G": _FAR}
    return moves.get(_LETTERS.get(key, key), 0)


def _view(state: ViewState, key: str) -> ViewState:
    """Take a key of the view itself."""
    match key:
        case "?":
            return replace(state, page=HELP)
        case "/":
            return replace(state, is_filtering=True, said="")
        case "escape":
            return replace(state, said="").filtered("")
    return state


def _act(state: ViewState, source: IndexedSource, key: str, now: datetime) -> Pressed:
    """Take a key of the chosen source."""
    if key == "enter":
        return replace(state, page=TextPage(source.id, of=name_of(source))), None
    if state.doing:
        # A key that is held sends no second job.
        return state, None
    if key == "p":
        is_paused = bool(source.entry.get("paused_until"))
        end = (now + _PAUSE).replace(minute=0, second=0, microsecond=0)
        until = "" if is_paused else end.isoformat(timespec="minutes")
        return replace(state, question=PauseQuestion(source, until), said=""), None
    kind: Literal["check", "diff"] = "check" if key == "r" else "diff"
    return replace(state, doing=f"{kind} {source.id}", said=""), Action(kind, source)


def _decide(state: ViewState, question: PauseQuestion, key: str) -> Pressed:
    """Take a key of a question."""
    if key == "escape":
        return replace(state, question=None), None
    if key != "enter":
        typed = _typed(question.typed, key) if question.until else ""
        return replace(state, question=replace(question, typed=typed)), None
    kind: Literal["pause", "resume"] = "pause" if question.until else "resume"
    state = replace(state, question=None, doing=f"{kind} {question.source.id}")
    return state, Action(kind, question.source, question.typed.strip() or question.until)


def _filter(state: ViewState, key: str) -> ViewState:
    """Take a key of the filter."""
    if key == "escape":
        return replace(state, is_filtering=False).filtered("")
    if key == "enter":
        return replace(state, is_filtering=False)
    if len(key) > 1 and (by := _move(key, state.room)):
        return state.moved(by)
    return state.filtered(_typed(state.words, key))


def _typed(text: str, key: str) -> str:
    """Return a typed text after a key."""
    if key in ("back", "clear"):
        return text[:-1] if key == "back" else ""
    return (text + key)[:MOST_TYPED] if len(key) == 1 else text


def _turn(page: TextPage, key: str) -> TextPage | None:
    """Return a page after a key; None closes it. The screen knows its end."""
    if by := _move(key, page.room):
        return replace(page, top=max(0, page.top + by))
    return None if key in ("q", "escape", "enter", "?") else page
