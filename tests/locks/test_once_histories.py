"""Work that is done once, in random histories: no caller is told what does not concern it (D10).

Processes with own clocks lead, fail, die, stall, lose answers; the value goes stale meanwhile.
``URING_HISTORIES=2000`` plays more of them.
"""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from hall import ROOT, Hall

from uring.errors import Retryable, Unavailable
from uring.locks import FoundValue, Lease, Locks, LockTimeoutError, Once, WorkFailed
from uring.tables import Item, Part, Table, Write

HISTORIES = int(os.environ.get("URING_HISTORIES", "60"))
PATH = ("policies", "1", "en")
SKEW = 5
LEASE_AND_SKEW = 125
FAILURE_AND_CLOCKS = 5 + 2 * SKEW
CALLS = 2
"""Seconds that the calls between a failure and its telling take, lost answers included."""


class Died(BaseException):
    """The process ended."""


@dataclass
class Process(Table):
    """A process of the hall: its clock, and a table whose calls break by chance.

    Attributes:
        trouble: how many of its calls break.
        dying: how many of its failures are its last deed: told, and the lock is not released.
    """

    world: "World"
    chance: random.Random
    skew_ms: int
    trouble: float
    dying: float = 0.3
    is_dead: bool = False

    def locks(self) -> Locks:
        hall = self.world.hall
        return Locks(
            self,
            now_ms=lambda: hall.ms + self.skew_ms,
            monotonic=hall.monotonic,
            sleep=hall.sleep,
            jitter=self.chance.uniform,
        )

    def get(self, partition: str, key: str) -> Item | None:
        self._suffer()
        return self.world.hall.get(partition, key)

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        raise NotImplementedError

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        self._suffer()
        done = self.world.hall.transact(partition, parts)
        if done:
            self.world.note(parts)
        if any(map(is_failure, parts)) and self.chance.random() < self.dying:
            self._die()
        self._suffer()
        return done

    def _suffer(self) -> None:
        if self.is_dead:
            raise Died
        if self.chance.random() >= self.trouble:
            return
        kind = self.chance.choice(("die", "lost", "lost", "stall"))
        if kind == "die":
            self._die()
        if kind == "lost":
            raise Unavailable("lost")
        self.world.hall.sleep(self.chance.choice((1, 30, 118, 200)))

    def _die(self) -> None:
        self.is_dead = True
        raise Died


@dataclass
class World:
    """The hall, the version of the work's input, and the failures as they were stored.

    Attributes:
        failures: moment in seconds and message of each.
    """

    hall: Hall = field(default_factory=Hall)
    original: int = 1
    failures: list[tuple[float, str]] = field(default_factory=list)
    calls: int = 0

    def note(self, parts: Sequence[Part]) -> None:
        for part in parts:
            if is_failure(part) and isinstance(part, Write) and part.item:
                self.failures.append((self.hall.seconds, str(part.item["message"])))


def is_failure(part: Part) -> bool:
    return part.key.startswith("failed:")


@dataclass
class Translation:
    """Work of up to a minute; its text names the version of its input."""

    world: World
    process: Process
    fails: bool
    seconds: float
    started: int = 0

    def read(self) -> FoundValue[int] | None:
        item = self.process.get(ROOT, "translation")
        return item and FoundValue(int(item["of"] or 0), item["of"] == self.world.original)

    def compute(self, lease: Lease) -> int:
        self.started = self.world.original
        for _ in range(3):
            self.world.hall.sleep(self.seconds / 3)
            lease.renew()
        if self.fails:
            raise Unavailable(f"failure {lease.fence}")
        return self.started

    def parts(self, value: int, lease: Lease) -> Sequence[Part]:
        return [Write("translation", {"of": value, "fence": lease.fence})]


def caller(world: World, process: Process, at: float) -> Callable[[], None]:
    chance = process.chance
    fails, seconds = chance.random() < 0.5, chance.uniform(0.1, 60)
    waits = chance.choice((0, 5, 60, 150, 400))

    def program() -> None:
        world.hall.sleep(at)
        work = Translation(world, process, fails, seconds)
        began, oldest = world.hall.seconds, world.original
        try:
            once = Once(process.locks(), process)
            value = once.get_or_compute(ROOT, PATH, work, wait_seconds=waits)
        except WorkFailed as failed:
            judge_failure(world, failed, began)
        except LockTimeoutError:
            assert world.hall.seconds - began >= waits - 0.1
        except (Died, Retryable):
            pass
        else:
            assert value >= oldest, "a value of an older input is fresh"
        world.calls += 1

    return program


def judge_failure(world: World, failed: WorkFailed, began: float) -> None:
    """Raise unless a leader failed while this call waited, or seconds before."""
    told = [at for at, message in world.failures if message == failed.detail]
    assert told, f"nobody failed so: {failed}"
    age = began - max(told)
    assert age <= FAILURE_AND_CLOCKS + CALLS, f"a failure of {age:.0f} s ago: {failed}"


def replaced(world: World, at: float) -> Callable[[], None]:
    def program() -> None:
        world.hall.sleep(at)
        world.original += 1

    return program


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_nobody_is_told_what_does_not_concern_it(seed: int) -> None:
    """And two minutes after the last death the value is there for who asks."""
    chance = random.Random(seed)
    world = World()
    trouble = chance.choice((0, 0, 0.002, 0.01))
    programs = []
    for number in range(chance.randint(2, 9)):
        skew_ms = chance.randint(-SKEW, SKEW) * 1000
        process = Process(world, random.Random(seed * 100 + number), skew_ms, trouble)
        programs += [
            caller(world, process, chance.uniform(0, 300)) for _ in range(chance.randint(1, 2))
        ]
    programs += [replaced(world, chance.uniform(0, 200)) for _ in range(chance.randrange(3))]
    world.hall.run(programs)
    assert world.calls == len([each for each in programs if "caller" in each.__qualname__])
    world.hall.ms += 2 * LEASE_AND_SKEW * 1000
    last = Process(world, chance, 0, trouble=0, dying=0)
    results: list[int] = []

    def asks() -> None:
        work = Translation(world, last, fails=False, seconds=1)
        once = Once(last.locks(), last)
        results.append(once.get_or_compute(ROOT, PATH, work, wait_seconds=0))

    world.hall.run([asks])
    assert results == [world.original]
