"""One entry tried on one page: the rows that it reads, the guards' judgement, and advice."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.table import Table

from uring.errors import FetchFailed, SourceTrouble, SuspectPage
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.fetch.robots import ask
from uring.fetch.tls import STRICT
from uring.fetch.url import parse_url
from uring.sources.entry import Entry
from uring.sources.guards import diagnosed, judge_page
from uring.sources.rows import Page
from uring.sources.site import request_for, text_of
from uring_local.entries.advice import advise
from uring_local.entries.family import FileFamily
from uring_local.options import STDIN
from uring_local.words import counted


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A fetched or saved page.

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
    """The result of trying an entry.

    Attributes:
        family: of the entry.
        page: the rows that were read.
        trouble: the reason why the page is suspect, or None.
        advice: a sentence for each fault of the entry.
    """

    family: FileFamily[Any, Any]
    page: Page[Any]
    trouble: SourceTrouble | None
    advice: Sequence[str]

    @property
    def well(self) -> bool:
        """True if there is neither trouble nor advice."""
        return self.trouble is None and not self.advice


def fetch_page(request: Request, page: Path | None) -> FetchedPage:
    """Return a saved page, or the site's page for None.

    Raises:
        FetchFailed: no usable response.
        OSError: the file cannot be read.
    """
    if page is not None:
        return FetchedPage(saved(page), None, request.url)
    response = _fetcher(request.url).fetch(request)
    return FetchedPage(response.body, response.content_type, response.url)


def saved(page: Path) -> bytes:
    """Return a saved page; ``-`` is the standard input.

    Raises:
        OSError: the file cannot be read.
    """
    if page != STDIN:
        return page.read_bytes()
    if sys.stdin is None:
        raise OSError("the standard input is closed: name a file")
    return sys.stdin.buffer.read()


def forbidden(source: Entry, final: str = "") -> str | None:
    """Return why the worker may not fetch an entry; None if robots.txt allows it.

    A failed fetch of robots.txt is a reason too.

    Args:
        source: the entry.
        final: the address to which its list redirects; empty for none.
    """
    for url in dict.fromkeys((source.url, final or source.url)):
        if reason := _forbidden(source, url):
            return reason
    return None


def _forbidden(source: Entry, url: str) -> str | None:
    is_own = parse_url(url).host == parse_url(source.url).host
    try:
        decision = ask(
            _fetcher(source.url).fetch,
            source.fingerprint,
            (url, url),
            datetime.now(UTC),
            timeout_seconds=source.request.timeout_seconds,
            tls=request_for(source).tls if is_own else STRICT,
        )
    except FetchFailed as error:
        return error.detail
    if decision.allowed:
        return None
    place = "this address" if url == source.url else f"{url}, to which the list redirects"
    return (
        f"robots.txt forbids {place}, so the worker does not fetch it; ask the site's "
        "operator, and if permitted set request.honour_robots to false"
    )


def _fetcher(url: str) -> Fetcher:
    # The user may look at any address that they type, on a private host too.
    own = parse_url(url).authority
    return Fetcher(user_agent="uRing/1 (trying an entry)", allowed_private_hosts=[own])


def trial_read(family: FileFamily[Any, Any], source: Entry, fetched: FetchedPage) -> TrialRead:
    """Read a page as the worker would; return its rows, the guards' judgement and advice."""
    today = datetime.now(ZoneInfo(source.zone))
    page: Page[Any] = Page((), (), 0)
    text = ""
    trouble: SourceTrouble | None = None
    try:
        text = text_of(source, fetched.body, fetched.content_type)
        page = family.read(source, text, fetched.url, today)
        family.judge(source, page)
        judge_page(source.expect, text, page.items, family.nouns)
    except SourceTrouble as error:
        trouble = diagnosed(error, text) if isinstance(error, SuspectPage) else error
    advice = advise(family, source, text, page, trouble, today) if text else []
    return TrialRead(family, page, trouble, advice)


def document(source_id: str, trial: TrialRead) -> dict[str, Any]:
    """Return the JSON object of a trial read."""
    family, page, trouble = trial.family, trial.page, trial.trouble
    return {
        "source": source_id,
        "suspect": trouble and {"reason": trouble.reason, "detail": trouble.detail},
        "advice": list(trial.advice),
        "rows": [
            {
                "row": row.index,
                "item": None if row.item is None else family.document(row.item),
                "reason": row.reason,
                "duplicate_of": row.duplicate_of,
            }
            for row in page.rows
        ],
        "items": [family.document(item) for item in page.items],
    }


def show(trial: TrialRead) -> None:
    """Print a trial read: a line per record, the skipped rows, trouble and advice."""
    console = Console(highlight=False)
    family, page = trial.family, trial.page
    table = Table(show_edge=False, pad_edge=False)
    for column in ("row", *family.columns):
        table.add_column(column, overflow="fold", justify="right" if column == "row" else "left")
    skipped = []
    for row in page.rows:
        if row.item is None:
            skipped.append(f"row {row.index} skipped: {row.reason}\n    {row.text}")
        else:
            table.add_row(str(row.index), *family.cells(row.item, row))
    if page.items:
        console.print(table)
    for line in skipped:
        console.print(line, markup=False, style="yellow")
    read = f"{counted(len(page.rows), 'row')}, {counted(len(page.items), family.noun)}"
    console.print(f"{read}, {page.skipped} skipped")
    if trial.trouble:
        console.print(f"suspect: {trial.trouble}", markup=False, style="red")
    for line in trial.advice:
        console.print(line, markup=False, style="red")
