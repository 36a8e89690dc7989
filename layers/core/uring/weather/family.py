"""A product of aviation weather for the engine: ask → merge → compare → store (W1 to W10).

every airport's report ─► merge ─ same hash? ─► unchanged
                            └► next state, and its pushes
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Protocol

from uring.changes.family import LogLine, Observed, Step
from uring.changes.retry import Backoff
from uring.changes.state import Health, event_id
from uring.clock import parse_timestamp, timestamp
from uring.contracts import Job
from uring.errors import FetchFailed, MalformedMessage
from uring.objects import Bucket
from uring.weather.due import marked, noted, overdue
from uring.weather.events import (
    WeatherEvent,
    corrections,
    events_between,
    known_categories,
    unseen_specials,
)
from uring.weather.files import ProductFiles
from uring.weather.gateway.collect import CollectedReports
from uring.weather.gateway.retry import RATE_LIMIT
from uring.weather.iwxxm.document import TOO_OLD
from uring.weather.product import (
    PRODUCTS,
    Merge,
    Product,
    canonical_hash,
    differences,
    marks,
    merge,
    reported,
)
from uring.weather.registration import NAME
from uring.weather.runways import NO_RUNWAYS, Runways
from uring.weather.state import WeatherOutboxEvent, WeatherState
from uring.weather.vanished import HeldList, hold_vanished


class CollectsReports(Protocol):
    """The gateway's call that a run needs."""

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        """Return the report of every airport. Failures are part of the result, never raised."""
        ...


class Weather:
    """Implements `uring.changes.family.Family`; safe to share between threads.

    Args:
        gateway: asks for the reports.
        files: the bucket.
        airports: ICAO codes, in the order in which readers see them.
        push_kinds: the kinds of event that are pushed.
        runways: the runways whose wind components readers see.
    """

    name = NAME
    # Readers of warnings need the time of the last check.
    heartbeat = timedelta()
    # The gateway's own limits set the pace; a warning issued during an outage is urgent.
    eases_off = False
    # The calls, and the commit after them.
    seconds = RATE_LIMIT.longest_run_seconds + 10
    fields: Mapping[str, Any] = MappingProxyType(
        {"failed": 0, "answered": 0, "overdue": 0, "older": 0, "pushes": 0}
    )

    def __init__(
        self,
        gateway: CollectsReports,
        files: Bucket,
        *,
        airports: Sequence[str],
        push_kinds: Collection[str],
        backoff: Backoff,
        runways: Runways = NO_RUNWAYS,
    ) -> None:
        self._gateway = gateway
        self._files = files
        self._backoff = backoff
        self._airports = tuple(airports)
        self._push_kinds = frozenset(push_kinds)
        self._runways = runways

    def entry(self, job: Job) -> str:
        """Return the empty string: a product has no entry."""
        _product(job)
        return ""

    def first(self, job: Job, now: datetime) -> WeatherState:
        """See `Family.first`."""
        return WeatherState(source=_product(job), health=Health(since=timestamp(now)))

    def glance(self, job: Job, known: Mapping[str, Any], now: datetime) -> None:
        """See `Family.glance`. Each run is written: readers need the time of the last one."""

    def observe(self, job: Job, state: WeatherState, now: datetime) -> Observed[CollectedReports]:
        """See `Family.observe`."""
        collected = _repeated(self._gateway.collect(_product(job), self._airports, now), state)
        lines, vanished = [*_odd(collected)], {}
        if state.source == "warning":
            held = hold_vanished(
                state.airports, collected.fresh, collected.cancelled, state.vanished, now
            )
            collected, vanished = replace(collected, fresh=held.fresh), held.vanished
            lines += _held(held)
        return Observed(
            collected,
            None if collected.fresh else _trouble(collected),
            collected.requests,
            {} if vanished == state.vanished else {"vanished": vanished},
            fields={
                "failed": len(collected.failed),
                "answered": len(self._airports) - len(collected.failed),
            },
            lines=tuple(lines),
            parts=len(self._airports),
            failed={icao: trouble.reason for icao, trouble in collected.failed.items()},
        )

    def step(
        self, job: Job, state: WeatherState, data: CollectedReports, now: datetime
    ) -> Step[WeatherState]:
        """See `Family.step`. A warning that ends is removed even if every airport fails."""
        product = _product(job)
        merged = merge(
            product,
            state.airports,
            data.fresh,
            self._airports,
            now,
            partial=data.partial,
            cancelled=data.cancelled,
        )
        digest = canonical_hash(merged.airports)
        lines = tuple(_older(merged))
        rhythms = noted(product, merged.airports, state.rhythms, now)
        airports = marked(product, merged.airports, rhythms, now)
        late = overdue(airports)
        fields = {"older": len(merged.older), "overdue": len(late)}
        if not airports:
            return Step(None, fields=fields, lines=lines)
        if digest == state.hash:
            # The same reports need no new file and no push; readers see other marks (W18), or a new
            # order of the settings.
            after = state.replace(rhythms=rhythms) if rhythms != state.rhythms else None
            if marks(airports) != marks(state.airports) or [*airports] != [*state.airports]:
                after = state.replace(airports=airports, rhythms=rhythms, is_shown=False)
            return Step(after, fields=fields, lines=lines, overdue=late)
        fetched_at = _after(state.fetched_at, now)
        unseen = unseen_specials(product, state.airports, data.specials)
        events = events_between(
            product,
            state.airports,
            merged.airports,
            now,
            specials=data.specials,
            categories=state.categories,
            corrected=state.corrected,
        )
        # The ledger would hold back the second of two events with one name, and a state has each
        # once.
        named = {event.id: event for event in events if event.kind in self._push_kinds}
        pushes = tuple(_outbox_event(product, event, now, fetched_at) for event in named.values())
        changed = [
            LogLine("report_changed", {"difference": difference}, "event")
            for difference in differences(product, state.airports, merged.airports, now)
        ]
        return Step(
            state.replace(
                fetched_at=fetched_at,
                airports=airports,
                rhythms=rhythms,
                hash=digest,
                specials={icao: [dict(it) for it in each] for icao, each in unseen.items()},
                categories=known_categories(state.categories, merged.airports),
                corrected=corrections(state.corrected, merged.airports, events),
                is_shown=False,
                outbox=pushes,
            ),
            "baseline" if state.fetched_at is None else "changed",
            fields={**fields, "pushes": len(pushes)},
            lines=(*lines, *changed),
            overdue=late,
        )

    def projections(self, job: Job) -> ProductFiles:  # noqa: ARG002
        """See `Family.projections`."""
        return ProductFiles(NAME, self._files, backoff=self._backoff, runways=self._runways)


def _product(job: Job) -> Product:
    product = next((name for name in PRODUCTS if name == job.source), None)
    if product is None:
        raise MalformedMessage(f"Job: source: {job.source!r} is not one of {', '.join(PRODUCTS)}")
    return product


def _repeated(collected: CollectedReports, state: WeatherState) -> CollectedReports:
    """Return the response with the stored report in place of a report refused for its age.

    The airport answered, and nothing newer: it has not failed, it is overdue.
    """
    again = [
        icao
        for icao, trouble in collected.failed.items()
        if trouble.reason == TOO_OLD and icao in state.airports
    ]
    return replace(
        collected,
        fresh={**collected.fresh, **{icao: reported(state.airports[icao]) for icao in again}},
        failed={icao: why for icao, why in collected.failed.items() if icao not in again},
    )


def _trouble(collected: CollectedReports) -> FetchFailed:
    """Return the commonest trouble among the airports."""
    troubles = collected.failed.values()
    (reason, _), *_ = Counter(trouble.reason for trouble in troubles).most_common(1)
    first = next(trouble for trouble in troubles if trouble.reason == reason)
    return FetchFailed(reason, first.detail, is_structural=first.is_structural)


def _odd(collected: CollectedReports) -> Iterator[LogLine]:
    alike: dict[str, list[str]] = {}
    for icao, trouble in collected.failed.items():
        alike.setdefault(str(trouble), []).append(icao)
    for reason, airports in alike.items():
        yield LogLine("airports_failed", {"airports": airports, "reason": reason})
    for note in collected.notes:
        yield LogLine("odd_answer", {"reason": note})


def _held(held: HeldList) -> Iterator[LogLine]:
    if held.vanished:
        reason = "warnings in force are missing, and nothing cancels them: the next answer decides"
        yield LogLine("odd_answer", {"airports": held.airports, "reason": reason})


def _older(merged: Merge) -> Iterator[LogLine]:
    for icao in merged.older:
        reason = f"{icao}: older than the stored report, which stays"
        yield LogLine("report_older", {"icao": icao, "reason": reason})


def _outbox_event(
    product: str, event: WeatherEvent, now: datetime, fetched_at: str
) -> WeatherOutboxEvent:
    # The name is unique to this commit: a warning that ends and comes back unchanged is pushed
    # again. The ledger would hold back a name that it has seen.
    name = f"{event.id}.{fetched_at}"
    return WeatherOutboxEvent(
        event_id=event_id(product, name, 1, ""),
        topic=event.icao,
        kind=event.kind,
        id=name,
        detected_at=timestamp(now),
        content=dict(event.content),
    )


def _after(last: str | None, now: datetime) -> str:
    """Return the time now, at least a second after the last commit: it names a file."""
    if last is None:
        return timestamp(now)
    return timestamp(max(now, parse_timestamp(last) + timedelta(seconds=1)))
