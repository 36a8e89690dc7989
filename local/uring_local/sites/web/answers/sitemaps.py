"""The sitemaps of a domain as bytes: good ones, broken ones, and pages that are not sitemaps."""

import gzip
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from uring_local.sites.web.answers.addresses import part_path
from uring_local.sites.web.model import Domain, SitemapKind

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
PARTS: Final = 3
LOST_PART: Final = 1
"""The part that a ``lacking`` index names although it does not exist."""
BOMB_BYTES: Final = 30_000_000
_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_LAUGHS: Final = (
    '<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {new} "{f"&{old};" * 10}">'
        for old, new in zip("abcdefg", "bcdefgh", strict=True)
    )
    + "]>"
)
_PAGE: Final = (
    "<!doctype html><html><head><title>{0}</title></head><body><h1>{0}</h1></body></html>"
)


def page(title: str) -> bytes:
    """Return an HTML page for people."""
    return _PAGE.format(title).encode()


def split(urls: int) -> list[int]:
    """Return the number of addresses in each part of an index."""
    each, rest = divmod(urls, PARTS)
    return [each + (number < rest) for number in range(PARTS)]


def sitemap(domain: Domain) -> bytes:
    """Return the body of a domain's sitemap; b"" where it has none."""
    write = _WRITERS.get(domain.sitemap)
    locs = [_article(domain, number) for number in range(domain.urls)]
    return write(domain, locs) if write else b""


def parts(domain: Domain) -> Mapping[str, bytes]:
    """Return the parts of an index by path; empty for other kinds of sitemap."""
    if domain.sitemap not in ("index", "lacking", "nested", "looping"):
        return {}
    numbers = iter(range(domain.urls))
    counts = [domain.urls] if domain.sitemap == "looping" else split(domain.urls)
    leaves = {
        part_path(part): _urlset([_article(domain, next(numbers)) for _ in range(count)]).encode()
        for part, count in enumerate(counts)
    }
    if domain.sitemap == "lacking":
        del leaves[part_path(LOST_PART)]
    elif domain.sitemap == "looping":
        leaves[part_path(PARTS)] = _index(domain, [domain.guess, part_path(0)])
    elif domain.sitemap == "nested":
        leaves[part_path(PARTS)] = _index(domain, [part_path(0)])
        leaves[part_path(PARTS + 1)] = _index(domain, [part_path(1), part_path(2)])
    return leaves


def _article(domain: Domain, number: int) -> str:
    return f"https://{domain.domain}/articles/{number}"


def _urlset(locs: Sequence[str], namespace: str = f' xmlns="{NAMESPACE}"') -> str:
    urls = "\n".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f"{_XML}<urlset{namespace}>\n{urls}\n</urlset>\n"


def _prefixed(locs: Sequence[str]) -> str:
    urls = "\n".join(f"<s:url><s:loc>{loc}</s:loc></s:url>" for loc in locs)
    return f'{_XML}<s:urlset xmlns:s="{NAMESPACE}">\n{urls}\n</s:urlset>\n'


def _index(domain: Domain, paths: Sequence[str]) -> bytes:
    rows = (f"<sitemap><loc>https://{domain.domain}{path}</loc></sitemap>" for path in paths)
    text = "\n".join(rows)
    return f'{_XML}<sitemapindex xmlns="{NAMESPACE}">\n{text}\n</sitemapindex>\n'.encode()


def _rss(domain: Domain, locs: Sequence[str]) -> str:
    items = "\n".join(f"<item><title>n</title><link>{loc}</link></item>" for loc in locs)
    head = f"<title>{domain.domain}</title><link>https://{domain.domain}/</link>"
    return f'{_XML}<rss version="2.0"><channel>{head}\n{items}\n</channel></rss>\n'


def _atom(domain: Domain, locs: Sequence[str]) -> str:
    entries = "\n".join(f'<entry><title>n</title><link href="{loc}"/></entry>' for loc in locs)
    title = f"<title>{domain.domain}</title>"
    return f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom">{title}\n{entries}\n</feed>\n'


@lru_cache(maxsize=4)
def _bomb(locs: Sequence[str]) -> bytes:
    text = _urlset(locs).encode()
    return gzip.compress(text.removesuffix(b"</urlset>\n") + b" " * BOMB_BYTES, mtime=0)


def _truncated(_: Domain, locs: Sequence[str]) -> bytes:
    return (_urlset(locs).removesuffix("</urlset>\n") + "<url><lo").encode()


def _laughing(_: Domain, locs: Sequence[str]) -> bytes:
    text = _urlset(["&h;"] * len(locs))
    return text.replace("<urlset", f"{_LAUGHS}\n<urlset").encode()


def _with_ampersand(_: Domain, locs: Sequence[str]) -> bytes:
    return _urlset([locs[0], f"{locs[1]}?a=1&b=2", *locs[2:]]).encode()


def _whole(_: Domain, locs: Sequence[str]) -> bytes:
    return _urlset(locs).encode()


def _three_parts(domain: Domain, _: Sequence[str]) -> bytes:
    return _index(domain, [part_path(number) for number in range(PARTS)])


_WRITERS: Final[Mapping[SitemapKind, Callable[[Domain, Sequence[str]], bytes]]] = {
    "urlset": _whole,
    "moved": _whole,
    "prefixed": lambda _, locs: _prefixed(locs).encode(),
    "bare": lambda _, locs: _urlset(locs, namespace="").encode(),
    "utf16": lambda _, locs: _urlset(locs).replace("UTF-8", "UTF-16").encode("utf-16"),
    "gz": lambda _, locs: gzip.compress(_urlset(locs).encode(), mtime=0),
    "text": lambda _, locs: "\n".join([*locs, ""]).encode(),
    "rss": lambda domain, locs: _rss(domain, locs).encode(),
    "atom": lambda domain, locs: _atom(domain, locs).encode(),
    "truncated": _truncated,
    "ampersand": _with_ampersand,
    "bomb": lambda _, locs: _bomb(tuple(locs)),
    "doctype": _laughing,
    "index": _three_parts,
    "lacking": _three_parts,
    "nested": lambda domain, _: _index(domain, [part_path(PARTS), part_path(PARTS + 1)]),
    "looping": lambda domain, _: _index(domain, [part_path(0), part_path(PARTS)]),
    "html": lambda domain, _: page(domain.domain),
}
