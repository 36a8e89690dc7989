"""The objects of a domain's result, in the order that keeps the mark true (specs/002, 4.3.3).

    processing/country=sg/category=news/date=2026-01-28/mom.gov.sg/
        robots.txt  sitemap.xml  homepage.html  domain_metadata.json  domain_metadata.json.success

    processing/evidence/country=sg/category=news/date=2026-01-28/<id>.warc.gz

Evidence may be missing; a mark always has its metadata. Evidence of many domains may be a segment;
the metadata have the places of its records. A segment without metadata is an orphan: its domains
are collected again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from uring.changes.register import new_token
from uring.clock import Clock
from uring.errors import UringError
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.seeds.collect.answers import Collection, Homepage, RobotsAnswer, SitemapAnswer
from uring.seeds.collect.metadata import EvidencePlace, build_metadata
from uring.seeds.domains.room import Share
from uring.seeds.domains.warc import Segment
from uring.seeds.known.recollection import HASHES, Recollection
from uring.seeds.known.urls import NewUrls
from uring.seeds.messages import DomainMessage
from uring.seeds.partition import EVIDENCE, SUCCESS, build_domain_result_path
from uring.seeds.progress import Outcome

EvidenceKind = Literal["objects", "segments", "none"]

_METADATA: Final = "domain_metadata.json"
_JSON: Final = "application/json"
_TEXT: Final = "text/plain"


@dataclass(frozen=True, slots=True)
class Result:
    """A collection and its message.

    Attributes:
        again: what was known before; None if nothing is compared.
        milliseconds: that it took.
        replaces: True if an earlier collection has a mark.
        share: of the room for large bodies, until they are stored.
    """

    message: DomainMessage
    collection: Collection
    milliseconds: int = 0
    replaces: bool = False
    again: Recollection | None = field(default=None, repr=False, compare=False)
    share: Share | None = field(default=None, repr=False, compare=False)

    @property
    def is_large(self) -> bool:
        """True if it has a share of the room for large bodies."""
        return self.share is not None and self.share.is_taken

    def release(self) -> None:
        """Give back the room of its large bodies: they are stored, or dropped."""
        if self.share is not None:
            self.share.release()

    @property
    def is_reachable(self) -> bool:
        """False if the domain's robots.txt did not answer."""
        return self.collection.robots.is_reachable

    @property
    def outcome(self) -> Outcome:
        """The sum that the domain counts for."""
        return "collected" if self.is_reachable else "unreachable"


class ResultStore:
    """Results in the bucket; safe to share between threads.

    Args:
        evidence: where the bodies go: objects of each domain, segments of many, or nowhere.
        token: returns a new name for each segment.
    """

    def __init__(
        self,
        bucket: Bucket,
        telemetry: Telemetry,
        *,
        clock: Clock,
        evidence: EvidenceKind = "objects",
        token: Callable[[], str] = new_token,
    ) -> None:
        self._bucket = bucket
        self._telemetry = telemetry
        self._clock = clock
        self._evidence = evidence
        self._token = token

    def marked(self, message: DomainMessage) -> Mapping[str, str] | None:
        """Return the metadata of a domain's mark; None if it has no mark."""
        head = self._bucket.head(f"{_folder(message)}/{_METADATA}{SUCCESS}")
        return None if head is None else head.metadata

    def write(self, results: Sequence[Result]) -> None:
        """Write new URLs, evidence, then metadata; all results are of one partition.

        Raises:
            Unavailable: the metadata may be missing; the next try writes everything.
            Misconfigured: no bucket, or access is denied.
        """
        places: Sequence[tuple[EvidencePlace, ...]] = [()] * len(results)
        if self._evidence == "segments":
            places = self._segment(results)
        for result, found in zip(results, places, strict=True):
            again, new_urls = result.again, None
            if again is not None:
                new_urls = again.write_new_urls(result.message, result.collection)
            if self._evidence == "objects":
                self._objects(result)
            self._metadata(result, found, new_urls)

    def _objects(self, result: Result) -> None:
        """Write what the folder does not have already."""
        folder, again = _folder(result.message), result.again
        for each in _bodies(result.collection):
            if again is None or not again.keeps(each.name, each.body):
                self._save(f"{folder}/{each.name}", each.body, each.kind)
        hashes = again.hashes(result.collection) if again is not None else b""
        if again is not None and hashes and not again.keeps(HASHES, hashes):
            self._save(f"{folder}/{HASHES}", hashes, "application/octet-stream")

    def _segment(self, results: Sequence[Result]) -> Sequence[tuple[EvidencePlace, ...]]:
        """Write a segment; return the places of each result's evidence."""
        nothing: Sequence[tuple[EvidencePlace, ...]] = [()] * len(results)
        if not results:
            return nothing
        path = results[0].message.partition_info.partition.path
        # A name of its own: metadata of an earlier try may have places in another one.
        key = f"{EVIDENCE}{path}/{self._token()}.warc.gz"
        segment = Segment(key, self._clock())
        places = [
            tuple(_placed(segment, key, each) for each in _bodies(result.collection))
            for result in results
        ]
        if not segment.records or not self._save(key, segment.content, "application/warc"):
            return nothing
        return places

    def _metadata(
        self, result: Result, evidence: tuple[EvidencePlace, ...], new_urls: NewUrls | None
    ) -> None:
        message = result.message
        metadata = build_metadata(
            result.collection,
            domain_id=message.domain_id,
            registrable_domain=message.registrable_domain,
            partition=message.partition_info.partition,
            collected_at=self._clock(),
            epoch=message.epoch,
            source_file_path=message.source_file_path,
            record_index=message.record_index,
            evidence=evidence or None,
            new_urls=new_urls,
        )
        key = f"{_folder(message)}/{_METADATA}"
        self._bucket.write(key, metadata.to_json(), _JSON, metadata.object_metadata())

    def mark(self, result: Result, first: str) -> None:
        """Write the mark, after everything else.

        Args:
            result: the stored result.
            first: the message that the domain counts for, as `author` names it.
        """
        message = result.message
        file, _, domain_id = first.rpartition(" ")
        said = {"epoch": message.epoch, "file": file, "domain_id": domain_id}
        self._bucket.write(f"{_folder(message)}/{_METADATA}{SUCCESS}", b"", _TEXT, said)

    def _save(self, key: str, body: bytes, kind: str) -> bool:
        """Write evidence; return False, with a warning, if that failed."""
        try:
            self._bucket.write(key, body, kind)
        except UringError as error:
            self._telemetry.warning("evidence_not_saved", key=key, reason=str(error))
            return False
        return True


class _Evidence(NamedTuple):
    """A body, and where it was read."""

    name: str
    body: bytes
    kind: str
    answer: RobotsAnswer | SitemapAnswer | Homepage


def body_bytes(collection: Collection) -> int:
    """Return the size of a collection's evidence."""
    return sum(len(each.body) for each in _bodies(collection))


def _bodies(collection: Collection) -> Iterator[_Evidence]:
    """Yield the evidence of a collection."""
    for name, body, kind, answer in (
        ("robots.txt", collection.robots_body, _TEXT, collection.robots),
        ("sitemap.xml", collection.sitemap_body, "application/xml", collection.sitemap),
        ("homepage.html", collection.homepage_body, "text/html", collection.homepage),
    ):
        if body and answer is not None:
            yield _Evidence(name, body, kind, answer)


def _placed(segment: Segment, key: str, evidence: _Evidence) -> EvidencePlace:
    name, body, kind, answer = evidence
    offset, length = segment.add(
        answer.final_url, kind, body, at=answer.fetched_at, truncated=answer.truncated
    )
    return EvidencePlace(name=name, key=key, offset=offset, length=length)


def author(message: DomainMessage) -> str:
    """Return the name of a message among others about its domain."""
    return f"{message.source_file_path or ''} {message.domain_id}"


def is_author(message: DomainMessage, mark: Mapping[str, str]) -> bool:
    """Return True if a mark is of this message; marks of earlier releases have the file only."""
    domain_id = mark.get("domain_id", message.domain_id)
    return f"{mark.get('file', '')} {domain_id}" == author(message)


def _folder(message: DomainMessage) -> str:
    return build_domain_result_path(message.partition_info.partition, message.registrable_domain)
