"""The addresses of a domain's sitemap and its parts, and its Sitemap lines."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urljoin

from uring_local.sites.web.model import Domain, SitemapKind

FILES_HOST: Final = "files.lantern-host-shared.com"
"""A shared host, not a domain of the web, that holds the sitemaps of some domains."""
LATE: Final = 30
"""The line that leads to the sitemap of a ``late_line`` domain, below the lines that are tried."""
_ENDINGS: Final[dict[SitemapKind, str]] = {
    "gz": "xml.gz",
    "bomb": "xml.gz",
    "text": "txt",
    "rss": "rss",
    "atom": "atom",
}
_WITH_REPEAT: Final = 5
_DEAD_BEFORE: Final = 3


def robots_url(domain: Domain) -> str:
    """Return the address of a domain's robots.txt, which is asked for first."""
    return f"https://{domain.domain}/robots.txt"


def lines(domain: Domain) -> Sequence[str]:
    """Return the values of the Sitemap lines as written; the last may repeat the first.

    Empty where robots.txt cannot be read.
    """
    host = f"https://{domain.domain}"
    if domain.robots == "http_lines":
        host = f"http://{domain.domain}"
    elif domain.robots == "relative":
        host = ""
    elif domain.robots == "other_host":
        host = f"https://{FILES_HOST}/{domain.domain}"
    ending = _ENDINGS.get(domain.sitemap, "xml")
    values = [f"{host}/maps/{number}.{ending}" for number in range(domain.lines)]
    if len(values) == _WITH_REPEAT and domain.number % 2:
        values[-1] = values[0]
    return values


def resolved(domain: Domain) -> list[str]:
    """Return the absolute addresses of the Sitemap lines, in order, without repeats."""
    return list(dict.fromkeys(urljoin(robots_url(domain), value) for value in lines(domain)))


def is_alive(domain: Domain, number: int) -> bool:
    """Return whether a Sitemap line leads to the sitemap; the domain may still have none."""
    if domain.robots == "dead_lines":
        return False
    if domain.robots == "late_line":
        return number == LATE
    return number >= domain.number % _DEAD_BEFORE or domain.lines < _WITH_REPEAT


def sitemap_paths(domain: Domain) -> frozenset[str]:
    """Return the paths of the sitemap, on the domain's own host and on the shared host."""
    ending = _ENDINGS.get(domain.sitemap, "xml")
    alive = [number for number in range(domain.lines) if is_alive(domain, number)]
    return frozenset({domain.guess, *(f"/maps/{number}.{ending}" for number in alive)})


def part_path(number: int) -> str:
    """Return the path of a part of an index."""
    return f"/parts/{number}.xml"
