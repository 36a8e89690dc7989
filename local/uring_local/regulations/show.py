"""An extraction and a difference, for people and for machines."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.extract.differences import ArticleChange, Difference
from uring.extract.effective import Effective
from uring.extract.extraction import Extraction
from uring_local.words import counted, printable

_STYLES: Final = {"-": "red", "+": "green", " ": "", "@": "dim"}
_CHANGES: Final = {
    "added": "green",
    "removed": "red",
    "changed": "yellow",
    "deleted": "red",
    "renumbered": "cyan",
}


def show_extraction_json(path: Path, extraction: Extraction) -> None:
    """Print one line of JSON."""
    document = {"file": str(path)} | extraction.model_dump(mode="json")
    print(json.dumps(document, ensure_ascii=False))


def show_extractions(extractions: Sequence[tuple[Path, Extraction]]) -> None:
    """Print a table: file, outcome, format, pages, characters, and notes."""
    table = Table(box=None, pad_edge=False)
    for name in ("file", "outcome", "format"):
        table.add_column(name, overflow="fold")
    for name in ("pages", "characters"):
        table.add_column(name, justify="right")
    table.add_column("notes", overflow="fold")
    for path, extraction in extractions:
        well = extraction.outcome == "text"
        table.add_row(
            escape(printable(str(path))),
            f"[{'green' if well else 'red'}]{extraction.outcome}[/]",
            extraction.format,
            "" if extraction.pages is None else f"{extraction.pages:,}",
            f"{len(extraction.text):,}" if well else "",
            escape("; ".join(map(printable, _notes(extraction)))),
        )
    Console(highlight=False).print(table)


def show_difference(difference: Difference, effective: Effective) -> None:
    """Print each changed article with its lines, then the counts, then when it comes into force."""
    console = Console(highlight=False, soft_wrap=True)
    for article in difference.articles:
        console.print(_head(article), style=f"bold {_CHANGES[article.change]}", markup=False)
        for line in article.diff:
            sign, text = line[:1], line[1:]
            shown = f"… {counted(int(text), 'line')} alike" if sign == "@" else line
            console.print(f"  {printable(shown)}", style=_STYLES.get(sign, ""), markup=False)
    changed = counted(difference.changed, "article")
    console.print(
        f"{changed} changed; {difference.before:,} before, {difference.after:,} after", markup=False
    )
    if effective.date or effective.text:
        told = ": ".join(filter(None, (effective.date, printable(effective.text))))
        console.print(f"in force from {told}", markup=False)


def _head(article: ArticleChange) -> str:
    was = f"{article.previous_key} → " if article.previous_key else ""
    title = f" ({article.title})" if article.title else ""
    return printable(f"{was}{article.key}{title}: {article.change}")


def _notes(extraction: Extraction) -> Iterator[str]:
    if extraction.reason:
        yield extraction.reason
    if extraction.unreliable_pages:
        numbers = ", ".join(map(str, extraction.unreliable_pages))
        noun = "page" if len(extraction.unreliable_pages) == 1 else "pages"
        yield f"unreliable text on {noun} {numbers}"
    if extraction.truncated:
        yield "a page is longer than the limit and was cut"
    yield from extraction.notes
