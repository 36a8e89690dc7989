"""A lock between processes: a file's, which ends with whoever has it."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Wait for other processes that do the same."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
