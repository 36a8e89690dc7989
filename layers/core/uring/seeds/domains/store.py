"""The objects of a domain's result, in the order that keeps the mark true (specs/002, 4.3.3).

    processing/country=sg/category=news/date=2026-01-28/mom.gov.sg/
        robots.txt  sitemap.xml  homepage.html  domain_metadata.json  domain_metadata.json.success

Evidence may be missing; a mark always has its metadata.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from uring.clock import Clock
from uring.errors import UringError
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.seeds.collect.answers import Collection
from uring.seeds.collect.metadata import build_metadata
from uring.seeds.known.recollection import HASHES, Recollection
from uring.seeds.messages import DomainMessage
from uring.seeds.partition import SUCCESS, build_domain_result_path

_METADATA: Final = "domain_metadata.json"
_JSON: Final = "application/json"
_TEXT: Final = "text/plain"


@dataclass(frozen=True, slots=True)
class Result:
    """A collection, its message, and what was known before."""

    message: DomainMessage
    collection: Collection
    recollection: Recollection


class ResultStore:
    """Results in the bucket; safe to share between threads."""

    def __init__(self, bucket: Bucket, telemetry: Telemetry, *, clock: Clock) -> None:
        self._bucket = bucket
        self._telemetry = telemetry
        self._clock = clock

    def marked(self, message: DomainMessage) -> Mapping[str, str] | None:
        """Return the metadata of a domain's mark; None if it has no mark."""
        head = self._bucket.head(f"{_folder(message)}/{_METADATA}{SUCCESS}")
        return None if head is None else head.metadata

    def write(self, result: Result) -> None:
        """Write the new URLs, evidence, then metadata; stored evidence is not written again.

        Raises:
            Unavailable: the metadata may be missing; the next try writes everything.
            Misconfigured: no bucket, or access is denied.
        """
        message, collection = result.message, result.collection
        folder, again = _folder(message), result.recollection
        new_urls = again.write_new_urls(message, collection)
        for name, body, kind in (
            ("robots.txt", collection.robots_body, _TEXT),
            ("sitemap.xml", collection.sitemap_body, "application/xml"),
            (HASHES, again.hashes(collection), "application/octet-stream"),
            ("homepage.html", collection.homepage_body, "text/html"),
        ):
            if body and not again.keeps(name, body):
                self._evidence(f"{folder}/{name}", body, kind)
        metadata = build_metadata(
            collection,
            domain_id=message.domain_id,
            registrable_domain=message.registrable_domain,
            partition=message.partition_info.partition,
            collected_at=self._clock(),
            epoch=message.epoch,
            source_file_path=message.source_file_path,
            record_index=message.record_index,
            new_urls=new_urls,
        )
        key = f"{folder}/{_METADATA}"
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

    def _evidence(self, key: str, body: bytes, kind: str) -> None:
        try:
            self._bucket.write(key, body, kind)
        except UringError as error:
            self._telemetry.warning("evidence_not_saved", key=key, reason=str(error))


def author(message: DomainMessage) -> str:
    """Return the name of a message among others about its domain."""
    return f"{message.source_file_path or ''} {message.domain_id}"


def is_author(message: DomainMessage, mark: Mapping[str, str]) -> bool:
    """Return True if a mark is of this message; marks of earlier releases have the file only."""
    domain_id = mark.get("domain_id", message.domain_id)
    return f"{mark.get('file', '')} {domain_id}" == author(message)


def _folder(message: DomainMessage) -> str:
    return build_domain_result_path(message.partition_info.partition, message.registrable_domain)
