"""The sources of a family whose documents are out of date, published a few at a time.

A source takes up to eight calls in a fixed order, so that nothing newer is replaced
(`uring.watch.publish`). Calls of different sources need no order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from threading import Event
from typing import Final

from uring.changes.registry import Registration, WatchedSource
from uring.errors import NewerRelease
from uring.runtime.telemetry import Telemetry
from uring.watch.hints import HintBook
from uring.watch.memory import MonitorMemory
from uring.watch.publish import Publisher, shown
from uring.watch.status import Facts

# Reserved for the index, the alerts and the memory, each with its retries.
_RESERVE_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class Due:
    """A source whose published documents may be out of date.

    Attributes:
        known: the facts of the last run; None for a new source.
        is_current: the documents are up to date and only the hint is missing.
    """

    source: WatchedSource
    known: Facts | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for a due source.

    Attributes:
        facts: the known facts of its state now, or None.
        is_done: its documents are up to date; False leaves it to the next run.
        is_newer: a newer release wrote its state; the monitor of that release publishes it.
    """

    facts: Facts | None
    is_done: bool = True
    is_newer: bool = False


def due_of(
    family: Registration,
    sources: Sequence[WatchedSource],
    memory: MonitorMemory,
    etags: Mapping[str, str],
    book: HintBook | None,
    now: datetime,
) -> Iterator[Due]:
    """Yield the sources with a new state, an outdated status or no hint.

    Sources without a state are skipped.
    """
    for source in sources:
        if (etag := etags.get(source.id)) is None:
            continue
        known = memory.facts.get(source.id)
        is_hinted = book is None or book.keep(source.id, etag)
        is_current = (
            known is not None
            and known.etag == etag
            and known.shown == shown(family, source, known, now)
        )
        if not (is_current and is_hinted):
            yield Due(source, known, is_current)


class DueSources:
    """Publishes due sources. It drops each state after its turn: thousands may be due.

    Args:
        at_once: the number of sources published in parallel.
    """

    def __init__(self, publisher: Publisher, telemetry: Telemetry, *, at_once: int) -> None:
        self._publisher = publisher
        self._telemetry = telemetry
        self._at_once = at_once

    def publish(
        self,
        family: Registration,
        due: Sequence[Due],
        book: HintBook | None,
        now: datetime,
        time_left: Callable[[], float],
    ) -> list[Outcome]:
        """Publish each source, begun in this order; return the outcomes in the same order.

        Sources for which the time is too short are left to the next run.

        Raises:
            Unavailable: S3 gave no answer. No further source is begun.
        """
        is_over = Event()

        def turn(each: Due) -> Outcome:
            if is_over.is_set():
                return Outcome(each.known, is_done=False)
            try:
                return self._turn(family, each, book, now, time_left)
            except Exception:
                is_over.set()
                raise

        # A single source needs no thread.
        at_once = min(self._at_once, len(due))
        if at_once <= 1:
            return [turn(each) for each in due]
        with ThreadPoolExecutor(at_once, thread_name_prefix="publish") as pool:
            return list(pool.map(turn, due))

    def _turn(
        self,
        family: Registration,
        due: Due,
        book: HintBook | None,
        now: datetime,
        time_left: Callable[[], float],
    ) -> Outcome:
        source = due.source
        if time_left() <= _RESERVE_SECONDS:
            return Outcome(due.known, is_done=due.is_current)
        try:
            published = self._publisher.publish(family, source, due.known, now)
        except NewerRelease as error:
            self._telemetry.problem(
                "newer_release",
                family=family.name,
                source=source.id,
                **family.named(source.id),
                reason=str(error),
            )
            return Outcome(due.known, is_newer=True)
        if published is None:
            return Outcome(due.known, is_done=due.is_current)
        if book is not None:
            book.learn(source, published.state, published.facts.etag)
        return Outcome(published.facts)
