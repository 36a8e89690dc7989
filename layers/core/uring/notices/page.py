"""From a page's text to its notices: pure and total.

    text ─ `uring.sources.rows` ─► rows ─ fields ─► notices ─ merge ─► page

The same text gives the same notices, from a site or from a file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from types import MappingProxyType
from typing import Final
from urllib.parse import quote_plus, unquote_plus
from zoneinfo import ZoneInfo

from uring.notices.guards import judge_ids
from uring.notices.item import NoticeItem
from uring.notices.source import Source
from uring.reading.dates import DateReading
from uring.reading.extract import (
    UnreadableField,
    dated,
    is_pinned,
    optional,
    required,
    undated,
)
from uring.reading.lists.rows import RowNode
from uring.reading.rules import DateRule, IdRule, LinkRule, OptionalRule, PinnedSignal, ValueRule
from uring.reading.text import shorten
from uring.sources.guards import judge_rows
from uring.sources.rows import Links, Page, read_rows

ID_LIMIT: Final = 200
"""Characters of an id: it becomes part of keys."""

_UNSEEN: Final[Mapping[str, date]] = MappingProxyType({})


class Sights(dict[str, date]):
    """The days of the first sight by id, with the hash of each known notice.

    A relative date such as "3일 전" fits several days. The hash shows which of them is stored.
    """

    def __init__(self, days: Mapping[str, date], hashes: Mapping[str, str]) -> None:
        super().__init__(days)
        self.hashes = hashes


def read_page(
    source: Source, text: str, url: str, today: date, first_seen: Mapping[str, date] = _UNSEEN
) -> Page[NoticeItem]:
    """Read the notices of a page and judge its rows.

    Args:
        source: the config entry.
        text: the decoded page, of the source's kind.
        url: its final address, after redirects: the base of its relative links.
        today: the current day in the source's zone; a datetime in that zone has the time, too,
            from which relative dates in hours are counted.
        first_seen: by id, the day in the source's zone on which a notice was first seen. A date
            without a year, or a bare time, is read as on that day. `Sights` keep relative dates.

    Raises:
        SuspectPage: ``no_rows``, ``all_rows_bad``, ``markup_bomb``, ``not_json``,
            ``wrong_envelope``, ``not_feed`` or ``same_ids`` (N17); no other reason.
    """
    page = rows_of(source, text, url, today, first_seen, shown=False)
    judge_rows(source, page)
    judge_ids(page.rows)
    return page


def rows_of(
    source: Source,
    text: str,
    url: str,
    today: date,
    first_seen: Mapping[str, date] = _UNSEEN,
    *,
    shown: bool = True,
) -> Page[NoticeItem]:
    """Read a page without the judgement of `read_page`: it shows every row to people.

    Args:
        source: the config entry.
        text: the decoded page.
        url: its final address.
        today: the current day in the source's zone.
        first_seen: see `read_page`.
        shown: False leaves out the text of rows that were read.

    Raises:
        SuspectPage: as `read_page`, but for ``no_rows``, ``all_rows_bad`` and ``same_ids``.
    """
    fields = source.fields
    reader = _Reader(
        fields.id,
        fields.title,
        fields.date,
        fields.category,
        fields.link,
        source.pinned,
        today,
        today.date() if isinstance(today, datetime) else today,
        first_seen,
        ZoneInfo(source.zone),
    )
    page = read_rows(source, text, url, reader.read, lambda item: item.id, shown=shown)
    return replace(page, items=merged(row.item for row in page.rows if row.item is not None))


@dataclass(frozen=True, slots=True)
class _Reader:
    id: IdRule
    title: ValueRule
    dates: DateRule | None
    category: OptionalRule | None
    link: LinkRule
    pinned: tuple[PinnedSignal, ...]
    today: date
    day: date
    first_seen: Mapping[str, date]
    zone: ZoneInfo

    def read(self, row: RowNode, links: Links) -> NoticeItem:
        notice_id = required(row, "id", self.id)
        if self.id.further:
            notice_id = self._joined(row, notice_id)
        if len(notice_id) > ID_LIMIT:
            raise UnreadableField(
                f"id: {shorten(notice_id, 60)!r} is longer than {ID_LIMIT} characters; "
                "narrow it with fields.id.pattern"
            )
        # A time of day would give each check a cached date of its own.
        day = self.first_seen.get(notice_id, self.day)
        title = required(row, "title", self.title)
        read = dated(row, self.dates, day, self.zone, self.today)
        item = NoticeItem(
            id=notice_id,
            title=title,
            date=read.day,
            category=optional(row, "category", self.category),
            link=links.read(row, "link", self.link, notice_id),
            is_pinned=any(is_pinned(row, signal) for signal in self.pinned),
        )
        if read.others:
            self._keep_date(row, item, read)
        return item

    def _keep_date(self, row: RowNode, item: NoticeItem, read: DateReading) -> None:
        """Give an item with a relative date the stored one, if that is among the fitting days."""
        known = self.first_seen.hashes.get(item.id) if isinstance(self.first_seen, Sights) else None
        if known is not None:
            for day in (item.date, *read.others, None):
                if replace(item, date=day).hash == known:
                    item.date = day
                    return
        if item.date is None and self.dates is not None and not self.dates.optional:
            raise undated(row, self.dates, read.reason)

    def _joined(self, row: RowNode, first: str) -> str:
        further = enumerate(self.id.further)
        parts = [first, *(required(row, f"id.further[{at}]", rule) for at, rule in further)]
        return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in parts)


def merged(items: Iterable[NoticeItem]) -> tuple[NoticeItem, ...]:
    """Return each id once, at its first place; pinned if any of its rows is pinned (N19)."""
    first: dict[str, NoticeItem] = {}
    for item in items:
        earlier = first.setdefault(item.id, item)
        if item.is_pinned and not earlier.is_pinned:
            first[item.id] = replace(earlier, is_pinned=True)
    return tuple(first.values())


def page_of(source: Source, number: int) -> Source:
    """Return the entry that asks for this page, counted from 1; page 1 is the entry itself (N21).

    The paging parameter is replaced where the address has it, else added; a POST has it in its
    form or its JSON body. A JSON body stays where the address has the parameter.

    Raises:
        ValueError: a page above 1, and the entry has no ``paging``.
    """
    if number == 1:
        return source
    paging = source.paging
    if paging is None:
        raise ValueError(f"{source.id} has no paging")
    value = str(paging.value(number))
    body = source.request.body
    if body is not None and not _has_parameter(source.url, paging.parameter):
        request = source.request.model_copy(update={"body": paging.body_of(body, number)})
        return source.model_copy(update={"request": request})
    if source.request.method == "POST" and body is None:
        form = {**source.request.form, paging.parameter: value}
        request = source.request.model_copy(update={"form": form})
        return source.model_copy(update={"request": request})
    url = _with_parameter(source.url, paging.parameter, value)
    return source.model_copy(update={"url": url})


def _has_parameter(url: str, name: str) -> bool:
    query = url.partition("#")[0].partition("?")[2]
    return any(unquote_plus(pair.partition("=")[0]) == name for pair in query.split("&"))


def _with_parameter(url: str, name: str, value: str) -> str:
    address, _, _ = url.partition("#")
    resource, _, query = address.partition("?")
    own = f"{quote_plus(name)}={value}"
    pairs = [pair for pair in query.split("&") if pair]
    at = [unquote_plus(pair.partition("=")[0]) == name for pair in pairs]
    if any(at):
        pairs = [own if mine else pair for pair, mine in zip(pairs, at, strict=True)]
    else:
        pairs.append(own)
    return f"{resource}?{'&'.join(pairs)}"
