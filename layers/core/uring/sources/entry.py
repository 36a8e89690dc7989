"""One entry of a configuration file: the keys common to all families."""

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from uring.errors import FetchFailed
from uring.fetch.decode import codec_for
from uring.fetch.request import form_body
from uring.fetch.url import parse_url
from uring.reading.kinds import (
    IMPLIED_ROWS,
    ListKind,
    Require,
    check_require,
    check_rules,
    refuse,
)
from uring.reading.links import VOLATILE
from uring.reading.request_rules import RequestRule
from uring.reading.rules import Literals, RowRule, Rule, ValueRule, refusal
from uring.reading.text import shorten
from uring.segments import NOT_A_SEGMENT, is_segment
from uring.sources.presets import Presets, expanded, nearest_preset

READER_VERSION: Final = 1
"""Raise it when the same entry reads the same page differently: all pages are then read again."""

ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
"""The form of a source's id."""

# https://firebase.google.com/docs/cloud-messaging: topic names
_TOPIC: Final = re.compile(r"[a-zA-Z0-9\-_.~%]{1,900}\Z")
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def _check_id(text: str, info: ValidationInfo) -> str:
    if not ID.match(text):
        raise refusal(
            f"{text!r} is not an id",
            "use 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit",
        )
    if owner := (info.context or {}).get("taken", {}).get(text):
        raise refusal(f"{text!r} is a folder of the family {owner} in data/", "use another id")
    return text


def _check_name(text: str) -> str:
    if found := _UNPRINTABLE.search(text):
        # The name goes into alerts, feeds and pages: a control character would break a line, a
        # bidirectional one would reverse it.
        raise refusal(
            f"{ascii(shorten(text, 60))[1:-1]} has {ascii(found[0])[1:-1]}, a control or "
            "bidirectional character",
            "leave it out",
        )
    return text


def _check_topic(text: str) -> str:
    if not _TOPIC.match(text):
        raise refusal(f"{text!r} is not a topic", "use 1 to 900 of a-z, A-Z, 0-9, - _ . ~ %")
    if not is_segment(text):
        raise refusal(f"{text!r} is not a topic: {NOT_A_SEGMENT}", "name it in letters and digits")
    return text


def _check_url(text: str) -> str:
    if not text.isascii() or " " in text:
        raise refusal("has a space or a non-ASCII letter", "write it percent-encoded")
    try:
        parse_url(text)
    except FetchFailed as error:
        raise refusal(error.detail, "write the full address, https://…") from None
    return text


def _check_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise refusal(
            f"{name!r} is not a time zone", 'use an IANA name such as "Asia/Seoul"'
        ) from None
    return name


def _check_encoding(label: str) -> str:
    if label != "auto" and codec_for(label) is None:
        raise refusal(
            f"{label!r} is not a known charset",
            'use "auto", "utf-8", "euc-kr" or another web label',
        )
    return label


Url = Annotated[str, StringConstraints(max_length=2000), AfterValidator(_check_url)]
SourceId = Annotated[str, AfterValidator(_check_id)]
Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_check_name),
]
Topic = Annotated[str, AfterValidator(_check_topic)]


class Expectations(Rule):
    """The conditions that a page must meet to be accepted (N17).

    Attributes:
        landmarks: texts that the page's source always contains, apart from its rows.
        min_rows: fewer notices are suspect; 0 if the list may be empty.
        damaged_titles: True if the board's own titles are damaged, cut in the middle of a letter.
        same_titles: True if many notices rightly have one title, such as weekly menus.
    """

    landmarks: Annotated[tuple[Literals, ...], Field(max_length=20)] = ()
    min_rows: Annotated[StrictInt, Field(ge=0, le=500)] = 1
    damaged_titles: StrictBool = False
    same_titles: StrictBool = False


class FileEntry(Rule):
    """One entry of a configuration file, of any family.

    Attributes:
        id: names the source in keys, queues and addresses; it must never change.
        presets: the systems that ``preset`` may name.
        order: its keys in the order of people, if that is not the order of the fields.
        of_file: its keys that may stand beside the list, too, for all entries without their own.
        is_sharded: whether its file may have further files, see `uring.sources.shards`.
    """

    presets: ClassVar[Presets] = {}
    order: ClassVar[tuple[str, ...]] = ()
    of_file: ClassVar[tuple[str, ...]] = ()
    is_sharded: ClassVar[bool] = False

    id: SourceId


class Entry(FileEntry):
    """One source: a list on the web, and the rules for its requests and its rows.

    A family's own entry adds ``fields``, its presets and the rule of its interval.

    Attributes:
        name: for people.
        url: of page 1 of the list.
        kind: the format of the answer. ``select`` is a CSS selector in html; in the other kinds it
            is a path of names from the row to the value, such as ``category.name``. Of several
            paths, separated by commas, the first with a value counts.
        require: the values that a JSON answer must have, by path from the top:
            ``{"success": true, "code": 200}``; null also matches an absent value.
        preset: the system behind the page: it fills in keys that the entry does not have. A dumped
            entry is expanded and has no preset.
        base_url: of the source's site, for readers; by default the scheme and host of ``url``.
        topic: the FCM topic; by default the id.
        interval_minutes: between checks.
        zone: IANA name of the time zone of the page's dates.
        encoding: a charset label that overrides the page's own, or ``auto``.
        rows: selects the rows. In json the path to their list, ``$`` if the answer is the list; in
            feeds the name of their elements, by default ``item`` or ``entry``.
        link_parameters: the query parameters of links to keep, by name. None keeps all but known
            noise (`uring.reading.links.VOLATILE`).
        expect: the expectations that a page must meet.
        epoch: raised by hand to accept the page as it is, against the known records. As after any
            other edit of the entry, records that were on the page already are not pushed.
        not_of_reading: keys that do not affect the records of a page.
    """

    # A changed name, interval or topic reads the same records.
    not_of_reading: ClassVar[dict[str, Any]] = {
        "name": True,
        "base_url": True,
        "topic": True,
        "interval_minutes": True,
        "expect": True,
        "require": True,
        "request": {"timeout_seconds", "honour_robots", "tls"},
    }

    name: Title
    url: Url
    kind: ListKind = "html"
    preset: str | None = Field(default=None, exclude=True)
    base_url: Url
    topic: Topic
    interval_minutes: StrictInt
    zone: Annotated[str, StringConstraints(max_length=64), AfterValidator(_check_zone)] = (
        "Asia/Seoul"
    )
    encoding: Annotated[str, StringConstraints(max_length=40), AfterValidator(_check_encoding)] = (
        "auto"
    )
    request: RequestRule = RequestRule()
    rows: RowRule
    require: Require = Field(default_factory=dict)
    link_parameters: Annotated[tuple[Literals, ...], Field(max_length=50)] | None = None
    expect: Expectations = Expectations()
    epoch: Annotated[StrictInt, Field(ge=1, le=1_000_000)] = 1

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = expanded(data, cls.presets)
        derived = {}
        if isinstance(data.get("id"), str):
            derived["topic"] = data["id"]
        if isinstance(data.get("url"), str):
            derived["base_url"] = _site_of(data["url"])
        if isinstance(kind := data.get("kind"), str) and kind in IMPLIED_ROWS:
            derived["rows"] = IMPLIED_ROWS[kind]
        return derived | data

    @field_validator("preset")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        if name is not None and name not in cls.presets:
            raise refusal(f"{name[:60]!r} is not a preset", nearest_preset(name, cls.presets))
        return name

    # ``fields`` is declared by each family's own entry.
    @field_validator("rows", "fields", check_fields=False)
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
            remedy = 'write it in another way, or set "encoding"'
            refuse([(("form",), refusal(error.detail, remedy))])
        return request

    @field_validator("require")
    @classmethod
    def _only_json(cls, require: Require, info: ValidationInfo) -> Require:
        check_require(require, info.data.get("kind"), info.data.get("rows"))
        return require

    @property
    def telling_rules(self) -> Iterable[ValueRule]:
        """The rules whose query parameter identifies a record."""
        return ()

    @cached_property
    def volatile(self) -> frozenset[str]:
        """The parameters dropped from links, in lower case, without those of `telling_rules`."""
        return VOLATILE - {rule.parameter.lower() for rule in self.telling_rules if rule.parameter}

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the readers of such a page; another one reads the page again."""
        return (READER_VERSION,)

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits that change with any key of the entry, or with its `versions`."""
        return digest([*self.versions, self.model_dump(mode="json", exclude_defaults=True)])

    @cached_property
    def reading(self) -> str:
        """16 hex digits that change with the keys that affect the records of a page."""
        kept = self.model_dump(mode="json", exclude_defaults=True, exclude=self.not_of_reading)
        return digest([*self.versions, kept])


E = TypeVar("E", bound=Entry)
F = TypeVar("F", bound=FileEntry)


def keys_of(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the keys of a part of an entry, in the order of people."""
    order = model.order if issubclass(model, FileEntry) else ()
    return order or tuple(model.model_fields)


def digest(parts: list[Any]) -> str:
    """Return 16 hex digits that change with any of these parts, which must be JSON values."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _site_of(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return f"{parts.scheme}://{parts.netloc}"
