"""TLS sessions are resumed, and never where less would be demanded than in a whole handshake."""

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from scripted_server import ScriptedServer, answer, saying
from tls_chains import chain_at, reason_of

from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.fetch.tls import KeptSession, Sessions, Tls
from uring_local.loopback import Connection

Serve = Callable[..., ScriptedServer]
HOUR = 3600.0
VERSIONS = (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3)
PAGE = saying(answer(b"page"))


class Clock:
    """Hours of the fetcher's clock."""

    hours = 0.0

    def seconds(self) -> float:
        return self.hours * HOUR


def speaking(certificate: Path, version: ssl.TLSVersion) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.minimum_version = context.maximum_version = version
    return context


@pytest.fixture(params=VERSIONS, ids=lambda version: version.name)
def speaks(certificate: Path, request: pytest.FixtureRequest) -> ssl.SSLContext:
    """A server's context of each version; it counts its handshakes."""
    return speaking(certificate, request.param)


def fetcher_for(
    *authorities: str, monotonic: Callable[[], float] = time.monotonic
) -> Callable[..., bytes]:
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=authorities,
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
        monotonic=monotonic,
    )

    def fetch(authority: str, tls: Tls | None = None) -> bytes:
        request = Request(f"https://{authority}/", tls=tls or Tls(), timeout_seconds=HOUR)
        return fetcher.fetch(request).body

    return fetch


def resumed(context: ssl.SSLContext) -> int:
    return context.session_stats()["hits"]


@pytest.mark.usefixtures("trusted")
def test_a_session_is_resumed_on_the_next_connection(serve: Serve, speaks: ssl.SSLContext) -> None:
    """One connection a request all the same; the session outlives the connection alone."""
    server = serve(PAGE, tls=speaks)
    site = f"site.test:{server.port}"
    fetch = fetcher_for(site)
    assert [fetch(site) for _ in range(4)] == [b"page"] * 4
    assert (resumed(speaks), server.connections) == (3, 4)


@pytest.mark.usefixtures("trusted")
def test_a_session_is_of_one_port(serve: Serve, speaks: ssl.SSLContext) -> None:
    """Both servers have one context, so each could open the other's ticket."""
    first, second = (serve(PAGE, tls=speaks) for _ in range(2))
    sites = [f"site.test:{server.port}" for server in (first, second)]
    fetch = fetcher_for(*sites)
    for site in sites:
        fetch(site)
    assert resumed(speaks) == 0


def test_a_session_is_of_one_name(serve: Serve, speaks: ssl.SSLContext) -> None:
    server = serve(PAGE, tls=speaks)
    sites = [f"{name}.test:{server.port}" for name in ("site", "other")]
    fetch = fetcher_for(*sites)
    for site in sites:
        fetch(site, Tls(verify=False))
    assert resumed(speaks) == 0


def test_a_session_is_of_one_set_of_demands(serve: Serve, speaks: ssl.SSLContext) -> None:
    """Begun without a look at the certificate, it would be resumed without one."""
    server = serve(PAGE, tls=speaks)
    site = f"site.test:{server.port}"
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[site],
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
    )
    careless = Request(f"https://{site}/", tls=Tls(verify=False))
    for _ in range(2):
        fetcher.fetch(careless)
    assert resumed(speaks) == 1
    assert reason_of(fetcher, careless.url, Tls()) == "tls"


@pytest.mark.usefixtures("trusted")
def test_a_certificate_is_shown_again_in_time(serve: Serve, speaks: ssl.SSLContext) -> None:
    """Counted from the last one that was shown: a session that is resumed grows no younger.

    The server says two hours; six are allowed.
    """
    server, clock = serve(PAGE, tls=speaks), Clock()
    site = f"site.test:{server.port}"
    fetch = fetcher_for(site, monotonic=clock.seconds)
    seen = []
    for hours in (0.0, 1.0, 1.9, 2.1, 3.9, 4.2):
        clock.hours = hours
        fetch(site)
        seen.append(resumed(speaks))
    assert seen == [0, 1, 2, 2, 3, 3]


def test_a_server_that_refuses_the_session_costs_nothing(serve: Serve, tmp_path: Path) -> None:
    """Another process of the site, with other keys: a whole handshake on the same connection.

    Nor is one asked for again within the hour: such a site may always answer by another process.
    """
    chain, clock = chain_at(tmp_path), Clock()
    trusting = Tls(extra_ca=chain.intermediate)
    first = serve(PAGE, tls=speaking(chain.server, VERSIONS[1]))
    site = f"site.test:{first.port}"
    fetch = fetcher_for(site, monotonic=clock.seconds)
    fetch(site, trusting)
    first.stop()
    other = speaking(chain.server, VERSIONS[1])
    second = serve(PAGE, tls=other, port=first.port)
    assert fetch(site, trusting) == b"page"
    assert second.connections == 1
    seen = []
    for hours in (0.5, 1.1, 1.2):
        clock.hours = hours
        fetch(site, trusting)
        seen.append(resumed(other))
    assert seen == [0, 0, 1]


def test_a_certificate_that_is_refused_is_refused_once(serve: Serve, tmp_path: Path) -> None:
    """A session was offered, the server shows another certificate: no second connection for it."""
    folders = [tmp_path / name for name in ("good", "expired")]
    for folder in folders:
        folder.mkdir()
    chain = chain_at(folders[0])
    first = serve(PAGE, tls=speaking(chain.server, VERSIONS[1]))
    site = f"site.test:{first.port}"
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[site],
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
    )
    trusting = Tls(extra_ca=chain.intermediate)
    fetcher.fetch(Request(f"https://{site}/", tls=trusting))
    first.stop()
    expired = chain_at(folders[1], days=-1)
    second = serve(PAGE, tls=speaking(expired.server, VERSIONS[1]), port=first.port)
    assert reason_of(fetcher, f"https://{site}/", trusting) == "tls"
    assert second.connections == 1


@pytest.mark.usefixtures("trusted")
def test_a_server_that_chokes_on_a_session_is_asked_without_one(
    serve: Serve, tls: ssl.SSLContext
) -> None:
    alerts = iter([None, ssl.ALERT_DESCRIPTION_INTERNAL_ERROR, None, None])

    def choking(*_: object) -> int | None:
        return next(alerts)

    tls.sni_callback = choking
    server = serve(PAGE, tls=tls)
    site = f"site.test:{server.port}"
    fetch = fetcher_for(site)
    assert [fetch(site), fetch(site)] == [b"page", b"page"]
    assert server.connections == 3
    before = resumed(tls)
    assert fetch(site) == b"page"
    assert (resumed(tls) - before, server.connections) == (0, 4)


@pytest.mark.usefixtures("trusted")
def test_a_server_that_refuses_without_a_session_is_asked_once(
    serve: Serve, tls: ssl.SSLContext
) -> None:
    tls.sni_callback = lambda *_: ssl.ALERT_DESCRIPTION_INTERNAL_ERROR
    server = serve(PAGE, tls=tls)
    site = f"site.test:{server.port}"
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[site],
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
    )
    assert reason_of(fetcher, f"https://{site}/", Tls()) == "tls"
    assert server.connections == 1


@pytest.mark.usefixtures("trusted")
def test_a_session_by_which_no_answer_came_is_not_offered_again(
    serve: Serve, speaks: ssl.SSLContext
) -> None:
    def leaving(connection: Connection) -> None:
        connection.send(b"HTTP/1.1 2")

    server = serve(PAGE, leaving, PAGE, tls=speaks)
    site = f"site.test:{server.port}"
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[site],
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
    )
    url = f"https://{site}/"
    fetcher.fetch(Request(url))
    assert reason_of(fetcher, url, Tls()) == "protocol"
    assert resumed(speaks) == 1
    fetcher.fetch(Request(url))
    assert resumed(speaks) == 1


@dataclass(frozen=True)
class Given:
    """A socket with a session, as far as it is looked at."""

    context: Any
    session: Any = None
    session_reused: bool = False


@dataclass(frozen=True)
class Ticket:
    has_ticket: bool = True
    id: bytes = b""
    ticket_lifetime_hint: int = 0


class Counting:
    """A socket that notes when its session is read."""

    session_reused = False

    def __init__(self, context: object, session: object, clock: Clock) -> None:
        self.context = context
        self.read_at: list[float] = []
        self._session, self._clock = session, clock

    @property
    def session(self) -> object:
        self.read_at.append(self._clock.hours)
        return self._session


def keep(sessions: Sessions, host: str, given: Given, offered: KeptSession | None = None) -> None:
    sessions.keep(given, host, 443, offered)  # type: ignore[arg-type]


def take(sessions: Sessions, context: object, host: str) -> object:
    kept = sessions.take(context, host, 443)  # type: ignore[arg-type]
    return kept and kept.session


def test_the_sessions_that_were_not_used_for_longest_go() -> None:
    sessions = Sessions(lambda: 0.0, most=2)
    context, tickets = object(), {host: Ticket() for host in ("a.test", "b.test", "c.test")}
    for host in ("a.test", "b.test"):
        keep(sessions, host, Given(context, tickets[host]))
    assert take(sessions, context, "a.test") is tickets["a.test"]
    for host in ("a.test", "c.test"):
        keep(sessions, host, Given(context, tickets[host]))
    assert take(sessions, context, "b.test") is None
    assert take(sessions, context, "a.test") is tickets["a.test"]
    assert take(sessions, context, "a.test") is None, "taken out to be offered"
    assert take(sessions, context, "c.test") is tickets["c.test"]


@pytest.mark.parametrize(
    "session", [None, Ticket(has_ticket=False), Ticket(ticket_lifetime_hint=300)]
)
def test_a_server_without_lasting_sessions_is_asked_for_one_an_hour(session: object) -> None:
    """To read it from the socket costs more than it could save."""
    clock = Clock()
    socket = Counting(object(), session, clock)
    sessions = Sessions(clock.seconds)
    for clock.hours in (0.0, 0.5, 0.9, 1.1, 1.5):
        assert take(sessions, socket.context, "a.test") is None
        sessions.keep(socket, "a.test", 443, None)  # type: ignore[arg-type]
    assert socket.read_at == [0.0, 1.1]


def test_a_session_that_the_server_lets_end_is_not_offered() -> None:
    clock, context = Clock(), object()
    sessions = Sessions(clock.seconds)
    for said, offered in ((7200, None), (0, True), (10**6, True)):
        clock.hours = 0.0
        keep(sessions, "a.test", Given(context, Ticket(ticket_lifetime_hint=said)))
        clock.hours = 5.9
        assert bool(take(sessions, context, "a.test")) is bool(offered)
        clock.hours = 0.0
        keep(sessions, "b.test", Given(context, Ticket(ticket_lifetime_hint=said)))
        clock.hours = 6.1
        assert take(sessions, context, "b.test") is None
