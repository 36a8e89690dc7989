"""The notices' family for the commands: the sitemap and its boards."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from bs4 import BeautifulSoup
from rich.text import Text

from uring.changes.state import Health
from uring.clock import timestamp
from uring.errors import SourceTrouble
from uring.notices.family import apply_visit
from uring.notices.guards import NOUNS, judge_ids
from uring.notices.item import NoticeItem, fields
from uring.notices.page import rows_of
from uring.notices.registration import NAME, WHAT
from uring.notices.source import Source
from uring.notices.state import NoticeState
from uring.notices.visit import NoticeVisitor
from uring.records.model import Event, Revision
from uring.sources.rows import Page, Row
from uring_local.entries.family import Comparison, FileFamily
from uring_local.entries.notice_advice import advise, shared_ids, strange_years, telling_rule
from uring_local.entries.saved import SavedSite
from uring_local.project import SITEMAP
from uring_local.propose.guess import Guess, guess
from uring_local.propose.rows import Rows
from uring_local.propose.state import guess_json, guess_state


class NoticeEntries(FileFamily[Source, NoticeItem]):
    """Implements `FileFamily`."""

    name = NAME
    what = WHAT
    path = SITEMAP
    title = "The sources of uRing"
    interval = {"minimum": 10, "maximum": 1440, "multipleOf": 10}  # noqa: RUF012 - read alone
    noun = "notice"
    nouns = NOUNS
    columns = ("id", "date", "", "notice")
    fields = ("id", "title", "category", "link")
    compared = ("title", "date", "category", "link")
    model = Source

    def read(self, source: Source, text: str, url: str, today: date) -> Page[NoticeItem]:
        """See `FileFamily.read`."""
        return rows_of(source, text, url, today)

    def judge(self, source: Source, page: Page[NoticeItem]) -> None:
        """See `FileFamily.judge`."""
        super().judge(source, page)
        judge_ids(page.rows)

    def cells(self, item: NoticeItem, row: Row[NoticeItem]) -> Sequence[str | Text]:
        """See `FileFamily.cells`."""
        notes = ["pin"] if item.is_pinned else []
        notes += [f"as row {row.duplicate_of}"] if row.duplicate_of else []
        notice = Text(item.title)
        notice.append(f"  ({item.category})" if item.category else "", style="cyan")
        notice.append(f"\n{item.link}", style="dim")
        # The id is the page's text: brackets in it must not be read as markup.
        return Text(item.id), item.date or "", ", ".join(notes), notice

    def document(self, item: NoticeItem) -> dict[str, Any]:
        """See `FileFamily.document`."""
        names = ("id", "title", "date", "category", "link", "is_pinned", "hash")
        return {name: getattr(item, name) for name in names}

    def compare(self, source: Source, before: bytes, after: bytes) -> Comparison:
        """See `FileFamily.compare`."""
        now = datetime.now(UTC)
        request = source.request.model_copy(update={"honour_robots": False})
        source = source.model_copy(update={"request": request, "paging": None})
        state = NoticeState(source=source.id, health=Health(since=timestamp(now)))
        known, _ = _step(source, state, before, now)
        records = {record.id: record for record in (*known.outbox, *known.hot)}
        known = known.replace(outbox=())
        later = now + timedelta(minutes=source.interval_minutes)
        try:
            _, events = _step(source, known, after, later)
        except SourceTrouble as trouble:
            return Comparison(records, (), trouble)
        return Comparison(records, events, None)

    def content(self, record: Revision) -> dict[str, Any]:
        """See `FileFamily.content`."""
        return fields(record)

    def guess(self, page: BeautifulSoup, url: str, today: date) -> Guess:
        """See `FileFamily.guess`."""
        return guess(page, url, today)

    def guess_json(self, answer: Any, url: str, today: date, link: str | None) -> Guess:
        """See `FileFamily.guess_json`."""
        return guess_json(answer, url, today, link)

    def guess_state(self, page: BeautifulSoup, today: date, link: str | None) -> Guess:
        """See `FileFamily.guess_state`."""
        return guess_state(page, today, link)

    def advise(
        self, source: Source, rows: Rows, page: Page[NoticeItem], today: date
    ) -> Iterator[str]:
        """See `FileFamily.advise`."""
        return advise(source, rows, page, today)

    def warn(self, source: Source, page: Page[NoticeItem], today: date) -> Iterator[str]:
        """See `FileFamily.warn`."""
        yield from shared_ids(source, page)
        yield from strange_years(page, today)

    def telling_rule(self, source: Source, page: Page[NoticeItem]) -> dict[str, Any] | None:
        """See `FileFamily.telling_rule`."""
        return telling_rule(source, page)


NOTICE_ENTRIES: Final = NoticeEntries()


def _step(
    source: Source, state: NoticeState, body: bytes, now: datetime
) -> tuple[NoticeState, tuple[Event, ...]]:
    observed = NoticeVisitor(SavedSite(body)).visit(source, state, lambda _: {}, now)
    if observed.trouble is not None:
        raise observed.trouble
    if observed.data is None:
        return state, ()
    applied = apply_visit(source, state, observed.data, now)
    if applied is None:
        return state, ()
    return applied.state, tuple(reversed(applied.state.outbox))
