"""`uring add URL`: from the address of a list to its entry in the sitemap."""

import argparse
import json
from pathlib import Path
from typing import Any

from uring.errors import ConfigInvalid


def add_add(commands: Any, sitemap: Path) -> None:
    """Register ``add`` with the command line's parser; ``sitemap`` is the default file."""
    add = commands.add_parser(
        "add",
        help="propose an entry for a notice board",
        description="Fetches a list page or feed, recognises the system behind it, proposes an "
        "entry and shows the notices that it would read. Exit code 1 if none can be proposed, or "
        "something is wrong with what it reads.",
    )
    add.add_argument("url", metavar="URL", help="of page 1 of the list")
    add.add_argument("--id", metavar="ID", help="of the source (default: from the address)")
    add.add_argument("--name", metavar="NAME", help="for people (default: from the page's title)")
    add.add_argument("--config", type=Path, default=sitemap, metavar="F")
    add.add_argument("--page", type=Path, metavar="FILE", help="a saved page, not the site")
    add.add_argument("--write", action="store_true", help="put it into the sitemap")
    add.add_argument("--json", action="store_true", help="one JSON object")
    add.set_defaults(command=_add)


def _add(options: argparse.Namespace) -> bool:
    # BeautifulSoup and rich are for this command and its like.
    from uring.fetch import Request  # noqa: PLC0415
    from uring.fetch.url import parse_url  # noqa: PLC0415
    from uring.notices.config import Source  # noqa: PLC0415
    from uring_local.entries.sitemap import read_sitemap  # noqa: PLC0415
    from uring_local.entries.trial_read import answer_of, forbidden  # noqa: PLC0415
    from uring_local.propose.propose import propose  # noqa: PLC0415
    from uring_local.propose.write import NotAdded, add_entry  # noqa: PLC0415

    url = parse_url(options.url).url
    known = read_sitemap(options.config.read_bytes()).sources if options.config.exists() else ()
    taken = {source.id for source in known}
    if options.id in taken:
        raise NotAdded(f"{options.config} has a source {options.id!r} already; give another id")
    answer = answer_of(Request(url=url), options.page)
    proposal = propose(answer, url, source_id=options.id, name=options.name, taken=taken)
    notes = [*proposal.reasons]
    notes += [f"{source.id} watches this address already" for source in known if source.url == url]
    if answer.url != url:
        notes.append(f"the site redirects to {answer.url}")
    if options.page is None and (word := forbidden(Source.model_validate(proposal.entry))):
        notes.append(word)
    refused = None
    if options.write:
        if not proposal.trial.well:
            refused = "not written: something is wrong with what it reads"
        else:
            try:
                add_entry(options.config, proposal.entry)
            except (NotAdded, ConfigInvalid) as error:
                refused = str(error)
    _report(options, proposal, notes, refused)
    return proposal.trial.well and refused is None


def _report(
    options: argparse.Namespace, proposal: Any, notes: list[str], refused: str | None
) -> None:
    from uring_local.entries.trial_read import document, show  # noqa: PLC0415
    from uring_local.propose.write import written  # noqa: PLC0415

    done = str(options.config) if options.write and refused is None else None
    if options.json:
        more = document(proposal.entry["id"], proposal.trial)
        found = {"entry": proposal.entry, "reasons": notes, "written": done, "refused": refused}
        print(json.dumps(found | more, ensure_ascii=False, indent=1))
        return
    show(proposal.trial)
    print()
    for note in notes:
        print(f"- {note}")
    print()
    print(written(proposal.entry))
    if refused:
        print(f"\n{refused}")
    elif done:
        print(f"\nwritten to {done}")
    else:
        print(f"\nnot written; --write puts it into {options.config}")
