"""A diary of people's actions and of the clock: a file of JSON lines that survives a kill.

    {"process": 2}                                     a process begins
    {"moved": 3, "real": "…", "simulated": "…"}        the clock stands at a tick
    {"begun": "3/7"}                                   an action, before anything of it is done
    {"done": "3/7", "came": {…}}                       and what came of it
    {"wrong": "…"}                                     what a reader or an editor was told wrongly

An action that was begun and not done may have been done: whoever goes on does it again.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.line_file import LineFile


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


class Diary:
    """The diary in memory and, when a path is given, in a file. Safe between threads.

    A new diary on the same file loads what earlier processes wrote. A last line that was torn by a
    kill is cut off.

    Raises:
        DamagedDiary: a whole line of the file is none of a diary.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._lock = threading.Lock()
        self.moves: list[Moved] = []
        self.begun: set[str] = set()
        self.done: dict[str, dict[str, Any]] = {}
        self.wrong: list[str] = []
        self.process = 1
        self._file = LineFile(path, self._take, DamagedDiary, "line of a diary")
        self._file.append({"process": self.process})

    def move(self, tick: int, real: datetime, simulated: datetime) -> None:
        """Note where the clock stands from now on."""
        fields = {"moved": tick, "real": real.isoformat(), "simulated": simulated.isoformat()}
        self._note(fields)

    def begin(self, action: str) -> bool:
        """Note that an action is about to be done; return whether it may have been done before."""
        with self._lock:
            is_repeated = action in self.begun
        self._note({"begun": action})
        return is_repeated

    def end(self, action: str, came: Mapping[str, Any]) -> None:
        """Note what came of an action."""
        self._note({"done": action, "came": dict(came)})

    def complain(self, fault: str) -> None:
        """Note what is wrong."""
        self._note({"wrong": fault})

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self._lock:
            self._file.close()

    def _note(self, fields: dict[str, Any]) -> None:
        with self._lock:
            self._file.append(fields)
            self._take(fields)

    def _take(self, fields: Mapping[str, Any]) -> None:
        match fields:
            case {"process": number}:
                self.process = number + 1
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
