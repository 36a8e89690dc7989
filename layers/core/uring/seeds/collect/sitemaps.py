"""A domain's sitemaps: the first valid candidate, an index's children, and further Sitemap lines.

Sitemap lines ─► /sitemap.xml ─► /sitemap_index.xml ─► /sitemap-index.xml ─► /sitemaps.xml
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final
from urllib.parse import urljoin

from uring.clock import Clock, timestamp
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.url import one_line, parse_url
from uring.seeds.collect.answers import (
    AllSitemaps,
    EndedBy,
    RobotsAnswer,
    SitemapAnswer,
    Tried,
    known_status,
)
from uring.seeds.collect.children import Walk, tried_of
from uring.seeds.collect.hosts import Hosts
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.robots import is_within
from uring.seeds.collect.site import Site, place
from uring.seeds.collect.sitemap import Reason, SitemapFile, read_sitemap
from uring.seeds.collect.visit import BudgetSpent, DomainVisit
from uring.seeds.known.files import KnownFile, KnownFiles

# The specification's three in its order; recorded robots.txt name the third 67 times, the last 8
# times.
GUESSES: Final = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemaps.xml")
ACCEPT: Final = "application/xml, text/xml, */*;q=0.5"
# Pages in place of two files: the site sends one for each missing file.
_SOFT_404: Final = 2
_ASKED_BEFORE: Final = "an address that was asked before"


@dataclass(frozen=True, slots=True)
class FoundSitemap:
    """A domain's sitemap.

    Attributes:
        answer: the answer before an index's children are counted.
        file: None if no candidate is a sitemap.
    """

    answer: SitemapAnswer
    file: SitemapFile | None = None


class Sitemaps:
    """The sitemaps of one domain.

    Args:
        visit: the domain's budget.
        site: the allowed URLs.
        hosts: the rules of other hosts.
        clock: aware UTC.
        limits: the limits of the domain.
        known: the files that a request may be conditional on; sitemaps are added.
    """

    def __init__(
        self,
        visit: DomainVisit,
        site: Site,
        hosts: Hosts,
        clock: Clock,
        limits: CollectLimits,
        known: KnownFiles,
    ) -> None:
        self._visit = visit
        self._site = site
        self._hosts = hosts
        self._clock = clock
        self._limits = limits
        self._known = known
        self._each = known.urls.add if known.urls is not None else None
        self._seen: set[str] = set()
        # Places of the sitemaps that were read: the same by http and https is one.
        self._counted: set[str] = set()

    def find(self, robots: RobotsAnswer) -> FoundSitemap:
        """Return the first candidate that is a sitemap.

        If none is a sitemap, return the answer of the first candidate. Guesses end where the site
        sends pages for missing files, or where the Crawl-delay leaves no time for more.

        Args:
            robots: the domain's robots.txt.
        """
        tried: list[Tried] = []
        first: SitemapAnswer | None = None
        ended_by: EndedBy = ""
        pages = int(robots.outcome == "html")
        for url, is_named in self._candidates(robots):
            try:
                answer, file = self._ask(url, is_named=is_named)
            except BudgetSpent as spent:
                ended_by = spent.by
                if spent.by == "throttled":
                    # Other hosts may still be requested.
                    continue
                break
            tried.append(tried_of(answer))
            answer = answer.model_copy(update={"from_robots": is_named})
            if file is not None:
                return FoundSitemap(answer.model_copy(update={"tried": tuple(tried)}), file)
            first = first or answer
            if not is_named:
                pages += self._pages(answer)
                if pages >= _SOFT_404:
                    break
        else:
            if self._limits.guesses(robots.crawl_delay) < len(GUESSES):
                ended_by = ended_by or "seconds"
        if first is None:
            first = self._not_asked(robots.sitemap_urls, ended_by)
        update = {"tried": tuple(tried), "ended_by": ended_by}
        return FoundSitemap(first.model_copy(update=update))

    def follow(self, found: FoundSitemap) -> SitemapAnswer:
        """Return the answer, for an index with its children counted."""
        file = found.file
        if file is None or file.kind != "sitemapindex":
            return found.answer
        walk = Walk(self._site, self._limits, self._seen, self._counted)
        walk.add(file.locs, found.answer.final_url, 1)
        self._walk(walk)
        is_whole = not found.answer.truncated and len(file.locs) == file.url_count
        return found.answer.model_copy(
            update={
                "url_count": walk.url_count if walk.sitemaps else None,
                "is_complete": is_whole and walk.is_complete,
                "children": walk.children(),
            }
        )

    def sum(self, first: SitemapAnswer, from_robots: tuple[str, ...]) -> AllSitemaps | None:
        """Return the sum over the sitemaps that robots.txt names; None if there is at most one.

        The others are read as the children of an index are: within the same limits, and none on
        another site.

        Args:
            first: the answer of `follow`; it is not requested again.
            from_robots: the URLs of the Sitemap lines.
        """
        if len(from_robots) <= 1 or not first.exists:
            return None
        asked = first.children.asked if first.children else 0
        walk = Walk(self._site, self._limits, self._seen, self._counted, asked)
        others = tuple(url for url in from_robots if url != first.url)
        walk.add(others, self._site.base, 0)
        self._walk(walk)
        is_each_read = all(
            each.kind or each.reason == "repeated"
            for each in first.tried
            if each.url in from_robots
        )
        return AllSitemaps(
            url_count=(first.url_count or 0) + walk.url_count,
            is_complete=first.is_complete and is_each_read and walk.is_complete,
            files=walk.children(),
        )

    def _walk(self, walk: Walk) -> None:
        while (child := walk.next()) is not None:
            try:
                answer, read = self._ask(child.url, is_named=True)
            except BudgetSpent as spent:
                walk.ended_by = spent.by
                if spent.by == "throttled":
                    continue
                break
            walk.read(answer, read, child.depth)

    def _candidates(self, robots: RobotsAnswer) -> Iterator[tuple[str, bool]]:
        """Yield what robots.txt names, of each other site one file, and then the guesses."""
        foreign: set[str] = set()
        for url in robots.sitemap_urls[: self._limits.sitemap_lines]:
            host = parse_url(url).host
            if url in self._seen or host in foreign:
                continue
            if not is_within(host, self._site.domain):
                foreign.add(host)
            yield url, True
        for path in GUESSES[: self._limits.guesses(robots.crawl_delay)]:
            url = urljoin(self._site.base, path)
            if url not in self._seen and self._site.allows(url):
                yield url, False

    def _pages(self, answer: SitemapAnswer) -> int:
        """Return the number of missing files for which a page came.

        Two if more than this guess leads to the page.
        """
        is_home = place(answer.final_url) == place(self._site.base)
        if answer.status_code and (is_home or answer.detail == _ASKED_BEFORE):
            return _SOFT_404
        return int(answer.reason in ("html", "robots_disallowed"))

    def _not_asked(self, from_robots: tuple[str, ...], ended_by: EndedBy) -> SitemapAnswer:
        url = next(iter(from_robots), urljoin(self._site.base, GUESSES[0]))
        return SitemapAnswer(url=url, final_url=url, reason=ended_by or "robots_disallowed")

    def _ask(self, url: str, *, is_named: bool) -> tuple[SitemapAnswer, SitemapFile | None]:
        """Request one file; the second value is None if it is not a sitemap.

        Args:
            url: its address.
            is_named: True if the domain names it, in robots.txt or in an index.

        Raises:
            BudgetSpent: it was not requested.
        """
        limits = self._limits
        judge = self._hosts.judge_invited if is_named else self._hosts.judge
        try:
            if is_named:
                judge(url)
            response = self._visit.ask(
                url,
                seconds=limits.sitemap_seconds,
                max_bytes=limits.sitemap_bytes,
                accept=ACCEPT,
                judge=judge,
                known=self._known,
            )
        except FetchFailed as failure:
            self._seen |= {url, failure.url}
            # Without a URL nothing was requested.
            answer = SitemapAnswer(
                status_code=known_status(failure.status),
                url=url,
                final_url=failure.url or url,
                reason=failure.reason,
                detail=one_line(failure.detail),
                fetched_at=timestamp(self._clock()) if failure.url else None,
                duration_ms=self._visit.milliseconds if failure.url else 0,
            )
            return answer, None
        is_repeated = response.url in self._seen
        self._seen |= {url, response.url}
        known = self._known.confirmed(response)
        file = self._read(response, known)
        if is_repeated:
            # Redirected to an address that was requested: to a sitemap that counts, or to a page.
            is_counted = place(response.url) in self._counted
            reason: Reason = "repeated" if is_counted else "not_a_sitemap"
            file = replace(file, kind=None, reason=reason, detail=_ASKED_BEFORE)
        elif file.kind is not None:
            self._counted.add(place(response.url))
        answer = self._answered(url, response, file, known)
        return answer, file if file.kind is not None else None

    def _read(self, response: Response, known: KnownFile | None) -> SitemapFile:
        """Parse a response; of a 304 return the known file."""
        if known is not None and known.sitemap is not None:
            return known.sitemap
        body, truncated = (
            (response.body, response.truncated) if known is None else (known.body, False)
        )
        most = self._limits.sitemap_bytes
        file = read_sitemap(body, truncated=truncated, max_bytes=most, each=self._each)
        if file.layers:
            self._visit.inflated(len(file.content))
        if file.kind is not None:
            file = replace(file, digest=hashlib.sha256(file.content).hexdigest())
            if known is None:
                self._known.learn(response, timestamp(self._clock()), sitemap=file)
        return file

    def _answered(
        self, url: str, response: Response, file: SitemapFile, known: KnownFile | None
    ) -> SitemapAnswer:
        is_index = file.kind == "sitemapindex"
        return SitemapAnswer(
            status_code=HTTPStatus.OK if known else response.status,
            url=url,
            final_url=response.url,
            reason=file.reason,
            detail=one_line(file.detail),
            content_length=len(file.content),
            truncated=file.truncated,
            fetched_at=timestamp(self._clock()),
            read_at=known.read_at if known else None,
            validators=self._known.validators(response) if file.kind else None,
            digest=file.digest,
            duration_ms=self._visit.milliseconds,
            exists=file.kind is not None,
            kind=file.kind,
            url_count=None if is_index or file.kind is None else file.url_count,
            is_complete=file.kind is not None and not is_index and not file.truncated,
            parse_mode=file.parse_mode if file.kind else None,
            encoding=file.encoding,
            refused=file.refused,
            contents=dict(file.contents),
            newest=file.newest,
        )
