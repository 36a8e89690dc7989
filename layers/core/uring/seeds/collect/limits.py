"""The limits of one domain's collection (specs/002, section 4.3.2; facts of RFC 9309)."""

import math
from dataclasses import dataclass
from typing import Final

_MEGABYTE: Final = 1024 * 1024
_MOST_GUESSES: Final = 4
# A page that nobody named is asked where the sitemaps leave time for it.
_ROOM_FOR_HOMEPAGE: Final = 4


@dataclass(frozen=True, slots=True)
class CollectLimits:
    """The budget of a domain, and the pace of its requests.

    Attributes:
        seconds: for one domain, robots.txt and waits included.
        robots_seconds: for one robots.txt, its redirects included.
        robots_bytes: of its beginning; the rest is ignored.
        sitemap_seconds: for one sitemap or feed.
        sitemap_bytes: of its beginning, on the wire and inflated.
        sitemap_lines: the most Sitemap lines of robots.txt that are tried.
        sitemap_urls: the most Sitemap URLs of robots.txt that are kept.
        children: the most children of an index that are tried, nested indexes included.
        depth: the deepest nesting of indexes.
        bytes: for all sitemaps of a domain; the last one may exceed it.
        homepage: True to collect it.
        homepage_bytes: of its beginning.
        feeds: the most feeds of the home page that are requested.
        feeds_listed: the most feeds of the home page that are kept.
        hosts: the most other hosts whose robots.txt is asked, because something leads there.
        gap_seconds: between two requests to one host; to one address it is a quarter.
        longest_gap_seconds: the most that a Crawl-delay, or the time of an answer, can set.
    """

    seconds: float = 45.0
    robots_seconds: float = 10.0
    robots_bytes: int = _MEGABYTE
    sitemap_seconds: float = 15.0
    sitemap_bytes: int = 10 * _MEGABYTE
    sitemap_lines: int = 20
    sitemap_urls: int = 2_000
    children: int = 50
    depth: int = 3
    bytes: int = 50 * _MEGABYTE
    homepage: bool = True
    homepage_bytes: int = 2 * _MEGABYTE
    feeds: int = 3
    feeds_listed: int = 10
    hosts: int = 5
    gap_seconds: float = 1.0
    longest_gap_seconds: float = 30.0

    def gap(self, crawl_delay: float | None) -> float:
        """Return the seconds between two requests to a host with this Crawl-delay."""
        return min(max(crawl_delay or 0.0, self.gap_seconds), self.longest_gap_seconds)

    def room(self, crawl_delay: float | None) -> float:
        """Return how many requests fit into the time of a domain with this Crawl-delay.

        0 if it asks for a longer gap than we keep.
        """
        if (crawl_delay or 0.0) > self.longest_gap_seconds:
            return 0.0
        gap = self.gap(crawl_delay)
        return self.seconds / gap if gap else math.inf

    def guesses(self, crawl_delay: float | None) -> int:
        """Return the most guessed addresses: all but two of the requests that fit, at most four."""
        return int(min(max(self.room(crawl_delay) - 2, 0), _MOST_GUESSES))

    def wants_homepage(self, crawl_delay: float | None) -> bool:
        """Return whether the home page is collected."""
        return self.homepage and self.room(crawl_delay) >= _ROOM_FOR_HOMEPAGE


LIMITS: Final = CollectLimits()
