"""The due pushes of a watch over the collected domains, day by day, worked out from the model.

Only proof counts: a file is present where it can be read, and gone where the site says so. A
difference is due when a second day has it; fewer URLs when they outlast a weekend. A file that is
as it was within a week, or differs on three days of a week by turns, alternates: that is due once,
and then nothing until it has stayed for a week. The first look at a file announces nothing.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
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

# Days.
_WEEK: Final = 7
_WEEKEND: Final = 3
_TURNS: Final = 3
# URLs.
_FEW: Final = 10

File = Literal["robots", "sitemap"]
_TITLES: Final[dict[File, str]] = {"robots": "robots.txt", "sitemap": "sitemap"}


class Push(NamedTuple):
    """A push that is due."""

    topic: str
    kind: str
    title: str
    day: int


class Sight(NamedTuple):
    """A file on a day: present with the values that are compared, absent, or unknown.

    ``urls`` are compared by half. A file that is not ``sound`` looks like a fault.
    """

    state: Literal["present", "absent", "unknown"]
    compared: object = None
    urls: int = 0
    is_sound: bool = False

    def is_like(self, other: "Sight | None") -> bool:
        """Return whether nothing differs but, by less than half, the number of URLs."""
        if other is None or (self.state, self.compared) != (other.state, other.compared):
            return False
        less, more = sorted((self.urls, other.urls))
        return more - less <= max(_FEW, more // 2) and bool(less or not more)

    def has_fewer(self, other: "Sight") -> bool:
        """Return whether it differs by a smaller number of URLs alone."""
        is_same = (self.state, self.compared) == (other.state, other.compared)
        return is_same and 0 < self.urls < other.urls


@dataclass(slots=True)
class _File:
    """A file of a domain, as announced last.

    Attributes:
        runs: the days on which a run of ``other`` began.
        is_apart: whether it was as announced since.
        swapped: of an alternating file the day of its last change; else 0.
        before: the sight before the announced one, until the day ``left`` and a week.
    """

    known: Sight
    other: Sight | None = None
    runs: list[int] = field(default_factory=list)
    is_apart: bool = False
    before: Sight | None = None
    left: int = 0
    swapped: int = 0
    is_swapped: bool = False

    def see(self, day: int, sight: Sight) -> str:
        """Take in a certain sight; return the word for a change that is due, or nothing."""
        if not self.swapped and day - self.left > _WEEK:
            self.before = None
        if self.is_apart and day - self.runs[-1] > _WEEK:
            self._forget()
        is_known = sight.is_like(self.known)
        if self.swapped and (is_known or sight.is_like(self.before)):
            return self._alternate(day, sight, is_known=is_known)
        if is_known:
            self.is_apart = self.other is not None
            return ""
        self._note(day, sight)
        lasted = day - self.runs[-1] >= (_WEEKEND if sight.has_fewer(self.known) else 1)
        by_turns = sight.is_sound and len(self.runs) >= _TURNS
        by_turns = by_turns and day - self.runs[-_TURNS] <= _WEEK
        if not (lasted or by_turns):
            return ""
        alternates = by_turns or sight.is_like(self.before)
        word = self._change(sight)
        self.before, self.known, self.left = self.known, sight, day
        self.swapped, self.is_swapped = day if alternates else 0, False
        self._forget()
        return word

    def _alternate(self, day: int, sight: Sight, *, is_known: bool) -> str:
        self._forget()
        if is_known == self.is_swapped:
            self.is_swapped, self.swapped = not is_known, day
            return ""
        if day - self.swapped < _WEEK:
            return ""
        word = "" if is_known else self._change(sight)
        self.known, self.before, self.swapped = (self.known if is_known else sight), None, 0
        self.is_swapped = False
        return word

    def _note(self, day: int, sight: Sight) -> None:
        if sight.is_like(self.other):
            self.runs += [day] if self.is_apart else []
        else:
            self.other, self.runs = sight, [day]
        self.is_apart = False

    def _forget(self) -> None:
        self.other, self.runs, self.is_apart = None, [], False

    def _change(self, sight: Sight) -> str:
        if self.known.state == "absent":
            return "appeared"
        return "vanished" if sight.state == "absent" else "changed"


class WatchJournal:
    """The due pushes of the watched domains, kept from day to day.

    Attributes:
        pushes: due so far.
    """

    def __init__(self) -> None:
        self.pushes: Counter[Push] = Counter()
        self._files: dict[tuple[str, File], _File] = {}

    def observe(self, day: int, domains: Iterable[Domain]) -> None:
        """Take in the watched domains of a day; days must come in order."""
        for domain in domains:
            found = find(domain)
            for file, sight in (("robots", _robots(domain)), ("sitemap", _sitemap(domain, found))):
                self._see(day, domain.domain, file, sight)  # type: ignore[arg-type]

    def _see(self, day: int, name: str, file: File, sight: Sight) -> None:
        if sight.state == "unknown":
            return
        known = self._files.setdefault((name, file), _File(sight))
        if word := known.see(day, sight):
            self.pushes[Push(WATCH, f"{file}_{word}", f"{name} {_TITLES[file]}", day)] += 1


def entry(domains: int) -> dict[str, Any]:
    """Return the watch of a web of `domains` domains; its shards are too small to need a digest."""
    shards = min(_MOST_SHARDS, max(_FEWEST_SHARDS, domains // _DOMAINS_PER_SHARD))
    return {
        "id": WATCH,
        "name": "Singapore: news",
        "country": "sg",
        "category": "news",
        "shards": shards,
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
    has_rules = domain.robots != "empty"
    compared = (has_rules, domain.lines, _folder(domain), domain.edition)
    return Sight("present", compared, is_sound=has_rules)


def _sitemap(domain: Domain, found: Found) -> Sight:
    if not may_be_asked(domain) or domain.robots == "flaky" or domain.sitemap in _BROKEN:
        return Sight("unknown")
    if not found.sitemap_url:
        return Sight("absent")
    is_named = found.sitemap_url in found.lines
    places = (domain.lines, _folder(domain)) if is_named else domain.guess
    sound = found.urls > 0 and not found.is_sitemap_cut
    return Sight("present", (places, found.kind), found.urls, sound)


def _folder(domain: Domain) -> str:
    """Return the folder of the sitemaps that its lines name, without a day."""
    return domain.folder.rstrip("0123456789") if domain.lines else ""
