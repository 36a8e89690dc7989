"""A gateway over real HTTP on loopback: statuses, sizes, Retry-After."""

import logging
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from asked_gateway import KEY, NOW, QUOTED, assert_hidden
from gateway_answers import METAR_ANSWER

from uring.fetch.http import Fetcher
from uring.weather.gateway.client import GatewayClient
from uring.weather.gateway.errors import GatewayError
from uring_local.loopback import Answer, LoopbackServer, Request

Say = Callable[[Sequence[tuple[int, dict[str, str], str]]], tuple[str, list[str]]]


@pytest.fixture
def say() -> Iterator[Say]:
    """A gateway on loopback that gives the answers in turn; its URL, and the paths asked for."""
    with ExitStack() as open_until_the_end:

        def start(script: Sequence[tuple[int, dict[str, str], str]]) -> tuple[str, list[str]]:
            left = iter(script)
            asked: list[str] = []

            def respond(request: Request) -> Answer:
                asked.append(request.target)
                status, headers, text = next(left)
                return Answer(status, text.encode(), headers)

            server = open_until_the_end.enter_context(LoopbackServer(respond))
            return f"http://{server.host}", asked

        yield start


def over_http(base_url: str, slept: list[float]) -> GatewayClient:
    fetcher = Fetcher(user_agent="uring-test/1", allowed_private_hosts=[urlsplit(base_url).netloc])
    return GatewayClient(
        fetcher, base_url, "authKey", KEY, sleep=slept.append, clock=lambda: NOW, jitter=lambda: 0
    )


def test_statuses_of_real_answers_mean_what_they_say(
    say: Say, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url, asked = say(
        [
            (200, {"Content-Type": "text/xml;charset=UTF-8"}, METAR_ANSWER),
            (500, {}, "Unexpected errors"),
            (429, {"Retry-After": "3"}, ""),
            (200, {}, METAR_ANSWER),
            (404, {}, '{"result":{"status":404}}'),
            (200, {"Content-Length": "9000000"}, METAR_ANSWER),
            (403, {}, f"forbidden: {KEY}"),
        ]
    )
    slept: list[float] = []
    gateway = over_http(url, slept)
    assert gateway.metar("RKZA").report.header.icao == "RKZA"
    assert gateway.metar("RKZA").report.header.icao == "RKZA"
    assert slept == [0.25, 1.0, 0.25, 3.0, 0.25]
    codes = []
    for _ in range(4):
        with pytest.raises(GatewayError) as caught:
            gateway.metar("RKZA")
        codes.append((caught.value.code, caught.value.asked))
        assert_hidden("".join(traceback.format_exception(caught.value)), KEY, QUOTED)
    assert codes == [("404", True), ("too_big", True), ("403", True), ("403", False)]
    assert len(asked) == 7
    assert asked[0].startswith("/AmmIwxxmService/getMetar?authKey=Fake%2BKey%2Ffor-tests%3D%3D&")
    assert_hidden(caplog.text, KEY, QUOTED)
