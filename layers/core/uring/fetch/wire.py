"""Sockets that keep a deadline and count bytes, and the connections made of them.

A socket's own time-out is per call, so a server that drips one byte at a time never exceeds it.
Here every call on the socket gets the time left of the whole fetch. http.client and TLS read
through ``recv_into`` and write through ``sendall`` alone, so this holds for the status line,
headers, chunk sizes, trailers and body alike, without a watchdog thread.
"""

import socket
import ssl
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from urllib3.connection import HTTPConnection

from uring.errors import FetchFailed
from uring.fetch.address import IPAddress
from uring.fetch.tls import KeptSession, Sessions
from uring.fetch.url import Target, one_line

HEAD_BYTES: Final = 256 * 1024
_MOST_ATTEMPTS: Final = 4


class ExchangeBudget:
    """The time and the bytes that one HTTP exchange may still use.

    Attributes:
        cut: the peer has closed the connection and we have read up to that point.
    """

    def __init__(self, deadline: float, monotonic: Callable[[], float]) -> None:
        self._deadline = deadline
        self._monotonic = monotonic
        self._bytes_left = HEAD_BYTES
        self.cut = False

    def seconds(self) -> float:
        """Return the time left in seconds, more than zero.

        Raises:
            FetchFailed: ``timeout``: no time is left.
        """
        left = self._deadline - self._monotonic()
        if left <= 0:
            raise FetchFailed("timeout", "the answer was not complete in time")
        return left

    def received(self, count: int) -> None:
        """Count bytes from the wire; zero means that the peer has closed the connection.

        Raises:
            FetchFailed: ``too_big``: more bytes than allowed.
        """
        self._bytes_left -= count
        if self._bytes_left < 0:
            raise FetchFailed("too_big", "the server sent more bytes than allowed")
        if count == 0:
            self.cut = True

    def allow(self, count: int) -> None:
        """Allow more bytes, for a body as it is read.

        The bytes that the head left unused pay for the framing of chunks, so chunks of one byte,
        which cost a hundred times their size in CPU, end soon.
        """
        self._bytes_left += count


class GuardedSocket(socket.socket):
    """A socket whose calls keep the budget. Without one it is a plain socket."""

    budget: ExchangeBudget | None = None

    def recv_into(self, buffer: Any, nbytes: int | None = None, flags: int = 0) -> int:
        """Receive into a buffer; 0 is the end. Raises FetchFailed: ``timeout`` or ``too_big``."""
        if self.budget is None:
            return super().recv_into(buffer, nbytes or len(buffer), flags)
        self.settimeout(self.budget.seconds())
        try:
            count = super().recv_into(buffer, nbytes or len(buffer), flags)
        except TimeoutError as error:
            raise _out_of_time() from error
        self.budget.received(count)
        return count

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send everything. Raises FetchFailed: ``timeout``."""
        if self.budget is not None:
            self.settimeout(self.budget.seconds())
        try:
            super().sendall(data, flags)
        except TimeoutError as error:
            raise _out_of_time() from error


class GuardedTLSSocket(GuardedSocket, ssl.SSLSocket):
    """The same over TLS. The handshake comes before the budget is set: see ``_secure``."""


class GuardedConnection(HTTPConnection):
    """A connection to one of the checked addresses of a target and to nothing else.

    Args:
        target: the server to connect to; the certificate must bear the name of its host.
        addresses: as ``AddressGuard`` allowed them; the first four are tried in order.
        context: for https, of ``GuardedTLSSocket``; None for http.
        budget: the time and bytes of this exchange.
        sessions: the TLS sessions to resume.
    """

    def __init__(
        self,
        target: Target,
        addresses: Sequence[IPAddress],
        context: ssl.SSLContext | None,
        budget: ExchangeBudget,
        sessions: Sessions,
    ) -> None:
        super().__init__(target.host, target.port)
        self._target = target
        self._addresses = addresses
        self._context = context
        self._budget = budget
        self._sessions = sessions
        self._secured: GuardedTLSSocket | None = None
        self._offered: KeptSession | None = None

    def connect(self) -> None:
        """Connect, and shake hands for https.

        urllib3's own TLS set-up is left out: it changes the shared context on every connection.

        Raises:
            FetchFailed: ``connect``, ``refused_address``, ``tls`` or ``timeout``.
        """
        sock = _dial(self._target, self._addresses, self._budget)
        if self._context is not None:
            sock = self._secured = self._secure(sock, self._context)
        sock.budget = self._budget
        self.sock = sock

    def keep_session(self) -> None:
        """Keep the TLS session, if there is one, once a head has been read."""
        if self._secured is not None:
            host, port = self._target.host, self._target.port
            self._sessions.keep(self._secured, host, port, self._offered)

    def _secure(self, sock: GuardedSocket, context: ssl.SSLContext) -> "GuardedTLSSocket":
        offered = self._sessions.take(context, self._target.host, self._target.port)
        self._offered = offered
        if offered is not None:
            try:
                return _secure(sock, context, self._target, self._budget, offered.session)
            except FetchFailed as failure:
                if not _is_choked(failure):
                    raise
                sock = _dial(self._target, self._addresses, self._budget)
        return _secure(sock, context, self._target, self._budget, None)


def _dial(target: Target, addresses: Sequence[IPAddress], budget: ExchangeBudget) -> GuardedSocket:
    failure: OSError | None = None
    tried = addresses[:_MOST_ATTEMPTS]
    for index, address in enumerate(tried, start=1):
        # Half of the time left, so that a dead first address leaves some for the next.
        share = budget.seconds() / (1 if index == len(tried) else 2)
        try:
            return _open(address, target, share)
        except OSError as error:
            failure = error
    host = one_line(target.authority)
    if isinstance(failure, TimeoutError):
        raise FetchFailed("timeout", f"{host} did not accept a connection in time") from failure
    raise FetchFailed("connect", f"cannot connect to {host}: {one_line(failure)}") from failure


def _open(address: IPAddress, target: Target, timeout_seconds: float) -> GuardedSocket:
    family = socket.AF_INET6 if isinstance(address, IPv6Address) else socket.AF_INET
    sock = GuardedSocket(family, socket.SOCK_STREAM)
    try:
        sock.settimeout(timeout_seconds)
        sock.connect((str(address), target.port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _check_peer(sock, address)
    except BaseException:
        sock.close()
        raise
    return sock


def _check_peer(sock: GuardedSocket, address: IPAddress) -> None:
    peer = ip_address(sock.getpeername()[0])
    if peer != address:
        raise FetchFailed("refused_address", f"connected to {peer} instead of {address}")


def _secure(
    sock: GuardedSocket,
    context: ssl.SSLContext,
    target: Target,
    budget: ExchangeBudget,
    session: ssl.SSLSession | None,
) -> GuardedTLSSocket:
    # OpenSSL applies the time-out to the whole handshake, unlike to reads.
    sock.settimeout(budget.seconds())
    host = one_line(target.host)
    try:
        wrapped = context.wrap_socket(
            sock,
            server_hostname=target.host,
            # A close without TLS's own goodbye may be an attacker's cut (RFC 9112, 9.8).
            suppress_ragged_eofs=False,
            session=session,
        )
    except TimeoutError as error:
        sock.close()
        raise FetchFailed("timeout", f"the TLS handshake with {host} took too long") from error
    except (OSError, ValueError) as error:
        sock.close()
        raise FetchFailed("tls", f"no safe connection to {host}: {one_line(error)}") from error
    assert isinstance(wrapped, GuardedTLSSocket)  # noqa: S101 - the type of sslsocket_class
    return wrapped


def _is_choked(failure: FetchFailed) -> bool:
    """Return whether the offered session may have made a handshake fail.

    A refused certificate is not the session's fault.
    """
    is_judged = isinstance(failure.__cause__, ssl.SSLCertVerificationError)
    return failure.reason == "tls" and not is_judged


def _out_of_time() -> FetchFailed:
    return FetchFailed("timeout", "the answer was not complete in time")
