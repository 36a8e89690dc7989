"""A collection as compared: each file is present, absent or unknown.

Only proof counts. A file is present if it was read, and absent if the site says so (404, 410, a
page in its place). A refusal (401, 403, 429), an outage and a forbidden address prove nothing, so
the last known state stays.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from pydantic import Field

from uring.clock import Timestamp
from uring.records.model import RecordState
from uring.seeds.collect.answers import Collection, RobotsAnswer, SitemapAnswer, Tried
from uring.seeds.collect.site import place
from uring.seeds.watch.watch import Compare, File
from uring.sources.entry import digest

ABSENT: Final = "absent"
"""The hash of an absent file."""

FILES: Final[Mapping[File, str]] = {"robots": "robots.txt", "sitemap": "sitemap"}

_GONE: Final = frozenset((HTTPStatus.NOT_FOUND, HTTPStatus.GONE))
_LINE_ENDS: Final = re.compile(rb"[\r\n]+")
# The same place, with and without TLS or www: the responding address may change every day.
# A later request would fail in the same way.
_SETTLED: Final = frozenset({"robots_disallowed", "refused_address", "bad_address"})
Content = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Present:
    """A file that was read.

    Attributes:
        hash: of the compared content.
        content: for readers.
        urls: of a sitemap whose hash has their number; None if every byte counts.
        is_certain: False if a better candidate failed, which may succeed next time.
    """

    hash: str
    content: Content
    urls: int | None = None
    is_certain: bool = True


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
    """Both files of a domain, the number of requests, and whether it answered at all."""

    files: Mapping[File, Sight]
    requests: int = 0
    is_reachable: bool = True

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
    sitemap = sitemap_sight(domain, collection.sitemap, collection.sitemap_body, compare)
    requests = 1 + len(collection.robots.hops) + collection.requests
    is_reachable = collection.robots.is_reachable
    return DomainSight({"robots": robots, "sitemap": sitemap}, requests, is_reachable)


def robots_sight(domain: str, answer: RobotsAnswer, body: bytes) -> Sight:
    """Return the sight of a robots.txt; its comments and blank lines do not count."""
    content: Content = {**_head(domain, "robots"), "outcome": answer.outcome, "link": answer.url}
    if answer.outcome == "ok":
        figures = {"bytes": str(answer.content_length), "sitemaps": str(answer.sitemap_lines)}
        return Present(_rules_hash(body), {**content, **figures})
    if answer.outcome in ("html", "redirect_limit") or answer.status_code in _GONE:
        return Absent(content)
    return Unknown(answer.outcome)


def sitemap_sight(domain: str, answer: SitemapAnswer, body: bytes, compare: Compare) -> Sight:
    """Return the sight of a domain's sitemap, the first candidate that is a sitemap."""
    head = _head(domain, "sitemap")
    if not answer.exists:
        is_gone = answer.tried and not answer.ended_by and all(map(_is_none, answer.tried))
        absent = Absent({**head, "outcome": "none", "link": answer.url})
        return absent if is_gone else Unknown(answer.reason or "none")
    urls = _urls(answer)
    content = {
        **head,
        "outcome": "ok",
        "link": answer.url,
        "format": answer.kind,
        "urls": str(urls),
        "truncated": "true" if answer.truncated else "false",
    }
    is_certain = not any(map(_may_return, answer.tried))
    if compare == "bytes":
        return Present(hashlib.sha256(body).hexdigest(), content, is_certain=is_certain)
    # The verdict decides how much growth is a change.
    shape = digest([place(answer.url), answer.kind, urls])
    return Present(shape, content, urls, is_certain=is_certain)


def _urls(answer: SitemapAnswer) -> int:
    """Return the number of URLs of a sitemap, or of children of an index."""
    if answer.children is not None:
        return answer.children.listed
    return answer.url_count or 0


def _is_none(tried: Tried) -> bool:
    """Return True if a candidate is certainly not a sitemap."""
    is_page = tried.status_code // 100 == 2 and tried.kind is None  # noqa: PLR2004
    return is_page or tried.status_code in _GONE


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


class WatchState(RecordState):
    """The state of a shard, ``state/seeds/{watch}.{n}of{shards}.json``.

    Its records are the files of its domains.

    Attributes:
        fingerprint: of the watch at the last check.
        missing: files absent from the last answer, with the time of the first such answer; domains
            absent from the last list, with its time.
    """

    fingerprint: str = ""
    missing: dict[str, Timestamp] = Field(default_factory=dict)
