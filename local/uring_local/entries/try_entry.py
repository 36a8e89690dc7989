"""`uring try` and `uring config check`: for whoever adds a department."""

import json
from pathlib import Path

from uring.errors import UringError
from uring.fetch.url import parse_url
from uring.notices.config import Source
from uring.notices.site import request_for
from uring_local.entries.sitemap import read_sitemap
from uring_local.entries.trial_read import answer_of, document, show, tried


class NotFound(UringError):
    """There is no such source in the file, or its entry is refused."""


def try_source(
    config: Path, source_id: str, *, page: Path | None, url: str | None, as_json: bool
) -> bool:
    """Show what would be extracted, row by row; whether nothing is wrong with it.

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
    source = entry_of(config, source_id)
    if url is not None:
        source = source.model_copy(update={"url": parse_url(url).url})
    trial = tried(source, answer_of(request_for(source), page))
    if as_json:
        print(json.dumps(document(source.id, trial), ensure_ascii=False, indent=1))
    else:
        show(trial)
    return trial.well


def check_config(config: Path, *, as_json: bool) -> bool:
    """Print every problem of a sitemap with its place and remedy; whether there is none.

    Raises:
        ConfigInvalid: the file as a whole cannot be read.
    """
    sitemap = read_sitemap(config.read_bytes())
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


def entry_of(config: Path, source_id: str) -> Source:
    """The source of a sitemap.

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
