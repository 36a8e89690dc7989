"""A file of JSON lines that survives a kill: the journal of a stand-in or a played site."""

import json
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from uring.errors import UringError

Take = Callable[[Mapping[str, Any]], None]
"""Takes a line of an earlier process; raises ValueError, TypeError or KeyError if malformed."""


class LineFile:
    """A journal: `append` returns once the line is in the file.

    A last line that was torn by a kill is cut off: nobody had an answer that rests on it. Not safe
    between threads: the owner holds a lock.

    Args:
        path: the file; None discards every line.
        take: called with each stored line, in order.
        damaged: the error for a whole line that ``take`` refuses.
        what: the noun for a line, in messages.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path | None, take: Take, damaged: type[UringError], what: str) -> None:
        self._file: int | None = None
        if path is not None:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                self._load(path, take, damaged, what)
            except (OSError, damaged):
                self.close()
                raise

    def append(self, fields: Mapping[str, Any]) -> None:
        """Write a line; do nothing without a file.

        Raises:
            OSError: the disk is full; the file is as it was.
        """
        if self._file is None:
            return
        # One write: a kill cannot tear it, and the kernel keeps it when the process is gone.
        line = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        length = os.fstat(self._file).st_size
        if os.write(self._file, line) != len(line):
            # The next line must not be glued to half of this one.
            os.ftruncate(self._file, length)
            raise OSError("the journal's disk is full")

    def close(self) -> None:
        """Close the file. Idempotent."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _load(self, path: Path, take: Take, damaged: type[UringError], what: str) -> None:
        body = path.read_bytes()
        whole = body[: body.rfind(b"\n") + 1]
        if len(whole) < len(body):
            os.truncate(path, len(whole))
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                take(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise damaged(
                    f"{path}: line {number} is not a {what} ({error!r}); move the file away"
                ) from error


class LineJournal(ABC):
    """Lines in memory and, when a path is given, in a file. Safe between threads.

    A new journal on the same file loads what earlier processes wrote and is the next process. A
    last line that was torn by a kill is cut off: nobody had an answer that rests on it.

    Args:
        path: of the file; None keeps everything in memory.

    Attributes:
        damaged: the error for a complete line of another kind.
        line: a line, in a word.
        process: the number of this process, from 1.

    Raises:
        UringError: see ``damaged``.
        OSError: the file cannot be opened.
    """

    damaged: ClassVar[type[UringError]]
    line: ClassVar[str] = "request"

    def __init__(self, path: Path | None = None) -> None:
        self.lock = threading.Lock()
        self.process = 1
        self._file = LineFile(path, self._load, self.damaged, self.line)

    def note(self, **fields: Any) -> None:
        """Take in a line; it is in the file when this returns.

        Raises:
            OSError: the disk is full; the line is not taken in.
        """
        with self.lock:
            self._file.append(fields)
            self.take(fields)

    def close(self) -> None:
        """Close the file. Idempotent."""
        with self.lock:
            self._file.close()

    @abstractmethod
    def take(self, fields: Mapping[str, Any]) -> None:
        """Take in a line, of this process or an earlier one; called under the lock.

        Raises:
            ValueError: a line of another kind; TypeError and KeyError say the same.
        """

    def _load(self, fields: Mapping[str, Any]) -> None:
        if not isinstance(fields, Mapping):
            raise TypeError("not a JSON object")
        if "process" in fields:
            self.process = max(self.process, int(fields["process"]) + 1)
        self.take(fields)
