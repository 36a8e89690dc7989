"""The rules for an entry's requests: method, headers, certificate, further pages."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    model_validator,
)

from uring.errors import FetchFailed
from uring.fetch.request import RESERVED
from uring.fetch.tls import Tls, build
from uring.reading.rules import Literals, Rule, refusal

_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}\Z")
# The content type is always that of a form.
_OURS: Final = RESERVED | {"content-type"}


@lru_cache(maxsize=256)
def _check_certificate(text: str) -> None:
    try:
        build(Tls(extra_ca=text))
    except FetchFailed:
        raise refusal(
            "extra_ca is not a certificate",
            "paste it in PEM, from -----BEGIN CERTIFICATE----- on, line ends as \\n",
        ) from None


def _check_header_name(name: str) -> str:
    if not _HEADER_NAME.match(name):
        raise refusal(f"{name!r} is not a header name", "use letters, digits and -")
    if name.lower() in _OURS:
        raise refusal(f"the header {name} is set by the fetcher", "remove it")
    return name


def _check_header_value(value: str) -> str:
    if not value.isascii() or not value.isprintable():
        raise refusal("has a control character or a non-ASCII letter", "use plain ASCII")
    return value


HeaderName = Annotated[str, AfterValidator(_check_header_name)]
HeaderValue = Annotated[
    str, StringConstraints(max_length=1000), AfterValidator(_check_header_value)
]
FormText = Annotated[str, StringConstraints(max_length=1000)]


class TlsRule(Rule):
    """The demands on the site's certificate; by default those of a browser.

    Attributes:
        extra_ca: certificates in PEM, trusted for this site beside the usual ones, for a server
            that does not send its intermediate.
        verify: False accepts any certificate: a man in the middle can then change the page.
        legacy: True also accepts the ciphers and key sizes of old servers.
    """

    extra_ca: Annotated[str, StringConstraints(min_length=1, max_length=10_000)] | None = None
    verify: StrictBool = True
    legacy: StrictBool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.extra_ca is not None and not self.verify:
            raise refusal("extra_ca has no effect without verification", "remove verify")
        if self.extra_ca is not None:
            _check_certificate(self.extra_ca)
        return self


class RequestRule(Rule):
    """The request for the list page.

    Attributes:
        method: GET or POST.
        form: the fields of a POST.
        headers: beside the fetcher's own.
        timeout_seconds: for the whole answer.
        honour_robots: False for a site whose operator has agreed to our requests.
        tls: the demands on the site's certificate.
    """

    method: Literal["GET", "POST"] = "GET"
    form: Annotated[Mapping[FormText, FormText], Field(max_length=50)] = {}
    headers: Annotated[Mapping[HeaderName, HeaderValue], Field(max_length=20)] = {}
    timeout_seconds: Annotated[float, Field(ge=1, le=25, strict=True)] = 20
    honour_robots: StrictBool = True
    tls: TlsRule = TlsRule()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.form and self.method != "POST":
            raise refusal("a form is sent with POST", 'add "method": "POST", or remove form')
        return self


class Paging(Rule):
    """The requests for further pages of the list (N21).

    Attributes:
        parameter: of the address's query, or of the form of a POST.
        first: its value on page 1.
        step: its increment: 1 for page numbers, the page's length for offsets.
        most: the most pages read in one check, the first included.
    """

    parameter: Literals
    first: Annotated[StrictInt, Field(ge=0, le=1_000)] = 1
    step: Annotated[StrictInt, Field(ge=1, le=1_000)] = 1
    most: Annotated[StrictInt, Field(ge=2, le=20)] = 5
