"""One domain, asked politely: robots.txt, sitemaps, home page and feeds (S5, S13, S14).

    robots ─► what may be asked ─► sitemap ─► home page ─► feeds ─► children of an index ─► metadata

Whatever a site does ends in an answer with its reason; nothing is raised.

`answers`       what came of each, as it is stored
`collector`     one domain, in order
`limits`        seconds, bytes, counts
`visit`         a domain's requests: the gap between them, the budget of all
`pace`          when each host may be asked again
`robots`        where robots.txt is asked, and what its answer means
`site`          what may be asked, by robots.txt
`sitemaps`      the candidates: which are asked, and which one wins
`children`      the children of an index: which are asked, and their sum
`sitemap`       bytes of a file ─► its kind and count: pure
`sitemap_xml`   XML under limits, counted while it is read
`gunzip`        gzip by its magic bytes
`homepage`      the home page and the feeds that it names
`metadata`      ``domain_metadata.json``
"""

from uring.seeds.collect.answers import (
    Collection,
    Feed,
    Homepage,
    RobotsAnswer,
    RobotsOutcome,
    SitemapAnswer,
)
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import LIMITS, Limits
from uring.seeds.collect.metadata import DomainMetadata, build_metadata
from uring.seeds.collect.robots import robots_places

__all__ = [
    "LIMITS",
    "Collection",
    "Collector",
    "DomainMetadata",
    "Feed",
    "Homepage",
    "Limits",
    "RobotsAnswer",
    "RobotsOutcome",
    "SitemapAnswer",
    "build_metadata",
    "robots_places",
]
