"""The work on one domain, whichever feeder names it.

    mark? ─► paused, stopped? ─► robots.txt (cached) ─► collect
    `collect` ────────────────────────────────────────────────┘
    evidence ─► metadata ─► counters ─► .success
    `settle` ────────────────────────────────┘

A crash between two steps collects the domain again and overwrites its result.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final, Self

from uring.clock import Clock
from uring.errors import Permanent, Retryable
from uring.fetch.request import LARGE_BYTES
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.seeds.collect.answers import Collection, RobotsAnswer
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.robots import robots_places
from uring.seeds.counters import DomainCount
from uring.seeds.domains.cache import RobotsCache
from uring.seeds.domains.room import Room
from uring.seeds.domains.store import (
    EvidenceKind,
    Result,
    ResultStore,
    author,
    body_bytes,
    is_author,
)
from uring.seeds.holds import Holds
from uring.seeds.known.recollection import EarlierCollections, Recollection
from uring.seeds.messages import MOST_RECEIVES, DomainMessage
from uring.seeds.names import generate_domain_hash
from uring.seeds.progress import Progress
from uring.tables import PutTable

NEEDS_SECONDS: Final = 55
"""The time of one domain: its collection ends after 45 s, the rest is for storing it."""


class DomainUnreachable(Permanent):
    """A domain that did not answer three times, at least a quarter of an hour apart."""

    @classmethod
    def of(cls, result: Result) -> Self:
        """Return the error for the last try of a domain."""
        answer = result.collection.robots
        return cls(
            f"{result.message.registrable_domain}: {answer.outcome}: {answer.detail}; "
            f"{MOST_RECEIVES} tries; redrive it once the domain answers"
        )


class TurnAwaited(Retryable):
    """A domain that had no turn at a crowded host or address: nothing was requested."""


class DomainWork:
    """Collects domains and stores their results; safe to share between threads.

    Args:
        table: see `RobotsCache`.
        again_after: see `RobotsCache`.
        evidence: see `ResultStore`.
        room: of the collector's client; None if it needs none.
    """

    def __init__(
        self,
        bucket: Bucket,
        collector: Collector,
        progress: Progress,
        table: PutTable,
        telemetry: Telemetry,
        *,
        clock: Clock,
        again_after: timedelta,
        evidence: EvidenceKind = "objects",
        room: Room | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache = RobotsCache(bucket, table, clock=clock, again_after=again_after)
        self._store = ResultStore(bucket, telemetry, clock=clock, evidence=evidence)
        # Of evidence in other places nothing can be compared.
        self._earlier = EarlierCollections(bucket, clock=clock) if evidence == "objects" else None
        self._collector = collector
        self._room = room or Room()
        self._progress = progress
        self._holds = Holds(progress, clock=clock)
        self._telemetry = telemetry
        self._monotonic = monotonic
        self._thread = threading.local()

    def look(self, message: DomainMessage) -> bool:
        """Return True if the partition of a message is stopped; for errors see `collect`."""
        partition = message.partition_info.partition
        return self._holds.is_stopped(partition, message.epoch, message.lap)

    def collect(
        self,
        message: DomainMessage,
        *,
        is_first: bool,
        time_left: Callable[[], float],
        compares: bool = False,
    ) -> Result | None:
        """Return a domain's collection; None if it is done, or its partition is stopped.

        An unreachable domain has a result, too; its feeder decides whether it is tried again.

        Args:
            message: names the domain.
            is_first: see `RobotsCache.read`.
            time_left: returns the seconds until the invocation is ended; a domain with large bodies
                waits for room until then, and is collected again.
            compares: ask by the validators of the collection before, and name the URLs that are
                new; takes up to 20 MB, so hundreds of domains at once do not.

        Raises:
            Postponed: its partition is paused.
            TurnAwaited: it had no turn, or no room.
            Retryable: S3 or DynamoDB did not answer.
            Misconfigured: a permission or a resource is missing.
        """
        mark = self._store.marked(message)
        if mark is not None and self._is_collected(message, mark):
            return None
        if self.look(message):
            self._stop(message)
            return None
        again = self._earlier.recollection(message, mark) if compares and self._earlier else None
        with self._room.visit() as share:
            result = self._result(message, again, is_first=is_first)
            if share.is_refused:
                # What was collected without it is not reused.
                self._thread.latest = None
                seconds = time_left() - NEEDS_SECONDS
                if seconds >= 0 and share.reserve(seconds):
                    result = self._result(message, again, is_first=is_first)
            if share.is_refused:
                raise TurnAwaited(f"{message.registrable_domain}: no room for its large files")
            if not result.is_reachable:
                # Nothing of it is large, and its feeder may drop it.
                share.release()
            return replace(result, share=share, replaces=mark is not None)

    def _result(
        self, message: DomainMessage, again: Recollection | None, *, is_first: bool
    ) -> Result:
        began = self._monotonic()
        self._telemetry.event("domain_processing_start", domain_id=message.domain_id)
        robots = self._robots(message, again, is_first=is_first)
        collection = self._collected(message, robots, again)
        milliseconds = round((self._monotonic() - began) * 1000)
        return Result(message, collection, milliseconds, again=again)

    def settle(self, results: Sequence[Result]) -> None:
        """Store collections, count them, and mark them; an unreachable domain has no mark.

        Args:
            results: of one collection of a partition, each of another domain; at most
                `MOST_AT_ONCE`.

        Raises:
            Retryable: S3 or DynamoDB did not answer; the next try does what has no mark.
            Misconfigured: a permission or a resource is missing.
        """
        try:
            # An outage does not replace an earlier result, whose mark would then be wrong.
            self._store.write([each for each in results if each.is_reachable or not each.replaces])
            for result, first in zip(results, self._count(results), strict=True):
                if first != author(result.message):
                    self._duplicate(result.message)
                if result.is_reachable:
                    self._store.mark(result, first)
                self._report(result)
        finally:
            for result in results:
                result.release()

    def _is_collected(self, message: DomainMessage, mark: Mapping[str, str]) -> bool:
        epoch = mark.get("epoch", "")
        if message.force and epoch != message.epoch:
            partition = message.partition_info.partition
            # A message redriven after a newer collection adds nothing.
            return self._progress.is_current(partition, epoch)
        if not is_author(message, mark):
            # The mark's own message was counted with it.
            self._duplicate(message)
        self._telemetry.event("domain_already_processed", domain_id=message.domain_id)
        self._telemetry.count("DomainsSkipped")
        return True

    def _stop(self, message: DomainMessage) -> None:
        """Count a message of a stopped partition; it has no mark, and is not asked."""
        first = self._progress.stop(
            message.partition_info.partition,
            message.epoch,
            message.registrable_domain,
            generate_domain_hash(message.domain_id),
            author(message),
        )
        if first != author(message):
            self._duplicate(message)
        self._telemetry.count("DomainsStopped")

    def _duplicate(self, message: DomainMessage) -> None:
        self._progress.duplicate(
            message.partition_info.partition,
            message.epoch,
            message.domain_id,
            generate_domain_hash(message.domain_id),
            message.source_file_path or "",
        )

    def _robots(
        self, message: DomainMessage, again: Recollection | None, *, is_first: bool
    ) -> tuple[RobotsAnswer, bytes]:
        """Return the domain's robots.txt, from a valid copy if there is one.

        Raises:
            TurnAwaited: nothing was requested.
        """
        domain = message.registrable_domain
        epoch = message.epoch if message.force else None
        copy = self._cache.read(domain, epoch=epoch, is_first=is_first)
        # If a domain cannot be connected to, the record's own host answers for it, no other
        # record's.
        if copy is not None and copy[0].url in robots_places(domain, message.domain_url):
            return copy
        known = again.robots() if again is not None else None
        answer, body = self._collector.robots(domain, message.domain_url, known)
        if answer.is_postponed:
            raise TurnAwaited(f"{domain}: {answer.detail}")
        self._cache.keep(domain, answer, body, epoch=message.epoch)
        return answer, body

    def _collected(
        self,
        message: DomainMessage,
        robots: tuple[RobotsAnswer, bytes],
        again: Recollection | None,
    ) -> Collection:
        """Return the domain's collection; reuse this thread's last one of the same robots.txt.

        A domain's messages of several partitions arrive together. Each alone may take 45 s: from
        the third on they would be received too often, and become dead letters untried.
        """
        latest: Collection | None = getattr(self._thread, "latest", None)
        # Answers differ by time, and by domain in their addresses.
        is_same = latest is not None and latest.robots == robots[0]
        if latest is None or not is_same or not (again is None or again.covers(latest)):
            domain = message.registrable_domain
            # Neither here: its URLs are megabytes.
            latest = self._thread.latest = None
            known = again.sitemaps() if again is not None else None
            latest = self._collector.collect(domain, message.domain_url, robots, known)
            # A large one would take memory that nobody counts.
            self._thread.latest = latest if body_bytes(latest) <= LARGE_BYTES else None
        return latest

    def _count(self, results: Sequence[Result]) -> Sequence[str]:
        """Count domains; return the authors of the messages that they count for."""
        message = results[0].message
        partition = message.partition_info.partition
        return self._progress.domains(partition, message.epoch, [*map(_counted, results)])

    def _report(self, result: Result) -> None:
        message, collection = result.message, result.collection
        robots, sitemap = collection.robots, collection.sitemap
        domain = {"domain_id": message.domain_id}
        self._telemetry.event(
            "robots_fetched", **domain, outcome=robots.outcome, status=robots.status_code
        )
        self._telemetry.event(
            "sitemap_fetched",
            **domain,
            status=sitemap.status_code,
            exists=sitemap.exists,
            url_count=sitemap.url_count,
        )
        self._telemetry.event(
            "domain_processing_complete",
            **domain,
            partition=message.partition_info.partition.name,
            outcome=result.outcome,
            http_requests=collection.requests,
            milliseconds=result.milliseconds,
        )
        self._telemetry.count("DomainsCollected" if result.is_reachable else "DomainsUnreachable")
        self._telemetry.count("DomainMilliseconds", result.milliseconds)


def _counted(result: Result) -> DomainCount:
    message, collection = result.message, result.collection
    robots, sitemap = collection.robots, collection.sitemap
    return DomainCount(
        message.registrable_domain,
        generate_domain_hash(message.domain_id),
        {
            result.outcome: 1,
            f"robots_{robots.outcome}": 1,
            "with_sitemap_lines": int(robots.sitemap_lines > 0),
            "with_sitemap": int(sitemap.exists),
            "with_feeds": int(bool(collection.feeds)),
            "urls": sitemap.url_count or 0,
            "milliseconds": result.milliseconds,
        },
        author(message),
    )
