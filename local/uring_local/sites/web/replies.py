"""The reply to one request: a function of the domain, the address and the tries before it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from uring_local.loopback import Answer
from uring_local.sites.web.model import Domain, RobotsKind
from uring_local.sites.web.robots import FILES_HOST, robots, sitemap_paths
from uring_local.sites.web.sitemaps import page, parts, sitemap

ROBOTS: Final = "/robots.txt"
_MOVED_ROBOTS: Final = "/site/robots.txt"
_MOVED_SITEMAP: Final = "/site/sitemap.xml"
_PRIVATE: Final = "http://10.20.30.40/robots.txt"
_XML: Final = "application/xml"
_HTML: Final = "text/html; charset=utf-8"
_PLAIN: Final = "text/plain"
# Longer than any client waits.
_DRIP_SECONDS: Final = 60.0


def _answer(status: int, body: bytes = b"", content_type: str = _PLAIN, **headers: str) -> Answer:
    return Answer(status, body, {"Content-Type": content_type, "Connection": "close", **headers})


def no_page(status: int) -> Answer:
    """Return an HTML page for people that shows the status."""
    return _answer(status, page(str(status)), _HTML)


_CUT: Final = Answer(0, manner="reset")
_BUSY: Final = no_page(503)
_FIXED: Final[Mapping[RobotsKind, Answer]] = {
    "missing": no_page(404),
    "forbidden": no_page(403),
    "error": _BUSY,
    "cut": _CUT,
    "endless_head": Answer(200, manner="endless"),
    "private": _answer(302, Location=_PRIVATE),
}


def reply(domain: Domain, host: str, path: str, robots_tries: int) -> Answer:
    """Return the reply of a domain's host, or of the shared host.

    Args:
        domain: on this day.
        host: of the request, without the port.
        path: of the request; on the shared host without the domain's name in front.
        robots_tries: number of earlier requests for its robots.txt on this day.
    """
    if host == FILES_HOST:
        return _sitemap_reply(domain, host, path)
    if path in (ROBOTS, _MOVED_ROBOTS):
        return _robots_reply(domain, host, path, robots_tries)
    if path == "/":
        return _answer(200, page(domain.domain), _HTML)
    return _sitemap_reply(domain, host, path)


def _robots_reply(domain: Domain, host: str, path: str, tries: int) -> Answer:
    fixed = _FIXED.get(domain.robots)
    if fixed is not None:
        return fixed
    body = robots(domain)
    match domain.robots:
        case "flaky" if tries == 0:
            return _BUSY if domain.number % 2 else _CUT
        case "drip":
            return replace(_answer(200, body), manner="drip", seconds=_DRIP_SECONDS)
        case "looping":
            return _answer(302, Location=f"https://{host}{ROBOTS}")
        case "moved" if path == ROBOTS:
            return _answer(301, Location=f"https://www.{domain.domain}{_MOVED_ROBOTS}")
    return _answer(200, body, _HTML if domain.robots == "html" else _PLAIN)


def _sitemap_reply(domain: Domain, host: str, path: str) -> Answer:
    if domain.sitemap == "cut":
        return _CUT
    if domain.sitemap == "error":
        return no_page(500)
    if domain.sitemap == "html":
        return _answer(200, sitemap(domain), _HTML)
    body = parts(domain).get(path)
    if path in sitemap_paths(domain) or path == _MOVED_SITEMAP:
        body = sitemap(domain)
    if not body:
        return no_page(404)
    if domain.sitemap == "moved" and path != _MOVED_SITEMAP:
        return _answer(301, Location=f"https://{host}{_moved(domain, host)}")
    return _answer(200, body, "application/gzip" if path.endswith(".gz") else _XML)


def _moved(domain: Domain, host: str) -> str:
    return f"/{domain.domain}{_MOVED_SITEMAP}" if host == FILES_HOST else _MOVED_SITEMAP
