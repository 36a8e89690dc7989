"""Bounded attempts with full jitter, for the conditional writes."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Final

ATTEMPTS: Final = 5
BASE_SECONDS: Final = 0.05
CAP_SECONDS: Final = 2.0


class Backoff:
    """Waits ``uniform(0, min(cap, base * 2**n))`` between attempts.

    Args:
        sleep: seconds → None; the tests pass a virtual one.
    """

    def __init__(self, sleep: Callable[[float], None] = time.sleep) -> None:
        self._sleep = sleep

    def attempts(self) -> Iterator[int]:
        """Yield 0 … ATTEMPTS - 1, waiting before each but the first."""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._sleep(random.uniform(0, min(CAP_SECONDS, BASE_SECONDS * 2**attempt)))
            yield attempt
