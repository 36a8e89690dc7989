"""A collection as compared: each file is present, absent or unknown.

Only proof counts. A file is present if it was read, and absent if the site says so (404, 410, a
page in its place). A refusal (401, 403, 429), an outage and a forbidden address prove nothing, so
the last known state stays.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import ClassVar, Final

from pydantic import Field

from uring.changes.state import StatePart
from uring.clock import Timestamp, parse_timestamp, timestamp
from uring.records.model import RecordState
from uring.seeds.collect.answers import (
    AllSitemaps,
    Collection,
    RobotsAnswer,
    SitemapAnswer,
    Tried,
)
from uring.seeds.collect.site import place
from uring.seeds.known.files import KnownFiles
from uring.seeds.watch.kept import KeptFile, known_files
from uring.seeds.watch.settling import Unsettled
from uring.seeds.watch.understood import bytes_basis, robots_basis, sitemap_basis
from uring.seeds.watch.watch import Compare, File
from uring.sources.entry import digest

FILES: Final[Mapping[File, str]] = {"robots": "robots.txt", "sitemap": "sitemap"}

_GONE: Final = frozenset((HTTPStatus.NOT_FOUND, HTTPStatus.GONE))
_LINE_ENDS: Final = re.compile(rb"[\r\n]+")
# A later request would fail in the same way.
_SETTLED: Final = frozenset({"robots_disallowed", "refused_address", "bad_address"})
Content = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Present:
    """A file that was read.

    Attributes:
        hash: of the content; releases before this one compared it.
        content: for readers.
        basis: what is compared, see `uring.seeds.watch.understood`.
        urls: of a sitemap whose hash has their number; None if every byte counts.
        is_certain: False if a better candidate failed, which may succeed next time.
        is_sound: False for what looks like a fault: a robots.txt without a rule, a sitemap that is
            empty or cut.
        has_end: False for a robots.txt whose last line has no end: it may be cut.
    """

    hash: str
    content: Content
    basis: str = ""
    urls: int | None = None
    is_certain: bool = True
    is_sound: bool = True
    has_end: bool = True


@dataclass(frozen=True, slots=True)
class Absent:
    """A file that is absent by the site's own answer."""

    content: Content


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing certain; ``reason`` is one word."""

    reason: str


Sight = Present | Absent | Unknown


@dataclass(frozen=True, slots=True)
class DomainSight:
    """Both files of a domain.

    Attributes:
        requests: their number.
        is_reachable: False if it did not answer at all.
        known: the files that this check read, or a 304 confirmed.
    """

    files: Mapping[File, Sight]
    requests: int = 0
    is_reachable: bool = True
    known: KnownFiles | None = None

    @classmethod
    def nothing(cls, reason: str) -> "DomainSight":
        """Return the sight of a domain without any answer."""
        return cls({file: Unknown(reason) for file in FILES}, is_reachable=False)


def record_id(domain: str, file: File) -> str:
    """Return the id, such as ``mom.gov.sg/robots.txt`` or ``mom.gov.sg/sitemap``."""
    return f"{domain}/{FILES[file]}"


def domain_of(record: str) -> str:
    """Return the domain of a record's id."""
    return record.partition("/")[0]


def file_of(record: str) -> File:
    """Return the file of a record's id."""
    return "robots" if record.endswith(FILES["robots"]) else "sitemap"


def sight_of(domain: str, collection: Collection, compare: Compare) -> DomainSight:
    """Return the sight of a collected domain."""
    robots = robots_sight(domain, collection.robots, collection.robots_body)
    sitemap = sitemap_sight(domain, collection, compare)
    requests = 1 + len(collection.robots.hops) + collection.requests
    is_reachable = collection.robots.is_reachable
    return DomainSight({"robots": robots, "sitemap": sitemap}, requests, is_reachable)


def sight_of_robots(domain: str, answer: RobotsAnswer, body: bytes) -> DomainSight:
    """Return the sight of a domain that was asked for its robots.txt alone."""
    robots = robots_sight(domain, answer, body)
    files: Mapping[File, Sight] = {"robots": robots, "sitemap": Unknown("not_asked")}
    return DomainSight(files, 1 + len(answer.hops), answer.is_reachable)


def robots_sight(domain: str, answer: RobotsAnswer, body: bytes) -> Sight:
    """Return the sight of a robots.txt: its rules for us, and the places of its Sitemap lines."""
    content: Content = {**_head(domain, "robots"), "outcome": answer.outcome, "link": answer.url}
    if answer.outcome == "ok":
        figures = {"bytes": str(answer.content_length), "sitemaps": str(answer.sitemap_lines)}
        basis, is_sound = robots_basis(body, answer.sitemap_urls)
        has_end = body.endswith((b"\n", b"\r", b"\0"))
        return Present(
            _rules_hash(body), {**content, **figures}, basis, is_sound=is_sound, has_end=has_end
        )
    if answer.outcome in ("html", "redirect_limit") or answer.status_code in _GONE:
        return Absent(content)
    return Unknown(answer.outcome)


def sitemap_sight(domain: str, collection: Collection, compare: Compare) -> Sight:
    """Return the sight of a domain's sitemaps; without one, of the candidates."""
    answer = collection.sitemap
    head = _head(domain, "sitemap")
    if not answer.exists:
        is_gone = (
            answer.tried and not answer.ended_by and all(each.is_none for each in answer.tried)
        )
        absent = Absent({**head, "outcome": "none", "link": answer.url})
        return absent if is_gone else Unknown(answer.reason or "none")
    urls, all_urls = _urls(answer), _all_urls(answer, collection.sitemaps)
    content = {
        **head,
        "outcome": "ok",
        "link": answer.url,
        "format": answer.kind,
        "urls": str(urls),
        "truncated": "true" if answer.truncated else "false",
    }
    if collection.sitemaps is not None:
        content["all_urls"] = None if all_urls is None else str(all_urls)
    is_certain = not any(map(_may_return, answer.tried))
    is_sound = urls > 0 and not answer.truncated
    if compare == "bytes":
        name = answer.digest or hashlib.sha256(collection.sitemap_body).hexdigest()
        basis = bytes_basis(name)
        return Present(name, content, basis, is_certain=is_certain, is_sound=is_sound)
    basis = sitemap_basis(_sitemaps(collection), answer.kind, urls, all_urls)
    shape = digest([place(answer.url), answer.kind, urls, basis])
    return Present(shape, content, basis, urls, is_certain=is_certain, is_sound=is_sound)


def _sitemaps(collection: Collection) -> list[str]:
    """Return the addresses of a domain's sitemaps: the lines that are not gone, and the first."""
    answer, others = collection.sitemap, collection.sitemaps
    tried = (*answer.tried, *(others.files.tried if others else ()))
    gone = {each.url for each in tried if each.is_none and each.reason != "repeated"}
    listed = (url for url in collection.robots.sitemap_urls if url not in gone)
    return [*dict.fromkeys((*listed, answer.url))]


def _all_urls(answer: SitemapAnswer, others: AllSitemaps | None) -> int | None:
    """Return the number of URLs of all sitemaps that were read; None if some failed today."""
    if others is None:
        return _urls(answer)
    files = others.files
    is_cut_short = files.ended_by not in ("", "children", "depth")
    return None if is_cut_short or any(map(_may_return, files.tried)) else others.url_count


def _urls(answer: SitemapAnswer) -> int:
    """Return the number of URLs of a sitemap, or of children of an index."""
    if answer.children is not None:
        return answer.children.listed
    return answer.url_count or 0


def _may_return(tried: Tried) -> bool:
    """Return True if a candidate failed temporarily."""
    if tried.kind is not None or tried.reason in _SETTLED:
        return False
    status = tried.status_code
    return status in (0, HTTPStatus.TOO_MANY_REQUESTS) or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _head(domain: str, file: File) -> Content:
    return {"title": f"{domain} {FILES[file]}", "domain": domain, "file": file}


def _rules_hash(body: bytes) -> str:
    """Return a digest of the lines without comments, which sites date and sign."""
    lines = (line.partition(b"#")[0].strip() for line in _LINE_ENDS.split(body))
    return hashlib.sha256(b"\n".join(line for line in lines if line)).hexdigest()


class SecondLook(StatePart):
    """The look again at robots.txt of domains, before the next check.

    Attributes:
        job: the time that the check's job was scheduled for: it stays in its queue until then.
        at: when it is due.
        domains: those whose robots.txt is another one.
    """

    job: Timestamp
    at: Timestamp
    domains: tuple[str, ...]


class WatchState(RecordState):
    """The state of a shard, ``state/seeds/{watch}.{n}of{shards}.json``.

    Its records are the files of its domains.

    Attributes:
        fingerprint: of the watch at the last check.
        missing: files absent from the last answer, with the time of the first such answer; domains
            absent from the last list, with its time.
        bases: of each present file the basis, behind the beginning of the hash that it belongs to.
        unsettled: the files that changed lately, or may have.
        second_look: the look that is due before the next check, or None.
        kept: by domain, the last good answers that a request may be conditional on.
    """

    later: ClassVar[frozenset[str]] = RecordState.later | {
        "bases",
        "unsettled",
        "second_look",
        "kept",
    }

    fingerprint: str = ""
    missing: dict[str, Timestamp] = Field(default_factory=dict)
    bases: dict[str, str] = Field(default_factory=dict)
    unsettled: dict[str, Unsettled] = Field(default_factory=dict)
    second_look: SecondLook | None = None
    kept: dict[str, tuple[KeptFile, ...]] = Field(default_factory=dict)

    def second_look_of(self, scheduled_at: datetime) -> SecondLook | None:
        """Return the second look that the job of this time has to take, or None."""
        look = self.second_look
        return look if look is not None and look.job == timestamp(scheduled_at) else None

    def again_after(self, scheduled_at: datetime, now: datetime) -> timedelta | None:
        """See `SourceState.again_after`."""
        look = self.second_look_of(scheduled_at)
        return None if look is None else parse_timestamp(look.at) - now

    def known_of(self, domain: str, interval: timedelta, now: datetime) -> KnownFiles:
        """Return the files of a domain that its requests may be conditional on.

        Args:
            domain: of the shard.
            interval: between two checks.
            now: aware UTC.
        """
        doubtful = {
            file
            for file in FILES
            if (look := self.unsettled.get(record_id(domain, file))) is not None and look.pending
        }
        return known_files(self.kept.get(domain, ()), now, interval, doubtful)
