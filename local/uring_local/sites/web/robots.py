"""The robots.txt of a domain as bytes, and the addresses of its sitemap."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final
from urllib.parse import urljoin

from uring_local.sites.web.model import Domain, RobotsKind, SitemapKind
from uring_local.sites.web.sitemaps import page

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
READ_BYTES: Final = 1_048_576
"""The longest part of a robots.txt that is read and kept."""
_NAMES: Final = ("Sitemap: {}", "sitemap: {}", "SITEMAP:{}", "Sitemap : {}")
_PADDING: Final = "# " + "-" * 97


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
    values = [f"{host}/{domain.folder}/{number}.{ending}" for number in range(domain.lines)]
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
    return frozenset({domain.guess, *(f"/{domain.folder}/{number}.{ending}" for number in alive)})


def robots(domain: Domain) -> bytes:
    """Return the body of /robots.txt; b"" for an empty one."""
    if domain.robots == "empty":
        return b""
    if domain.robots == "html":
        # A page for a missing file. Its text has a line that looks like a Sitemap line.
        return page(f"{domain.domain}\nSitemap: https://{domain.domain}/trap.xml\n")
    return _WRITERS.get(domain.robots, str.encode)(_text(domain))


def _long(text: str) -> bytes:
    padding = f"{_PADDING}\n" * (READ_BYTES // len(_PADDING) + 1)
    return f"{text}{padding}Sitemap: https://beyond-the-end.com.sg/sitemap.xml\n".encode()


_WRITERS: Final[Mapping[RobotsKind, Callable[[str], bytes]]] = {
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf16": lambda text: text.encode("utf-16"),
    "cr_only": lambda text: text.replace("\n", "\r").encode(),
    "latin1": lambda text: f"# Café\n{text}".encode("latin-1"),
    "long": _long,
}


def _text(domain: Domain) -> str:
    closed = domain.robots == "closed"
    rules = ["User-agent: *", "Disallow: /" if closed else "Disallow: /private/"]
    if domain.edition:
        # An edition that differs in a comment alone would not count as changed.
        rules.append(f"Disallow: /edition-{domain.edition}/")
    values = lines(domain)
    style = _NAMES[domain.number % len(_NAMES)]
    named = [style.format(value) for value in values]
    # Sitemap lines belong to no group: some come before the group, some inside, some after it.
    head = [f"# {domain.domain}, edition {domain.edition}", *named[:1], *rules]
    return "\n".join([*head, *named[1:], "Disallow: /search/", ""])
