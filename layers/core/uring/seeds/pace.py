"""The assumed pace of a collection: what a number of concurrent invocations settles.

An invocation takes ten domains and 20 s, nearly all of it waiting; three of ten domains are asked
a second time. docs/seeds.md, "A million domains", names what was measured.
"""

from typing import Final

DOMAINS_A_BATCH: Final = 10
SECONDS_A_BATCH: Final = 20
TRIES: Final = 1.3

# Of the ten days that the domain queue keeps a message.
_DAYS_IN_QUEUE: Final = 2
_DAY_SECONDS: Final = 86_400


def domains_per_second(concurrency: float) -> float:
    """Return the domains that this many concurrent invocations settle in a second."""
    return concurrency * DOMAINS_A_BATCH / SECONDS_A_BATCH / TRIES


def most_waiting(concurrency: float) -> int:
    """Return the most messages that the domain queue may hold, two days of work."""
    return int(domains_per_second(concurrency) * _DAYS_IN_QUEUE * _DAY_SECONDS)
