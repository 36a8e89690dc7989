"""What both programs do with their locks, and what is measured of it."""

import statistics
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

Hold = Callable[[int], AbstractContextManager[Any]]
"""Takes the number of a thing, and holds its lock for the block."""

SCENARIOS: dict[str, tuple[int, int]] = {
    "1 worker, nobody else": (1, 1),
    "8 workers, 8 locks": (8, 8),
    "8 workers, 1 lock": (8, 1),
    "24 workers, 1 lock": (24, 1),
}
"""Workers and locks of each."""


def measure(hold: Hold, workers: int, things: int, turns: int) -> dict[str, float]:
    """Return locks per second and the waits for one, in seconds; who was two inside is an error."""
    waits: list[float] = []
    inside = [threading.Lock() for _ in range(things)]
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(turns):
                began = time.perf_counter()
                with hold(number % things):
                    waits.append(time.perf_counter() - began)
                    if not inside[number % things].acquire(blocking=False):
                        raise RuntimeError("two workers hold one lock")  # noqa: TRY301
                    inside[number % things].release()
        except BaseException as error:  # noqa: BLE001 - raised below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - began
    if failures:
        raise failures[0]
    return {
        "per_second": workers * turns / seconds,
        "median": statistics.median(waits),
        "longest": max(waits),
    }


def measure_all(hold: Hold, turns: int) -> dict[str, dict[str, float]]:
    """Return the figures of each scenario."""
    return {
        name: measure(hold, workers, things, turns) for name, (workers, things) in SCENARIOS.items()
    }
