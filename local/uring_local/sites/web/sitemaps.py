"""The sitemaps of a domain as bytes: good ones, broken ones, and pages that are not sitemaps."""

import gzip
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from uring_local.sites.web.model import ABSENT, Domain, SitemapKind

_NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_PARTS: Final = 3
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
# The lines of a sitemap: its head, one address, its end.
_FORMS: Final[Mapping[SitemapKind, str]] = {
    "urlset": '<urlset xmlns="{ns}">\n<url><loc>{}</loc></url>\n</urlset>',
    "prefixed": '<s:urlset xmlns:s="{ns}">\n<s:url><s:loc>{}</s:loc></s:url>\n</s:urlset>',
    "bare": "<urlset>\n<url><loc>{}</loc></url>\n</urlset>",
    "index": '<sitemapindex xmlns="{ns}">\n<sitemap><loc>{}</loc></sitemap>\n</sitemapindex>',
    "rss": '<rss version="2.0"><channel><title>{0}</title><link>https://{0}/</link>\n'
    "<item><title>n</title><link>{}</link></item>\n</channel></rss>",
    "atom": '<feed xmlns="http://www.w3.org/2005/Atom"><title>{0}</title>\n'
    '<entry><title>n</title><link href="{}"/></entry>\n</feed>',
}
# The parts that an index names.
_INDEXES: Final[Mapping[SitemapKind, Sequence[int]]] = {
    "index": range(_PARTS),
    "lacking": range(_PARTS),
    "nested": (_PARTS, _PARTS + 1),
    "looping": (0, _PARTS),
}


def page(title: str) -> bytes:
    """Return an HTML page for people."""
    return _PAGE.format(title).encode()


def split(urls: int) -> list[int]:
    """Return the number of addresses in each part of an index."""
    each, rest = divmod(urls, _PARTS)
    return [each + (number < rest) for number in range(_PARTS)]


def sitemap(domain: Domain) -> bytes:
    """Return the body of a domain's sitemap; b"" where it has none."""
    kind = domain.sitemap
    if kind == "html":
        return page(domain.domain)
    if kind in ABSENT:
        return b""
    if kind in _INDEXES:
        return _index(domain, map(_part_path, _INDEXES[kind]))
    locs = [_article(domain, number) for number in range(domain.urls)]
    if kind == "text":
        return "\n".join([*locs, ""]).encode()
    text = _written(domain, kind if kind in _FORMS else "urlset", locs)
    return _CODINGS.get(kind, str.encode)(text)


def parts(domain: Domain) -> Mapping[str, bytes]:
    """Return the parts of an index by path; empty for other kinds of sitemap."""
    kind = domain.sitemap
    if kind not in _INDEXES:
        return {}
    numbers = iter(range(domain.urls))
    counts = [domain.urls] if kind == "looping" else split(domain.urls)
    leaves = {
        _part_path(part): _written(
            domain, "urlset", [_article(domain, next(numbers)) for _ in range(count)]
        ).encode()
        for part, count in enumerate(counts)
    }
    if kind == "lacking":
        del leaves[_part_path(LOST_PART)]
    elif kind == "looping":
        leaves[_part_path(_PARTS)] = _index(domain, [domain.guess, _part_path(0)])
    elif kind == "nested":
        leaves[_part_path(_PARTS)] = _index(domain, [_part_path(0)])
        leaves[_part_path(_PARTS + 1)] = _index(domain, [_part_path(1), _part_path(2)])
    return leaves


def _part_path(number: int) -> str:
    """Return the path of a part of an index."""
    return f"/parts/{number}.xml"


def _article(domain: Domain, number: int) -> str:
    return f"https://{domain.domain}/articles/{number}"


def _index(domain: Domain, paths: Iterable[str]) -> bytes:
    locs = (f"https://{domain.domain}{path}" for path in paths)
    return _written(domain, "index", locs).encode()


def _written(domain: Domain, form: SitemapKind, locs: Iterable[str]) -> str:
    head, each, end = _FORMS[form].split("\n")
    first = head.format(domain.domain, ns=_NAMESPACE)
    return _XML + "\n".join([first, *map(each.format, locs), end, ""])


@lru_cache(maxsize=4)
def _bomb(urlset: str) -> bytes:
    text = urlset.removesuffix("</urlset>\n").encode()
    return gzip.compress(text + b" " * BOMB_BYTES, mtime=0)


def _laughing(urlset: str) -> bytes:
    text = re.sub("<loc>[^<]*", "<loc>&h;", urlset)
    return text.replace("<urlset", f"{_LAUGHS}\n<urlset").encode()


_CODINGS: Final[Mapping[SitemapKind, Callable[[str], bytes]]] = {
    "utf16": lambda text: text.replace("UTF-8", "UTF-16").encode("utf-16"),
    "gz": lambda text: gzip.compress(text.encode(), mtime=0),
    "truncated": lambda text: (text.removesuffix("</urlset>\n") + "<url><lo").encode(),
    "ampersand": lambda text: text.replace("/1</loc>", "/1?a=1&b=2</loc>").encode(),
    "bomb": _bomb,
    "doctype": _laughing,
}
