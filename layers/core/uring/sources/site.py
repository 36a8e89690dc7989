"""From an entry to its HTTP request, and from the answer to text."""

import json
from typing import Final

from uring.fetch.decode import Decoded, decode_html
from uring.fetch.request import Request, Validators
from uring.fetch.tls import Tls
from uring.sources.entry import Entry

MAX_BYTES: Final = 2_000_000
"""The largest page in bytes: its tree takes up to eighty times that, known boards have 450 KB."""


def request_for(entry: Entry, validators: Validators | None = None) -> Request:
    """Return the entry's request; with the validators of an earlier page it is conditional."""
    validators = validators or Validators()
    tls = entry.request.tls
    body = entry.request.body
    return Request(
        url=entry.url,
        method=entry.request.method,
        form=entry.request.form or None,
        headers=entry.request.headers,
        max_bytes=MAX_BYTES,
        timeout_seconds=entry.request.timeout_seconds,
        etag=validators.etag,
        last_modified=validators.last_modified,
        form_encoding=_pinned(entry) or "utf-8",
        tls=Tls(tls.extra_ca, tls.verify, tls.legacy),
        unpack=True,
        json=None if body is None else json.dumps(body),
    )


def decoded_page(entry: Entry, body: bytes, content_type: str | None, known: str = "") -> Decoded:
    """Return the page's text and the codec that read it.

    Args:
        entry: the config entry.
        body: the page.
        content_type: the Content-Type header, if any.
        known: the codec of the last good read; empty for none.

    Raises:
        SuspectPage: the text is unreadable in every likely encoding.
    """
    return decode_html(body, content_type, _pinned(entry), known)


def charset_of(decoded: Decoded) -> str:
    """Return the codec to try first at the next read; empty for UTF-8, which shows itself."""
    return "" if decoded.encoding == "utf-8" else decoded.encoding


def text_of(entry: Entry, body: bytes, content_type: str | None) -> str:
    """Return the page's text.

    Raises:
        SuspectPage: the text is unreadable in every likely encoding.
    """
    return decoded_page(entry, body, content_type).text


def _pinned(entry: Entry) -> str | None:
    return None if entry.encoding == "auto" else entry.encoding
