"""The domains and their state on a day: a function of the seed, the number and the day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, Final, Literal, TypeVar

from uring_local.sites.web.names import Name, name_of

RobotsKind = Literal[
    "plain", "lines", "http_lines", "relative", "other_host", "dead_lines", "late_line",
    "bom", "utf16", "cr_only", "latin1", "long", "moved",
    "closed", "empty", "html", "missing", "forbidden", "looping", "private",
    "error", "cut", "endless_head", "drip", "flaky",
]  # fmt: skip
SitemapKind = Literal[
    "urlset", "prefixed", "bare", "utf16", "gz", "text", "rss", "atom",
    "index", "nested", "looping", "lacking", "truncated", "ampersand", "bomb", "moved",
    "doctype", "html", "error", "cut", "missing",
]  # fmt: skip
Story = Literal[
    "", "robots_edited", "robots_comes_and_goes", "robots_flaps", "robots_emptied",
    "sitemap_grows", "sitemap_comes_and_goes", "sitemap_rotates", "sitemap_moves",
    "sitemap_rests", "outage",
]  # fmt: skip

K = TypeVar("K", bound=str)

SLOW: Final[frozenset[RobotsKind]] = frozenset({"endless_head", "drip"})
"""Robots.txt is longer on its way than anybody waits."""
UNREACHABLE: Final[frozenset[RobotsKind]] = SLOW | {"error", "cut"}
"""Robots.txt cannot be reached, so nothing else may be asked for (RFC 9309, section 2.3.1.4)."""
LINED: Final[frozenset[RobotsKind]] = frozenset({
    "lines", "http_lines", "relative", "other_host", "dead_lines", "late_line",
    "bom", "utf16", "cr_only", "latin1", "long", "moved",
})  # fmt: skip
"""Kinds with Sitemap lines."""
ABSENT: Final[frozenset[SitemapKind]] = frozenset({"html", "error", "cut", "missing"})
"""Kinds whose answers are not sitemaps."""

# Shares in ten thousands, after 4,231 recorded files. Where these say nothing, the share is made up
# so that a small web has one of each. The remainder is "plain" and "urlset".
_ROBOTS: Final[Mapping[RobotsKind, int]] = {
    "lines": 3_350, "http_lines": 700, "relative": 70, "other_host": 190, "dead_lines": 60,
    "late_line": 30, "bom": 160, "utf16": 20, "cr_only": 20, "latin1": 30, "long": 20,
    "moved": 550, "closed": 120, "empty": 90, "html": 380, "missing": 1_100, "forbidden": 250,
    "looping": 50, "private": 50, "error": 120, "cut": 80, "endless_head": 40, "drip": 40,
    "flaky": 150,
}  # fmt: skip
_SITEMAPS: Final[Mapping[SitemapKind, int]] = {
    "prefixed": 100, "bare": 100, "utf16": 50, "gz": 500, "text": 200, "rss": 300, "atom": 100,
    "index": 1_000, "nested": 200, "looping": 50, "lacking": 100, "truncated": 150,
    "ampersand": 150, "bomb": 20, "moved": 200, "doctype": 40, "html": 500, "error": 150,
    "cut": 50, "missing": 2_000,
}  # fmt: skip
_ALL: Final = 10_000
# Rare kinds are slow: a smaller web has them by their share only, so seldom.
_ONE_OF_EACH_FROM: Final = 100
# Lines of a robots.txt: p50, p90 and p99 of the recorded files.
_LINE_COUNTS: Final = (1, 5, 56)
_LINE_WEIGHTS: Final = (84, 14, 2)
_LATE_LINES: Final = 56
_DEAD_LINES: Final = 5
GUESSES: Final = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemaps.xml")
"""The paths that are tried for a sitemap without a Sitemap line, in that order."""
_GUESS_WEIGHTS: Final = (80, 12, 5, 3)
_MOST_URLS: Final = 40
_FIRST_STORY_DAY: Final = 2
_STORY_DAYS: Final = 5
_STORY_SHARE: Final = 0.4
_STORIES: Final[tuple[Story, ...]] = (
    "robots_edited",
    "robots_comes_and_goes",
    "robots_flaps",
    "robots_emptied",
    "sitemap_grows",
    "sitemap_comes_and_goes",
    "sitemap_rotates",
    "sitemap_moves",
    "sitemap_rests",
    "outage",
)
# URLs that a growing sitemap has more, each time.
_GROWTH: Final = 50
_WEEK: Final = 7
_WEEKEND: Final = (4, 5)
# From the first day on: they do not begin.
_ALWAYS: Final[frozenset[Story]] = frozenset({"sitemap_rotates", "sitemap_rests"})


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain on one day.

    Attributes:
        number: in its web, from 0.
        lines: number of Sitemap lines in its robots.txt.
        guess: the path of its sitemap, independent of its lines.
        urls: number of addresses in its sitemap; for an index the sum over its parts.
        edition: of its robots.txt, which names it in a comment.
        folder: of the sitemaps that its lines name.
    """

    number: int
    name: Name
    robots: RobotsKind
    sitemap: SitemapKind
    lines: int
    guess: str
    urls: int
    edition: int = 0
    folder: str = "maps"

    @property
    def domain(self) -> str:
        """The registrable domain."""
        return self.name.domain

    @property
    def is_reachable(self) -> bool:
        """True when its robots.txt can be read, at the second try at the latest."""
        return self.robots not in UNREACHABLE


class Web:
    """The domains of a seed; effectively immutable.

    Args:
        seed: of everything in it.
        size: number of domains.
    """

    def __init__(self, seed: int, size: int) -> None:
        self.seed = seed
        self._names = [name_of(seed, number) for number in range(size)]
        self._robots = _deal(_ROBOTS, "plain", size, Random(f"{seed}/robots"))
        sitemaps = _deal(_SITEMAPS, "urlset", size, Random(f"{seed}/sitemaps"))
        self._base = [self._first(number, sitemaps[number]) for number in range(size)]

    def __len__(self) -> int:
        return len(self._base)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each domain by its name."""
        return {name.domain: number for number, name in enumerate(self._names)}

    def domain(self, number: int, day: int) -> Domain:
        """Return a domain on a day; days count from 1, numbers from 0."""
        base = self._base[number]
        story, first = self.story(number)
        if not story or day < first:
            return base
        at = (day - first) % _STORY_DAYS
        is_gone = at < _STORY_DAYS // 2
        base = _grown(story, base, (day - first) // _STORY_DAYS + 1)
        changes: dict[str, Any] = {}
        match story:
            case "robots_flaps" if (day - first) % 2 == 0:
                changes = {"edition": 1}
            case "robots_emptied" if at == 0:
                changes = {"robots": "empty", "lines": 0}
            case "robots_comes_and_goes" if is_gone:
                changes = {"robots": "missing", "lines": 0}
            case "sitemap_comes_and_goes" if is_gone:
                changes = {"sitemap": "missing"}
            case "sitemap_rotates":
                changes = {"folder": f"maps-{day:02}"}
            case "sitemap_moves":
                changes = {"folder": "archive", "guess": _other_guess(base.guess)}
            case "sitemap_rests" if (day - first) % _WEEK in _WEEKEND:
                changes = {"urls": base.urls // 4}
            case "outage" if at == 0:
                changes = {"robots": "error", "lines": 0}
        return replace(base, **changes)

    def day(self, day: int) -> Sequence[Domain]:
        """Return all domains on a day, by number."""
        return [self.domain(number, day) for number in range(len(self))]

    def story(self, number: int) -> tuple[Story, int]:
        """Return a domain's story and its first day; ("", 0) for most domains."""
        base = self._base[number]
        random = Random(f"{self.seed}/story/{number}")
        if base.robots not in ("plain", "lines") or base.sitemap != "urlset":
            return "", 0
        if random.random() >= _STORY_SHARE:
            return "", 0
        day = random.randrange(_FIRST_STORY_DAY, _FIRST_STORY_DAY + _STORY_DAYS)
        story = random.choice(_STORIES)
        if story == "sitemap_rotates" and not base.lines:
            # Only what a line names has another name each day.
            story = "sitemap_moves"
        return story, 1 if story in _ALWAYS else day

    def _first(self, number: int, sitemap: SitemapKind) -> Domain:
        random = Random(f"{self.seed}/domain/{number}")
        robots = self._robots[number]
        lines = random.choices(_LINE_COUNTS, _LINE_WEIGHTS)[0] if robots in LINED else 0
        lines = {"dead_lines": _DEAD_LINES, "late_line": _LATE_LINES}.get(robots, lines)
        return Domain(
            number,
            self._names[number],
            robots,
            sitemap,
            lines,
            random.choices(GUESSES, _GUESS_WEIGHTS)[0],
            random.randint(4, _MOST_URLS),
        )


def _grown(story: Story, base: Domain, times: int) -> Domain:
    """Return a domain whose story has come this many times to what stays."""
    match story:
        case "robots_edited":
            return replace(base, edition=times)
        case "sitemap_grows":
            return replace(base, urls=base.urls + _GROWTH * times)
        case "sitemap_rests":
            return replace(base, urls=base.urls + _GROWTH)
    return base


def _other_guess(path: str) -> str:
    return GUESSES[(GUESSES.index(path) + 1) % len(GUESSES)]


def _deal(shares: Mapping[K, int], rest: K, size: int, random: Random) -> list[K]:
    """Return `size` kinds by their shares, shuffled; from 100 on, each at least once."""
    least = int(size >= _ONE_OF_EACH_FROM)
    kinds = [
        kind
        for kind, share in shares.items()
        for _ in range(max(least, round(share * size / _ALL)))
    ]
    dealt = (kinds + [rest] * size)[:size] if len(kinds) <= size else random.sample(kinds, size)
    random.shuffle(dealt)
    return dealt
