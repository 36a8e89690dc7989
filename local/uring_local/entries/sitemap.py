"""A sitemap as the deployed functions would read it, and one entry of it."""

from pathlib import Path

from uring.errors import UringError
from uring.families import folders_beside
from uring.notices.config import Sitemap, Source, load_sitemap
from uring.notices.registration import NAME


class NotFound(UringError):
    """There is no such source in the file, or its entry is refused."""


def read_sitemap(body: bytes) -> Sitemap:
    """Return the usable entries and what is wrong with the others.

    Raises:
        ConfigInvalid: the whole is unreadable.
    """
    return load_sitemap(body, taken=folders_beside(NAME))


def entry_of(config: Path, source_id: str) -> Source:
    """Return the source of a sitemap.

    Raises:
        NotFound: no such entry, or a refused one; the message has the problems.
        ConfigInvalid: the file as a whole cannot be read.
    """
    sitemap = read_sitemap(config.read_bytes())
    for source in sitemap.sources:
        if source.id == source_id:
            return source
    known = ", ".join(source.id for source in sitemap.sources)
    refused = "".join(f"\n  {problem}" for problem in sitemap.problems)
    raise NotFound(
        f"{config} has no usable source {source_id!r}; it has {known or 'none'}{refused}"
    )
