"""What a gateway is asked for, and how patiently."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from uring.weather.gateway.errors import GatewayRefused

HUB: Final = "https://apihub.kma.go.kr/api/typ02/openApi"
PORTAL: Final = "https://apis.data.go.kr/1360000"

_MOST_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class Operations:
    """Paths below the base URL; both gateways have the same."""

    metar: str = "AmmIwxxmService/getMetar"
    taf: str = "AmmIwxxmService/getTaf"
    warnings: str = "AmmService/getWarning"


@dataclass(frozen=True, slots=True)
class Pace:
    """How gently a gateway is asked, in one run.

    Attributes:
        spacing_seconds: between two requests.
        timeout_seconds: of one request.
        backoff_seconds: before the second attempt, twice that before the third, less up to half.
        longest_wait_seconds: a Retry-After above it closes the gateway for this run.
        retries: of all calls together: an outage costs 15 calls and these, not 45.
        run_seconds: after which no further call of this run begins.
    """

    spacing_seconds: float = 0.25
    timeout_seconds: float = 10.0
    backoff_seconds: float = 1.0
    longest_wait_seconds: float = 20.0
    retries: int = 10
    run_seconds: float = 120.0

    @property
    def longest_run_seconds(self) -> float:
        """A run that begins its last call, after its longest wait, at the last moment."""
        return self.run_seconds + self.longest_wait_seconds + self.timeout_seconds


OPERATIONS: Final = Operations()
PACE: Final = Pace()


class Patience:
    """What is left of it in one run.

    Args:
        pace: see there.
        jitter: a number from 0 to 1.
    """

    def __init__(self, pace: Pace, jitter: Callable[[], float]) -> None:
        self.closed: GatewayRefused | None = None
        self._pace = pace
        self._jitter = jitter
        self._retries_left = pace.retries

    def wait(self, refused: GatewayRefused, attempt: int) -> float | None:
        """Seconds until the next attempt, None if there is to be none; may close the gateway."""
        asked_for = refused.retry_after or 0.0
        too_long = asked_for > self._pace.longest_wait_seconds
        if (
            refused.retryable
            and not too_long
            and attempt < _MOST_ATTEMPTS
            and self._retries_left > 0
        ):
            self._retries_left -= 1
            backoff = self._pace.backoff_seconds * float(2 ** (attempt - 1))
            return max(backoff * (1 - self._jitter() / 2), asked_for)
        if (refused.closes or too_long) and self.closed is None and refused.asked:
            self.closed = refused
        return None
