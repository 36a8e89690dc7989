"""One entry tried on one page: what it reads, whether that would be believed, what is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring.errors import FetchFailed, SourceTrouble, SuspectPage
from uring.fetch import Fetcher, Request
from uring.fetch.robots import ask
from uring.fetch.url import parse_url
from uring.notices.guards import NOUNS
from uring.notices.item import NoticeItem
from uring.notices.page import read_page, rows_of
from uring.notices.source import Source
from uring.sources.guards import diagnosed, judge_page
from uring.sources.rows import Page
from uring.sources.site import request_for, text_of
from uring_local.entries.advice import advise
from uring_local.words import counted


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as it came.

    Attributes:
        body: its bytes.
        content_type: the header, or None for a file.
        url: the final address.
    """

    body: bytes
    content_type: str | None
    url: str


@dataclass(frozen=True, slots=True)
class TrialRead:
    """The result.

    Attributes:
        page: what was read.
        trouble: why the page would not be believed, or None.
        advice: what the entry gets wrong.
    """

    page: Page[NoticeItem]
    trouble: SourceTrouble | None
    advice: Sequence[str]

    @property
    def well(self) -> bool:
        """True when nothing is wrong."""
        return self.trouble is None and not self.advice


def fetch_page(request: Request, page: Path | None) -> FetchedPage:
    """Return a saved page, or what the site answers.

    Raises:
        FetchFailed: no usable answer.
        OSError: the file cannot be read.
    """
    if page is not None:
        return FetchedPage(page.read_bytes(), None, request.url)
    response = _fetcher(request.url).fetch(request)
    return FetchedPage(response.body, response.content_type, response.url)


def forbidden(source: Source) -> str | None:
    """Return why robots.txt forbids the worker the entry; None where it does not."""
    try:
        decision = ask(
            _fetcher(source.url).fetch,
            source.fingerprint,
            (source.url, source.url),
            datetime.now(UTC),
            timeout_seconds=source.request.timeout_seconds,
            tls=request_for(source).tls,
        )
    except FetchFailed as error:
        return error.detail
    if decision.allowed:
        return None
    return (
        "robots.txt does not want this address to be fetched, and the worker will not; ask the "
        "site's operator, and with the permission set request.honour_robots to false"
    )


def _fetcher(url: str) -> Fetcher:
    # Whoever types an address may look at it, on a private host too.
    own = parse_url(url).authority
    return Fetcher(user_agent="uRing/1 (trying an entry)", allowed_private_hosts=[own])


def trial_read(source: Source, fetched: FetchedPage) -> TrialRead:
    """Read a page as the worker would, and look for what is wrong."""
    today = datetime.now(ZoneInfo(source.zone)).date()
    page: Page[NoticeItem] = Page((), (), 0)
    text = ""
    trouble: SourceTrouble | None = None
    try:
        text = text_of(source, fetched.body, fetched.content_type)
        page = rows_of(source, text, fetched.url, today)
        read_page(source, text, fetched.url, today)
        judge_page(source.expect, text, page.items, NOUNS)
    except SourceTrouble as error:
        trouble = diagnosed(error, text) if isinstance(error, SuspectPage) else error
    return TrialRead(page, trouble, advise(source, text, page, trouble, today) if text else [])


def document(source_id: str, trial: TrialRead) -> dict[str, Any]:
    """Return a trial read for machines."""
    page, trouble = trial.page, trial.trouble
    return {
        "source": source_id,
        "suspect": trouble and {"reason": trouble.reason, "detail": trouble.detail},
        "advice": list(trial.advice),
        "rows": [
            {
                "row": row.index,
                "item": row.item and _item(row.item),
                "reason": row.reason,
                "duplicate_of": row.duplicate_of,
            }
            for row in page.rows
        ],
        "items": [_item(item) for item in page.items],
    }


def show(trial: TrialRead) -> None:
    """Print a trial read: a line per notice, the rows that were skipped, what is wrong."""
    console = Console(highlight=False)
    page = trial.page
    table = Table(show_edge=False, pad_edge=False)
    for column in ("row", "id", "date", "", "notice"):
        table.add_column(column, overflow="fold", justify="right" if column == "row" else "left")
    skipped = []
    for row in page.rows:
        item = row.item
        if item is None:
            skipped.append(f"row {row.index} skipped: {row.reason}\n    {row.text}")
            continue
        notes = ["pin"] if item.is_pinned else []
        notes += [f"as row {row.duplicate_of}"] if row.duplicate_of else []
        notice = Text(item.title)
        notice.append(f"  ({item.category})" if item.category else "", style="cyan")
        notice.append(f"\n{item.link}", style="dim")
        # The id is the page's: brackets in it are no markup of ours.
        table.add_row(str(row.index), Text(item.id), item.date or "", ", ".join(notes), notice)
    if page.items:
        console.print(table)
    for line in skipped:
        console.print(line, markup=False, style="yellow")
    read = f"{counted(len(page.rows), 'row')}, {counted(len(page.items), 'notice')}"
    console.print(f"{read}, {page.skipped} skipped")
    if trial.trouble:
        console.print(f"suspect: {trial.trouble}", markup=False, style="red")
    for line in trial.advice:
        console.print(line, markup=False, style="red")


def _item(item: Any) -> dict[str, Any]:
    names = ("id", "title", "date", "category", "link", "is_pinned", "hash")
    return {name: getattr(item, name) for name in names}
