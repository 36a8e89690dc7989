"""`uring domains`: look at a domain of a list.

The library and rich are imported where they are used: the other commands, and `--help`, do not
need them.
"""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from uring_local.options import Hosts, Json

Evidence = Literal["", "robots.txt", "sitemap.xml", "homepage.html"]
StandIn = Annotated[str, Parameter(metavar="HOST:PORT")]


def normalize_urls(urls: list[str], /, *, country: str = "SG", as_json: Json = False) -> bool:
    """Show the registrable domain, authority and id of URLs, as the file worker reads them.

    A bare host means https. Exit code 1 if any has no registrable domain.

    Args:
        urls: of http or https, or bare hosts.
        country: two letters, for the ids.
        as_json: print one JSON object per URL and line.
    """
    from uring_local.domains.names import normalize, show_json, show_text

    names = [normalize(url, country) for url in urls]
    (show_json if as_json else show_text)(names)
    return all(name.domain is not None for name in names)


def read_robots_files(files: list[Path], /, *, as_json: Json = False) -> None:
    """Show the contents of saved robots.txt: outcome, encoding, Sitemap lines, delay.

    Args:
        files: robots.txt files, or folders of them.
        as_json: print one JSON object per file and line.
    """
    from uring_local.domains.saved import (
        files_in,
        read_saved_robots,
        show_robots_json,
        show_robots_text,
    )

    found = [read_saved_robots(file) for file in files_in(files)]
    (show_robots_json if as_json else show_robots_text)(found)


def read_sitemap_files(files: list[Path], /, *, as_json: Json = False) -> None:
    """Show the kind of saved sitemaps, indexes and feeds, and their number of URLs.

    Args:
        files: of XML or text, packed by gzip or not, or folders of them.
        as_json: print one JSON object per file and line.
    """
    from uring_local.domains.saved import (
        files_in,
        read_saved_sitemap,
        show_sitemaps_json,
        show_sitemaps_text,
    )

    found = [read_saved_sitemap(file) for file in files_in(files)]
    (show_sitemaps_json if as_json else show_sitemaps_text)(found)


def collect_domains(
    domains: list[str],
    /,
    *,
    allow_hosts: Hosts = (),
    stand_in: StandIn = "",
    contact: str = "",
    as_json: Json = False,
) -> bool:
    """Collect domains now as the domain worker does it, and show their robots.txt and sitemaps.

    Asks the domains themselves, politely: each takes up to 45 s. Nothing is stored. Exit code 1 if
    any is not a domain or does not answer.

    Args:
        domains: bare hosts or URLs.
        allow_hosts: a private address that may be asked; may be repeated.
        stand_in: a loopback server that answers for the whole web, for tests.
        contact: an address for the operators of the domains, sent with each request.
        as_json: print one JSON object per domain and line.
    """
    from uring_local.domains.collecting import collect_domain, collector, show_json, show_text

    asking = collector(allow_hosts, stand_in, contact)
    well = True
    for given in domains:
        collected = collect_domain(asking, given)
        (show_json if as_json else show_text)(collected)
        well = well and collected.well
    return well


def show_domain(
    domain: str,
    partition: str,
    /,
    *,
    stack: str,
    evidence: Evidence = "",
) -> bool:
    """Show the stored result of a domain as JSON, or a body that was kept of it.

    Exit code 1 if the domain was not collected there, or the body was not kept.

    Args:
        domain: the registrable domain, such as mom.gov.sg.
        partition: the collection, such as sg/news/2026-01-28.
        stack: name of the stack.
        evidence: print this body, from its object or its segment.
    """
    from uring_local.domains.stored import show_stored

    return show_stored(stack, domain, partition, evidence)
