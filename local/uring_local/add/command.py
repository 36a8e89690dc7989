"""`uring add`: from the address of a list to its entry in a configuration file."""

import json
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators

from uring_local.options import Json, Page, Sitemap
from uring_local.project import SITEMAP

if TYPE_CHECKING:
    from uring_local.add.propose import Proposal


def add_source(
    url: str,
    /,
    *,
    source_id: Annotated[str | None, Parameter(name="--id")] = None,
    name: str | None = None,
    config: Sitemap = SITEMAP,
    page: Page = None,
    link: str | None = None,
    again: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=600))] = 60,
    write: bool = False,
    as_json: Json = False,
) -> bool:
    """Propose an entry for a notice board, or with --config for a registry of regulations.

    Fetches a list page or feed, recognises the system behind it, proposes an entry and shows the
    rows that it would read. Exit code 1 if it finds no entry, or the entry reads its rows wrongly.

    Args:
        url: the address of page 1 of the list.
        source_id: the source's id; by default made from the address.
        name: the source's name for people; by default the page's title.
        config: the file; its kind of list decides the kind of entry.
        page: a saved page to read in place of the site; - reads the standard input.
        link: the address of a notice with {id} in place of its id, if the page does not say it.
        again: seconds until the list is asked for once more, to see what differs by itself; 0 does
            not.
        write: put the entry into the file.
        as_json: print one JSON object.
    """
    # BeautifulSoup and rich are only for commands like this one.
    from uring.fetch.request import Request
    from uring.fetch.url import parse_url
    from uring_local.add.follow import follower, heard, saved
    from uring_local.add.propose import propose
    from uring_local.add.write import NotAdded, watching
    from uring_local.entries.files import open_config, pages_of
    from uring_local.entries.trial_read import fetch_page, forbidden

    url = parse_url(url).url
    file = open_config(config) if config.exists() else None
    family = file.pages if file else pages_of(config)
    taken = {source.id for source in file.entries().sources} if file else set()
    if source_id in taken:
        raise NotAdded(f"{config} has a source {source_id!r} already; give another id")
    fetched = fetch_page(Request(url=url, unpack=True), page)
    try_page = partial(propose, family, source_id=source_id, name=name, taken=taken, link=link)
    lead = None
    if page is None:
        proposal, lead = follower(try_page, url).find(fetched, url)
    else:
        proposal = saved(try_page, fetched, url)
    if lead is not None:
        fetched, url = replace(fetched, url=proposal.entry["url"]), proposal.entry["url"]
    if page is None and again and proposal.doubt is None:
        proposal = _asked_again(proposal, again)
    notes = [*proposal.reasons, *filter(None, [proposal.doubt])]
    watched = watching(family, file.body, url, fetched.url) if file else None
    if watched:
        notes.append(f"{watched} watches this list already")
    notes += heard(fetched, proposal.entry, lead)
    if fetched.url != url:
        notes.append(f"the site redirects to {fetched.url}")
    if page is None and (
        word := forbidden(family.model.model_validate(proposal.entry), fetched.url)
    ):
        notes.append(word)
    refused = _written(config, proposal, fetched.url) if write else None
    written = config if write and refused is None else None
    if as_json:
        _print_json(proposal, notes, written, refused)
    else:
        hint = "not written" if watched else f"not written; --write puts it into {config}"
        outcome = _next_steps(proposal.entry["id"], config) if written else refused or hint
        _print(proposal, notes, outcome)
    return proposal.trial.well and proposal.doubt is None and refused is None


def _asked_again(proposal: "Proposal", seconds: int) -> "Proposal":
    """Return the proposal after the list was asked for once more; as it is if that fails."""
    from rich.console import Console

    from uring.errors import FetchFailed
    from uring.sources.site import request_for
    from uring_local.add.twice import settled
    from uring_local.entries.trial_read import fetch_page

    source = proposal.trial.family.model.model_validate(proposal.entry)
    console = Console(stderr=True)
    said = f"asking once more in {seconds} s, to see what differs by itself (--again 0 does not)"
    with console.status(said) if console.is_terminal else nullcontext():
        time.sleep(seconds)
    try:
        return settled(proposal, fetch_page(request_for(source), None))
    except FetchFailed as error:
        return replace(proposal, reasons=(*proposal.reasons, f"asked once more: {error}"))


def _written(config: Path, proposal: "Proposal", address: str) -> str | None:
    """Write the entry; return the reason if it was not written, else None."""
    from uring.errors import ConfigInvalid
    from uring_local.add.write import NotAdded, add_entry

    if not proposal.trial.well:
        return "not written: the trial read found a fault"
    if proposal.doubt is not None:
        return f"not written: {proposal.doubt}"
    try:
        add_entry(proposal.trial.family, config, proposal.entry, address)
    except (NotAdded, ConfigInvalid) as error:
        return f"not written: {error}"
    return None


def _next_steps(source_id: str, config: Path) -> str:
    """Return the next steps after the entry is written, as commands to copy."""
    own = config == SITEMAP
    option, file = ("", "") if own else (f" --config {config}", f" {config}")
    return (
        f"written to {config}; next:\n"
        f"  uring try {source_id}{option}  # as often as you change the entry\n"
        f"  uring config check{file}\n"
        f"  uring config upload{file} --stack NAME"
    )


def _print_json(
    proposal: "Proposal", notes: Sequence[str], written: Path | None, refused: str | None
) -> None:
    from uring_local.entries.trial_read import document

    result = {
        "entry": proposal.entry,
        "reasons": notes,
        "written": written and str(written),
        "refused": refused,
        **document(proposal.entry["id"], proposal.trial),
    }
    print(json.dumps(result, ensure_ascii=False, indent=1))


def _print(proposal: "Proposal", notes: Sequence[str], outcome: str) -> None:
    from uring_local.add.write import written
    from uring_local.entries.trial_read import show

    show(proposal.trial)
    print()
    for note in notes:
        print(f"- {note}")
    print(f"\n{written(proposal.entry)}\n\n{outcome}")
