"""One entry of the sitemap: a department's notice board."""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    Field,
    StrictInt,
    StringConstraints,
    model_validator,
)

from uring.errors import FetchFailed
from uring.fetch.charsets import codec_for
from uring.fetch.request import RESERVED
from uring.fetch.url import parse_url
from uring.notices.links import VOLATILE
from uring.notices.rules import (
    DateRule,
    LinkRule,
    Literals,
    OptionalRule,
    PinnedSignal,
    RowRule,
    Rule,
    ValueRule,
    refusal,
)

PushKind = Literal["new", "edited", "pinned", "unpinned"]

_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
# https://firebase.google.com/docs/cloud-messaging: topic names
_TOPIC: Final = re.compile(r"[a-zA-Z0-9\-_.~%]{1,900}\Z")
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}\Z")
# The body's type is that of a form.
_OURS: Final = RESERVED | {"content-type"}


def _check_id(text: str) -> str:
    if not _ID.match(text):
        raise refusal(
            f"{text!r} is no id",
            "use 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit",
        )
    return text


def _check_topic(text: str) -> str:
    if not _TOPIC.match(text):
        raise refusal(f"{text!r} is no topic", "use 1 to 900 of a-z, A-Z, 0-9, - _ . ~ %")
    return text


def _check_url(text: str) -> str:
    if not text.isascii() or " " in text:
        raise refusal("holds a space or a letter beyond ASCII", "write it percent-encoded")
    try:
        parse_url(text)
    except FetchFailed as error:
        raise refusal(error.detail, "write the full address, https://…") from None
    return text


def _check_interval(minutes: int) -> int:
    if minutes % 10 or not 10 <= minutes <= 1440:  # noqa: PLR2004 - the schedule's tick, a day
        raise refusal(f"{minutes} is not possible", "use a multiple of 10 between 10 and 1440")
    return minutes


def _check_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise refusal(
            f"{name!r} is no time zone", 'use an IANA name such as "Asia/Seoul"'
        ) from None
    return name


def _check_encoding(label: str) -> str:
    if label != "auto" and codec_for(label) is None:
        raise refusal(
            f"{label!r} is no known charset", 'use "auto", "utf-8", "euc-kr" or another web label'
        )
    return label


def _check_header_name(name: str) -> str:
    if not _HEADER_NAME.match(name):
        raise refusal(f"{name!r} is no header name", "use letters, digits and -")
    if name.lower() in _OURS:
        raise refusal(f"the header {name} is set by the fetcher", "remove it")
    return name


def _check_header_value(value: str) -> str:
    if not value.isascii() or not value.isprintable():
        raise refusal("holds a control character or a letter beyond ASCII", "use plain ASCII")
    return value


Url = Annotated[str, StringConstraints(max_length=2000), AfterValidator(_check_url)]
HeaderName = Annotated[str, AfterValidator(_check_header_name)]
HeaderValue = Annotated[
    str, StringConstraints(max_length=1000), AfterValidator(_check_header_value)
]
FormText = Annotated[str, StringConstraints(max_length=1000)]


class RequestRule(Rule):
    """How the list page is asked for."""

    method: Literal["GET", "POST"] = "GET"
    form: Annotated[Mapping[FormText, FormText], Field(max_length=50)] = {}
    headers: Annotated[Mapping[HeaderName, HeaderValue], Field(max_length=20)] = {}
    timeout_seconds: Annotated[float, Field(ge=1, le=25, strict=True)] = 20

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.form and self.method != "POST":
            raise refusal("a form is sent with POST", 'add "method": "POST", or remove form')
        return self


class FieldRules(Rule):
    """How a notice's fields are read from its row."""

    id: ValueRule
    title: ValueRule
    link: LinkRule
    date: DateRule | None = None
    category: OptionalRule | None = None


class Source(Rule):
    """One department.

    Attributes:
        id: names the department in keys, queues and addresses; never changed afterwards.
        name: for people.
        url: of page 1 of the list.
        base_url: of the department's site, for readers; by default the scheme and host of ``url``.
        topic: the FCM topic; by default the id.
        interval_minutes: between checks, a multiple of the ten-minute tick.
        zone: IANA name of the zone in which the board's dates are meant.
        encoding: a charset label that overrules what the page says, or ``auto``.
        pinned: signs of a pinned row; any of them is enough.
        link_parameters: the query parameters of links to keep, by name. None keeps all but those
            known to be noise (`uring.notices.links.VOLATILE`).
        push_kinds: the kinds of change that are pushed.
    """

    id: Annotated[str, AfterValidator(_check_id)]
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    url: Url
    base_url: Url
    topic: Annotated[str, AfterValidator(_check_topic)]
    interval_minutes: Annotated[StrictInt, AfterValidator(_check_interval)] = 10
    zone: Annotated[str, StringConstraints(max_length=64), AfterValidator(_check_zone)] = (
        "Asia/Seoul"
    )
    encoding: Annotated[str, StringConstraints(max_length=40), AfterValidator(_check_encoding)] = (
        "auto"
    )
    request: RequestRule = RequestRule()
    rows: RowRule
    fields: FieldRules
    pinned: Annotated[tuple[PinnedSignal, ...], Field(max_length=20)] = ()
    link_parameters: Annotated[tuple[Literals, ...], Field(max_length=50)] | None = None
    push_kinds: tuple[PushKind, ...] = ("new", "edited")

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        derived = {}
        if isinstance(data.get("id"), str):
            derived["topic"] = data["id"]
        if isinstance(data.get("url"), str):
            derived["base_url"] = _site_of(data["url"])
        return derived | data

    @cached_property
    def volatile(self) -> frozenset[str]:
        """The parameters that links lose, in lower case: none by which this entry tells notices."""
        rules = (self.fields.id, self.fields.link)
        return VOLATILE - {rule.parameter.lower() for rule in rules if rule.parameter}

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits that change with any key of the entry, or with how entries are read."""
        entry = self.model_dump(mode="json", exclude_defaults=True)
        text = json.dumps([_READER_VERSION, entry], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# Raised when the same entry reads the same page differently, so that unchanged pages are read anew.
_READER_VERSION: Final = 1


def _site_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return f"{parts.scheme}://{parts.netloc}"
