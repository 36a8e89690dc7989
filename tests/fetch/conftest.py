"""Servers that end with their test, and fetchers that may reach them."""

import ssl
from collections.abc import Callable, Iterator

import pytest
from scripted_server import Reads, Script, ScriptedServer

from uring.fetch import Fetcher

Serve = Callable[..., ScriptedServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers with the scripts of their connections, in order."""
    started: list[ScriptedServer] = []

    def start(
        *scripts: Script, tls: ssl.SSLContext | None = None, reads: Reads = "all"
    ) -> ScriptedServer:
        started.append(ScriptedServer(list(scripts), tls, reads=reads))
        return started[-1]

    yield start
    for server in started:
        server.stop()
        assert server.failures == []


@pytest.fixture
def fetcher_for() -> Callable[..., Fetcher]:
    """Make fetchers that may reach the given servers and nothing else that is private."""

    def make(*servers: ScriptedServer) -> Fetcher:
        return Fetcher(
            user_agent="uring-test/1",
            allowed_private_hosts=[server.host for server in servers],
            resolver=_no_names,
        )

    return make


def _no_names(host: str, port: int, timeout_seconds: float) -> list[str]:
    raise AssertionError(f"{host}:{port} was looked up within {timeout_seconds} s")
