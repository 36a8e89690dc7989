"""`uring regulations`: look at a regulation's file, its changes and its dead letters.

The readers, pydantic and rich are imported where they are used: the other commands, and `--help`,
do not need them.
"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.types import PositiveInt
from cyclopts.validators import Number

from uring_local.options import Json
from uring_local.project import REGISTRIES


def extract_files(
    files: list[Path],
    /,
    *,
    as_text: Annotated[bool, Parameter(name="--text")] = False,
    as_json: Json = False,
) -> bool:
    """Extract the text of files as the text extractor does, and show the outcome of each.

    PDF, HWPX, HWP 5, HTML and plain text are read, recognised by their bytes. Exit code 1 if any
    file has no text.

    Args:
        files: the files.
        as_text: print the texts, as Markdown, and nothing else.
        as_json: print one JSON object per file and line, with its text.
    """
    from uring_local.regulations.files import read_file
    from uring_local.regulations.show import show_extraction_json, show_extractions

    extractions = [(path, read_file(path)) for path in files]
    if as_json:
        for path, extraction in extractions:
            show_extraction_json(path, extraction)
    elif as_text:
        for _, extraction in extractions:
            print(extraction.text, end="")
    else:
        show_extractions(extractions)
    return all(extraction.outcome == "text" for _, extraction in extractions)


def diff_files(
    old: Path,
    new: Path,
    /,
    *,
    as_json: Json = False,
    as_html: Annotated[bool, Parameter(name="--html")] = False,
) -> None:
    """Show the changes between two revisions of a regulation, article by article.

    Exit code 1 if either has no text.

    Args:
        old: the older file, of any readable format, or a stored text (.md).
        new: the newer one.
        as_json: print one JSON object.
        as_html: print one self-contained HTML page.
    """
    from uring.extract.differences import compare
    from uring.extract.effective import effective_of_change
    from uring.extract.page.difference_html import difference_html
    from uring_local.regulations.files import text_of
    from uring_local.regulations.show import show_difference

    before, after = text_of(old), text_of(new)
    difference, effective = compare(before, after), effective_of_change(before, after)
    if as_json:
        print(difference.to_json().decode())
    elif as_html:
        print(difference_html(difference, f"{old.name} → {new.name}", effective), end="")
    else:
        show_difference(difference, effective)


def parse_page(
    file: Path,
    /,
    *,
    registry: str | None = None,
    config: Path = REGISTRIES,
    url: str | None = None,
    as_json: Json = False,
) -> bool:
    """Show the regulations on a saved page of a registry, with the keys of the registry's table.

    Exit code 1 if a row is skipped, or the page is suspect.

    Args:
        file: the saved page.
        registry: the entry to read it by; by default the list's first.
        config: the list of registries.
        url: the page's address; by default the entry's.
        as_json: print one JSON object.
    """
    from uring_local.regulations import page

    parsed = page.parse_page(file, config, registry, url)
    (page.show_json if as_json else page.show_text)(parsed)
    return not parsed.page.skipped


def fill_history(
    registry: str,
    title: str | None = None,
    /,
    *,
    out: Path,
    of_all: Annotated[bool, Parameter(name="--all")] = False,
    config: Path = REGISTRIES,
    most: PositiveInt = 200,
    pause: Annotated[float, Parameter(validator=Number(gte=1, lte=600))] = 5,
    contact: str = "",
    as_json: Json = False,
) -> bool:
    """Fetch the earlier revisions of regulations that the portal lists, into a folder.

    Writes each text, the differences of neighbours and a line for each revision. The site is asked
    slowly, as robots.txt allows. What the folder has is not asked for again. Exit code 1 if a
    revision is missing in the end: run it again.

    Args:
        registry: its id.
        title: of the regulation.
        out: the folder.
        of_all: take all regulations of the registry.
        config: the list of registries.
        most: pages and texts that are asked for in this run, at most.
        pause: seconds between two requests; a longer one of robots.txt wins.
        contact: an address for the site's operator, sent with each request.
        as_json: print one JSON object.
    """
    from uring_local.regulations.history import NoHistory, fill, show_json, show_text

    if of_all == (title is not None):
        raise NoHistory("give the title of a regulation, or --all")
    filled = fill(
        config, registry, title, out, most=most, pause=pause, contact=contact, quiet=as_json
    )
    (show_json if as_json else show_text)(filled)
    return filled.well


def list_dead_letters(registry: str | None = None, /, *, stack: str, as_json: Json = False) -> bool:
    """List the files that could not be read, with the reason of each.

    Exit code 1 if there are any.

    Args:
        registry: only files of this registry; by default of all.
        stack: the deployed stack's name.
        as_json: print one JSON list.
    """
    from uring_local.regulations import dead_letters

    return dead_letters.list_letters(stack, registry, as_json=as_json)


def retry_dead_letters(
    registry: str,
    title: str | None = None,
    /,
    *,
    stack: str,
    run_now: Annotated[bool, Parameter(name="--now")] = False,
) -> bool:
    """Queue the dead letters of a registry again, or one of them.

    Exit code 1 if there is none, or a newer revision already waits in the place of one.

    Args:
        registry: its id.
        title: of the regulation; by default all of the registry.
        stack: the deployed stack's name.
        run_now: start a run that reads them; by default the next day's does.
    """
    from uring_local.regulations import dead_letters

    return dead_letters.retry_letters(stack, registry, title, run_now=run_now)
