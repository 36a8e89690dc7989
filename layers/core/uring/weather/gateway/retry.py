"""The rate limit of a gateway, and the retry budget of a run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from uring.weather.gateway.errors import GatewayError

_MOST_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class GatewayPaths:
    """Paths below the base URL, the same for both gateways."""

    metar: str = "AmmIwxxmService/getMetar"
    taf: str = "AmmIwxxmService/getTaf"
    warnings: str = "AmmService/getWarning"


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The limits of one run.

    Attributes:
        spacing_seconds: between the requests of a run.
        timeout_seconds: of one request.
        backoff_seconds: before the second attempt; twice that before the third; less by up to half.
        longest_wait_seconds: a longer Retry-After closes the gateway for this run.
        retries: for all calls together: an outage costs 15 calls and these, not 45.
        run_seconds: no further call begins after it.
    """

    spacing_seconds: float = 0.25
    timeout_seconds: float = 10.0
    backoff_seconds: float = 1.0
    longest_wait_seconds: float = 20.0
    retries: int = 10
    run_seconds: float = 120.0

    @property
    def longest_run_seconds(self) -> float:
        """The longest run, in seconds: its last call begins late, after the longest wait."""
        return self.run_seconds + self.longest_wait_seconds + self.timeout_seconds


OPERATIONS: Final = GatewayPaths()
RATE_LIMIT: Final = RateLimit()


class RetryBudget:
    """The retries left in one run, and the error that closed the gateway for the rest of it.

    Args:
        rate_limit: see `RateLimit`.
        jitter: returns a number from 0 to 1.
    """

    def __init__(self, rate_limit: RateLimit, jitter: Callable[[], float]) -> None:
        self.closed: GatewayError | None = None
        self._rate_limit = rate_limit
        self._jitter = jitter
        self._retries_left = rate_limit.retries

    def wait(self, error: GatewayError, attempt: int) -> float | None:
        """Return the seconds to the next attempt, None for no more; may close the gateway."""
        asked_for = error.retry_after or 0.0
        too_long = asked_for > self._rate_limit.longest_wait_seconds
        if error.retryable and not too_long and attempt < _MOST_ATTEMPTS and self._retries_left > 0:
            self._retries_left -= 1
            backoff = self._rate_limit.backoff_seconds * float(2 ** (attempt - 1))
            return max(backoff * (1 - self._jitter() / 2), asked_for)
        if (error.closes or too_long) and self.closed is None and error.asked:
            self.closed = error
        return None
