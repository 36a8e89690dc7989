"""Every I/O of the worker broken in every way, singly and in pairs: nothing is lost or doubled.

Each case runs the real worker and notifier over fakes with AWS's semantics until all is quiet, and
then checks the whole history of the bucket and the queue (N15; `department.check`).
"""

import random

import pytest
from department import Department, check
from fakes import Notice
from faulty import KINDS

from uring.changes import diff


def board(*numbers: int, pinned: frozenset[int] = frozenset(), edited: str = "") -> list[Notice]:
    return [
        Notice(str(number), f"공지 {number}{edited}", number in pinned, "2026-03-30")
        for number in numbers
    ]


FEEDS = {
    # baseline; two new ones; at 23:55 an edit, a new one and a pin
    "month": [
        board(3, 2, 1),
        board(5, 4, 3, 2, 1),
        [*board(6, 5), *board(4, edited=" (수정)"), *board(3, 2, 1, pinned=frozenset({2}))],
    ],
    # notices scroll off, one comes back as it was, one comes back edited, a pin is lifted
    "scroll": [
        board(5, 4, 3, 2, 1, pinned=frozenset({5})),
        board(9, 8, 7, 6, 5, pinned=frozenset({5})),
        board(9, 8, 7, 1),
        [*board(9, 8), *board(2, edited=" (수정)"), *board(5)],
    ],
    # the same notice changes at every tick, back and forth
    "restless": [
        board(2, 1),
        [*board(2), *board(1, edited="!")],
        board(2, 1),
        [*board(3, 2), *board(1, edited="!")],
    ],
}
# Small enough that these few notices reach them.
HOT_ITEMS = 4
KNOWN_BEYOND_PAGE = 1


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "HOT_ITEMS", HOT_ITEMS)
    monkeypatch.setattr(diff, "KNOWN_BEYOND_PAGE", KNOWN_BEYOND_PAGE)


def calls_of(feed: str) -> list[str]:
    """The I/O of an undisturbed run, up to where nothing is left to break."""
    world = Department(FEEDS[feed], {})
    world.run()
    check(world, hot_items=HOT_ITEMS)
    return world.faults.names


@pytest.mark.parametrize("feed", FEEDS)
def test_an_undisturbed_run_keeps_every_promise(feed: str) -> None:
    names = calls_of(feed)
    assert {"objects.get", "objects.put", "fetch", "outlet.send"} == set(names)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("feed", FEEDS)
def test_any_single_fault_loses_and_doubles_nothing(feed: str, kind: str) -> None:
    for at in range(len(calls_of(feed))):
        world = Department(FEEDS[feed], {at: kind})
        world.run()
        assert len(world.faults.broken) == 1, "the fault did not happen: nothing was tested"
        try:
            check(world, hot_items=HOT_ITEMS)
        except AssertionError as error:
            error.add_note(f"after I/O {at}: {world.faults.broken[0]}")
            raise


@pytest.mark.parametrize("feed", FEEDS)
def test_pairs_of_faults_lose_and_double_nothing(feed: str) -> None:
    """A seeded sample of all pairs, the second at most 12 calls after the first."""
    chance = random.Random(feed)
    calls = len(calls_of(feed))
    for _ in range(60):
        first = chance.randrange(calls)
        second = first + chance.randint(1, 12)
        plan = {first: chance.choice(KINDS), second: chance.choice(KINDS)}
        world = Department(FEEDS[feed], plan)
        world.run()
        try:
            check(world, hot_items=HOT_ITEMS)
        except AssertionError as error:
            error.add_note(f"after {plan}: {world.faults.broken}")
            raise
