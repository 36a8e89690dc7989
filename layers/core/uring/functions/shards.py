"""A function with shards: it is started by a schedule, and starts itself for further shards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from uring.changes.shard import Shard, shard_of
from uring.clock import timestamp
from uring.errors import UringError
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
    the same jobs, or watches twice. A shard that is gone when its turn comes is left out: its
    sources are in other shards, and due at their next tick.

    Args:
        work_of: returns the work of a shard; for the first one it is given the other shards, too.
        shards: returns the present shards; the first one is done by the invocation of the schedule.
        invoke: starts this function with an event.
        telemetry: of the function.
    """

    def work(event: dict[str, Any], time_left: Callable[[], float]) -> Any:
        scheduled = timestamp(scheduled_at(event))
        started = shard_of(event)
        first, *others = shards()
        if started is not None:
            present = next((each for each in others if each.begin == started.begin), None)
            if present is None:
                telemetry.event("shard_gone", shard=started.begin)
                return None
            return work_of(present, ())(event, time_left)
        refused = [error for each in others if (error := _start(each.event(scheduled), invoke))]
        if others:
            telemetry.event("shards_started", shards=len(others) - len(refused))
        done = work_of(first, others)(event, time_left)
        if refused:
            # The schedule's retry starts all of them again.
            raise refused[0]
        return done

    return work


def _start(event: Mapping[str, Any], invoke: Invoke) -> UringError | None:
    try:
        invoke(event)
    except UringError as error:
        return error
    return None
