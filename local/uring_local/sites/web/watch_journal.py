"""The due pushes of a watch over the collected domains, day by day, worked out from the model.

Only proof counts: a file is present where it can be read, and gone where the site says so on two
days in a row. The first look at a file announces nothing.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from uring_local.fcm.journal import Delivery
from uring_local.sites.web.expected import Found, find, may_be_asked
from uring_local.sites.web.model import Domain, RobotsKind, SitemapKind

WATCH: Final = "sg-news"
FIRST_CHECK: Final = 2
"""The first day on which the watch finds a collected partition."""
_DOMAINS_PER_SHARD: Final = 100
_FEWEST_SHARDS: Final = 2
_MOST_SHARDS: Final = 64
_NO_ROBOTS: Final[frozenset[RobotsKind]] = frozenset({"html", "missing", "looping"})
# A refusal proves nothing. A flaky domain answers only the second request of a day, and the watch
# may send either of the two.
_UNCERTAIN: Final[frozenset[RobotsKind]] = frozenset({"forbidden", "private", "flaky"})
_BROKEN: Final[frozenset[SitemapKind]] = frozenset({"error", "cut"})

File = Literal["robots", "sitemap"]
_TITLES: Final[dict[File, str]] = {"robots": "robots.txt", "sitemap": "sitemap"}


class Push(NamedTuple):
    """A push that is due."""

    topic: str
    kind: str
    title: str
    day: int


class Sight(NamedTuple):
    """A file on a day: present with the values that are compared, absent, or unknown."""

    state: Literal["present", "absent", "unknown"]
    compared: object = None


class WatchJournal:
    """The due pushes of the watched domains, kept from day to day.

    Attributes:
        pushes: due so far.
    """

    def __init__(self) -> None:
        self.pushes: Counter[Push] = Counter()
        self._known: dict[tuple[str, File], Sight] = {}
        self._missing: set[tuple[str, File]] = set()

    def observe(self, day: int, domains: Iterable[Domain]) -> None:
        """Take in the watched domains of a day; days must come in order."""
        for domain in domains:
            found = find(domain)
            for file, sight in (("robots", _robots(domain)), ("sitemap", _sitemap(domain, found))):
                self._see(day, domain.domain, file, sight)  # type: ignore[arg-type]

    def _see(self, day: int, name: str, file: File, sight: Sight) -> None:
        known = self._known.get((name, file))
        if sight.state == "unknown":
            return
        was_missing = (name, file) in self._missing
        self._missing.discard((name, file))
        if known is not None and known.state == "present" and sight.state == "absent":
            if not was_missing:
                self._missing.add((name, file))
                return
            self._tell(day, name, file, "vanished")
        elif known is not None and known.state == "absent" and sight.state == "present":
            self._tell(day, name, file, "appeared")
        elif known is not None and known != sight and sight.state == "present":
            self._tell(day, name, file, "changed")
        self._known[name, file] = sight

    def _tell(self, day: int, name: str, file: File, happening: str) -> None:
        self.pushes[Push(WATCH, f"{file}_{happening}", f"{name} {_TITLES[file]}", day)] += 1


def entry(domains: int) -> dict[str, Any]:
    """Return the watch of a web of `domains` domains; its shards are too small to need a digest."""
    shards = min(_MOST_SHARDS, max(_FEWEST_SHARDS, domains // _DOMAINS_PER_SHARD))
    return {
        "id": WATCH,
        "name": "Singapore: news",
        "country": "sg",
        "category": "news",
        "shards": shards,
        "compare": "bytes",
    }


def push_of(delivery: Delivery, opened: datetime) -> Push:
    """Return the push of a delivery; its day counts from 1 on the opening day."""
    data = delivery.data
    day = (datetime.fromisoformat(data["detected_at"]) - opened).days + 1
    return Push(delivery.topic, data["kind"], data.get("title", ""), day)


def _robots(domain: Domain) -> Sight:
    if not domain.is_reachable or domain.robots in _UNCERTAIN:
        return Sight("unknown")
    if domain.robots in _NO_ROBOTS:
        return Sight("absent")
    return Sight("present", (domain.lines, domain.edition))


def _sitemap(domain: Domain, found: Found) -> Sight:
    if not may_be_asked(domain) or domain.robots == "flaky" or domain.sitemap in _BROKEN:
        return Sight("unknown")
    return Sight("present", found.sitemap) if found.sitemap_url else Sight("absent")
