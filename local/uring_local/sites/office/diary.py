"""A diary of people's actions and of the clock: a file of JSON lines that survives a kill.

    {"process": 2}                                     a process begins
    {"moved": 3, "real": "…", "simulated": "…"}        the clock stands at a tick
    {"begun": "3/7"}                                   an action, before anything of it is done
    {"done": "3/7", "came": {…}}                       and what came of it
    {"wrong": "…"}                                     what a reader or an editor was told wrongly

An action that was begun and not done may have been done: whoever goes on does it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.line_file import LineJournal


class DamagedDiary(UringError):
    """The file holds something else than a diary; the message names the line."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The clock was moved.

    Attributes:
        real: when that was, aware UTC.
        simulated: where it stood then.
    """

    tick: int
    real: datetime
    simulated: datetime


class Diary(LineJournal):
    """The diary, see `LineJournal`."""

    damaged = DamagedDiary
    line = "line of a diary"

    def __init__(self, path: Path | None = None) -> None:
        self.moves: list[Moved] = []
        self.begun: set[str] = set()
        self.done: dict[str, dict[str, Any]] = {}
        self.wrong: list[str] = []
        super().__init__(path)
        self.note(process=self.process)

    def begin(self, action: str) -> bool:
        """Note that an action is about to be done; return whether it may have been done before."""
        with self.lock:
            is_repeated = action in self.begun
        self.note(begun=action)
        return is_repeated

    def complain(self, fault: str) -> None:
        """Note what is wrong."""
        self.note(wrong=fault)

    def take(self, fields: Mapping[str, Any]) -> None:
        """Take in a line of any kind."""
        match fields:
            case {"process": _}:
                pass
            case {"moved": tick, "real": real, "simulated": simulated}:
                moved = Moved(tick, datetime.fromisoformat(real), datetime.fromisoformat(simulated))
                self.moves.append(moved)
            case {"begun": action}:
                self.begun.add(action)
            case {"done": action, "came": came}:
                self.done[action] = came
            case {"wrong": fault}:
                self.wrong.append(fault)
            case _:
                raise ValueError("no line of a diary")
