"""The files that were asked for, day by day; they outlive a killed run."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.line_file import LineJournal


class DamagedRecord(UringError):
    """Raised for a complete line of another kind: the run's data are not of this site."""


class AskedFiles(LineJournal):
    """The requests for files, see `LineJournal`; a line each."""

    damaged = DamagedRecord

    def __init__(self, path: Path | None = None) -> None:
        self._times: Counter[tuple[int, str, str]] = Counter()
        super().__init__(path)

    def add(self, day: int, registry: str, file: str) -> bool:
        """Note a request; return whether it is the day's first for this file.

        Args:
            day: from 1.
            registry: its id.
            file: its number, with ``/preview`` for the text of its preview.
        """
        self.note(day=day, registry=registry, file=file)
        with self.lock:
            return self._times[day, registry, file] == 1

    def of(self, day: int, registry: str) -> frozenset[str]:
        """Return the numbers of the files that were asked for on a day."""
        with self.lock:
            return frozenset(
                file.partition("/")[0]
                for at, name, file in self._times
                if (at, name) == (day, registry)
            )

    def take(self, fields: Mapping[str, Any]) -> None:
        """See `LineJournal.take`."""
        self._times[int(fields["day"]), str(fields["registry"]), str(fields["file"])] += 1
