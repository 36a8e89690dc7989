"""One page by HTTP, from an untrusted address (S15).

    Request ─► check ─► [guard ─► connect ─► head]  at most six times  ─► body ─► Response

Every failure is one FetchFailed whose reason is a stable word:

    bad_request       the entry asks for a request that cannot be sent
    bad_address       not a plain http or https URL
    refused_address   not public, or another port than 80 and 443
    dns connect tls   no connection
    timeout           the whole took longer than ``timeout_seconds``
    too_big           more than ``max_bytes``, or a head of more than 256 KiB
    too_many_redirects
    busy_host         other requests to the host took all of the time
    forbidden         401, 403, 407, 429 or 451: the site refuses us, for now at least
    not_found         404 or 410
    rejected          any other 4xx: the site finds the request wrong
    http_status       any other status than 200, 201, 203, 304, and 206 with a whole page
    protocol          not HTTP, or cut short
    bad_encoding      a content coding other than gzip and deflate, or a broken one

Few threads at a time ask one host. No cookies, no proxies, no environment, no retries (the schedule
is the retry), and one connection per request: bytes that a server leaves in a connection must not
answer the next request.
"""

import http.client
import re
import ssl
import string
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_network
from typing import Final, Protocol
from urllib.parse import quote, urljoin

from uring.errors import FetchFailed
from uring.fetch.address import STAND_IN_SCHEME, AddressGuard, Resolver, StandIn
from uring.fetch.head import HttpAnswer, Redirect, kept_header, read_answer
from uring.fetch.host_locks import HostLocks
from uring.fetch.request import Outgoing, Request, Validators, outgoing
from uring.fetch.resolve import KeptAnswers, system_resolver
from uring.fetch.tls import STRICT, Contexts, Sessions, remedy
from uring.fetch.url import DEFAULT_PORTS, Target, one_line, parse_url, shown_url
from uring.fetch.wire import ExchangeBudget, GuardedConnection, GuardedTLSSocket

_UNREACHED: Final = frozenset({"connect", "tls", "timeout"})
# One machine has all IPv6 addresses of such a network.
_PREFIXES: Final = {4: 32, 6: 64}
_ABSOLUTE: Final = re.compile(r"https?:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Response:
    """A usable answer.

    Attributes:
        status: 304, or that of a page: 200, 201, 203, or 206 with all of its bytes; with
            ``Request.any_success`` others of 2xx, too.
        url: the final URL, after redirects: the base of the page's relative links.
        body: inflated; empty for 304.
        content_type: as received; None if missing or not fit to be stored.
        etag: to be sent with the next ``Request``. None after a redirect: a validator belongs to
            the URL that gave it, and another page's ``304`` would hide every change. Name the
            final URL in the entry to have conditional requests.
        last_modified: as ``etag``. With 304 both are the request's own where the response has none.
        requests: the number of HTTP requests, redirects included.
        hops: the URLs that redirected, in their order; empty without a redirect.
        truncated: the body's rest was left unread; only with ``Request.cut_body``.
        is_other: a 304 with another date than the request's and without an ETag.
    """

    status: int
    url: str
    body: bytes
    content_type: str | None
    etag: str | None
    last_modified: str | None
    requests: int
    hops: tuple[str, ...] = ()
    truncated: bool = False
    is_other: bool = False

    @property
    def validators(self) -> Validators:
        """Both validators."""
        return Validators(etag=self.etag, last_modified=self.last_modified)


class Fetches(Protocol):
    """The guarded HTTP client; `Fetcher` is the real one."""

    def fetch(self, request: Request) -> Response:
        """Return one answer, see `Response.status`; raise FetchFailed."""
        ...


class Fetcher:
    """The client that fetches pages; all threads of a process share one.

    Args:
        user_agent: sent unless the request has its own.
        allowed_private_hosts: see ``AddressGuard``.
        resolver: see ``uring.fetch.address.Resolver``.
        monotonic: seconds of a clock that never goes back.
        stand_in: see ``StandIn``; all connections but those to allowed private hosts go to it.
        abreast: the most concurrent requests to a host, see ``HostLocks``.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        allowed_private_hosts: Collection[str] = (),
        resolver: Resolver = system_resolver,
        monotonic: Callable[[], float] = time.monotonic,
        stand_in: str = "",
        abreast: int = 1,
    ) -> None:
        self._user_agent = user_agent
        self._names = KeptAnswers(resolver, monotonic)
        self._guard = AddressGuard(allowed_private_hosts, self._names)
        self._allowed = frozenset(allowed_private_hosts)
        self._stand_in = StandIn(stand_in) if stand_in else None
        self._monotonic = monotonic
        self._contexts = Contexts(GuardedTLSSocket)
        self._sessions = Sessions(monotonic)
        self.host_locks = HostLocks(abreast)

    def fetch(self, request: Request) -> Response:
        """Fetch one page, following at most ``request.most_redirects`` redirects.

        Raises:
            FetchFailed: and no other error; the reasons are in the module's docstring.
        """
        deadline = self._monotonic() + request.timeout_seconds
        going = outgoing(request, self._user_agent)
        target = parse_url(request.url)
        hops: list[str] = []
        try:
            for _ in range(request.most_redirects + 1):
                answer = self._exchange(
                    target, going, ExchangeBudget(deadline, self._monotonic), request
                )
                if isinstance(answer, HttpAnswer):
                    return _response(request, target, answer, tuple(hops))
                hops.append(target.url)
                following = _following(target, answer.location)
                if request.may_follow is not None and len(hops) <= request.most_redirects:
                    request.may_follow(following.url)
                going = going.redirected(answer.status, same_origin=_trusted(target, following))
                target = following
            raise _too_many_redirects(request.most_redirects, target.host, answer.status)
        except FetchFailed as failure:
            failure.url, failure.hops = target.url, tuple(hops)
            raise

    def address(self, url: str, timeout_seconds: float) -> str:
        """Return the address that a URL's host is connected to first; of IPv6 its /64 network.

        Hosts with the same one may be one machine. Empty behind a stand-in, where all hosts have
        its own. The answer is kept for a minute, for the request that follows.

        Raises:
            FetchFailed: ``bad_address``, ``refused_address``, ``dns`` or ``timeout``.
        """
        target = parse_url(url)
        if self._stand_in is not None and target.authority not in self._allowed:
            return ""
        first = self._guard.addresses(target, timeout_seconds)[0]
        network = ip_network((first, _PREFIXES[first.version]), strict=False)
        return str(network.network_address)

    def _exchange(
        self, target: Target, going: Outgoing, budget: ExchangeBudget, request: Request
    ) -> HttpAnswer | Redirect:
        dialled = target
        if self._stand_in is not None and target.authority not in self._allowed:
            dialled = self._stand_in.dialled(target)
            going = going.with_header(STAND_IN_SCHEME, target.scheme)
            addresses = [self._stand_in.address]
        else:
            addresses = self._guard.addresses(target, budget.seconds())
        with self.host_locks.hold(target.authority, budget.seconds):
            connection = GuardedConnection(
                dialled, addresses, self._context(dialled, request), budget, self._sessions
            )
            try:
                return _converse(connection, target, going, budget, request)
            except FetchFailed as failure:
                if failure.reason in _UNREACHED:
                    # The site may have moved within the minute for which its address is kept.
                    self._names.forget(target.host, target.port)
                if failure.reason == "tls":
                    raise _with_remedy(failure, target, request) from failure.__cause__
                raise

    def _context(self, target: Target, request: Request) -> ssl.SSLContext | None:
        if target.scheme != "https":
            return None
        return self._contexts.get(request.tls if _is_own(target, request) else STRICT)


def _is_own(target: Target, request: Request) -> bool:
    return target.host == parse_url(request.url).host


def _with_remedy(failure: FetchFailed, target: Target, request: Request) -> FetchFailed:
    is_own = _is_own(target, request)
    tls = request.tls if is_own else STRICT
    clause = remedy(failure.__cause__, tls, is_own=is_own)
    return FetchFailed("tls", f"{failure.detail}; {clause}" if clause else failure.detail)


def _converse(
    connection: GuardedConnection,
    target: Target,
    going: Outgoing,
    budget: ExchangeBudget,
    request: Request,
) -> HttpAnswer | Redirect:
    try:
        connection.connect()
        connection.request(
            going.method, target.resource, body=going.body, headers=_wire_headers(target, going)
        )
        # The standard library's response: urllib3's own costs a third more CPU for decoding and
        # pooling, which are not used here.
        response = http.client.HTTPConnection.getresponse(connection)
        connection.keep_session()
        with response:
            return read_answer(response, target.host, going, budget, request)
    except FetchFailed:
        raise
    except Exception as error:
        problem = one_line(f"{type(error).__name__}: {error}")
        raise FetchFailed("protocol", f"{one_line(target.host)}: {problem}") from error
    finally:
        connection.close()


def _wire_headers(target: Target, going: Outgoing) -> dict[str, str]:
    host = target.authority
    if target.port == DEFAULT_PORTS[target.scheme]:
        host = host.rpartition(":")[0]
    return {"Host": host, "Accept-Encoding": "gzip", "Connection": "close", **going.headers}


def _response(
    request: Request, target: Target, answer: HttpAnswer, hops: tuple[str, ...]
) -> Response:
    etag = last_modified = None
    is_other = False
    if not hops and request.method == "GET":
        etag, last_modified = (
            kept_header(answer.head, "etag"),
            kept_header(answer.head, "last-modified"),
        )
        if answer.status == HTTPStatus.NOT_MODIFIED:
            sent = request.last_modified
            is_other = bool(sent and last_modified) and etag is None and last_modified != sent
            etag, last_modified = etag or request.etag, last_modified or request.last_modified
    return Response(
        status=answer.status,
        url=target.url,
        body=answer.body.content,
        content_type=kept_header(answer.head, "content-type"),
        etag=etag,
        last_modified=last_modified,
        requests=len(hops) + 1,
        hops=hops,
        truncated=answer.body.truncated,
        is_other=is_other,
    )


def _too_many_redirects(most: int, host: str, status: int) -> FetchFailed:
    return FetchFailed(
        "too_many_redirects",
        f"more than {most} redirects, the last to {one_line(host)};"
        " a site that wants a cookie redirects to itself: set request.headers.Cookie to that of a"
        " browser; else name the last address in url",
        status=status,
    )


def _following(target: Target, location: str) -> Target:
    # http.client reads headers as Latin-1; the bytes are the site's, in UTF-8 or EUC-KR.
    raw = location.encode("latin-1")
    try:
        reference = raw.decode()
    except UnicodeDecodeError:
        reference = quote(raw, safe=string.punctuation + " ")
    reference = reference.strip()
    if _ABSOLUTE.match(reference):
        # urljoin would read "http:///etc" as a path of this host; browsers see a host "etc".
        return parse_url(reference)
    try:
        return parse_url(urljoin(target.url, reference))
    except ValueError as error:
        problem = f"redirect to {shown_url(reference)}, which is not a valid URL"
        raise FetchFailed("bad_address", problem) from error


def _trusted(target: Target, following: Target) -> bool:
    """Return whether headers for the first target may go to the second.

    They may go to the same origin and to its upgrade from http to https on the default ports.
    """
    upgraded = ("https", target.host, 443)
    return following.origin == target.origin or (
        following.origin == upgraded and target.origin == ("http", target.host, 80)
    )
