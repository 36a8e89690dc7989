"""Batches of the domain queue: ten domains at once, each by one worker at a time (S5).

    1 evidence      may fail: it is proof, nothing reads it
    2 metadata      the result
    3 counters      once a domain, however often the message is delivered
    4 .success      the mark: from here on the message is done

A crash between two steps collects the domain again and overwrites its result.

An unreachable domain is tried three times. Then its metadata has the outcome, it has no mark, and
its message is a dead letter with the reason: `uring queue redrive` tries again.
"""

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from uring.clock import Clock
from uring.errors import Permanent
from uring.objects import Bucket
from uring.runtime.batches import BatchRecord, BatchRunner, Deferred, Postponed, SourceQueue
from uring.runtime.telemetry import Telemetry
from uring.seeds.collect.answers import Collection, RobotsAnswer
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.robots import robots_places
from uring.seeds.domains.cache import RobotsCache
from uring.seeds.domains.store import Result, ResultStore, author, is_author
from uring.seeds.holds import Holds
from uring.seeds.known.recollection import EarlierCollections, Recollection
from uring.seeds.messages import MOST_RECEIVES, DomainMessage
from uring.seeds.names import generate_domain_hash
from uring.seeds.progress import Progress

PAUSES_SECONDS: Final = (900, 900)
# A collection ends after 45 s; the rest is for storing it.
_NEEDS_SECONDS: Final = 55
# SQS hides a message for twelve hours since it was received, which is minutes ago.
_LONGEST_PAUSE_SECONDS: Final = 43_200 - 300
# The other domains of a crowded address end within a batch.
_CROWDED_SECONDS: Final = 60


class DomainUnreachable(Permanent):
    """A domain that did not answer three times, at least a quarter of an hour apart."""


class DomainWorker:
    """Collects domains.

    Args:
        source: the queue that delivers the batches.
        pauses: seconds before the second and the third try of an unreachable domain.
        groups: the number of domains collected at once.
    """

    def __init__(
        self,
        bucket: Bucket,
        collector: Collector,
        progress: Progress,
        source: SourceQueue,
        telemetry: Telemetry,
        *,
        clock: Clock,
        pauses: Sequence[int] = PAUSES_SECONDS,
        groups: int = 10,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        again_after = timedelta(seconds=min(pauses) / 2)
        self._cache = RobotsCache(bucket, clock=clock, again_after=again_after)
        self._earlier = EarlierCollections(bucket, clock=clock)
        self._store = ResultStore(bucket, telemetry, clock=clock)
        self._collector = collector
        self._progress = progress
        self._source = source
        self._telemetry = telemetry
        self._pauses = pauses
        self._monotonic = monotonic
        self._holds = Holds(progress, clock=clock)
        self._thread = threading.local()
        # The domains of a group are collected in any order.
        self._batch = BatchRunner(
            self._handle, source, telemetry, workers=groups, most_receives=MOST_RECEIVES
        )

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event."""
        return self._batch.run(event, time_left=time_left, needs=_NEEDS_SECONDS)

    def _handle(self, record: BatchRecord) -> None:
        message = DomainMessage.parse(record.body)
        mark = self._store.marked(message)
        if mark is not None and self._is_collected(message, mark):
            return
        partition = message.partition_info.partition
        if self._holds.is_stopped(partition, message.epoch, message.lap):
            self._stop(message)
            return
        began = self._monotonic()
        self._telemetry.event("domain_processing_start", domain_id=message.domain_id)
        again = self._earlier.recollection(message, mark)
        robots = self._robots(message, record, again)
        answer = robots[0]
        if not answer.is_reachable and record.receive_count < MOST_RECEIVES:
            pause = self._pauses[min(record.receive_count, len(self._pauses)) - 1]
            raise Deferred(
                f"{message.registrable_domain}: {answer.outcome}: {answer.detail}",
                seconds=_pause(pause, answer.retry_after),
            )
        collection = self._collected(message, robots, again)
        result = Result(message, collection, again)
        if answer.is_reachable or mark is None:
            # An outage does not replace an earlier result, whose mark would then be wrong.
            self._store.write(result)
        milliseconds = round((self._monotonic() - began) * 1000)
        first = self._count(message, collection, milliseconds)
        if first != author(message):
            self._duplicate(message)
        if answer.is_reachable:
            self._store.mark(result, first)
        else:
            self._source.reject(record, _unreachable(message, answer))
        self._report(message, collection, milliseconds)

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
        self, message: DomainMessage, record: BatchRecord, again: Recollection
    ) -> tuple[RobotsAnswer, bytes]:
        """Return the domain's robots.txt, from a valid copy if there is one.

        Raises:
            Deferred: it had no turn in time; nothing was requested.
        """
        domain = message.registrable_domain
        epoch = message.epoch if message.force else None
        copy = self._cache.read(domain, epoch=epoch, is_first=record.receive_count == 1)
        # If a domain cannot be connected to, the record's own host answers for it, no other
        # record's.
        if copy is not None and copy[0].url in robots_places(domain, message.domain_url):
            return copy
        answer, body = self._collector.robots(domain, message.domain_url, again.robots())
        if answer.is_postponed:
            raise _postponed(record, f"{domain}: {answer.detail}")
        self._cache.keep(domain, answer, body, epoch=message.epoch)
        return answer, body

    def _collected(
        self, message: DomainMessage, robots: tuple[RobotsAnswer, bytes], again: Recollection
    ) -> Collection:
        """Return the domain's collection; reuse this thread's last one of the same robots.txt.

        A domain's messages of several partitions arrive together. Each alone may take 45 s: from
        the third on they would be received too often, and become dead letters untried.
        """
        latest: Collection | None = getattr(self._thread, "latest", None)
        # Answers differ by time, and by domain in their addresses.
        if latest is None or latest.robots != robots[0]:
            domain = message.registrable_domain
            self._thread.latest = None
            latest = self._collector.collect(domain, message.domain_url, robots, again.sitemaps())
            self._thread.latest = latest
        return latest

    def _count(self, message: DomainMessage, collection: Collection, milliseconds: int) -> str:
        """Count the domain; return the author of the message that it counts for."""
        robots, sitemap = collection.robots, collection.sitemap
        return self._progress.domain(
            message.partition_info.partition,
            message.epoch,
            message.registrable_domain,
            generate_domain_hash(message.domain_id),
            {
                "collected" if robots.is_reachable else "unreachable": 1,
                f"robots_{robots.outcome}": 1,
                "with_sitemap_lines": int(robots.sitemap_lines > 0),
                "with_sitemap": int(sitemap.exists),
                "with_feeds": int(bool(collection.feeds)),
                "urls": sitemap.url_count or 0,
                "milliseconds": milliseconds,
            },
            author(message),
        )

    def _report(self, message: DomainMessage, collection: Collection, milliseconds: int) -> None:
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
            outcome="collected" if robots.is_reachable else "unreachable",
            http_requests=collection.requests,
            milliseconds=milliseconds,
        )
        name = "DomainsCollected" if robots.is_reachable else "DomainsUnreachable"
        self._telemetry.count(name)
        self._telemetry.count("DomainMilliseconds", milliseconds)


def _pause(seconds: int, retry_after: float | None) -> int:
    """Return the seconds until the next try: as many as the site asks for, if that is longer."""
    return max(seconds, math.ceil(min(retry_after or 0.0, _LONGEST_PAUSE_SECONDS)))


def _postponed(record: BatchRecord, reason: str) -> Deferred:
    """Return the error of a domain without a turn: from its second receive on a copy replaces it.

    So it has at least two of its tries left when its turn comes.
    """
    if record.receive_count < MOST_RECEIVES - 1:
        return Deferred(reason, seconds=_CROWDED_SECONDS)
    return Postponed(reason, seconds=_CROWDED_SECONDS)


def _unreachable(message: DomainMessage, answer: RobotsAnswer) -> DomainUnreachable:
    return DomainUnreachable(
        f"{message.registrable_domain}: {answer.outcome}: {answer.detail}; "
        f"{MOST_RECEIVES} tries; redrive it once the domain answers"
    )
