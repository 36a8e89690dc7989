"""The world of the seed engine: a bucket with datasets, both queues, the table, the workers."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from fakes.clock import VirtualClock
from fakes.objects import MemoryBucket
from fakes.ports import MemoryPulls, MemorySends, MemorySourceQueue
from fakes.queues import MemoryQueue, lambda_event
from fakes.tables import MemoryTable
from fakes.telemetry import RecordingTelemetry
from uring.changes.retry import Backoff
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import LARGE_BYTES, Request
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.domains.room import Room, RoomyFetches
from uring.seeds.domains.store import EvidenceKind
from uring.seeds.domains.worker import DomainWorker
from uring.seeds.files.backlog import DomainBacklog
from uring.seeds.files.checkpoint import CheckpointRegister
from uring.seeds.files.reader import DatasetReader
from uring.seeds.files.worker import FileWorker
from uring.seeds.messages import DomainMessage, OrchestrateRequest, PartitionInfo, SeedMessage
from uring.seeds.orchestrate import Orchestrated, Run, SeedOrchestrator
from uring.seeds.partition import Partition, build_raw_dataset_path
from uring.seeds.progress import Ceiling, Progress, Status
from uring.seeds.ranges import parse_work, ranges_of
from uring.seeds.reports.reporter import SeedReporter

PARTITION = Partition("sg", "news", "2026-01-28")
METADATA = "domain_metadata.json"
PLENTY = 10_000.0
RETENTION = timedelta(days=10)


def record(url: str, **more: Any) -> dict[str, Any]:
    """A record of a raw file."""
    return {"raw_url": url, "discovery_method": "crtsh", "confidence": 0.9, **more}


def raw_file(records: Iterable[Any], **meta: Any) -> bytes:
    """A raw file, as the document has it."""
    listed = [*records]
    meta = {"dataset_id": "sg-news-0001", "record_count": len(listed), **meta}
    return json.dumps({"meta": meta, "records": listed}).encode()


def raw_path(number: int = 1, partition: Partition = PARTITION) -> str:
    """The path of a raw file."""
    return build_raw_dataset_path(partition.country, partition.category, partition.date, number)


def folder(domain: str) -> str:
    """The folder of a domain's results."""
    return f"processing/{PARTITION.path}/{domain}"


class SeedWeb:
    """The web: what each address answers; implements `Fetches`.

    Attributes:
        answers: bodies, or what is raised, by URL; all else is not found.
        asked: every URL, in order.
    """

    def __init__(self) -> None:
        self.answers: dict[str, bytes | FetchFailed] = {}
        self.asked: list[str] = []

    def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        answer = self.answers.get(request.url, FetchFailed("not_found", "HTTP 404", status=404))
        if isinstance(answer, FetchFailed):
            raise answer
        body = answer[: request.max_bytes]
        if request.grows is not None and len(body) > LARGE_BYTES:
            request.grows(len(body))
        return Response(
            status=200,
            url=request.url,
            body=body,
            content_type="text/plain",
            etag=None,
            last_modified=None,
            requests=1,
            truncated=len(answer) > request.max_bytes,
        )

    def put(self, domain: str, robots: bytes | FetchFailed, sitemap: bytes | None = None) -> None:
        """Let a domain have these, at whatever address its robots.txt is asked."""
        for origin in (f"https://{domain}", f"https://www.{domain}", f"http://{domain}"):
            self.answers[f"{origin}/robots.txt"] = robots
        if sitemap is not None:
            self.answers[f"https://{domain}/sitemap.xml"] = sitemap


def domains_of(body: str) -> list[DomainMessage]:
    """The domains of a message of the domain queue."""
    work = parse_work(body)
    return [work] if isinstance(work, DomainMessage) else [*work.messages()]


def sitemap_of(count: int) -> bytes:
    """A sitemap with so many URLs."""
    urls = "".join(f"<url><loc>https://a.com/{number}</loc></url>" for number in range(count))
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()


@dataclass
class SeedWorld:
    """Everything but the web; ``stride`` and ``look`` as in `DatasetReader`.

    Attributes:
        daily: the ceiling of domains a day.
        most_waiting: as ``most`` of `DomainBacklog`.
        ranges: whether the file worker sends ranges.
        sockets: see `RangeFeeder`.
        evidence: see `ResultStore`.
        room: of the web's large bodies.
        at_once: domains in flight of a worker that refills its batches; 0 for one that does not.
    """

    stride: int = 2_000
    look: int = 10_000
    daily: int = 1_000_000
    most_waiting: int = 0
    ranges: bool = False
    sockets: int = 1
    evidence: EvidenceKind = "objects"
    room: Room = field(default_factory=Room)
    at_once: int = 0
    clock: VirtualClock = field(default_factory=VirtualClock)
    bucket: MemoryBucket = field(default_factory=MemoryBucket)
    table: MemoryTable = field(default_factory=MemoryTable)
    telemetry: RecordingTelemetry = field(default_factory=RecordingTelemetry)
    web: SeedWeb = field(default_factory=SeedWeb)

    def __post_init__(self) -> None:
        self.seed_letters = MemoryQueue(self.clock)
        self.domain_letters = MemoryQueue(self.clock)
        self.seeds = self._queue(self.seed_letters, 330)
        self.domains = self._queue(self.domain_letters, 330)
        self.domain_sends = MemorySends(self.domains)
        self.pulls = MemoryPulls(self.domains)
        self.progress = Progress(self.table)

    def _queue(self, letters: MemoryQueue, seconds: int) -> MemoryQueue:
        return MemoryQueue(
            self.clock,
            visibility_seconds=seconds,
            max_receive_count=8,
            dead_letters=letters,
            retention=RETENTION,
        )

    def put(self, records: Iterable[Any], number: int = 1) -> str:
        """Put a raw file there; return its path."""
        path = raw_path(number)
        self.bucket.plant(path, raw_file(records))
        return path

    @property
    def orchestrator(self) -> SeedOrchestrator:
        """The orchestrator."""
        return SeedOrchestrator(
            self.bucket,
            self.progress,
            MemorySends(self.seeds),
            self.telemetry,
            clock=self.clock,
            depth=self.domains.depth,
        )

    def orchestrate(
        self,
        *,
        force: bool = False,
        name: str = "20260302T010000Z-00000000",
        has_time: Callable[[], bool] = lambda: True,
        after: str = "",
        only: Partition | None = None,
        most: int | None = None,
    ) -> Orchestrated:
        """Send every raw file, or those of one partition alone."""
        info = PartitionInfo.of(only).model_dump() if only else {}
        request = OrchestrateRequest(force=force, most=most, **info)
        return self.orchestrator.run(Run(name, request, after=after), has_time)

    @property
    def reporter(self) -> SeedReporter:
        """The reporter."""
        return SeedReporter(
            self.bucket, self.progress, self.telemetry, backoff=Backoff(lambda _: None)
        )

    @property
    def file_worker(self) -> FileWorker:
        """A file worker, new as in a new process."""
        backoff = Backoff(lambda _: None)
        return FileWorker(
            self.bucket,
            DatasetReader(
                self.bucket,
                CheckpointRegister(self.bucket, clock=self.clock, backoff=backoff),
                self.domain_sends,
                self.telemetry,
                stride=self.stride,
                look=self.look,
                takes=self._take,
                pack=ranges_of if self.ranges else list,
            ),
            self.progress,
            MemorySends(self.seeds),
            MemorySourceQueue(self.seeds, self.seed_letters),
            self.telemetry,
            clock=self.clock,
            backlog=DomainBacklog(self.domains.depth, self.most_waiting),
        )

    def _take(self, message: SeedMessage, domains: int) -> Ceiling | None:
        day = self.clock().date()
        return self.progress.take(
            day, domains, self.daily, run=message.run, most_of_run=message.most
        )

    def read_files(
        self, *, time_left: Callable[[], float] = lambda: PLENTY, most: int = 1_000
    ) -> int:
        """Run the file worker until its queue gives nothing; return how many batches it took."""
        return self._drain(
            self.seeds, lambda event: self.file_worker.run(event, time_left=time_left), most
        )

    @property
    def domain_worker(self) -> DomainWorker:
        """A domain worker, new as in a new process; one domain at a time."""
        limits = CollectLimits(gap_seconds=0, homepage=False)
        collector = Collector(
            RoomyFetches(self.web, self.room),
            clock=self.clock,
            limits=limits,
            monotonic=lambda: 0.0,
            sleep=lambda _: None,
        )
        return DomainWorker(
            self.bucket,
            collector,
            self.progress,
            self.table,
            MemorySourceQueue(self.domains, self.domain_letters),
            self.domain_sends,
            self.telemetry,
            clock=self.clock,
            groups=1,
            sockets=self.sockets,
            evidence=self.evidence,
            room=self.room,
            more=self.pulls if self.at_once else None,
            at_once=self.at_once or 1,
            monotonic=lambda: 0.0,
        )

    def collect(
        self,
        *,
        time_left: Callable[[], float] = lambda: PLENTY,
        most: int = 1_000,
        size: int = 0,
    ) -> int:
        """Run the domain worker until its queue gives nothing; return the batches it took.

        A batch has ``size`` messages: by default ten domains, or a range of them.
        """
        size = size or (1 if self.ranges else 10)
        return self._drain(
            self.domains,
            lambda event: self.domain_worker.run(event, time_left=time_left),
            most,
            size,
        )

    def metadata(self, domain: str) -> dict[str, Any]:
        """The metadata of a domain."""
        found: dict[str, Any] = json.loads(self.bucket.body(f"{folder(domain)}/{METADATA}"))
        return found

    def is_marked(self, domain: str) -> bool:
        """Whether a domain is done."""
        return f"{folder(domain)}/{METADATA}.success" in self.bucket.bodies()

    def _drain(
        self,
        queue: MemoryQueue,
        run: Callable[[Mapping[str, Any]], Mapping[str, Any]],
        most: int,
        size: int = 1,
    ) -> int:
        batches = 0
        while batches < most and (messages := queue.receive(size)):
            answer = run(lambda_event(messages))
            failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
            for message in messages:
                if message.message_id not in failed:
                    queue.delete(message.receipt_handle)
            batches += 1
        return batches

    def sent(self) -> list[DomainMessage]:
        """The domain messages that were accepted, in order; of a range each of its domains."""
        return [each for _, message in self.domains.accepted for each in domains_of(message.body)]

    def waiting(self) -> list[DomainMessage]:
        """The domain messages on the queue; of a range each of its domains."""
        self.domains.depth()
        return [each for message in self.domains.messages for each in domains_of(message.body)]

    def status(self) -> Status:
        """The status of the partition."""
        status = self.progress.status(PARTITION)
        assert status is not None
        return status
