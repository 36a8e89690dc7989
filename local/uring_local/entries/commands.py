"""`uring try`, `uring diff` and `uring config`: for the writer of a configuration file.

pydantic, rich and the parsers are imported where they are used: the other commands, and `--help`,
do not need them.
"""

import json
from pathlib import Path

from uring_local.options import Hosts, Json, Page, RhythmName, Sitemap, WrongUsage
from uring_local.project import SITEMAP


def try_entry(
    source_id: str,
    /,
    *,
    config: Sitemap = SITEMAP,
    page: Page = None,
    url: str | None = None,
    as_json: Json = False,
) -> bool:
    """Show the records that an entry extracts from its page, row by row.

    Exit code 1 if anything is wrong with the entry.

    Args:
        source_id: the entry's id.
        config: the file with the entry.
        page: a saved page to read in place of the site; - reads the standard input.
        url: an address in place of the entry's, such as that of the saved page.
        as_json: print one JSON document.
    """
    from uring.fetch.url import parse_url
    from uring.sources.site import request_for
    from uring_local.entries.files import open_config
    from uring_local.entries.trial_read import document, fetch_page, show, trial_read

    file = open_config(config)
    family, source = file.pages, file.entry(source_id)
    if url is not None:
        source = source.model_copy(update={"url": parse_url(url).url})
    trial = trial_read(family, source, fetch_page(request_for(source), page))
    if as_json:
        print(json.dumps(document(source.id, trial), ensure_ascii=False, indent=1))
    else:
        show(trial)
    return trial.well


def diff_pages(
    source_id: str,
    /,
    *,
    before: Path,
    after: Path,
    config: Sitemap = SITEMAP,
    as_json: Json = False,
) -> bool:
    """Show the changes that a pair of saved pages would cause.

    The first page is the previous state, the second is the page of a check: guards, kinds of change
    and pushes are those of the worker. Exit code 1 if either page is suspect.

    Args:
        source_id: the entry to read both pages with.
        before: the earlier page.
        after: the later page.
        config: the file with the entry.
        as_json: print one JSON document.
    """
    from uring_local.entries.diff import document, show
    from uring_local.entries.files import open_config

    file = open_config(config)
    family, source = file.pages, file.entry(source_id)
    comparison = family.compare(source, before.read_bytes(), after.read_bytes())
    if as_json:
        print(json.dumps(document(family, source.id, comparison), ensure_ascii=False, indent=1))
    else:
        show(family, comparison)
    return comparison.suspect is None


def show_rhythm(
    source_id: str = "",
    /,
    *,
    config: Sitemap = SITEMAP,
    rhythm: RhythmName = "uniform",
    as_json: Json = False,
) -> None:
    """Show how often a board is checked in a week, with requests and expected delay.

    The delay is that of posts at the hours of Korean universities.

    Args:
        source_id: an entry's id: its own rhythm counts, or its file's, and its interval. Without
            one the chart is of the stack's rhythm.
        config: the file with the entry.
        rhythm: of the stack.
        as_json: print one JSON object.
    """
    from uring.sources.rhythm import RHYTHMS
    from uring_local.cost import week
    from uring_local.entries.files import open_config

    zone, shown = "the zone of each source", week.week_of(rhythm, RHYTHMS[rhythm].week)
    if source_id:
        source = open_config(config).entry(source_id)
        zone, shown = source.zone, week.week_of(source_id, source.week(rhythm))
    if as_json:
        print(json.dumps(week.document(shown), ensure_ascii=False, indent=1))
    else:
        week.show(shown, zone)


def check_config(
    config: Path = SITEMAP, /, *, allow_hosts: Hosts = (), as_json: Json = False
) -> bool:
    """List every problem of a configuration file with its place and the remedy.

    A file with shards is checked with its further files. Exit code 1 if there is a problem.

    Args:
        config: the file.
        allow_hosts: a private address that the deployed worker may fetch; may be repeated.
        as_json: print one JSON object.
    """
    from uring_local.entries.files import open_config
    from uring_local.entries.vain import examine
    from uring_local.words import counted

    files = [(file.path, examine(file, allow_hosts)) for file in open_config(config).all()]
    found = [(path, problem) for path, entries in files for problem in entries.problems]
    bad_ones = {problem.entry for _, problem in found}
    good = sum(source.id not in bad_ones for _, entries in files for source in entries.sources)
    if as_json:
        names = ("path", "entry", "line", "message", "remedy")
        problems = [
            {"file": str(path), **{name: getattr(problem, name) for name in names}}
            for path, problem in found
        ]
        print(json.dumps({"sources": good, "problems": problems}, ensure_ascii=False))
    else:
        for path, problem in found:
            print(f"{path}: {problem}")
        verb = "is" if good == 1 else "are"
        bad = f", {counted(len(found), 'problem')}" if found else ""
        named = f"{config} and {len(files) - 1} more" if len(files) > 1 else str(config)
        print(f"{named}: {counted(good, 'source')} {verb} fine{bad}")
    return not found


def print_schema(config: Path = SITEMAP, /) -> None:
    """Print the JSON Schema of a configuration file, for editors.

    Args:
        config: the file, such as config/registries.json; it need not exist yet.
    """
    from uring_local.entries.families import FAMILIES, family_of, is_configuration
    from uring_local.entries.schema import schema_text

    body = config.read_bytes() if config.exists() else None
    if config.suffix != ".json" or not is_configuration(config, body):
        keys = ", ".join(family.key for family in FAMILIES)
        raise WrongUsage(
            f"{config} is not a configuration file, which is JSON with one of the lists {keys}; "
            f"without a name the schema is that of {SITEMAP}"
        )
    family = family_of(config, body)
    print(schema_text(family), end="")
