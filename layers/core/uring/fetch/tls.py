"""The demands on a server's certificate, and the TLS contexts made of them."""

import ssl
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from uring.errors import FetchFailed
from uring.fetch.wire import tls_context


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
    """The contexts of a process, one for each value: building one costs some 25 ms."""

    def __init__(self) -> None:
        # An entry that names a value of its own is rare; hostile ones cannot name any.
        self._built = lru_cache(maxsize=64)(build)
        self._lock = threading.Lock()

    def get(self, tls: Tls) -> ssl.SSLContext:
        """Return the context for this value.

        Raises:
            FetchFailed: ``bad_request``: ``extra_ca`` is no certificate.
        """
        with self._lock:
            return self._built(tls)


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
