"""One entry of the sitemap: a department's notice board."""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from uring.changes.diff import Terms
from uring.changes.model import Kind
from uring.errors import FetchFailed
from uring.fetch.charsets import codec_for
from uring.fetch.request import RESERVED
from uring.fetch.tls import Tls, build
from uring.fetch.url import parse_url
from uring.notices.kinds import IMPLIED_ROWS, ListKind, Require, check_require, check_rules
from uring.notices.links import VOLATILE
from uring.notices.presets import PRESETS, expanded, nearest_preset
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

_KINDS: Final[tuple[Kind, ...]] = ("new", "edited", "pinned", "unpinned", "returned")
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


def _check_preset(name: str) -> str:
    if name not in PRESETS:
        raise refusal(f"{name[:60]!r} is no preset", nearest_preset(name))
    return name


@lru_cache(maxsize=256)
def _check_certificate(text: str) -> None:
    try:
        build(Tls(extra_ca=text))
    except FetchFailed:
        raise refusal(
            "extra_ca is no certificate",
            "paste it in PEM, from -----BEGIN CERTIFICATE----- on, line ends as \\n",
        ) from None


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


class TlsRule(Rule):
    """What is asked of the site's certificate; by default all that a browser asks.

    Attributes:
        extra_ca: certificates in PEM, trusted for this site beside the usual ones: for a server
            that forgets to send its intermediate.
        verify: False takes any certificate: whoever sits in between can then change the page.
        legacy: True also takes the ciphers and key sizes of old servers.
    """

    extra_ca: Annotated[str, StringConstraints(min_length=1, max_length=10_000)] | None = None
    verify: StrictBool = True
    legacy: StrictBool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.extra_ca is not None and not self.verify:
            raise refusal("extra_ca has no effect where nothing is verified", "remove verify")
        if self.extra_ca is not None:
            _check_certificate(self.extra_ca)
        return self


class RequestRule(Rule):
    """How the list page is asked for.

    Attributes:
        method: GET or POST.
        form: the fields of a POST.
        headers: beside the fetcher's own.
        timeout_seconds: for the whole answer.
        honour_robots: False for a site whose operator has agreed to be asked all the same.
        tls: what is asked of the site's certificate.
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


class FieldRules(Rule):
    """How a notice's fields are read from its row."""

    id: ValueRule
    title: ValueRule
    link: LinkRule
    date: DateRule | None = None
    category: OptionalRule | None = None


class Paging(Rule):
    """How further pages of the list are asked for (N21).

    Attributes:
        parameter: of the address's query, or of the form of a POST.
        first: its value on page 1.
        step: what it grows by: 1 for page numbers, the page's length for offsets.
        most: pages read in one check at most, the first included.
    """

    parameter: Literals
    first: Annotated[StrictInt, Field(ge=0, le=1_000)] = 1
    step: Annotated[StrictInt, Field(ge=1, le=1_000)] = 1
    most: Annotated[StrictInt, Field(ge=2, le=20)] = 5


class Expectations(Rule):
    """What a page must have to be believed (N17).

    Attributes:
        landmarks: texts that stand in the page's source whatever it lists.
        min_rows: fewer notices are suspect; 0 where a list may be empty.
        same_titles: True where many notices rightly have one title, such as weekly menus.
    """

    landmarks: Annotated[tuple[Literals, ...], Field(max_length=20)] = ()
    min_rows: Annotated[StrictInt, Field(ge=0, le=500)] = 1
    same_titles: StrictBool = False


Recorded = Literal["push", "record"]


class Policy(Rule):
    """What each kind of change leads to: a push, or an entry in the archive alone.

    Attributes:
        new: an id never seen.
        edited: another title, date, category or link.
        pinned: moved to the top, else the same.
        unpinned: the reverse.
        returned: back on the page, unchanged, after it had left it; ``ignore``: not even archived.
        digest_over: more pushes than this from one check become a single one (N18).
    """

    new: Recorded = "push"
    edited: Recorded = "push"
    pinned: Recorded = "record"
    unpinned: Recorded = "record"
    returned: Recorded | Literal["ignore"] = "ignore"
    digest_over: Annotated[StrictInt, Field(ge=1, le=1_000)] = 20

    @cached_property
    def terms(self) -> Terms:
        """The same for the engine."""
        return Terms(
            push=frozenset(kind for kind in _KINDS if getattr(self, kind) == "push"),
            returned=self.returned != "ignore",
            digest_over=self.digest_over,
        )


class Source(Rule):
    """One department.

    Attributes:
        id: names the department in keys, queues and addresses; never changed afterwards.
        name: for people.
        url: of page 1 of the list.
        kind: what the address answers with. ``select`` is a CSS selector in html; elsewhere it is
            the way from the row to the value by names with dots between, ``category.name``, or
            several such ways with commas between, of which the first that leads somewhere counts.
        require: what a JSON answer must hold to be believed, by its way from the top:
            ``{"success": true, "code": 200}``; null stands for absent too.
        preset: the board system, `uring.notices.presets`: it fills in what the entry does not say.
            An entry that is dumped is expanded, and no longer has one.
        base_url: of the department's site, for readers; by default the scheme and host of ``url``.
        topic: the FCM topic; by default the id.
        interval_minutes: between checks, a multiple of the ten-minute tick.
        zone: IANA name of the zone in which the board's dates are meant.
        encoding: a charset label that overrules what the page says, or ``auto``.
        rows: which parts are rows. In json the way to their list, ``$`` where the answer is the
            list; in feeds the name of their elements, by default ``item`` or ``entry``.
        pinned: signs of a pinned row; any of them is enough.
        link_parameters: the query parameters of links to keep, by name. None keeps all but those
            known to be noise (`uring.notices.links.VOLATILE`).
        changes: what each kind of change leads to.
        expect: what a page must have to be believed.
        paging: how further pages are asked for; None reads page 1 alone.
        epoch: raised by hand to take the page as it stands, whatever was known before; like any
            other edit of the entry, that pushes nothing that was on the page already.
    """

    id: Annotated[str, AfterValidator(_check_id)]
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    url: Url
    kind: ListKind = "html"
    preset: Annotated[str, AfterValidator(_check_preset)] | None = Field(default=None, exclude=True)
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
    require: Require = Field(default_factory=dict)
    rows: RowRule
    fields: FieldRules
    pinned: Annotated[tuple[PinnedSignal, ...], Field(max_length=20)] = ()
    link_parameters: Annotated[tuple[Literals, ...], Field(max_length=50)] | None = None
    changes: Policy = Policy()
    expect: Expectations = Expectations()
    paging: Paging | None = None
    epoch: Annotated[StrictInt, Field(ge=1, le=1_000_000)] = 1

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = expanded(data)
        derived = {}
        if isinstance(data.get("id"), str):
            derived["topic"] = data["id"]
        if isinstance(data.get("url"), str):
            derived["base_url"] = _site_of(data["url"])
        if isinstance(kind := data.get("kind"), str) and kind in IMPLIED_ROWS:
            derived["rows"] = IMPLIED_ROWS[kind]
        return derived | data

    @field_validator("rows", "fields", "pinned")
    @classmethod
    def _fits_kind(cls, part: Any, info: ValidationInfo) -> Any:
        check_rules(part, info.data.get("kind"))
        return part

    @field_validator("require")
    @classmethod
    def _only_json(cls, require: Require, info: ValidationInfo) -> Require:
        check_require(require, info.data.get("kind"))
        return require

    @cached_property
    def volatile(self) -> frozenset[str]:
        """The parameters that links lose, in lower case: none by which this entry tells notices."""
        rules = (self.fields.id, self.fields.link)
        return VOLATILE - {rule.parameter.lower() for rule in rules if rule.parameter}

    @cached_property
    def dates_need_first_seen(self) -> bool:
        """Whether a date of this board, read alone, means another day every year, or every day."""
        rule = self.fields.date
        return rule is not None and any(not known.has_year for known in rule.compiled)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits that change with any key of the entry, or with how entries are read."""
        return _digest(self.model_dump(mode="json", exclude_defaults=True))

    @cached_property
    def reading(self) -> str:
        """16 hex digits that change with what decides which notices a page shows."""
        return _digest(self.model_dump(mode="json", exclude_defaults=True, exclude=_NOT_OF_READING))


# Raised when the same entry reads the same page differently, so that unchanged pages are read anew.
_READER_VERSION: Final = 1


# Another name, rhythm, topic or policy reads the same notices.
_NOT_OF_READING: Final[dict[str, Any]] = {
    "name": True,
    "base_url": True,
    "topic": True,
    "interval_minutes": True,
    "changes": True,
    "expect": True,
    "paging": True,
    "require": True,
    "request": {"timeout_seconds", "honour_robots", "tls"},
}


def _digest(entry: dict[str, Any]) -> str:
    text = json.dumps([_READER_VERSION, entry], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _site_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return f"{parts.scheme}://{parts.netloc}"
