"""A collection and its predecessor: conditional requests, and the URLs that are new.

The collection before is the last marked collection: of the same folder, if it is collected again by
force, else of the newest earlier date of the country and category. The difference is written before
anything is replaced that it is computed from:

    new_urls.jsonl.gz ─► evidence, sitemap_urls.hashes ─► metadata ─► .success

A death in between leaves a difference without its mark. The next try adds its own to it, so that no
URL is lost: at worst a URL that was away for a moment is named as new.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

from pydantic import ValidationError

from uring.clock import Clock, parse_timestamp
from uring.fetch.request import LARGE_BYTES
from uring.objects import Bucket
from uring.seeds.collect.answers import Collection
from uring.seeds.collect.gunzip import gunzip
from uring.seeds.collect.metadata import DomainMetadata, RobotsMetadata, SitemapMetadata
from uring.seeds.collect.sitemap import read_sitemap
from uring.seeds.known.files import KnownFile, KnownFiles
from uring.seeds.known.urls import (
    MOST_URLS,
    NewUrls,
    SitemapUrls,
    hash_of,
    pack_hashes,
    read_new_urls,
    unpack_hashes,
    write_new_urls,
)
from uring.seeds.messages import DomainMessage
from uring.seeds.partition import PROCESSING, SUCCESS, Partition, build_domain_result_path, is_day

HASHES: Final = "sitemap_urls.hashes"
NEW_URLS: Final = "new_urls.jsonl.gz"
_METADATA: Final = "domain_metadata.json"
_DATE: Final = "date="
_MOST_DATES: Final = 2
_DATES_FOR: Final = timedelta(minutes=10)
# A server may wrongly say 304 for ever.
_WHOLE_AFTER: Final = timedelta(days=30)
_MOST_BYTES: Final = 16 * 1024 * 1024
_WITH_URLS: Final = frozenset({"urlset", "text"})


class Recollection:
    """A collection of one domain, and the one before; not to be shared between threads.

    Args:
        folder: of the result.
        now: aware UTC.
        before: the metadata of the collection before; None at a first one.
        place: the folder of those.
        marked: the epoch of the mark in ``folder``; None without a mark.
    """

    def __init__(
        self,
        bucket: Bucket,
        folder: str,
        now: datetime,
        before: DomainMetadata | None = None,
        place: str = "",
        marked: str | None = None,
    ) -> None:
        self._bucket = bucket
        self._folder = folder
        self._now = now
        self._before = before
        self._place = place
        self._marked = marked
        self._evidence: dict[str, bytes] = {}
        self._is_replaced = False

    def robots(self) -> KnownFiles:
        """Return robots.txt, if a request may be conditional on it."""
        part = self._before.robots if self._before else None
        if part is None or part.outcome != "ok":
            return KnownFiles()
        return KnownFiles(self._known(part, "robots.txt"))

    def sitemaps(self) -> KnownFiles:
        """Return the first sitemap, if a request may be conditional on it, and a list for URLs."""
        part = self._before.sitemap if self._before else None
        known = self._known(part, "sitemap.xml") if part is not None and part.exists else {}
        return KnownFiles(known, SitemapUrls(self._earlier))

    def covers(self, collection: Collection) -> bool:
        """Return True if a collection for another partition has the new URLs of this one."""
        urls, earlier = collection.urls, self._earlier
        if urls is None:
            # Of an unreachable domain; or nobody asked for them.
            return collection.requests == 0
        return earlier is None or urls.hashes - earlier <= urls.new.keys()

    def keeps(self, name: str, body: bytes) -> bool:
        """Return True if the folder has this evidence already."""
        return self._place == self._folder and self._evidence.get(name) == body

    def hashes(self, collection: Collection) -> bytes:
        """Return the hashes of all URLs; empty if ``sitemap.xml`` has them, and is not large."""
        urls, is_several = collection.urls, collection.sitemaps is not None
        is_index = collection.sitemap.kind == "sitemapindex"
        if urls is None or not (is_several or is_index or _is_large(collection.sitemap_body)):
            return b""
        return pack_hashes(urls.hashes)

    def write_new_urls(self, message: DomainMessage, collection: Collection) -> NewUrls | None:
        """Write the URLs that the collection before lacks; return None if that cannot be said.

        Raises:
            Unavailable: before anything else was replaced; the next try writes it.
            Misconfigured: no bucket, or access is denied.
        """
        before, urls, earlier = self._before, collection.urls, self._earlier
        if before is None or urls is None or earlier is None:
            return None
        fresh = urls.hashes - earlier
        epoch, named = self._named()
        texts = {key: url for key, url in urls.new.items() if key in fresh}
        is_waiting = bool(named) and epoch != self._marked
        if is_waiting:
            # Of a difference without a mark, what the sitemaps still name.
            texts |= {key: url for url in named if (key := hash_of(url)) in urls.hashes}
        count = len(fresh | texts.keys())
        # A try that died may have lacked some of what this one is compared with.
        is_whole = not (urls.is_cut or is_waiting or self._is_replaced)
        new = NewUrls(
            url_count=count,
            is_complete=is_whole
            and len(earlier) < MOST_URLS
            and len(texts) == count
            and _is_whole(before)
            and _is_whole(collection),
            since=before.collected_at,
        )
        # A difference that has its mark would be one without it after the next mark.
        if count or (named and not is_waiting):
            domain = message.registrable_domain
            body = write_new_urls(new, domain, message.epoch, texts.values())
            self._bucket.write(f"{self._folder}/{NEW_URLS}", body, "application/gzip")
        return new

    def _named(self) -> tuple[str, list[str]]:
        """Return the epoch and the URLs of the stored difference; nothing without one."""
        stored = self._bucket.get(f"{self._folder}/{NEW_URLS}")
        return read_new_urls(stored.body) if stored is not None else ("", [])

    def _known(self, part: RobotsMetadata | SitemapMetadata, name: str) -> dict[str, KnownFile]:
        """Return a stored file by its address; nothing if it is to be read whole."""
        read_at = part.read_at or part.fetched_at
        validators = part.validators
        if not (validators and validators.sendable() and read_at) or part.truncated:
            return {}
        # A server that knows dates alone may say 304 to a file that was put back.
        is_doubtful = validators.etag is None and part.read_at is not None
        if is_doubtful or not timedelta() <= self._now - parse_timestamp(read_at) < _WHOLE_AFTER:
            return {}
        body = self._small(name, part)
        if hashlib.sha256(body).hexdigest() != part.digest:
            return {}
        self._evidence[name] = body
        return {part.final_url: KnownFile(validators, read_at, body)}

    def _small(self, name: str, part: RobotsMetadata | SitemapMetadata) -> bytes:
        """Return a stored file; empty if it is gone, or large: many domains are in work at once."""
        body = self._stored(name) if part.content_length <= LARGE_BYTES else b""
        return b"" if _is_large(body) else body

    def _stored(self, name: str) -> bytes:
        if name in self._evidence:
            return self._evidence[name]
        stored = self._bucket.get(f"{self._place}/{name}")
        return stored.body if stored else b""

    @cached_property
    def _earlier(self) -> set[int] | None:
        """The hashes of the URLs that the collection before had; None if they are unknown."""
        before = self._before
        if before is None:
            return None
        sitemap = before.sitemap
        if not sitemap.exists:
            return set()
        body = self._stored("sitemap.xml") if sitemap.content_length <= LARGE_BYTES else b""
        is_large = sitemap.content_length > LARGE_BYTES or _is_large(body)
        if sitemap.kind == "sitemapindex" or before.sitemaps is not None or is_large:
            content = self._evidence[HASHES] = self._stored(HASHES)
            return unpack_hashes(content) if content else None
        if sitemap.kind not in _WITH_URLS or not body:
            return None
        urls = SitemapUrls()
        read_sitemap(body, truncated=sitemap.truncated, max_bytes=_MOST_BYTES, each=urls.add)
        # It is of a try that died, or older; an index in place of URLs makes all of them new.
        self._is_replaced = sitemap.digest not in ("", hashlib.sha256(body).hexdigest())
        return urls.hashes


class EarlierCollections:
    """The last marked collections of domains; safe to share between threads.

    Args:
        clock: aware UTC.
    """

    def __init__(self, bucket: Bucket, *, clock: Clock) -> None:
        self._bucket = bucket
        self._clock = clock
        # Replaced as a whole, so that threads need no lock.
        self._dates: dict[str, tuple[datetime, tuple[str, ...]]] = {}

    def recollection(self, message: DomainMessage, mark: Mapping[str, str] | None) -> Recollection:
        """Return the collection of a message, which may be a first one.

        Args:
            message: names the domain and its partition.
            mark: the metadata of the mark in its folder; None without a mark.

        Raises:
            Unavailable: S3 did not answer.
            Misconfigured: no bucket, or access is denied.
        """
        partition, domain = message.partition_info.partition, message.registrable_domain
        folder, now = build_domain_result_path(partition, domain), self._clock()
        place = folder if mark is not None else self._place(partition, domain, now)
        before = self._metadata(place) if place else None
        marked = mark.get("epoch", "") if mark is not None else None
        return Recollection(self._bucket, folder, now, before, place, marked)

    def _place(self, partition: Partition, domain: str, now: datetime) -> str:
        """Return the domain's marked folder of the newest earlier date; empty without one."""
        for date in self._earlier_dates(partition, now):
            folder = build_domain_result_path(replace(partition, date=date), domain)
            if self._bucket.head(f"{folder}/{_METADATA}{SUCCESS}") is not None:
                return folder
        return ""

    def _earlier_dates(self, partition: Partition, now: datetime) -> list[str]:
        """Return the newest dates before a partition's, at most two; known for ten minutes."""
        above = f"{PROCESSING}country={partition.country}/category={partition.category}/"
        at, dates = self._dates.get(above, (None, ()))
        if at is None or now - at > _DATES_FOR:
            names = (name.removeprefix(_DATE) for name in self._bucket.folders(above))
            dates = tuple(sorted(filter(is_day, names), reverse=True))
            self._dates = {**self._dates, above: (now, dates)}
        return [date for date in dates if date < partition.date][:_MOST_DATES]

    def _metadata(self, folder: str) -> DomainMetadata | None:
        stored = self._bucket.get(f"{folder}/{_METADATA}")
        if stored is None:
            return None
        try:
            return DomainMetadata.from_json(stored.body)
        except ValidationError:
            # Of a newer release, or damaged: everything is read whole.
            return None


def _is_large(body: bytes) -> bool:
    """Return True for a file that takes more than a megabyte, once it is unpacked too."""
    return len(body) > LARGE_BYTES or gunzip(body, LARGE_BYTES).truncated


def _is_whole(one: DomainMetadata | Collection) -> bool:
    """Return True if a collection has all URLs of its domain, or proof that there are none."""
    if one.sitemaps is not None:
        return one.sitemaps.is_complete
    sitemap = one.sitemap
    if sitemap.exists:
        return sitemap.is_complete
    return bool(sitemap.tried) and not sitemap.ended_by and all(t.is_none for t in sitemap.tried)
