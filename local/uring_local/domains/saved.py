"""Saved robots.txt and sitemaps, read as the domain worker reads them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.fetch.robots import RobotsFile, read_robots
from uring.fetch.url import one_line
from uring.seeds.collect.limits import LIMITS
from uring.seeds.collect.sitemap import SitemapFile, read_sitemap
from uring_local.words import counted


@dataclass(frozen=True, slots=True)
class Saved:
    """The beginning of a file, and whether the rest was cut off."""

    file: Path
    content: bytes
    truncated: bool


@dataclass(frozen=True, slots=True)
class SavedRobots:
    """A saved robots.txt and its contents."""

    saved: Saved
    robots: RobotsFile


@dataclass(frozen=True, slots=True)
class SavedSitemap:
    """A saved sitemap and its contents."""

    saved: Saved
    sitemap: SitemapFile


def files_in(places: Iterable[Path]) -> Iterator[Path]:
    """Yield files in the given order; a folder yields all files below it, by path."""
    for place in places:
        if place.is_dir():
            yield from sorted(path for path in place.rglob("*") if path.is_file())
        else:
            yield place


def read_saved_robots(file: Path) -> SavedRobots:
    """Read a robots.txt, up to the worker's limit.

    Raises:
        OSError: the file cannot be read.
    """
    saved = _open(file, LIMITS.robots_bytes)
    return SavedRobots(saved, read_robots(saved.content))


def read_saved_sitemap(file: Path) -> SavedSitemap:
    """Read a sitemap, index or feed, up to the worker's limit.

    Raises:
        OSError: the file cannot be read.
    """
    most = LIMITS.sitemap_bytes
    saved = _open(file, most)
    return SavedSitemap(
        saved, read_sitemap(saved.content, truncated=saved.truncated, max_bytes=most)
    )


def show_robots_json(found: Sequence[SavedRobots]) -> None:
    """Print one line per file."""
    for one in found:
        robots = asdict(one.robots)
        del robots["rules"]
        _print_line(one.saved, robots | {"outcome": _outcome(one.robots)})


def show_sitemaps_json(found: Sequence[SavedSitemap]) -> None:
    """Print one line per file."""
    for one in found:
        sitemap = asdict(one.sitemap)
        inflated = len(sitemap.pop("content"))
        _print_line(one.saved, sitemap | {"inflated_bytes": inflated})


def show_robots_text(found: Sequence[SavedRobots]) -> None:
    """Print a table: file, outcome, size, encoding, lines, Sitemap lines, and notes."""
    table = _table("file outcome >bytes encoding >lines >sitemaps notes")
    for one in found:
        robots = one.robots
        delay = robots.crawl_delay
        table.add_row(
            _name(one.saved.file),
            "[yellow]html[/]" if robots.is_html else "ok",
            f"{len(one.saved.content):,}",
            robots.encoding,
            f"{robots.lines:,}",
            f"{len(robots.sitemaps):,}",
            _notes("truncated" * one.saved.truncated, f"delay {delay:g} s" if delay else ""),
        )
    console = Console(highlight=False)
    console.print(table)
    lines = sum(len(one.robots.sitemaps) for one in found)
    named = sum(bool(one.robots.sitemaps) for one in found)
    console.print(
        f"{counted(len(found), 'file')}, {named:,} of them with {counted(lines, 'Sitemap line')}"
    )


def show_sitemaps_text(found: Sequence[SavedSitemap]) -> None:
    """Print a table: file, kind, URLs, size, encoding, and notes or the reason for no kind."""
    table = _table("file kind >urls >bytes encoding notes")
    for one in found:
        sitemap = one.sitemap
        table.add_row(
            _name(one.saved.file),
            sitemap.kind or "[yellow]none[/]",
            f"{sitemap.url_count:,}" if sitemap.kind else "",
            f"{len(one.saved.content):,}",
            sitemap.encoding,
            _notes(
                f"gzip of {len(sitemap.content):,}" if sitemap.layers else "",
                "truncated" * sitemap.truncated,
                "recovered" * (sitemap.parse_mode == "recovered"),
                f"{sitemap.refused:,} unusable" if sitemap.refused else "",
                sitemap.reason,
                sitemap.detail,
            ),
        )
    console = Console(highlight=False)
    console.print(table)
    urls = sum(one.sitemap.url_count for one in found)
    none = sum(one.sitemap.kind is None for one in found)
    console.print(f"{counted(len(found), 'file')}, {counted(urls, 'URL')}, {none:,} not a sitemap")


def _notes(*notes: str) -> str:
    return escape(one_line(", ".join(note for note in notes if note)))


def _open(file: Path, most: int) -> Saved:
    with file.open("rb") as stream:
        content = stream.read(most + 1)
    return Saved(file, content[:most], len(content) > most)


def _outcome(robots: RobotsFile) -> str:
    return "html" if robots.is_html else "ok"


def _name(file: Path) -> str:
    return escape(one_line(file.name))


def _table(columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns.split():
        name = column.removeprefix(">")
        table.add_column(name, overflow="fold", justify="right" if name != column else "left")
    return table


def _print_line(saved: Saved, more: dict[str, object]) -> None:
    head = {"file": str(saved.file), "bytes": len(saved.content), "cut": saved.truncated}
    print(json.dumps(head | more, ensure_ascii=False))
