"""A domain's sitemap: the first of the candidates that is one, and an index's children.

Sitemap lines ─► /sitemap.xml ─► /sitemap_index.xml ─► /sitemap-index.xml ─► /sitemaps.xml
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urljoin

from uring.clock import Clock, timestamp
from uring.errors import FetchFailed
from uring.fetch import Response
from uring.fetch.text import one_line
from uring.seeds.collect.answers import Children, EndedBy, SitemapAnswer, Tried, known_status
from uring.seeds.collect.limits import Limits
from uring.seeds.collect.site import Site
from uring.seeds.collect.sitemap import SitemapFile, read_sitemap
from uring.seeds.collect.visit import BudgetSpent, Visit

# The document's three in its order; recorded robots.txt name the third 67 times, the last 8 times.
GUESSES: Final = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemaps.xml")
# Children of all indexes of a domain; it costs 12 µs for each.
_MOST_RESOLVED: Final = 2_000
ACCEPT: Final = "application/xml, text/xml, */*;q=0.5"


@dataclass(frozen=True, slots=True)
class FoundSitemap:
    """A domain's sitemap.

    Attributes:
        answer: as far as it is known without an index's children.
        file: None where there is none.
    """

    answer: SitemapAnswer
    file: SitemapFile | None = None


class Sitemaps:
    """The sitemaps of one domain.

    Args:
        visit: the domain's budget.
        site: what may be asked.
        clock: aware UTC.
        limits: of the domain.
    """

    def __init__(self, visit: Visit, site: Site, clock: Clock, limits: Limits) -> None:
        self._visit = visit
        self._site = site
        self._clock = clock
        self._limits = limits
        self._seen: set[str] = set()

    def find(self, from_robots: tuple[str, ...]) -> FoundSitemap:
        """Return the first candidate that is a sitemap.

        Where none is one, the answer is that of the first candidate.

        Args:
            from_robots: the URLs of the Sitemap lines.
        """
        tried: list[Tried] = []
        first: SitemapAnswer | None = None
        ended_by: EndedBy = ""
        for url, is_named in self._candidates(from_robots):
            try:
                answer, file = self._ask(url)
            except BudgetSpent as spent:
                ended_by = spent.by
                if spent.by == "throttled":
                    # Other hosts may be asked.
                    continue
                break
            tried.append(_tried(answer))
            answer = answer.model_copy(update={"from_robots": is_named})
            if file is not None:
                return FoundSitemap(answer.model_copy(update={"tried": tuple(tried)}), file)
            first = first or answer
        if first is None:
            first = self._not_asked(from_robots, ended_by)
        update = {"tried": tuple(tried), "ended_by": ended_by}
        return FoundSitemap(first.model_copy(update=update))

    def follow(self, found: FoundSitemap) -> SitemapAnswer:
        """Return the answer with the children of an index counted."""
        file = found.file
        if file is None or file.kind != "sitemapindex":
            return found.answer
        walk = _Walk(self._site, self._limits, self._seen)
        walk.add(file.locs, found.answer.final_url, 1)
        while (child := walk.next()) is not None:
            try:
                answer, read = self._ask(child.url)
            except BudgetSpent as spent:
                walk.ended_by = spent.by
                if spent.by == "throttled":
                    continue
                break
            walk.read(answer, read, child.depth)
        is_whole = not found.answer.truncated and len(file.locs) == file.url_count
        return found.answer.model_copy(
            update={
                "url_count": walk.url_count if walk.sitemaps else None,
                "is_complete": is_whole and walk.is_complete,
                "children": walk.children(),
            }
        )

    def _candidates(self, from_robots: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
        for url in from_robots[: self._limits.sitemap_lines]:
            if url not in self._seen:
                yield url, True
        for path in GUESSES:
            url = urljoin(self._site.base, path)
            if url not in self._seen and self._site.allows(url):
                yield url, False

    def _not_asked(self, from_robots: tuple[str, ...], ended_by: EndedBy) -> SitemapAnswer:
        url = next(iter(from_robots), urljoin(self._site.base, GUESSES[0]))
        return SitemapAnswer(url=url, final_url=url, reason=ended_by or "robots_disallowed")

    def _ask(self, url: str) -> tuple[SitemapAnswer, SitemapFile | None]:
        """Ask for one file; the second is None where it is no sitemap.

        Raises:
            BudgetSpent: it was not asked.
        """
        limits = self._limits
        try:
            response = self._visit.ask(
                url, seconds=limits.sitemap_seconds, max_bytes=limits.sitemap_bytes, accept=ACCEPT
            )
        except FetchFailed as failure:
            self._seen |= {url, failure.url}
            answer = SitemapAnswer(
                status_code=known_status(failure.status),
                url=url,
                final_url=failure.url or url,
                reason=failure.reason,
                detail=one_line(failure.detail),
                fetched_at=timestamp(self._clock()),
                duration_ms=self._visit.milliseconds,
            )
            return answer, None
        is_repeated = response.url in self._seen
        self._seen |= {url, response.url}
        file = read_sitemap(
            response.body, truncated=response.truncated, max_bytes=limits.sitemap_bytes
        )
        if file.layers:
            self._visit.inflated(len(file.content))
        if is_repeated:
            # Redirected to one that was read, or is none.
            file = replace(file, kind=None, reason="repeated", detail="")
        answer = self._answered(url, response, file)
        return answer, file if file.kind is not None else None

    def _answered(self, url: str, response: Response, file: SitemapFile) -> SitemapAnswer:
        is_index = file.kind == "sitemapindex"
        return SitemapAnswer(
            status_code=response.status,
            url=url,
            final_url=response.url,
            reason=file.reason,
            detail=one_line(file.detail),
            content_length=len(file.content),
            truncated=file.truncated,
            fetched_at=timestamp(self._clock()),
            duration_ms=self._visit.milliseconds,
            exists=file.kind is not None,
            kind=file.kind,
            url_count=None if is_index or file.kind is None else file.url_count,
            is_complete=file.kind is not None and not is_index and not file.truncated,
            parse_mode=file.parse_mode if file.kind else None,
            encoding=file.encoding,
            refused=file.refused,
        )


@dataclass(frozen=True, slots=True)
class _Child:
    url: str
    depth: int


@dataclass(slots=True)
class _Walk:
    """The children of an index, breadth first: those of the first index before those of its own."""

    site: Site
    limits: Limits
    seen: set[str]
    ended_by: EndedBy = ""
    url_count: int = 0
    sitemaps: int = 0
    is_broken: bool = False
    _waiting: deque[_Child] = field(default_factory=deque)
    _listed: int = 0
    _foreign: int = 0
    _resolved: int = 0
    _tried: list[Tried] = field(default_factory=list)

    def add(self, locs: tuple[str, ...], index_url: str, depth: int) -> None:
        """Add the children of one index."""
        if depth > self.limits.depth:
            self.ended_by = "depth"
            return
        distinct = list(dict.fromkeys(locs))
        self._listed += len(distinct)
        # More than can be asked need not wait, and need not be taken apart.
        room = max(_MOST_RESOLVED - self._resolved, 0)
        self._resolved += len(distinct[:room])
        if len(distinct) > room:
            self.ended_by = "children"
        for loc in distinct[:room]:
            url = self.site.child(loc, index_url)
            if url is None:
                self._foreign += 1
            else:
                self._waiting.append(_Child(url, depth))

    def next(self) -> _Child | None:
        """Return the next child that was not asked before."""
        while self._waiting:
            child = self._waiting.popleft()
            if child.url in self.seen:
                continue
            if len(self._tried) >= self.limits.children:
                self.ended_by = "children"
                return None
            return child
        return None

    def read(self, answer: SitemapAnswer, file: SitemapFile | None, depth: int) -> None:
        """Take a child's answer."""
        self._tried.append(_tried(answer))
        if file is None or file.truncated:
            self.is_broken = True
        if file is None:
            return
        self.sitemaps += 1
        if file.kind == "sitemapindex":
            self.is_broken = self.is_broken or len(file.locs) < file.url_count
            self.add(file.locs, answer.final_url, depth + 1)
        else:
            self.url_count += file.url_count

    @property
    def is_complete(self) -> bool:
        """Whether every child was read to its end."""
        return not (self.ended_by or self.is_broken or self._foreign)

    def children(self) -> Children:
        """Return them as they are stored."""
        return Children(
            listed=self._listed,
            foreign=self._foreign,
            asked=len(self._tried),
            read=self.sitemaps,
            ended_by=self.ended_by,
            tried=tuple(self._tried),
        )


def _tried(answer: SitemapAnswer) -> Tried:
    return Tried(
        url=answer.url,
        status_code=answer.status_code,
        kind=answer.kind,
        url_count=answer.url_count,
        truncated=answer.truncated,
        reason=answer.reason,
    )
