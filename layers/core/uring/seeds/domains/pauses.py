"""How long a domain waits for its next try, or for its turn."""

import math
from collections.abc import Sequence
from typing import Final

LONGEST_PAUSE_SECONDS: Final = 43_200 - 300
"""SQS hides a message for twelve hours since it was received, which is minutes ago."""

CROWDED_SECONDS: Final = 60
"""The other domains of a crowded address end within a batch."""


def pause_of(pauses: Sequence[int], tries: int, retry_after: float | None) -> int:
    """Return the seconds until the next try: as many as the site asks for, if that is longer.

    Args:
        pauses: the seconds before the second try and later ones; the last is that of all further.
        tries: the number of tries so far, from 1.
        retry_after: the seconds that the site asks for; None if it does not.
    """
    pause = pauses[min(tries, len(pauses)) - 1]
    return max(pause, math.ceil(min(retry_after or 0.0, LONGEST_PAUSE_SECONDS)))
