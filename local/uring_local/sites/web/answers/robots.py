"""The robots.txt of a domain as bytes."""

from collections.abc import Callable, Mapping
from typing import Final

from uring_local.sites.web.answers.addresses import lines
from uring_local.sites.web.answers.sitemaps import page
from uring_local.sites.web.model import Domain, RobotsKind

READ_BYTES: Final = 1_048_576
"""The longest part of a robots.txt that is read and kept."""
_NAMES: Final = ("Sitemap: {}", "sitemap: {}", "SITEMAP:{}", "Sitemap : {}")
_PADDING: Final = "# " + "-" * 97


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
