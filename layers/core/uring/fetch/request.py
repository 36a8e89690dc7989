"""A request: its fields, their check, and its form on the wire."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict

from uring.errors import FetchFailed
from uring.fetch.decode import codec_for
from uring.fetch.tls import STRICT, Tls
from uring.fetch.url import one_line

Method = Literal["GET", "POST"]
LARGE_BYTES: Final = 1024 * 1024
"""The size from which on a body may need room in memory, see `Request.grows`."""

_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_CODING: Final = re.compile(r"(?:--?|;|:)(?:gzip|br|deflate)\Z", re.IGNORECASE)
LONGEST_VALIDATOR: Final = 512
"""In characters; longer ones are not kept."""
# Set by this package alone: they decide framing, routing and the form of the response.
RESERVED: Final = frozenset(
    (
        "host",
        "connection",
        "keep-alive",
        "upgrade",
        "proxy-connection",
        "proxy-authorization",
        "content-length",
        "transfer-encoding",
        "te",
        "trailer",
        "expect",
        "accept-encoding",
        "range",
        "if-match",
        "if-none-match",
        "if-modified-since",
        "if-unmodified-since",
        "if-range",
    )
)
# The headers that may follow a redirect to another origin. Other headers (Authorization, Cookie, a
# key under a name of its own) were meant for the first origin. A form goes along with 307 and 308,
# as it does from browsers: a form is not a place for secrets.
_HARMLESS: Final = frozenset(("accept", "accept-language", "user-agent", "x-requested-with"))


class Validators(BaseModel):
    """The server's validators of a page, for a conditional GET (N22); they may be stored.

    Attributes:
        etag: as received, with its quotes; None without one.
        last_modified: as received; None without one.
    """

    # Unknown keys come from another release and are kept.
    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    etag: str | None = None
    last_modified: str | None = None

    def __bool__(self) -> bool:
        """Return True if a request with these is conditional."""
        return bool(self.etag or self.last_modified)

    def are_of(self, confirmed: "Validators") -> bool:
        """Return True if a 304 with the validators ``confirmed`` is about the page of these.

        A 304 repeats the validator of its page. ETags are compared weakly; some servers add the
        name of the content coding to one of two.
        """
        if self.etag and confirmed.etag:
            return _opaque(self.etag) == _opaque(confirmed.etag)
        if self.last_modified and confirmed.last_modified:
            return self.last_modified == confirmed.last_modified
        return True

    def sendable(self) -> "Validators":
        """Return the short validators without control characters: they may be sent."""
        etag, last_modified = (
            text if text and len(text) <= LONGEST_VALIDATOR and _VALUE.fullmatch(text) else None
            for text in (self.etag, self.last_modified)
        )
        return Validators(etag=etag, last_modified=last_modified)


def _opaque(etag: str) -> str:
    """Return the part of an ETag that names the page (RFC 9110, section 8.8.3.2)."""
    return _CODING.sub("", etag.removeprefix("W/").strip('"'))


@dataclass(frozen=True, slots=True)
class Request:
    """One page to fetch.

    Attributes:
        url: http or https; see ``uring.fetch.url``.
        form: fields of a POST, sent as ``application/x-www-form-urlencoded``.
        json: the JSON text of a POST, sent as ``application/json`` in place of a form.
        headers: added to the default ones or in their place. ``RESERVED`` ones are refused.
        timeout_seconds: for the whole chain of redirects, with DNS, TLS, headers and body.
        max_bytes: of the body, on the wire and inflated.
        etag: the validator of an earlier ``Response`` to this same request.
        last_modified: the other validator of that ``Response``.
        form_encoding: charset label of the form's fields: EUC-KR boards want theirs in EUC-KR.
        tls: the demands on the certificate of the URL's own host. Any other host in a chain of
            redirects needs a flawless certificate.
        most_redirects: the most redirects to follow; 0 where the URL holds a secret.
        cut_body: take the first ``max_bytes`` of a larger body instead of failing with
            ``too_big``, for evidence whose beginning is worth having.
        unpack: inflate a body that is gzip although no header says so. False where a file may
            rightly be gzip.
        any_success: take the page of any 2xx, except 204 and 205, which have none, and a 206 of a
            part.
        may_follow: called with the URL of each redirect before it is asked; raises FetchFailed to
            refuse it. Its time counts.
        grows: called with the size so far of a body of more than `LARGE_BYTES`, at each piece;
            raises FetchFailed to refuse the rest.
    """

    url: str
    method: Method = "GET"
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_seconds: float = 20.0
    max_bytes: int = 8_000_000
    etag: str | None = None
    last_modified: str | None = None
    form_encoding: str = "utf-8"
    tls: Tls = STRICT
    most_redirects: int = 5
    cut_body: bool = False
    json: str | None = None
    unpack: bool = False
    any_success: bool = False
    may_follow: Callable[[str], None] | None = field(default=None, repr=False, compare=False)
    grows: Callable[[int], None] | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as it goes out on one hop: method, headers without Host, and body."""

    method: Method
    headers: Mapping[str, str]
    body: bytes | None

    def redirected(self, status: int, *, same_origin: bool) -> "Outgoing":
        """Return the request that follows a redirect (RFC 9110, section 15.4).

        A POST becomes a GET after 301, 302 and 303 and stays one after 307 and 308. Validators
        are dropped, because they describe the first URL; so are other headers that another
        origin must not see.
        """
        keep_body = status in (307, 308)
        dropped = {"if-none-match", "if-modified-since"}
        if not keep_body:
            dropped.add("content-type")
        headers = {
            name: value
            for name, value in self.headers.items()
            if name.lower() not in dropped
            and (same_origin or name.lower() in _HARMLESS | {"content-type"})
        }
        if keep_body:
            return Outgoing(self.method, headers, self.body)
        return Outgoing("GET", headers, None)

    def with_header(self, name: str, value: str) -> "Outgoing":
        """Return a copy with this header added, or with its value replaced."""
        return Outgoing(self.method, {**self.headers, name: value}, self.body)


def outgoing(request: Request, user_agent: str) -> Outgoing:
    """Check a request and prepare its first hop.

    Raises:
        FetchFailed: ``bad_request``, with the field and the remedy.
    """
    if request.method not in ("GET", "POST"):
        raise _bad(f"method {one_line(request.method)} is neither GET nor POST")
    headers = {"User-Agent": user_agent, "Accept": "*/*"}
    body = _body(request)
    if body is not None:
        kind = "x-www-form-urlencoded" if request.json is None else "json"
        headers["Content-Type"] = f"application/{kind}"
    else:
        if request.etag:
            headers["If-None-Match"] = request.etag
        if request.last_modified:
            headers["If-Modified-Since"] = request.last_modified
    own = {name.lower(): name for name in headers}
    for name, value in request.headers.items():
        if name.lower() in RESERVED:
            raise _bad(f"header {one_line(name)} cannot be set: remove it")
        headers.pop(own.get(name.lower(), ""), None)
        headers[name] = value
    for name, value in headers.items():
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            # The value may be a secret, so only the name is shown.
            raise _bad(f"header {one_line(name)} has a forbidden character")
    return Outgoing(request.method, headers, body)


def _body(request: Request) -> bytes | None:
    """Return the body of a POST; None for a GET."""
    for what, content in (("a form", request.form), ("a JSON body", request.json)):
        if content is not None and request.method != "POST":
            raise _bad(f'{what} needs "method": "POST"')
    if request.json is None:
        is_form = request.method == "POST"
        return form_body(request.form or {}, request.form_encoding) if is_form else None
    if request.form is not None:
        raise _bad("a request has a form or a JSON body, not both")
    return request.json.encode("utf-8", "replace")


def form_body(fields: Mapping[str, str], encoding: str) -> bytes:
    """Return the fields as ``application/x-www-form-urlencoded``.

    Raises:
        FetchFailed: ``bad_request``: the encoding is unknown, or cannot write a letter of the form.
    """
    codec = codec_for(encoding)
    if codec is None:
        raise _bad(f"form encoding {one_line(encoding)} is not a known charset")
    try:
        return urlencode(fields, encoding=codec, errors="strict").encode("ascii")
    except UnicodeEncodeError as error:
        raise _bad(
            f"the form has {one_line(error.object[error.start])!r}, which {codec} cannot write"
        ) from error


def _bad(problem: str) -> FetchFailed:
    return FetchFailed("bad_request", problem)


def user_agent(contact: str) -> str:
    """Return the User-Agent; an empty contact is left out.

    With a contact, a site's operator can reach us.
    """
    return f"uRing/1 (+{contact})" if contact else "uRing/1"
