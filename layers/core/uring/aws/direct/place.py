"""A service's address and signer: asked of botocore, which sends nothing for it."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import Any, Final
from urllib.parse import urlsplit

from botocore.httpsession import get_cert_path
from botocore.session import Session
from botocore.utils import get_environ_proxies
from urllib3.util.ssl_ import create_urllib3_context

_OURS: Final = frozenset({"v4", "s3v4"})
# The scheme that an endpoint asks for; none of DynamoDB's does.
_SCHEMES: Final = frozenset({None, "v4"})
# Where botocore looks for certificates behind its own settings.
_BUNDLES: Final = {"others_bundle": (None, ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"], None, None)}


@dataclass(frozen=True, slots=True)
class Place:
    """A request's way as botocore would have it.

    Attributes:
        origin: scheme, host and port.
        path: of the request, encoded, with a leading slash.
        signer: botocore's `RequestSigner`; it has the credentials, and renews them.
        version: of the signature.
        name: of the service, in the signature.
        region: in the signature.
    """

    origin: str
    path: str
    signer: Any
    version: str
    name: str
    region: str

    def credentials(self) -> Any:
        """Return the credentials of this moment; botocore renews those that end."""
        auth = self.signer.get_auth_instance(self.name, self.region, self.version)
        return auth.credentials


class _Answered:
    """A stand-in that botocore takes for an answer, so that it sends nothing."""

    status_code: Final = 200


def resolve(client: Any, operation: str, method: str, params: Mapping[str, Any]) -> Place | None:
    """Return where a call would go; None where only boto3 reaches.

    Args:
        client: boto3's.
        operation: ``GetObject``.
        method: of the client, ``get_object``.
        params: of the call. Whoever watches `provide-client-params` is told of it here already.
    """
    asker = threading.get_ident()
    seen: list[Place | None] = []
    is_asked = True

    def take(
        params: Mapping[str, Any], request_signer: Any, context: Mapping[str, Any], **_: Any
    ) -> tuple[_Answered, dict[str, Any]] | None:
        if threading.get_ident() != asker or not is_asked:
            # Another call through boto3: it goes its way.
            return None
        seen.append(_place(client, params["url"], request_signer, context))
        return _Answered(), {}

    service = client.meta.service_model.service_id.hyphenize()
    event = f"before-call.{service}.{operation}"
    client.meta.events.register_first(event, take)
    try:
        getattr(client, method)(**params)
    finally:
        is_asked = False
        client.meta.events.unregister(event, take)
    return seen[0] if seen else None


def _place(client: Any, url: str, signer: Any, context: Mapping[str, Any]) -> Place | None:
    config = client.meta.config
    is_plain = signer.signature_version in _OURS and context.get("auth_type") in _SCHEMES
    if not is_plain or config.client_cert or config.proxies or get_environ_proxies(url):
        return None
    signing = context.get("signing", {})
    parts = urlsplit(url)
    return Place(
        f"{parts.scheme}://{parts.netloc}",
        parts.path or "/",
        signer,
        signer.signature_version,
        signing.get("signing_name") or signer.signing_name,
        signing.get("region") or signer.region_name,
    )


def trust() -> SSLContext:
    """Return the context of all connections, with the certificates that botocore would trust.

    botocore reads them anew for every connection, which takes longer than its handshake.
    """
    settings = Session(session_vars=_BUNDLES)
    bundles = map(settings.get_config_variable, ("ca_bundle", *_BUNDLES))
    return _trusting(get_cert_path(next(filter(None, bundles), True)))


@cache
def _trusting(path: str) -> SSLContext:
    context = create_urllib3_context()
    context.load_verify_locations(path)
    return context
