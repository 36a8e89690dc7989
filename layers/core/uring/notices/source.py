"""One entry of the sitemap: a department's notice board."""

import hashlib
import json
import re
from functools import cached_property
from typing import Annotated, Any, Final, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    Field,
    StrictInt,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from uring.errors import FetchFailed
from uring.fetch.charsets import codec_for
from uring.fetch.request import form_body
from uring.fetch.url import parse_url
from uring.notices.policy import Expectations, Policy
from uring.notices.presets import PRESETS, expanded, nearest_preset
from uring.reading.kinds import (
    IMPLIED_ROWS,
    ListKind,
    Require,
    check_require,
    check_rules,
    refuse,
)
from uring.reading.links import VOLATILE, LinkRefused, canonical, fill, resolve
from uring.reading.request_rules import Paging, RequestRule
from uring.reading.rules import (
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
from uring.reading.text import shorten

_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
# https://firebase.google.com/docs/cloud-messaging: topic names
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_TOPIC: Final = re.compile(r"[a-zA-Z0-9\-_.~%]{1,900}\Z")


def _check_id(text: str, info: ValidationInfo) -> str:
    if not _ID.match(text):
        raise refusal(
            f"{text!r} is no id",
            "use 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit",
        )
    if owner := (info.context or {}).get("taken", {}).get(text):
        raise refusal(f"{text!r} is a folder of the family {owner} in data/", "use another id")
    return text


def _check_name(text: str) -> str:
    if found := _UNPRINTABLE.search(text):
        # It goes into alerts, feeds and pages, where the one ends a line and the other turns it.
        raise refusal(
            f"{ascii(shorten(text, 60))[1:-1]} holds {ascii(found[0])[1:-1]}, a control or "
            "bidirectional character",
            "leave it out",
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


Url = Annotated[str, StringConstraints(max_length=2000), AfterValidator(_check_url)]


class FieldRules(Rule):
    """The rules by which a notice's fields are read from its row."""

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
            known to be noise (`uring.reading.links.VOLATILE`).
        changes: what each kind of change leads to.
        expect: what a page must have to be believed.
        paging: how further pages are asked for; None reads page 1 alone.
        epoch: raised by hand to take the page as it stands, whatever was known before; like any
            other edit of the entry, that pushes nothing that was on the page already.
    """

    id: Annotated[str, AfterValidator(_check_id)]
    name: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
        AfterValidator(_check_name),
    ]
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

    @field_validator("request")
    @classmethod
    def _can_be_written(cls, request: RequestRule, info: ValidationInfo) -> RequestRule:
        label = info.data.get("encoding", "auto")
        try:
            form_body(request.form, "utf-8" if label == "auto" else label)
        except FetchFailed as error:
            refuse([(("form",), refusal(error.detail, 'write it otherwise, or set "encoding"'))])
        return request

    @field_validator("require")
    @classmethod
    def _only_json(cls, require: Require, info: ValidationInfo) -> Require:
        check_require(require, info.data.get("kind"))
        return require

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        template = self.fields.link.template
        if template is not None:
            refused = [self._refused(fill(template, key, key)) for key in _SAMPLES]
            if all(refused):
                message = str(refused[0]).partition("; ")[0]
                remedy = "write the address of a notice; every row would be skipped"
                refuse([(("fields", "link", "template"), refusal(message, remedy))])
        return self

    def _refused(self, link: str) -> LinkRefused | None:
        """Return why a notice with this link would be skipped."""
        page = canonical(self.url, self.link_parameters)
        try:
            resolve(link, self.url, page, self.link_parameters, self.volatile)
        except LinkRefused as error:
            return error
        return None

    @cached_property
    def volatile(self) -> frozenset[str]:
        """The parameters that links lose, in lower case: none by which this entry tells notices."""
        rules = (self.fields.id, self.fields.link)
        return VOLATILE - {rule.parameter.lower() for rule in rules if rule.parameter}

    @cached_property
    def dates_need_first_seen(self) -> bool:
        """True when a date, read alone, means another day every year, or every day."""
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

    @cached_property
    def board(self) -> str:
        """16 hex digits that change with what decides which notice an id is of."""
        rule = self.fields.id.model_dump(mode="json", exclude_defaults=True)
        return _hex([self.url, rule, self.epoch])


# Ids of notices: a number, a word.
_SAMPLES: Final = ("1", "a")

READER_VERSION: Final = 1
"""Raised when the same entry reads the same page differently: all pages are then read anew."""


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
    return _hex([READER_VERSION, entry])


def _hex(parts: list[Any]) -> str:
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _site_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return f"{parts.scheme}://{parts.netloc}"
