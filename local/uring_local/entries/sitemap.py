"""A sitemap as the deployed functions would read it, and one entry of it."""

import difflib
from pathlib import Path

from uring.errors import ConfigInvalid, UringError
from uring.families import folders_beside
from uring.notices.registration import ENTRIES, NAME, WHAT
from uring.notices.source import Source
from uring.sources.config import Entries, Judge, load_entries
from uring_local.project import ROOT, SITEMAP


class NotFound(UringError):
    """There is no such file or source, or the entry is refused."""


def read_sitemap(body: bytes, judge: Judge[Source] = lambda *_: ()) -> Entries[Source]:
    """Return the usable entries and what is wrong with the others.

    Args:
        body: of the file.
        judge: see `load_entries`.

    Raises:
        ConfigInvalid: the whole is unreadable.
    """
    return load_entries(
        body, Source, key=ENTRIES, what=WHAT, taken=folders_beside(NAME), judge=judge
    )


def sitemap_of(config: Path, judge: Judge[Source] = lambda *_: ()) -> Entries[Source]:
    """Return the same of a file.

    Raises:
        NotFound: there is none.
        ConfigInvalid: the whole is unreadable; the message names the file.
        OSError: it cannot be read.
    """
    body = sitemap_in(config)
    try:
        return read_sitemap(body, judge)
    except ConfigInvalid as error:
        raise ConfigInvalid(f"{config}: {error}") from error


def sitemap_in(config: Path) -> bytes:
    """Return a file's bytes; say what to do where there is none.

    Raises:
        NotFound: there is none.
        OSError: it cannot be read.
    """
    try:
        return config.read_bytes()
    except FileNotFoundError:
        remedy = "name the sitemap"
        if config == SITEMAP:
            remedy = f"change to the directory of the project, {ROOT}, or name the sitemap"
        raise NotFound(f"{config}: there is no such file here; {remedy}") from None


def entry_of(config: Path, source_id: str) -> Source:
    """Return the source of a sitemap.

    Raises:
        NotFound: no such file, no such entry, or a refused one; the message has the problems.
        ConfigInvalid: the file as a whole cannot be read.
    """
    sitemap = sitemap_of(config)
    for source in sitemap.sources:
        if source.id == source_id:
            return source
    known = [source.id for source in sitemap.sources]
    close = difflib.get_close_matches(source_id, known, n=1)
    instead = f"; did you mean {close[0]!r}?" if close else f"; it has {', '.join(known) or 'none'}"
    refused = "".join(f"\n  {problem}" for problem in sitemap.problems)
    raise NotFound(f"{config} has no usable source {source_id!r}{instead}{refused}")
