"""A saved page of a registry, read by its entry."""

import json
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.errors import SuspectPage
from uring.extract.formats import format_of
from uring.fetch.decode import decode_html
from uring.regulations.page import RegistryPage, read_registry
from uring.regulations.source import Registry
from uring_local.entries.files import NotFound, open_config
from uring_local.words import counted, printable


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page, and the registry whose entry read it."""

    registry: Registry
    page: RegistryPage


def parse_page(file: Path, config: Path, registry_id: str | None, url: str | None) -> ParsedPage:
    """Read a saved page.

    Args:
        file: the page.
        config: the list of registries.
        registry_id: the entry to read it by; None takes the first.
        url: the page's address; None takes the entry's.

    Raises:
        NotFound: no such file or entry, or the file is not a page.
        SuspectPage: the page is suspect; the message names the file.
        OSError: the file cannot be read.
    """
    registry = _registry(config, registry_id)
    body = file.read_bytes()
    if (form := format_of(body)) not in ("html", "text", "unknown"):
        raise NotFound(
            f"{file}: not a page of a registry, but a file of the format {form}; "
            f"`uring regulations extract {file}` reads it"
        )
    pinned = None if registry.encoding == "auto" else registry.encoding
    text = decode_html(body, None, pinned).text
    try:
        return ParsedPage(registry, read_registry(registry, text, url or registry.url))
    except SuspectPage as trouble:
        raise SuspectPage(trouble.reason, f"{file}: {trouble.detail}") from trouble


def show_json(parsed: ParsedPage) -> None:
    """Print one JSON object: the entries with the keys of the table, and the skipped rows."""
    page = parsed.page
    document = {
        "registry": parsed.registry.id,
        "rows": page.rows,
        "entries": [policy.item() for policy in page.policies],
        "skipped": list(page.skipped),
    }
    print(json.dumps(document, ensure_ascii=False, indent=1))


def show_text(parsed: ParsedPage) -> None:
    """Print a table of the entries, the reasons for skipped rows, and the counts."""
    page = parsed.page
    table = Table(box=None, pad_edge=False)
    table.add_column("fileNo", justify="right")
    table.add_column("title", overflow="fold")
    for policy in page.policies:
        table.add_row(policy.file_no, escape(printable(policy.title)))
    console = Console(highlight=False)
    console.print(table)
    for reason in page.skipped:
        console.print(f"skipped  {printable(reason)}", style="yellow", markup=False)
    console.print(
        f"{parsed.registry.id}: {counted(len(page.policies), 'regulation')} in "
        f"{counted(page.rows, 'row')}, "
        f"{len(page.skipped)} skipped",
        markup=False,
    )


def _registry(config: Path, registry_id: str | None) -> Registry:
    opened = open_config(config)
    if registry_id is not None:
        entry = opened.entry(registry_id)
    else:
        entry = next(iter(opened.entries().sources), None)
    if not isinstance(entry, Registry):
        raise NotFound(f"{config} lists no registry; name the list with --config")
    return entry
