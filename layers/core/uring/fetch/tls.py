"""The demands on a server's certificate, the TLS contexts made of them, and sessions to resume.

    Tls ─► Contexts.get ─► context ─► Sessions.take ─► handshake ─► head read ─► Sessions.keep

A context is one value's, a session one context's.
"""

import ssl
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from uring.errors import FetchFailed

_MOST_SESSIONS: Final = 512
# A resumed handshake shows no certificate: this is how late one that has expired may be noticed.
_RESUMED_SECONDS: Final = 6 * 3600.0
# What lasts no longer than from one tick to the next would be over when it is offered.
_SHORTEST_SECONDS: Final = 660.0
_BARREN_SECONDS: Final = 3600.0

_Key: TypeAlias = tuple[ssl.SSLContext, str, int]


@dataclass(frozen=True, slots=True)
class Tls:
    """The demands on a server; by default all that a browser has.

    Attributes:
        extra_ca: certificates in PEM, trusted beside the system's.
        verify: False takes any certificate.
        legacy: takes TLS 1.0, and the ciphers and key sizes of old servers.
    """

    extra_ca: str | None = None
    verify: bool = True
    legacy: bool = False


STRICT: Final = Tls()


class Contexts:
    """The contexts of a process, one for each value: building one costs some 25 ms.

    Args:
        socket_class: of the sockets that the contexts wrap.
    """

    def __init__(self, socket_class: type[ssl.SSLSocket]) -> None:
        # An entry that names a value of its own is rare; hostile ones cannot name any.
        self._built = lru_cache(maxsize=64)(build)
        self._lock = threading.Lock()
        self._socket_class = socket_class

    def get(self, tls: Tls) -> ssl.SSLContext:
        """Return the context for this value.

        Raises:
            FetchFailed: ``bad_request``: ``extra_ca`` is no certificate.
        """
        with self._lock:
            context = self._built(tls)
            context.sslsocket_class = self._socket_class
            return context


def build(tls: Tls) -> ssl.SSLContext:
    """Build a context that demands exactly this.

    Raises:
        FetchFailed: ``bad_request``: ``extra_ca`` is no certificate.
    """
    context = tls_context()
    if tls.extra_ca is not None:
        try:
            context.load_verify_locations(cadata=tls.extra_ca)
        except (ssl.SSLError, ValueError) as error:
            raise FetchFailed(
                "bad_request", f"extra_ca is no certificate in PEM: {error}"
            ) from error
        # The certificate that is named may be an intermediate alone.
        context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    if not tls.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if tls.legacy:
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.options |= getattr(ssl, "OP_LEGACY_SERVER_CONNECT", 0x4)
    return context


def tls_context() -> ssl.SSLContext:
    """Build the context that all connections of a process share: it costs some 25 ms.

    It trusts the system's certificate store, not a bundle in the package: the store is renewed
    with the system, and ``SSL_CERT_FILE`` adds the root of a campus without a code change.

    Chains are judged as browsers judge them, by every Python alike: 3.13 refuses by itself those
    whose authorities lack a key usage or a key identifier (RFC 5280), as old ones do.
    """
    context = ssl.create_default_context()
    context.verify_flags &= ~(
        ssl.VerifyFlags.VERIFY_X509_STRICT | ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    )
    context.set_alpn_protocols(["http/1.1"])
    return context


@dataclass(frozen=True, slots=True)
class KeptSession:
    """A session to offer.

    Attributes:
        session: None: the server gives none that lasts, so it is not asked for one.
        until: when this is forgotten, by the fetcher's clock.
    """

    session: ssl.SSLSession | None
    until: float


class Sessions:
    """TLS sessions of a process: a page that resumes one takes two thirds of the CPU.

    A session is offered to the host and port that gave it, under the very context that it began
    with, so under the same demands. It is taken out to be offered and kept again once a head has
    come by it: what a server chokes on is offered once. One that was resumed is kept as it was, for
    to read another from a socket takes a fifth of a handshake; so it grows no younger.

    Args:
        monotonic: seconds of a clock that never goes back.
        most: how many are kept; the one that was not used for longest goes.
    """

    def __init__(self, monotonic: Callable[[], float], *, most: int = _MOST_SESSIONS) -> None:
        self._monotonic = monotonic
        self._most = most
        self._kept: OrderedDict[_Key, KeptSession] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, context: ssl.SSLContext, host: str, port: int) -> KeptSession | None:
        """Return the session to offer, and forget it; None where there is none."""
        with self._lock:
            kept = self._known((context, host, port))
            if kept is None or kept.session is None:
                return None
            del self._kept[context, host, port]
            return kept

    def keep(self, sock: ssl.SSLSocket, host: str, port: int, offered: KeptSession | None) -> None:
        """Keep the session of a connection on which a head has come.

        Args:
            sock: of the connection; since TLS 1.3 its session comes after the handshake.
            host: that was asked for.
            port: likewise.
            offered: the session that was offered to it, resumed or not.
        """
        key = (sock.context, host, port)
        with self._lock:
            if offered is not None and sock.session_reused:
                kept = offered
            elif self._known(key) is not None:
                return
            else:
                kept = self._begun(None if offered else sock.session)
            self._kept[key] = kept
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def _known(self, key: _Key) -> KeptSession | None:
        kept = self._kept.get(key)
        if kept is not None and self._monotonic() > kept.until:
            del self._kept[key]
            return None
        return kept

    def _begun(self, session: ssl.SSLSession | None) -> KeptSession:
        """Return what is kept after a whole handshake: by a server that refused one, nothing."""
        now = self._monotonic()
        if session is None or not (session.has_ticket or session.id):
            return KeptSession(None, now + _BARREN_SECONDS)
        lasts = min(session.ticket_lifetime_hint or _RESUMED_SECONDS, _RESUMED_SECONDS)
        if lasts < _SHORTEST_SECONDS:
            return KeptSession(None, now + _BARREN_SECONDS)
        return KeptSession(session, now + lasts)
