"""A collection as what is compared of it: files that are there, files that are not, or neither.

Only proof counts. A file is there where it was read, and gone where the site says so (404, 410, a
page in its place); a refusal (401, 403, 429), an outage and an address that may not be asked prove
nothing, so what was known stays.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from uring.seeds.watch.watch import Compare, File
from uring.sources.entry import digest

ABSENT: Final = "absent"
"""The hash of a file that a domain does not have."""

FILES: Final[Mapping[File, str]] = {"robots": "robots.txt", "sitemap": "sitemap"}

_GONE: Final = frozenset({404, 410})
_LINE_ENDS: Final = re.compile(rb"[\r\n]+")
Content = Mapping[str, str | None]


class Robots(Protocol):
    """A robots.txt's answer, as far as it is compared."""

    @property
    def outcome(self) -> str: ...
    @property
    def is_reachable(self) -> bool: ...
    @property
    def status_code(self) -> int: ...
    @property
    def url(self) -> str: ...
    @property
    def content_length(self) -> int: ...
    @property
    def sitemap_lines(self) -> int: ...


class Sitemap(Protocol):
    """A sitemap's answer, as far as it is compared."""

    @property
    def outcome(self) -> str: ...
    @property
    def status_code(self) -> int: ...
    @property
    def url(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def url_count(self) -> int | None: ...
    @property
    def truncated(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Present:
    """A file that was read; ``urls`` counts a sitemap's, where its number tells it from others."""

    hash: str
    content: Content
    urls: int | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """A file that the site says it does not have."""

    content: Content


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing certain; ``reason`` is one word."""

    reason: str


Sight = Present | Absent | Unknown


@dataclass(frozen=True, slots=True)
class DomainSight:
    """Both files of a domain, and the requests that it took."""

    files: Mapping[File, Sight]
    requests: int = 0

    @property
    def is_known(self) -> bool:
        """Whether the domain answered at all."""
        return not isinstance(self.files["robots"], Unknown)


def record_id(domain: str, file: File) -> str:
    """Return ``mom.gov.sg/robots.txt`` or ``mom.gov.sg/sitemap``."""
    return f"{domain}/{FILES[file]}"


def domain_of(record: str) -> str:
    """Return the domain of a record's id."""
    return record.partition("/")[0]


def file_of(record: str) -> File:
    """Return which file a record's id names."""
    return "robots" if record.endswith(FILES["robots"]) else "sitemap"


def robots_sight(domain: str, answer: Robots, body: bytes) -> Sight:
    """Return what is certain of a robots.txt; comments and blank lines of it do not count."""
    content = {**_head(domain, "robots", answer.outcome), "link": answer.url}
    if answer.outcome == "ok":
        figures = {"bytes": str(answer.content_length), "sitemaps": str(answer.sitemap_lines)}
        return Present(_rules_hash(body), {**content, **figures})
    is_gone = answer.outcome in ("html", "redirect_limit") or answer.status_code in _GONE
    if is_gone and answer.is_reachable:
        return Absent(content)
    return Unknown(answer.outcome)


def sitemap_sight(domain: str, answer: Sitemap, body: bytes, compare: Compare) -> Sight:
    """Return what is certain of a domain's sitemap, the first of its candidates that is one."""
    content = _head(domain, "sitemap", answer.outcome)
    if answer.outcome != "ok":
        is_gone = answer.outcome == "html" or answer.status_code in _GONE
        return Absent(content) if is_gone else Unknown(answer.outcome)
    count = answer.url_count
    content = {
        **content,
        "link": answer.url,
        "format": answer.kind,
        "urls": None if count is None else str(count),
        "truncated": "true" if answer.truncated else "false",
    }
    if compare == "bytes":
        return Present(hashlib.sha256(body).hexdigest(), content)
    # By how much it grew, the verdict tells.
    return Present(digest([answer.url, answer.kind, count]), content, count or 0)


def _head(domain: str, file: File, outcome: str) -> Content:
    return {
        "title": f"{domain} {FILES[file]}",
        "domain": domain,
        "file": file,
        "outcome": outcome,
    }


def _rules_hash(body: bytes) -> str:
    """Return a digest of the lines that say something; sites date and sign their comments."""
    lines = (line.partition(b"#")[0].strip() for line in _LINE_ENDS.split(body))
    return hashlib.sha256(b"\n".join(line for line in lines if line)).hexdigest()
