"""The rules for an entry's requests: method, headers, certificate, further pages."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Self

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

_LONGEST_BODY: Final = 10_000
_DEEPEST_BODY: Final = 20
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}\Z")
# The content type is that of the form or of the JSON body.
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


def _check_body(body: Any) -> Any:
    if not isinstance(body, dict | list | None):
        raise refusal(
            "is not an object or a list", "write the JSON itself, without quotes around it"
        )
    try:
        text = json.dumps(body, allow_nan=False)
    except (ValueError, RecursionError):
        raise refusal("is not valid JSON", "leave NaN, Infinity and deep nesting out") from None
    if len(text) > _LONGEST_BODY or _levels(text) > _DEEPEST_BODY:
        raise refusal(
            f"has more than {_LONGEST_BODY} characters or {_DEEPEST_BODY} levels",
            "leave out the parts that the list does not need",
        )
    return body


def _levels(text: str) -> int:
    """Return the depth of a valid JSON text."""
    level = deepest = 0
    for sign in re.sub(r'"(?:[^"\\]|\\.)*+"', "", text):
        level += (sign in "[{") - (sign in "]}")
        deepest = max(deepest, level)
    return deepest


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
        body: the JSON of a POST, an object or a list, in place of a form; its content type is
            ``application/json``.
        headers: beside the fetcher's own.
        timeout_seconds: for the whole answer.
        honour_robots: False for a site whose operator has agreed to our requests.
        tls: the demands on the site's certificate.
    """

    method: Literal["GET", "POST"] = "GET"
    form: Annotated[Mapping[FormText, FormText], Field(max_length=50)] = {}
    body: Annotated[Any, AfterValidator(_check_body)] = None
    headers: Annotated[Mapping[HeaderName, HeaderValue], Field(max_length=20)] = {}
    timeout_seconds: Annotated[float, Field(ge=1, le=25, strict=True)] = 20
    honour_robots: StrictBool = True
    tls: TlsRule = TlsRule()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.form and self.method != "POST":
            raise refusal("a form is sent with POST", 'add "method": "POST", or remove form')
        if self.body is not None and self.method != "POST":
            raise refusal("a body is sent with POST", 'add "method": "POST", or remove body')
        if self.body is not None and self.form:
            raise refusal("has a form and a body", "keep form, or body for JSON")
        return self


class Paging(Rule):
    """The requests for further pages of the list (N21).

    Attributes:
        parameter: of the address's query, or of the form of a POST. In a JSON body it is a path of
            keys, such as ``variables.page``.
        first: its value on page 1.
        step: its increment: 1 for page numbers, the page's length for offsets.
        most: the most pages read in one check, the first included.
    """

    parameter: Literals
    first: Annotated[StrictInt, Field(ge=0, le=1_000)] = 1
    step: Annotated[StrictInt, Field(ge=1, le=1_000)] = 1
    most: Annotated[StrictInt, Field(ge=2, le=20)] = 5

    def value(self, page: int) -> int:
        """Return the parameter's value on a page, counted from 1."""
        return self.first + (page - 1) * self.step

    def body_of(self, body: Any, page: int) -> Any:
        """Return a copy of a JSON body that asks for this page.

        The value is a text where the body has a text, else a number. A missing last key is added.

        Raises:
            LookupError: an object or a list on the path is missing.
        """
        names = self.parameter.split(".")
        if isinstance(body, dict) and self.parameter in body:
            names = [self.parameter]
        return _replaced(body, names, self.value(page))


def _replaced(body: Any, names: list[str], value: int) -> Any:
    if not names:
        return str(value) if isinstance(body, str) else value
    name, *rest = names
    if isinstance(body, dict):
        if rest and name not in body:
            raise LookupError(name)
        return {**body, name: _replaced(body.get(name), rest, value)}
    if isinstance(body, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(body):
        at = int(name[:9])
        return [*body[:at], _replaced(body[at], rest, value), *body[at + 1 :]]
    raise LookupError(name)
