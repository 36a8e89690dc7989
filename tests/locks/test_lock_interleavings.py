"""Three clients over the three-level tree: no order of their calls breaks a lock (D7, D9).

``URING_HISTORIES=2000`` plays more random histories.
"""

import itertools
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import pytest
from explorer import (
    FAULTS,
    LEASE_MS,
    ROOT,
    Program,
    Stage,
    World,
    judge,
    judge_line,
    judge_write,
    world,
)

from uring.locks import Path, write
from uring.locks.paths import joined
from uring.tables import Write

PAGE, KIND, LEAF, SIBLING, OTHER = (), ("p",), ("p", "1"), ("p", "12"), ("i",)
PATHS: Final[tuple[Path, ...]] = (PAGE, KIND, LEAF, SIBLING, OTHER)
HISTORIES: Final = int(os.environ.get("URING_HISTORIES", "150"))
SKEW_MS: Final = 5_000
# Past the lease of the slowest clock, by the fastest.
PAUSE_MS: Final = LEASE_MS + 4 * SKEW_MS


def user(path: Path, *, writes: int = 1, renews: bool = False, waits: float = 0) -> Program:
    """Lock, renew, write under the lock, release."""

    def program(stage: Stage) -> None:
        if waits:
            lease = stage.locks.acquire(ROOT, path, wait_seconds=waits)
        elif (free := stage.locks.attempt(ROOT, path)) is None:
            return
        else:
            lease = free
        stage.leases.append(lease)
        if renews:
            lease.renew()
        for _ in range(writes):
            write(stage, lease, [Write(f"data:{joined(path)}", {"fence": lease.fence})])
        lease.release()

    return program


def explore(start: World, *, faults: int = 0, pauses_ms: Sequence[int] = ()) -> int:
    """Judge every world that any order of calls, faults and pauses leads to; return how many."""
    seen = set()
    waiting = [(start, faults, tuple(pauses_ms))]
    while waiting:
        here, faults, pauses_ms = waiting.pop()
        key = (here.key(), faults, pauses_ms)
        if key in seen:
            continue
        seen.add(key)
        judge(here)
        reached = [(there, faults, pauses_ms) for there in without_fault(here)]
        if faults:
            reached += [(there, faults - 1, pauses_ms) for there in with_fault(here)]
        if pauses_ms and here.movable():
            later = replace(here, now_ms=here.now_ms + pauses_ms[0])
            reached.append((later, faults, pauses_ms[1:]))
        for there, *_ in reached:
            judge_write(here, there)
        waiting += reached
    return len(seen)


def without_fault(here: World) -> Iterator[World]:
    yield from (here.moved(number) for number in here.movable())
    yield from (here.landed(number) for number in range(len(here.under_way)))


def with_fault(here: World) -> Iterator[World]:
    for number in here.movable():
        call = here.clients[number].pending
        # However a read fails, the table is as it was.
        faults = FAULTS[1:] if call and call.kind == "transact" else FAULTS[1:2]
        yield from (here.moved(number, fault) for fault in faults)


THREE = [*itertools.combinations_with_replacement(PATHS, 3)]


@pytest.mark.parametrize("paths", THREE, ids=lambda paths: "+".join(map(joined, paths)))
def test_every_order_of_three_clients_keeps_every_lock(paths: tuple[Path, ...]) -> None:
    assert explore(world(*(user(path) for path in paths))) > 300


CHAINS = [(PAGE, KIND, LEAF), (LEAF, LEAF, KIND)]


@pytest.mark.parametrize("paths", CHAINS, ids=["chain", "twins"])
def test_a_pause_past_the_lease_at_any_point_writes_nothing_behind_a_newer_lock(
    paths: tuple[Path, ...],
) -> None:
    assert explore(world(*(user(path) for path in paths)), pauses_ms=[PAUSE_MS]) > 10_000


@pytest.mark.parametrize("pair", [(PAGE, LEAF), (LEAF, LEAF)], ids=["page+leaf", "leaf twice"])
def test_any_fault_at_any_point_with_any_pause_keeps_every_lock(pair: tuple[Path, ...]) -> None:
    """Answers lost, calls lost, writes that arrive after those of others."""
    programs = [user(path) for path in pair]
    assert explore(world(*programs), faults=1, pauses_ms=[PAUSE_MS]) > 10_000


def test_a_renewal_among_any_order_of_calls_and_faults_keeps_every_lock() -> None:
    programs = [user(PAGE, renews=True, writes=0), user(LEAF)]
    assert explore(world(*programs), faults=1, pauses_ms=[PAUSE_MS]) > 10_000


@pytest.mark.parametrize("skews_ms", [*itertools.product((-SKEW_MS, SKEW_MS), repeat=2)])
@pytest.mark.parametrize("last_ms", [-1, 0, 1])
def test_clocks_ten_seconds_apart_never_show_two_leases(
    skews_ms: tuple[int, ...], last_ms: int
) -> None:
    """Around the moment that the slowest holder stops, which is when the fastest may take it."""
    start = world(user(LEAF), user(KIND), skews_ms=skews_ms)
    explore(start, pauses_ms=[LEASE_MS - SKEW_MS + last_ms, 2 * SKEW_MS])


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_random_faults_pauses_and_clocks_keep_every_lock(seed: int) -> None:
    chance = random.Random(seed)
    programs = [
        user(
            chance.choice(PATHS),
            writes=chance.randrange(3),
            renews=chance.random() < 0.4,
            waits=chance.choice((0, 0.5, 30, 400)),
        )
        for _ in range(chance.choice((3, 3, 6)))
    ]
    skews_ms = [chance.randint(-SKEW_MS, SKEW_MS) for _ in programs]
    here = world(*programs, skews_ms=skews_ms)
    for _ in range(400):
        there = wandered(here, chance)
        if there is None:
            break
        judge(there)
        judge_write(here, there)
        judge_line(here, there)
        here = there


def wandered(here: World, chance: random.Random) -> World | None:
    """Return what comes next by chance; None at the end of all programs."""
    if here.under_way and chance.random() < 0.2:
        return here.landed(chance.randrange(len(here.under_way)))
    if chance.random() < 0.03:
        pause_ms = chance.choice((1, 10_000, LEASE_MS - SKEW_MS, 2 * SKEW_MS, PAUSE_MS))
        return replace(here, now_ms=here.now_ms + pause_ms)
    if numbers := here.movable():
        fault = chance.choice(FAULTS) if chance.random() < 0.1 else "none"
        return here.moved(chance.choice(numbers), fault)
    sleeping = [client.wakes_at() for client in here.clients if client.pending is not None]
    return replace(here, now_ms=min(sleeping)) if sleeping else None
