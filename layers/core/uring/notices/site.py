"""From an entry to its HTTP request, and from the answer to text."""

from typing import Final

from uring.fetch import Request, decode_html
from uring.fetch.tls import Tls
from uring.notices.config import Source
from uring.notices.state import Validators

MAX_BYTES: Final = 2_000_000
"""Of a page: a tree takes up to eighty times its bytes, and known boards have 450 KB at most."""


def request_for(source: Source, validators: Validators | None = None) -> Request:
    """Return the entry's request; conditional with validators of a page read before."""
    validators = validators or Validators()
    tls = source.request.tls
    return Request(
        url=source.url,
        method=source.request.method,
        form=source.request.form or None,
        headers=source.request.headers,
        max_bytes=MAX_BYTES,
        timeout_seconds=source.request.timeout_seconds,
        etag=validators.etag,
        last_modified=validators.last_modified,
        form_encoding=_pinned(source) or "utf-8",
        tls=Tls(tls.extra_ca, tls.verify, tls.legacy),
    )


def text_of(source: Source, body: bytes, content_type: str | None) -> str:
    """Return the page's text.

    Raises:
        SuspectPage: it cannot be read in any likely encoding.
    """
    return decode_html(body, content_type, _pinned(source)).text


def _pinned(source: Source) -> str | None:
    return None if source.encoding == "auto" else source.encoding
