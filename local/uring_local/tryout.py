"""`uring try` and `uring config check`: for whoever adds a department."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring.errors import SourceTrouble, UringError
from uring.fetch import Fetcher
from uring.fetch.url import parse_url
from uring.notices.config import Source, load_sitemap
from uring.notices.page import Page, read_page, rows_of
from uring.notices.site import request_for, text_of


class NotFound(UringError):
    """There is no such source in the file, or its entry is refused."""


def try_source(
    config: Path, source_id: str, *, page: Path | None, url: str | None, as_json: bool
) -> bool:
    """Show what would be extracted, row by row; whether the page would be believed.

    Args:
        config: the sitemap.
        source_id: the entry to try.
        page: a saved page to read; None fetches the entry's address, or ``url``.
        url: the address to fetch instead, or the one that the saved page came from.
        as_json: one JSON document instead of a table.

    Raises:
        NotFound: no such entry.
        FetchFailed: no usable answer, or ``url`` is no address.
    """
    source = _entry(config, source_id)
    if url is not None:
        source = source.model_copy(update={"url": parse_url(url).url})
    if page:
        body, content_type, address = page.read_bytes(), None, source.url
    else:
        # Whoever types an address may look at it, on a private host too.
        own = parse_url(source.url).authority
        fetcher = Fetcher(user_agent="uRing/1 (trying an entry)", allowed_private_hosts=[own])
        response = fetcher.fetch(request_for(source))
        body, content_type, address = response.body, response.content_type, response.url
    today = datetime.now(ZoneInfo(source.zone)).date()
    trouble: SourceTrouble | None = None
    rows = Page((), (), 0)
    try:
        text = text_of(source, body, content_type)
        rows = rows_of(source, text, address, today)
        read_page(source, text, address, today)
    except SourceTrouble as error:
        trouble = error
    if as_json:
        print(json.dumps(_document(source, rows, trouble), ensure_ascii=False, indent=1))
    else:
        _print(rows, trouble)
    return trouble is None


def check_config(config: Path, *, as_json: bool) -> bool:
    """Print every problem of a sitemap with its place and remedy; whether there is none.

    Raises:
        ConfigInvalid: the file as a whole cannot be read.
    """
    sitemap = load_sitemap(config.read_bytes())
    if as_json:
        problems = [
            {"path": problem.path, "message": problem.message, "remedy": problem.remedy}
            for problem in sitemap.problems
        ]
        print(
            json.dumps({"sources": len(sitemap.sources), "problems": problems}, ensure_ascii=False)
        )
    else:
        for problem in sitemap.problems:
            print(problem)
        bad = f", {len(sitemap.problems)} problems" if sitemap.problems else ""
        print(f"{config}: {len(sitemap.sources)} sources are fine{bad}")
    return not sitemap.problems


def _entry(config: Path, source_id: str) -> Source:
    sitemap = load_sitemap(config.read_bytes())
    for source in sitemap.sources:
        if source.id == source_id:
            return source
    known = ", ".join(source.id for source in sitemap.sources)
    refused = "".join(f"\n  {problem}" for problem in sitemap.problems)
    raise NotFound(
        f"{config} has no usable source {source_id!r}; it has {known or 'none'}{refused}"
    )


def _document(source: Source, page: Page, trouble: SourceTrouble | None) -> dict[str, Any]:
    return {
        "source": source.id,
        "suspect": trouble and {"reason": trouble.reason, "detail": trouble.detail},
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


def _item(item: Any) -> dict[str, Any]:
    names = ("id", "title", "date", "category", "link", "is_pinned", "hash")
    return {name: getattr(item, name) for name in names}


def _print(page: Page, trouble: SourceTrouble | None) -> None:
    console = Console(highlight=False)
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
    console.print(table)
    for line in skipped:
        console.print(line, markup=False, style="yellow")
    console.print(f"{len(page.rows)} rows, {len(page.items)} notices, {page.skipped} skipped")
    if trouble:
        console.print(f"suspect: {trouble}", markup=False, style="red")
