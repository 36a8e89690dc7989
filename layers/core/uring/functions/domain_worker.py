"""Wires the domain worker."""

from collections.abc import Sequence

from uring.functions.parts import Parts
from uring.functions.web import WholeWebSettings, fetcher
from uring.runtime.invocation import Work
from uring.runtime.settings import Name
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import CollectLimits
from uring.seeds.domains.room import Room, RoomyFetches
from uring.seeds.domains.store import EvidenceKind
from uring.seeds.domains.worker import PAUSES_SECONDS, DomainWorker
from uring.seeds.pace import SOCKETS
from uring.seeds.progress import Progress


class Settings(WholeWebSettings):
    """Settings of the domain worker.

    ``homepage`` says whether each domain's is fetched; for ``evidence`` see `ResultStore`.
    """

    data_bucket: Name
    seed_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    homepage: bool = True
    evidence: EvidenceKind = "objects"


def wire(
    settings: Settings,
    parts: Parts,
    *,
    pauses: Sequence[int] = PAUSES_SECONDS,
    limits: CollectLimits | None = None,
    sockets: int = SOCKETS,
) -> Work:
    """Return the domain worker's work; simulations pass other ``pauses`` and ``limits``.

    ``sockets`` are the domains of ranges in flight.
    """
    if limits is None:
        limits = CollectLimits(gap_seconds=settings.spacing_seconds, homepage=settings.homepage)
    table, client, room = parts.table(settings.seed_table), fetcher(settings), Room()
    fetches = RoomyFetches(client, room)
    return DomainWorker(
        parts.bucket(settings.data_bucket),
        Collector(fetches, clock=parts.clock, limits=limits, addresses=client.address),
        Progress(table),
        table,
        parts.source_queue(settings.work_queue_url, settings.work_dlq_url),
        parts.fifo(settings.work_queue_url),
        parts.telemetry,
        clock=parts.clock,
        pauses=pauses,
        sockets=sockets,
        evidence=settings.evidence,
        room=room,
        more=parts.pulled_queue(settings.work_queue_url),
    ).run
