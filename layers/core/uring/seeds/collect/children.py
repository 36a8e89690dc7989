"""The children of an index: which are requested, and how they are counted; pure."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from uring.seeds.collect.answers import Children, EndedBy, SitemapAnswer, Tried
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.collect.site import Site, place
from uring.seeds.collect.sitemap import SitemapFile

# For the children of all indexes of a domain; each costs 12 µs.
_MOST_RESOLVED: Final = 2_000


@dataclass(frozen=True, slots=True)
class Child:
    """A sitemap that an index names: its address and its depth, 1 in the first index."""

    url: str
    depth: int


@dataclass(slots=True)
class Walk:
    """The children of an index, breadth first: the first index's before those of nested ones.

    Attributes:
        seen: the addresses that were requested.
        counted: the places of the sitemaps that were read: none is requested or counted twice.
        asked_before: the requests of another walk within the same limit.
    """

    site: Site
    limits: CollectLimits
    seen: set[str]
    counted: set[str] = field(default_factory=set)
    asked_before: int = 0
    ended_by: EndedBy = ""
    url_count: int = 0
    sitemaps: int = 0
    is_broken: bool = False
    _waiting: deque[Child] = field(default_factory=deque)
    _listed: int = 0
    _foreign: int = 0
    _resolved: int = 0
    _tried: list[Tried] = field(default_factory=list)

    def add(self, locs: tuple[str, ...], index_url: str, depth: int) -> None:
        """Add the children of one index; beyond the depth limit only ``ended_by`` is set."""
        if depth > self.limits.depth:
            self.ended_by = "depth"
            return
        distinct = list(dict.fromkeys(locs))
        self._listed += len(distinct)
        # Children beyond the limit are neither queued nor resolved.
        room = max(_MOST_RESOLVED - self._resolved, 0)
        self._resolved += len(distinct[:room])
        if len(distinct) > room:
            self.ended_by = "children"
        for loc in distinct[:room]:
            url = self.site.child(loc, index_url)
            if url is None:
                self._foreign += 1
            else:
                self._waiting.append(Child(url, depth))

    def next(self) -> Child | None:
        """Return the next child that was not requested yet; None at the end or at the limit."""
        while self._waiting:
            child = self._waiting.popleft()
            if child.url in self.seen or place(child.url) in self.counted:
                continue
            if self.asked_before + len(self._tried) >= self.limits.children:
                self.ended_by = "children"
                return None
            return child
        return None

    def read(self, answer: SitemapAnswer, file: SitemapFile | None, depth: int) -> None:
        """Add the answer of a child; ``file`` is None if it failed."""
        self._tried.append(tried_of(answer))
        if file is None:
            # Redirected to a file that was counted: nothing is missing.
            self.is_broken = self.is_broken or answer.reason != "repeated"
            return
        self.is_broken = self.is_broken or file.truncated
        self.sitemaps += 1
        if file.kind == "sitemapindex":
            self.is_broken = self.is_broken or len(file.locs) < file.url_count
            self.add(file.locs, answer.final_url, depth + 1)
        else:
            self.url_count += file.url_count

    @property
    def is_complete(self) -> bool:
        """True when every child was read to its end."""
        return not (self.ended_by or self.is_broken or self._foreign)

    def children(self) -> Children:
        """Return the children for storage."""
        return Children(
            listed=self._listed,
            foreign=self._foreign,
            asked=len(self._tried),
            read=self.sitemaps,
            ended_by=self.ended_by,
            tried=tuple(self._tried),
        )


def tried_of(answer: SitemapAnswer) -> Tried:
    """Return the stored part of a requested URL's answer."""
    return Tried(
        url=answer.url,
        status_code=answer.status_code,
        kind=answer.kind,
        url_count=answer.url_count,
        truncated=answer.truncated,
        reason=answer.reason,
    )
