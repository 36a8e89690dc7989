"""A lock between processes: a file's, released when its holders end."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def one_at_a_time(lock: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[int]:
    """Wait for other holders of the lock, then hold it.

    Args:
        lock: the file.
        waiting: called once if another process holds it.

    Yields:
        The file's descriptor. A child that inherits it holds the lock, too, until it ends: the
        child of a killed process does not work side by side with the next one.
    """
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()
