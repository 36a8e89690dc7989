"""The assumed pace of a collection: what a number of concurrent invocations settles.

By domains an invocation has some 17 in flight for 245 s, because it refills its batch, and then
waits for the last ones; three of ten domains are asked a second time. By ranges it has its sockets
full until the last domains, and silent ones have two more tries together. Nearly all of it is
waiting. docs/seeds.md, "A million domains", names what was measured.
"""

from typing import Final, Literal

from uring.seeds.collect.limits import LIMITS

Way = Literal["domains", "ranges"]
"""What a message of the domain queue names: one domain, or a range of them."""

DOMAIN_SECONDS: Final = 8.4
"""Until a domain is collected, its waits included."""
SLOWEST_SECONDS: Final = 27
"""Until the slowest of the last domains is."""

AT_ONCE: Final = 20
"""The most domains in flight of an invocation by domains."""
REFILL: Final = 5
"""The free places until a call that refills them."""
TRIES: Final = 1.3

MOST_DOMAINS: Final = 200
"""The domains of a range: an invocation takes ten ranges."""
SOCKETS: Final = 200
"""The domains in flight of an invocation by ranges."""
MESSAGES_A_BATCH: Final = 10
RANGE_TRIES: Final = 3

# An invocation of five minutes takes no domain in its last 55 seconds.
_REFILLED_SECONDS: Final = 245
# Of the ten days that the domain queue keeps a message.
_DAYS_IN_QUEUE: Final = 2
_DAY_SECONDS: Final = 86_400


def domains_a_batch(domain_seconds: float = DOMAIN_SECONDS) -> float:
    """Return the domains that an invocation collects while it refills its batch."""
    return (AT_ONCE - REFILL / 2) * _REFILLED_SECONDS / domain_seconds


def seconds_a_batch(slowest_seconds: float = SLOWEST_SECONDS) -> float:
    """Return the seconds of such an invocation."""
    return _REFILLED_SECONDS + slowest_seconds


def seconds_of_ranges(domain_seconds: float = DOMAIN_SECONDS) -> float:
    """Return the seconds of an invocation that takes a batch of ranges for the first time."""
    return MESSAGES_A_BATCH * MOST_DOMAINS / SOCKETS * domain_seconds + LIMITS.seconds


def domains_per_second(concurrency: float, way: Way = "domains") -> float:
    """Return the domains that this many concurrent invocations settle in a second."""
    if way == "domains":
        return concurrency * domains_a_batch() / seconds_a_batch() / TRIES
    seconds = seconds_of_ranges() + (RANGE_TRIES - 1) * LIMITS.seconds
    return concurrency * MESSAGES_A_BATCH * MOST_DOMAINS / seconds


def most_waiting(concurrency: float, way: Way = "domains") -> int:
    """Return the most messages that the domain queue may hold, two days of work."""
    domains = domains_per_second(concurrency, way) * _DAYS_IN_QUEUE * _DAY_SECONDS
    return int(domains / (MOST_DOMAINS if way == "ranges" else 1))
