"""A function with shards: it is started by a schedule, and starts itself for further shards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from uring.changes.shard import Shard, shard_of
from uring.clock import timestamp
from uring.errors import Unavailable
from uring.runtime.invocation import Work, scheduled_at
from uring.runtime.telemetry import Telemetry

Invoke = Callable[[Mapping[str, Any]], None]


def sharded(
    work_of: Callable[[Shard, Sequence[Shard]], Work],
    shards: Callable[[], Sequence[Shard]],
    invoke: Invoke,
    telemetry: Telemetry,
) -> Work:
    """Return the work of a function with shards.

    The others are started before its own shard: a death in between leaves the first shard to the
    retry of the schedule, which starts all again. A shard that is started twice at one tick sends
    the same jobs, or watches twice.

    Args:
        work_of: returns the work of a shard; for the first one it is given the other shards, too.
        shards: returns the present shards; the first one is done by the invocation of the schedule.
        invoke: starts this function with an event.
        telemetry: of the function.
    """

    def work(event: dict[str, Any], time_left: Callable[[], float]) -> Any:
        scheduled = timestamp(scheduled_at(event))
        if (shard := shard_of(event)) is not None:
            return work_of(shard, ())(event, time_left)
        first, *others = shards()
        refused = [each for each in others if not _is_started(each.event(scheduled), invoke)]
        if others:
            telemetry.event("shards_started", shards=len(others) - len(refused))
        done = work_of(first, others)(event, time_left)
        if refused:
            raise Unavailable(f"{len(refused)} of {len(others)} shards were not started")
        return done

    return work


def _is_started(event: Mapping[str, Any], invoke: Invoke) -> bool:
    try:
        invoke(event)
    except Unavailable:
        return False
    return True
