"""An outage of S3 of ten minutes: what becomes of the jobs, and what an operator is told.

PYTHONPATH=tests .venv/bin/python tests/changes/brown_out.py --departments 1000
"""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fakes import ENTRY, MemoryQueue, Message, Notice
from fakes.worlds import NoticeWorld

from uring.errors import Unavailable

TICK = 600
_STEP = 20


@dataclass(frozen=True, slots=True)
class BrownOut:
    """What a run came to.

    Attributes:
        jobs: sent within the hour.
        checks: that ended with an outcome of their own.
        in_outage: jobs dropped for the outage.
        overdue: jobs dropped as too old.
        letters: dead letters of jobs.
        oldest_seconds: the age that the queue's oldest job reached.
        lines: of the log, on failures.
        pushes: of the notice that each board published during the outage.
    """

    jobs: int
    checks: int
    in_outage: int
    overdue: int
    letters: int
    oldest_seconds: int
    lines: Mapping[str, int]
    pushes: int

    @property
    def alarms(self) -> list[str]:
        """The alarms of the template that ring, with their thresholds of today."""
        rings = {
            "NoticeDeadLetterAlarm": self.letters > 0,
            "NoticeQueueAgeAlarm": self.oldest_seconds > 480,
            "NoticeChecksDroppedAlarm": self.overdue > 0,
        }
        return [name for name, does in rings.items() if does]


class World(NoticeWorld):
    """Departments of one page, and a bucket that may be away."""

    def __init__(self, departments: int) -> None:
        super().__init__()
        self.ids = [f"d{number:04}" for number in range(departments)]
        self.is_away = False
        self.work = MemoryQueue(self.clock, max_receive_count=20, dead_letters=self.dead)
        self.restart()
        for name in ("get", "put"):
            setattr(self.bucket, name, self._through(getattr(self.bucket, name)))

    def _through(self, call: Any) -> Any:
        def away(*arguments: Any, **more: Any) -> Any:
            if self.is_away:
                raise Unavailable("s3: 503 SlowDown")
            return call(*arguments, **more)

        return away

    def tick(self) -> None:
        self.work_queue.dispatch(
            [self.job(each, entry={**ENTRY, "id": each, "topic": each}) for each in self.ids]
        )

    def settle(self) -> None:
        """Let the worker take all that it can see: it has room for all departments."""
        while any(
            not each.visible_at or each.visible_at <= self.clock() for each in self.waiting()
        ):
            self.poll()

    def waiting(self) -> list[Message]:
        """Return the first message of each group; those behind it are not seen."""
        return [*{each.group: each for each in reversed(self.work.messages)}.values()]


def play(departments: int, *, begins: int = -20, lasts: int = 600) -> BrownOut:
    """Play an hour of ticks; S3 is away from so many seconds after the second one."""
    world = World(departments)
    oldest = 0
    for second in range(0, 6 * TICK, _STEP):
        world.is_away = TICK + begins <= second < TICK + begins + lasts
        if second % TICK == 0:
            world.tick()
        if second == TICK + begins:
            world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
        world.settle()
        ages = [(world.clock() - each.sent_at).total_seconds() for each in world.work.messages]
        oldest = max(oldest, int(max(ages, default=0)))
        world.clock.advance(_STEP)
    counts = world.telemetry.counts
    lines = [name for name, _ in (*world.telemetry.problems, *world.telemetry.warnings)]
    return BrownOut(
        jobs=6 * departments,
        checks=counts["Checks"],
        in_outage=counts["ChecksInOutage"],
        overdue=counts["ChecksDropped"],
        letters=len(world.dead.messages),
        oldest_seconds=oldest,
        lines={name: lines.count(name) for name in sorted(set(lines))},
        pushes=len({change.source for change in world.messages() if change.id == "3"}),
    )


def main() -> int:
    """Print what an outage comes to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--departments", type=int, default=1000)
    parser.add_argument("--minutes", type=int, default=10)
    options = parser.parse_args()
    result = play(options.departments, lasts=60 * options.minutes)
    for name, value in {**asdict(result), "alarms": result.alarms or "none"}.items():
        sys.stdout.write(f"{name:15} {value}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
