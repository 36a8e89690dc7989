"""Ten thousand boards and too few workers: what waits, what is dropped, what rings when.

PYTHONPATH=tests .venv/bin/python tests/changes/overload.py --rhythm uniform --workers 5

The queue is a model, with the bounds, periods and thresholds of the template. The worker drops a
job by its age as `uring.changes.check.Checker` does; a batch of old jobs takes a tenth of a second.
SQS writes the age of the oldest message once a minute, at a second of its own: each is tried.
"""

import argparse
import heapq
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from expanded import Stack, read_template

from uring_local.doctor.workers import needed

HEAD: Final = """\
| s a batch | oldest, s | dropped | rings, minutes after the first tick | `uring doctor` |
| --- | --- | --- | --- | --- |"""
BATCH: Final = 10
SECONDS: Final = (1.5, 2.9, 3.5, 5.0, 8.0)
_DROP_SECONDS: Final = 0.1
_HOUR: Final = 3_600
# By rhythm: seconds between two ticks, the share of the boards that are due by turns, the interval.
_TICKS: Final[Mapping[str, tuple[int, tuple[float, ...], int]]] = {
    "uniform": (600, (1.0,), 600),
    "sooner": (120, (0.58, 0.42), 240),
}
# The first tick of an hour is at minute 5.
_FIRST_TICK: Final = 300


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of jobs: when it was sent, when it was done, and whether it was dropped."""

    sent: float
    done: float
    is_dropped: bool


@dataclass(frozen=True, slots=True)
class Overload:
    """An hour of ticks.

    Attributes:
        seconds: of a batch.
        oldest: seconds that a message was in the queue.
        dropped: share of the jobs.
        rings: minutes until each alarm has rung, the earliest and the latest by the second at
            which SQS writes; an alarm that one of these seconds misses is left out.
        workers: that the doctor asks for.
    """

    seconds: float
    oldest: int
    dropped: float
    rings: Mapping[str, tuple[int, int]]
    workers: int


def batches(seconds: float, workers: int, rhythm: str, boards: int) -> list[Batch]:
    """Return the batches of an hour in the order in which they were sent."""
    tick, shares, interval = _TICKS[rhythm]
    free = [0.0] * workers
    found: list[Batch] = []
    for number in range(_HOUR // tick):
        sent = float(_FIRST_TICK + number * tick)
        for _ in range(round(boards * shares[number % len(shares)] / BATCH)):
            begins = max(heapq.heappop(free), sent)
            is_dropped = begins - sent > interval
            done = begins + (_DROP_SECONDS if is_dropped else seconds)
            heapq.heappush(free, done)
            found.append(Batch(sent, done, is_dropped))
    return found


def ages(found: Sequence[Batch], phase: int) -> Iterator[tuple[int, float]]:
    """Yield each minute's time, and the age of the oldest message in the queue."""
    latest: dict[float, float] = {}
    for batch in found:
        latest[batch.sent] = max(latest.get(batch.sent, 0), batch.done)
    for at in range(phase, _FIRST_TICK + _HOUR, 60):
        yield at, max((at - sent for sent, done in latest.items() if sent <= at < done), default=0)


def age_rings(found: Sequence[Batch], alarm: Mapping[str, Any], phase: int) -> int | None:
    """Return the minute at which the alarm on the queue's age rings; None if it does not."""
    period, in_a_row = alarm["Period"], 0
    highest: dict[int, float] = {}
    for at, age in ages(found, phase):
        highest[at // period] = max(highest.get(at // period, 0), age)
    for number in sorted(highest):
        in_a_row = in_a_row + 1 if highest[number] > alarm["Threshold"] else 0
        if in_a_row == alarm["EvaluationPeriods"]:
            return ((number + 1) * period - _FIRST_TICK) // 60
    return None


def share_rings(found: Sequence[Batch], alarm: Mapping[str, Any]) -> int | None:
    """Return the minute at which the alarm on the share of dropped checks rings; or None."""
    (period,) = {each["MetricStat"]["Period"] for each in alarm["Metrics"] if "MetricStat" in each}
    counts: dict[int, list[int]] = {}
    for batch in found:
        counts.setdefault(int(batch.done) // period, [0, 0])[batch.is_dropped] += 1
    for number in sorted(counts):
        checks, dropped = counts[number]
        if dropped / (checks + dropped) > alarm["Threshold"]:
            return ((number + 1) * period - _FIRST_TICK) // 60
    return None


def play(
    seconds: float, *, workers: int = 5, rhythm: str = "uniform", boards: int = 10_000
) -> Overload:
    """Play an hour, with the alarms of a stack of this rhythm."""
    alarms = Stack(read_template(), Rhythm=rhythm).of_type("AWS::CloudWatch::Alarm")
    found = batches(seconds, workers, rhythm, boards)
    rings: dict[str, tuple[int, int]] = {}
    minutes = [age_rings(found, alarms["NoticeQueueAgeAlarm"], phase) for phase in range(60)]
    if all(minute is not None for minute in minutes):
        known = [minute for minute in minutes if minute is not None]
        rings["NoticeQueueAgeAlarm"] = min(known), max(known)
    share = share_rings(found, alarms["NoticeChecksDroppedAlarm"])
    if share is not None:
        rings["NoticeChecksDroppedAlarm"] = share, share
    return Overload(
        seconds,
        int(max(batch.done - batch.sent for batch in found)),
        sum(batch.is_dropped for batch in found) / len(found),
        rings,
        needed(boards, seconds, rhythm),
    )


def row(result: Overload, workers: int) -> str:
    """Return a run as a row of the table."""
    told = ", ".join(
        f"`{name}` {first}" + (f" to {last}" if last > first else "")
        for name, (first, last) in result.rings.items()
    )
    verdict = "ok" if result.workers <= workers else "failed"
    cells = f"{result.seconds} | {result.oldest} | {result.dropped:.0%} | {told or 'none'}"
    return f"| {cells} | {verdict}: needs {result.workers} |"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=5)
    parser.add_argument("--rhythm", choices=sorted(_TICKS), default="uniform")
    parser.add_argument("--boards", type=int, default=10_000)
    options = parser.parse_args()
    sys.stdout.write(f"{HEAD}\n")
    for seconds in SECONDS:
        result = play(
            seconds, workers=options.workers, rhythm=options.rhythm, boards=options.boards
        )
        sys.stdout.write(f"{row(result, options.workers)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
