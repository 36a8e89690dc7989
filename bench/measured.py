"""What a process measures of itself."""

import resource
from pathlib import Path
from typing import TextIO

_PEAK = "VmHWM:"


class Log:
    """What a function prints, from one reading to the next.

    Args:
        file: where its standard output goes.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def take(self) -> list[str]:
        """The lines since the last time."""
        self._file.seek(0)
        lines = list(self._file)
        self._file.seek(0)
        self._file.truncate()
        return lines


def cpu_seconds() -> float:
    """User and system, of all threads so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def peak_bytes() -> int:
    """The most memory that this process ever had resident."""
    status = Path("/proc/self/status")
    if status.exists():
        fields = [line.split() for line in status.read_text().splitlines()]
        return next(int(field[1]) * 1024 for field in fields if field[0] == _PEAK)
    # Without /proc: bytes on macOS, and what the parent had before exec counts there too.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
