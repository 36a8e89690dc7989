"""The demands on a server's certificate, the TLS contexts made of them, and sessions to resume.

    Tls ─► Contexts.get ─► context ─► Sessions.take ─► handshake ─► head read ─► Sessions.keep

Each Tls has one context; each session belongs to one context.
"""

import re
import ssl
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from uring.errors import FetchFailed

_MOST_SESSIONS: Final = 512
# A resumed handshake shows no certificate: an expired one may be noticed this late.
_RESUMED_SECONDS: Final = 6 * 3600.0
# A session that lasts no longer than a tick would have expired when it is offered.
_SHORTEST_SECONDS: Final = 660.0
_BARREN_SECONDS: Final = 3600.0

_Key: TypeAlias = tuple[ssl.SSLContext, str, int]


@dataclass(frozen=True, slots=True)
class Tls:
    """The demands on a server; by default those of a browser.

    Attributes:
        extra_ca: certificates in PEM, trusted beside the system's.
        verify: False accepts any certificate.
        legacy: accepts TLS 1.0, and the ciphers and key sizes of old servers.
    """

    extra_ca: str | None = None
    verify: bool = True
    legacy: bool = False


STRICT: Final = Tls()

_EXTRA_CA: Final = (
    "the site does not send its intermediate certificate, or its authority is unknown: put that "
    "certificate into request.tls.extra_ca"
)
_ITS_OWN: Final = "to trust that certificate put it into request.tls.extra_ca"
_OUT_OF_DATE: Final = (
    "tell the site's operator; until the certificate is renewed, request.tls.verify false accepts "
    "any certificate"
)
_OTHER_NAME: Final = "write the name that the certificate bears in url"
_LEGACY: Final = "an old server may need request.tls.legacy true"
# https://docs.openssl.org/master/man3/X509_STORE_CTX_get_error: codes of verification.
_REMEDIES: Final = {
    **dict.fromkeys((2, 20, 21, 27), _EXTRA_CA),
    **dict.fromkeys((18, 19), _ITS_OWN),
    **dict.fromkeys((9, 10), _OUT_OF_DATE),
    **dict.fromkeys((62, 64), _OTHER_NAME),
    **dict.fromkeys((66, 67, 68), _LEGACY),
}
_OLD_SERVER: Final = re.compile(
    "PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|UNKNOWN_PROTOCOL|NO_PROTOCOLS|VERSION_TOO_LOW|"
    "WRONG_SSL_VERSION|HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY|TOO_SMALL|TOO_WEAK|LEGACY|"
    "NO_SHARED_CIPHER|WRONG_SIGNATURE_TYPE|WRONG_CIPHER"
)
_PLAIN_HTTP: Final = frozenset(("WRONG_VERSION_NUMBER", "HTTP_REQUEST"))


def remedy(error: BaseException | None, tls: Tls, *, is_own: bool) -> str:
    """Return the key of an entry that lets a failed handshake succeed, as a clause for people.

    Empty for an error with no likely remedy.

    Args:
        error: that failed the handshake.
        tls: the demands that were made.
        is_own: False for a host that the entry's own host redirected to: no key holds for it.
    """
    clause = _remedy(error, tls)
    if not clause or is_own:
        return clause
    return f"{clause}; keys of request.tls hold for the host of url alone: name this address there"


def _remedy(error: BaseException | None, tls: Tls) -> str:
    clause, reason = "", getattr(error, "reason", None) or ""
    if isinstance(error, ssl.SSLCertVerificationError):
        clause = _REMEDIES.get(error.verify_code, "")
    elif reason in _PLAIN_HTTP:
        clause = "the server speaks plain HTTP there: write http:// in url"
    elif isinstance(error, ConnectionResetError | ssl.SSLEOFError) or _OLD_SERVER.search(reason):
        clause = _LEGACY
    return "" if clause == _LEGACY and tls.legacy else clause


class Contexts:
    """The contexts of a process, one for each Tls: building one costs some 25 ms.

    Args:
        socket_class: the class of the sockets that the contexts make.
    """

    def __init__(self, socket_class: type[ssl.SSLSocket]) -> None:
        # Entries with demands of their own are rare; a hostile site cannot make any.
        self._built = lru_cache(maxsize=64)(build)
        self._lock = threading.Lock()
        self._socket_class = socket_class

    def get(self, tls: Tls) -> ssl.SSLContext:
        """Return the context for these demands.

        Raises:
            FetchFailed: ``bad_request``: ``extra_ca`` is not a certificate.
        """
        with self._lock:
            context = self._built(tls)
            context.sslsocket_class = self._socket_class
            return context


def build(tls: Tls) -> ssl.SSLContext:
    """Build a context with exactly these demands.

    Raises:
        FetchFailed: ``bad_request``: ``extra_ca`` is not a certificate.
    """
    context = tls_context()
    if tls.extra_ca is not None:
        try:
            context.load_verify_locations(cadata=tls.extra_ca)
        except (ssl.SSLError, ValueError) as error:
            raise FetchFailed(
                "bad_request", f"extra_ca is not a certificate in PEM: {error}"
            ) from error
        # The named certificate may be an intermediate alone.
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
    """Build a context with a browser's demands: it costs some 25 ms, so a process shares one.

    It trusts the system's certificate store, not a bundle in the package: the store is renewed
    with the system, and ``SSL_CERT_FILE`` adds the root of a campus without a code change.

    Chains are judged as browsers judge them, under every Python alike: 3.13's default refuses
    authorities without a key usage or a key identifier (RFC 5280), as old ones are.
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
        session: None where the server gives no lasting session: its next ones are not read.
        until: the time at which this is forgotten, by the fetcher's clock.
    """

    session: ssl.SSLSession | None
    until: float


class Sessions:
    """TLS sessions of a process: a page that resumes one takes two thirds of the CPU.

    A session is offered to the host and port that gave it, under the context that it began with, so
    under the same demands. It is taken out to be offered and kept again once a response's head has
    come: a session that a server chokes on is offered once. A resumed session is kept as it was,
    with its old expiry, because reading a new one from a socket takes a fifth of a handshake.

    Args:
        monotonic: seconds of a clock that never goes back.
        most: the most sessions to keep; the least recently used goes first.
    """

    def __init__(self, monotonic: Callable[[], float], *, most: int = _MOST_SESSIONS) -> None:
        self._monotonic = monotonic
        self._most = most
        self._kept: OrderedDict[_Key, KeptSession] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, context: ssl.SSLContext, host: str, port: int) -> KeptSession | None:
        """Return the session to offer, and forget it; None if there is no session or it expired."""
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
            host: the requested host.
            port: the requested port.
            offered: the session offered in its handshake, resumed or not; None if none was.
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
        """Return the entry to keep after a full handshake.

        It holds no session where the server refused an offered one (``session`` is None), gave
        none, or gave one with too short a life.
        """
        now = self._monotonic()
        if session is None or not (session.has_ticket or session.id):
            return KeptSession(None, now + _BARREN_SECONDS)
        lasts = min(session.ticket_lifetime_hint or _RESUMED_SECONDS, _RESUMED_SECONDS)
        if lasts < _SHORTEST_SECONDS:
            return KeptSession(None, now + _BARREN_SECONDS)
        return KeptSession(session, now + lasts)
