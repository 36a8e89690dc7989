"""One run of one product: ask → merge → compare → commit and publish (W1 to W10).

job ─► state ─ unpublished? finish ─► ask every airport ─► merge ─ same hash? ─► unchanged
                                                             └► commit and publish
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from uring.changes.register import Superseded, Version
from uring.changes.retry import Backoff
from uring.clock import Clock, parse_timestamp, timestamp
from uring.contracts import CollectWeather
from uring.errors import WriteConflict
from uring.records.model import event_id
from uring.weather.gateway.collect import Gateway
from uring.weather.product import Happening, canonical_hash, differences, happenings, merge
from uring.weather.publisher import WeatherPublisher
from uring.weather.state import Told, WeatherState

Outcome = Literal["baseline", "changed", "unchanged", "failed", "dropped"]


@dataclass(frozen=True, slots=True)
class Run:
    """How one run ended.

    Attributes:
        product: of the job.
        outcome: ``failed`` when no airport answered at all.
        failed: why, by airport.
        answered: how many airports' reports were read.
        older: airports whose answer was older than what is stored.
        differences: what changed, a line an airport (W10).
        told: how many pushes were announced.
        notes: see `Collected`.
        requests: see `Collected`.
    """

    product: str
    outcome: Outcome
    failed: Mapping[str, str]
    answered: int = 0
    older: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    told: int = 0
    notes: tuple[str, ...] = ()
    requests: int = 0


class WeatherCollector:
    """Runs products; safe to share between threads.

    Args:
        gateway: asks for the reports.
        publisher: commits and publishes.
        airports: ICAO codes, in the order in which readers see them.
        push_kinds: the kinds of happening that are pushed.
        clock: the time, aware UTC.
        backoff: between tries that lost to another run.
    """

    def __init__(
        self,
        gateway: Gateway,
        publisher: WeatherPublisher,
        *,
        airports: Sequence[str],
        push_kinds: Collection[str],
        clock: Clock,
        backoff: Backoff,
    ) -> None:
        self._gateway = gateway
        self._publisher = publisher
        self._airports = tuple(airports)
        self._push_kinds = frozenset(push_kinds)
        self._clock = clock
        self._backoff = backoff

    def collect(self, job: CollectWeather) -> Run:
        """Run the job's product once.

        A job older than its interval is dropped: the last run took that long, and the next is due
        (W8). The queue's group keeps a product from running beside itself.

        Raises:
            CorruptState: the stored state cannot be trusted; nothing was asked or written.
            Retryable: S3 or the queue gave no clear answer.
        """
        age = self._clock() - job.scheduled_at
        if age > timedelta(minutes=job.interval_minutes):
            return Run(job.product, "dropped", {})
        for _ in self._backoff.attempts():
            try:
                return self._run(job)
            except Superseded:
                continue
        raise WriteConflict(f"{job.product}: other runs committed first, again and again")

    def _run(self, job: CollectWeather) -> Run:
        product = job.product
        version = self._publisher.register.read(product) or Version(
            WeatherState(source=product), None
        )
        version = self._publisher.publish(version)
        state, now = version.state, self._clock()
        answers = self._gateway.collect(product, self._airports, now)
        merged = merge(
            product, state.airports, answers.fresh, self._airports, now, partial=answers.partial
        )
        digest = canonical_hash(merged.airports)
        if digest == state.hash or not merged.airports:
            outcome: Outcome = "unchanged" if answers.fresh else "failed"
            return Run(
                product,
                outcome,
                answers.failed,
                len(answers.fresh),
                merged.older,
                notes=answers.notes,
                requests=answers.requests,
            )
        fetched_at = _after(state.fetched_at, now)
        told = [
            self._told(product, each, now, fetched_at)
            for each in happenings(product, state.airports, merged.airports, now)
            if each.kind in self._push_kinds
        ]
        after = state.replace(
            fetched_at=fetched_at,
            airports=merged.airports,
            hash=digest,
            published=False,
            outbox=tuple(told),
        )
        self._publisher.commit(version, after)
        return Run(
            product,
            "baseline" if state.fetched_at is None else "changed",
            answers.failed,
            len(answers.fresh),
            merged.older,
            tuple(differences(product, state.airports, merged.airports)),
            len(told),
            answers.notes,
            answers.requests,
        )

    def _told(self, product: str, happening: Happening, now: datetime, fetched_at: str) -> Told:
        # Of this commit alone: a warning that went and came back alike is told again, where the
        # ledger would hold back what it has seen before.
        told_id = f"{happening.id}.{fetched_at}"
        return Told(
            event_id=event_id(product, told_id, 1, ""),
            topic=happening.icao,
            kind=happening.kind,
            id=told_id,
            detected_at=timestamp(now),
            content=dict(happening.content),
        )


def _after(last: str | None, now: datetime) -> str:
    """The time now, but a second after the last commit's at least: it names a file."""
    if last is None:
        return timestamp(now)
    return timestamp(max(now, parse_timestamp(last) + timedelta(seconds=1)))
