"""A web for the domain worker: prompt or slow domains in plain HTTP, told apart by Host.

Half of them name a sitemap in robots.txt, as half of all real ones do; a fifth has a gzipped one, a
fifth an index with three children, a tenth no robots.txt and a tenth no sitemap. A slow web has the
shares and times of docs/seeds.md, "A million domains".
"""

import gzip
import json
from collections.abc import Mapping
from typing import Final

from uring_local.loopback import Answer, Request

URLS: Final = 200
_NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_RULES: Final = "User-agent: *\n" + "".join(
    f"Disallow: /private/area-{number}/\n" for number in range(12)
)

# Of a slow web: twentieths of the domains, the children of an index, domains of a hundred.
_WITHOUT: Final = 7
_WITH_INDEX: Final = 15
_CHILDREN: Final = 7
_SILENT: Final = 7


def name(number: int) -> str:
    """Return the registrable domain of this number."""
    return f"bench-{number}.com"


def number_of(domain: str) -> int:
    """Return the number of a registrable domain."""
    return int(domain.removeprefix("bench-").removesuffix(".com"))


def large_sitemap(size: int, *, wide: bool) -> bytes:
    """Return a sitemap of about so many bytes.

    Args:
        size: in bytes.
        wide: in UTF-16 with one character that takes four bytes: as text it takes twice its size.
    """
    each = f"<url><loc>https://example.com/{'x' * 60}/{'{}'}</loc></url>\n"
    count = size // (len(each) * (2 if wide else 1))
    urls = "".join(each.format(number) for number in range(count))
    text = f'<?xml version="1.0"?>\n<urlset xmlns="{_NAMESPACE}">\n{urls}</urlset>'
    return f"{text}<!-- \U0001f600 -->".encode("utf-16") if wide else text.encode()


def page(number: int) -> Mapping[str, bytes]:
    """Return the files of a domain by path; what is not there is a 404."""
    site = f"https://{name(number)}"
    has_lines, has_robots = number % 2 == 0, number % 10 != 1
    has_sitemap = number % 10 != 3  # noqa: PLR2004 - another tenth
    files: dict[str, bytes] = {"/": f"<html><title>{name(number)}</title></html>".encode()}
    path = "/news/sitemap.xml" if has_lines else "/sitemap.xml"
    body = _urlset(site)
    if number % 5 == 0:
        path, body = f"{path}.gz", gzip.compress(body, mtime=0)
    elif number % 5 == 2:  # noqa: PLR2004 - another fifth
        for child in range(3):
            files[f"/child-{child}.xml"] = body
        body = _index(site, 3)
    if not has_lines:
        path = "/sitemap.xml"
    if has_sitemap:
        files[path] = body
    if has_robots:
        line = f"Sitemap: {site}{path}\n" if has_lines else ""
        files["/robots.txt"] = (_RULES + line).encode()
    return files


def slow_page(number: int) -> Mapping[str, bytes]:
    """Return the files of a domain of a slow web: 35 % no sitemap, 25 % an index of seven."""
    files: dict[str, bytes] = {"/robots.txt": _RULES.encode()}
    kind = number % 20
    if kind >= _WITHOUT:
        site = f"https://{name(number)}"
        children = _CHILDREN if kind >= _WITH_INDEX else 0
        files |= {f"/child-{child}.xml": _urlset(site) for child in range(children)}
        files["/sitemap.xml"] = _index(site, children) if children else _urlset(site)
    return files


def slow_seconds(number: int, path: str) -> float:
    """Return how long a domain of a slow web takes to answer.

    Some 0.4 s, and a second for what our worker spaces by a second; of 7 % of all domains
    robots.txt takes 10 to 30 s.
    """
    if path == "/robots.txt":
        return 10 + number % 21 if number % 100 < _SILENT else 0.4
    return 1.4


class DomainWeb:
    """Answers for all domains; ``asked`` has the paths of each, in order.

    Args:
        domains: their number.
        sitemap: of each, in place of its own.
        slow: the share of its times that a slow web takes; 0 is the prompt web.
    """

    def __init__(self, domains: int, sitemap: bytes = b"", slow: float = 0.0) -> None:
        made = slow_page if slow else page
        self._pages = {name(number): made(number) for number in range(domains)}
        self._slow = slow
        if sitemap:
            files = {"/robots.txt": _RULES.encode(), "/sitemap.xml": sitemap}
            self._pages = dict.fromkeys(self._pages, files)
        self.asked: dict[str, list[str]] = {}

    def respond(self, request: Request) -> Answer:
        """Answer one request."""
        host = request.headers.get("host", "").partition(":")[0].removeprefix("www.")
        self.asked.setdefault(host, []).append(request.path)
        body = self._pages.get(host, {}).get(request.path)
        seconds = 0.0
        if self._slow:
            seconds = self._slow * slow_seconds(number_of(host), request.path)
        if body is None:
            return Answer(404, b"not here", seconds=seconds)
        kind = "text/plain" if request.path == "/robots.txt" else "application/xml"
        return Answer(200, body, {"Content-Type": kind}, seconds=seconds)


def raw_file(size: int) -> tuple[bytes, int]:
    """Return a raw file of about so many bytes, and how many records it has."""
    record = {
        "source_type": "com",
        "discovery_method": "google_search",
        "confidence": 0.95,
        "content_hints": ["news", "policy", "statistics"],
        "liveness_status": "alive",
        "title": "A title of a hundred and some characters, as search results have it " * 2,
        "snippet": "What a search engine shows below the title, some two lines of text " * 3,
    }
    shared = json.dumps(record)[1:]
    parts, count, made = [b'{"meta": {}, "records": ['], 0, 0
    while made < size:
        domain = f"site-{count * 7919 % 100_000_007}.com.sg"
        own = f'"raw_url": "https://www.{domain}/newsroom/{count}", "domain_id": "com:sg:{domain}"'
        part = f"{{{own}, {shared}".encode()
        parts += [b"," if count else b"", part]
        made += len(part) + 1
        count += 1
    return b"".join([*parts, b"]}"]), count


def _urlset(site: str) -> bytes:
    urls = "".join(
        f"<url><loc>{site}/news/{number}/an-article-with-a-name</loc>"
        f"<lastmod>2026-01-{number % 28 + 1:02}</lastmod></url>\n"
        for number in range(URLS)
    )
    return f'<?xml version="1.0"?>\n<urlset xmlns="{_NAMESPACE}">\n{urls}</urlset>'.encode()


def _index(site: str, count: int) -> bytes:
    children = "".join(
        f"<sitemap><loc>{site}/child-{child}.xml</loc></sitemap>" for child in range(count)
    )
    return f'<sitemapindex xmlns="{_NAMESPACE}">{children}</sitemapindex>'.encode()
