"""``domain_metadata.json``: the schema of the specification, and further measurements.

Keys outside that schema are additions, which its readers ignore. Unknown values are left out and
never null, by that schema.
"""

from datetime import datetime
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field

from uring.clock import Timestamp, timestamp
from uring.fetch.request import Validators
from uring.seeds.collect.answers import (
    AllSitemaps,
    Children,
    Collection,
    EndedBy,
    Feed,
    Homepage,
    RobotsAnswer,
    RobotsOutcome,
    SitemapAnswer,
    Tried,
)
from uring.seeds.collect.sitemap import Kind, ParseMode
from uring.seeds.known.urls import NewUrls
from uring.seeds.normalize import PSL_VERSION
from uring.seeds.partition import Partition

Status = Annotated[int, Field(ge=0, le=599)]
Count = Annotated[int, Field(ge=0)]

_OK: Final = 200
_OF_ROBOTS: Final = frozenset(RobotsAnswer.model_fields)
_OF_SITEMAP: Final = frozenset(SitemapAnswer.model_fields)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")

    # The keys of the specification, section 15.1.
    status_code: Status
    content_length: Count
    exists: bool
    fetched_at: Timestamp | None = None
    # Additions.
    read_at: Timestamp | None = None
    validators: Validators | None = None
    final_url: str = ""
    reason: str = ""
    detail: str = ""
    truncated: bool = False
    duration_ms: Count = 0
    encoding: str = ""


class RobotsMetadata(_Part):
    """The robots.txt; ``exists`` is True for a file with status 200, but not for an HTML page."""

    sitemap_urls: tuple[str, ...] | None = None
    outcome: RobotsOutcome
    url: str
    hops: tuple[str, ...] = ()
    sitemap_lines: Count = 0
    sitemap_foreign: Count = 0
    crawl_delay: float | None = None
    retry_after: float | None = None
    digest: str = ""


class SitemapMetadata(_Part):
    """The sitemap; ``url_count`` of an index is the sum over its parsed children."""

    url_count: Count | None = None
    url: str
    from_robots: bool = False
    kind: Kind | None = None
    is_complete: bool = False
    parse_mode: ParseMode | None = None
    refused: Count = 0
    contents: dict[str, int] = Field(default_factory=dict)
    newest: str = ""
    digest: str = ""
    tried: tuple[Tried, ...] = ()
    ended_by: EndedBy = ""
    children: Children | None = None


class SourceMetadata(BaseModel):
    """The record that named the domain."""

    model_config = ConfigDict(frozen=True, extra="allow")

    raw_file_path: str
    record_index: int | None = None


class EvidencePlace(BaseModel):
    """A record of a segment of evidence.

    Attributes:
        name: of the evidence: ``robots.txt``, ``sitemap.xml``, ``homepage.html``.
        key: of the segment's object.
        offset: of the gzip member with the record, in bytes.
        length: of that member.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str
    key: str
    offset: Count
    length: Count


class DomainMetadata(BaseModel):
    """The result of one domain (specs/002, sections 4.3.1 and 15.1).

    Attributes:
        epoch: of the collection; a forced one has a new name.
        date: of the partition.
        psl_version: the Public Suffix List that determined the domain.
        requests: the number of requests, without those for the domain's own robots.txt.
        retry_after: the longest time, in seconds, for which a host asked that wants no more
            requests.
        sitemaps: the sum over all sitemaps, if robots.txt names several.
        evidence: the places of the bodies in segments; None where they are objects, or not kept.
        new_urls: the difference from the collection before; None if there was none, or its URLs
            are unknown.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    domain_id: str
    registrable_domain: Annotated[str, Field(min_length=1)]
    country: str
    category: Annotated[str, Field(min_length=1)]
    collected_at: Timestamp
    robots: RobotsMetadata
    sitemap: SitemapMetadata
    sitemaps: AllSitemaps | None = None
    source: SourceMetadata | None = None
    date: str
    epoch: str
    psl_version: str
    requests: Count = 0
    retry_after: float | None = None
    homepage: Homepage | None = None
    feeds: tuple[Feed, ...] = ()
    evidence: tuple[EvidencePlace, ...] | None = None
    new_urls: NewUrls | None = None

    def to_json(self) -> bytes:
        """Return the document, indented by two spaces as in the specification."""
        return self.model_dump_json(indent=2, exclude_none=True).encode() + b"\n"

    @classmethod
    def from_json(cls, document: bytes) -> Self:
        """Parse a document of `to_json`. Raises pydantic's ValidationError."""
        return cls.model_validate_json(document)

    def object_metadata(self) -> dict[str, str]:
        """Return the metadata of the S3 object (specs/002, section 4.3.1), all ASCII."""
        return {
            "domain_id": self.domain_id,
            "registrable_domain": self.registrable_domain,
            "country": self.country.lower(),
            "category": self.category,
            "date": self.date,
        }


def build_metadata(
    collection: Collection,
    *,
    domain_id: str,
    registrable_domain: str,
    partition: Partition,
    collected_at: datetime,
    epoch: str,
    source_file_path: str | None = None,
    record_index: int | None = None,
    evidence: tuple[EvidencePlace, ...] | None = None,
    new_urls: NewUrls | None = None,
) -> DomainMetadata:
    """Return the metadata of a collection.

    Args:
        collection: the result of the domain.
        domain_id: ``gov:sg:mom.gov.sg``.
        registrable_domain: the registrable domain.
        partition: the partition that it was collected for.
        collected_at: aware UTC.
        epoch: of the collection.
        source_file_path: the raw file that named the domain.
        record_index: the record in that file.
        evidence: the places of the bodies, if they are in segments.
        new_urls: see `DomainMetadata`.
    """
    robots, sitemap = collection.robots, collection.sitemap
    source = None
    if source_file_path is not None:
        source = SourceMetadata(raw_file_path=source_file_path, record_index=record_index)
    return DomainMetadata(
        domain_id=domain_id,
        registrable_domain=registrable_domain,
        country=partition.country.upper(),
        category=partition.category,
        collected_at=timestamp(collected_at),
        robots=RobotsMetadata(
            **robots.model_dump(include=set(_OF_ROBOTS)),
            exists=robots.outcome == "ok" and robots.status_code == _OK,
        ),
        sitemap=SitemapMetadata(**sitemap.model_dump(include=set(_OF_SITEMAP))),
        sitemaps=collection.sitemaps,
        source=source,
        date=partition.date,
        epoch=epoch,
        psl_version=PSL_VERSION,
        requests=collection.requests,
        retry_after=collection.retry_after,
        homepage=collection.homepage,
        feeds=collection.feeds,
        evidence=evidence,
        new_urls=new_urls,
    )
