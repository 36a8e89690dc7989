"""A gateway whose answers are scripted, and what must not be told of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes import ScriptedFetcher

from uring.fetch.http import Response
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.errors import GatewayError
from uring.weather.gateway.retry import RateLimit

HUB = "https://apihub.kma.go.kr/api/typ02/openApi"
PORTAL = "https://apis.data.go.kr/1360000"
KEY = "Fake+Key/for-tests=="
QUOTED = "Fake%2BKey%2Ffor-tests%3D%3D"
LOWER = "Fake%2bKey%2ffor-tests%3d%3d"
NOW = datetime(2026, 5, 4, 6, tzinfo=UTC)
QUICK = RateLimit(spacing_seconds=0.25, backoff_seconds=1.0, retries=10)


class Asked:
    """A gateway whose answers are scripted, with what it asked and how long it slept."""

    def __init__(
        self, *answers: str | Exception | Response, rate_limit: RateLimit = QUICK, **more: Any
    ) -> None:
        left = iter(answers)
        self.fetcher = ScriptedFetcher(lambda: next(left))
        self.slept: list[float] = []
        names = {"base_url": HUB, "key_name": "authKey", "key": KEY} | more
        self.gateway = GatewayClient(
            self.fetcher,
            **names,
            rate_limit=rate_limit,
            sleep=self.slept.append,
            clock=lambda: NOW + timedelta(seconds=sum(self.slept)),
            jitter=lambda: 0.5,
        )

    @property
    def urls(self) -> list[str]:
        return [request.url for request in self.fetcher.requests]

    def refused(self, icao: str = "RKZA") -> GatewayError:
        with pytest.raises(GatewayError) as caught:
            self.gateway.metar(icao)
        return caught.value


def assert_hidden(told: str, *spellings: str) -> None:
    # Words of our own sentences may share letters with a key: pieces of eight cannot.
    for spelling in spellings:
        pieces = {spelling[at : at + 8] for at in range(max(len(spelling) - 7, 1))}
        assert not any(piece in told for piece in pieces)
