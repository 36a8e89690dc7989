"""The reply to one request: a function of the domain, the address and the tries before it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from uring_local.sites.web.addresses import FILES_HOST, sitemap_paths
from uring_local.sites.web.model import Domain, RobotsKind
from uring_local.sites.web.robots import robots
from uring_local.sites.web.sitemaps import page, parts, sitemap

Manner = Literal["whole", "cut", "endless_head", "drip"]
ROBOTS: Final = "/robots.txt"
_MOVED_ROBOTS: Final = "/site/robots.txt"
_MOVED_SITEMAP: Final = "/site/sitemap.xml"
_PRIVATE: Final = "http://10.20.30.40/robots.txt"
_XML: Final = "application/xml"
_HTML: Final = "text/html; charset=utf-8"
_PLAIN: Final = "text/plain"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    Attributes:
        location: of a redirect.
        manner: ``whole``; ``cut`` closes the connection in place of an answer; ``endless_head``
            never ends its headers; ``drip`` sends the body so slowly that it never ends.
    """

    status: int
    body: bytes = b""
    content_type: str = _PLAIN
    location: str = ""
    manner: Manner = "whole"


_CUT: Final = Reply(0, manner="cut")
_BUSY: Final = Reply(503, page("503"), _HTML)
_FIXED: Final[Mapping[RobotsKind, Reply]] = {
    "missing": Reply(404, page("404"), _HTML),
    "forbidden": Reply(403, page("403"), _HTML),
    "error": _BUSY,
    "cut": _CUT,
    "endless_head": Reply(200, manner="endless_head"),
    "private": Reply(302, location=_PRIVATE),
}


def reply(domain: Domain, host: str, path: str, robots_tries: int) -> Reply:
    """Return the reply of one host of a domain, or of the shared one.

    Args:
        domain: on this day.
        host: as asked, without its port.
        path: without the domain's name, which the shared host has before it.
        robots_tries: how often its robots.txt was asked for before on this day.
    """
    if host == FILES_HOST:
        return _sitemap_reply(domain, host, path)
    if path in (ROBOTS, _MOVED_ROBOTS):
        return _robots_reply(domain, host, path, robots_tries)
    if path == "/":
        return Reply(200, page(domain.domain), _HTML)
    return _sitemap_reply(domain, host, path)


def _robots_reply(domain: Domain, host: str, path: str, tries: int) -> Reply:
    fixed = _FIXED.get(domain.robots)
    if fixed is not None:
        return fixed
    body = robots(domain)
    match domain.robots:
        case "flaky" if tries == 0:
            return _BUSY if domain.number % 2 else _CUT
        case "drip":
            return Reply(200, body, manner="drip")
        case "looping":
            return Reply(302, location=f"https://{host}{ROBOTS}")
        case "moved" if path == ROBOTS:
            return Reply(301, location=f"https://www.{domain.domain}{_MOVED_ROBOTS}")
    return Reply(200, body, _HTML if domain.robots == "html" else _PLAIN)


def _sitemap_reply(domain: Domain, host: str, path: str) -> Reply:
    if domain.sitemap == "cut":
        return _CUT
    if domain.sitemap == "error":
        return Reply(500, page("500"), _HTML)
    if domain.sitemap == "html":
        return Reply(200, sitemap(domain), _HTML)
    body = parts(domain).get(path)
    if path in sitemap_paths(domain) or path == _MOVED_SITEMAP:
        body = sitemap(domain)
    if not body:
        return Reply(404, page("404"), _HTML)
    if domain.sitemap == "moved" and path != _MOVED_SITEMAP:
        return Reply(301, location=f"https://{host}{_moved(domain, host)}")
    return Reply(200, body, "application/gzip" if path.endswith(".gz") else _XML)


def _moved(domain: Domain, host: str) -> str:
    return f"/{domain.domain}{_MOVED_SITEMAP}" if host == FILES_HOST else _MOVED_SITEMAP
