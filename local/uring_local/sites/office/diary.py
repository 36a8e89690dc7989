"""A diary of people's actions and of the clock: a file of JSON lines that survives a kill.

    {"process": 2}                                     a process begins
    {"moved": 3, "real": "…", "simulated": "…"}        the clock is moved to a tick
    {"begun": "3/7"}                                   an action, before it is begun
    {"done": "3/7", "came": {…}}                       and its result
    {"wrong": "…"}                                     a wrong answer to a reader or an editor

An action that was begun and not noted as done may have been done: the next process repeats it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.line_file import LineJournal


class DamagedDiary(UringError):
    """Raised for a file with a line that is not a diary's; the message names the line."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A move of the clock.

    Attributes:
        real: the real time of the move, aware UTC.
        simulated: the clock's time after it, aware UTC.
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
        """Note that an action begins; return whether it may have been done before."""
        with self.lock:
            is_repeated = action in self.begun
        self.note(begun=action)
        return is_repeated

    def complain(self, fault: str) -> None:
        """Note a fault."""
        self.note(wrong=fault)

    def take(self, fields: Mapping[str, Any]) -> None:
        """Read a line of any kind.

        Raises:
            ValueError: the line is unknown, or its time is malformed.
        """
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
                raise ValueError("not a line of a diary")
