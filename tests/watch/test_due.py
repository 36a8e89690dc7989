"""Sources that have something new are published side by side, to the same end."""

import threading
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

import pytest
from fakes import Notice, page_of
from fakes.watched_world import Watched

from uring.changes.hint import hints_key
from uring.errors import Unavailable

IDS = tuple(f"d{number}" for number in range(12))
TOGETHER_SECONDS = 20


class SideBySide(Watched):
    at_once = 4


def on_get(world: Watched, before: Callable[[str], None], patch: pytest.MonkeyPatch) -> None:
    """Have each read of an object wait for this."""
    get = world.bucket.get

    def around(key: str) -> Any:
        before(key)
        return get(key)

    patch.setattr(world.bucket, "get", around)


@pytest.fixture
def world() -> SideBySide:
    world = SideBySide(*IDS)
    world.tick()
    return world


def test_four_sources_are_under_way_together(
    world: SideBySide, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits with its first call for three others."""
    four = threading.Barrier(4, timeout=TOGETHER_SECONDS)
    on_get(world, lambda key: four.wait() if key.endswith("/health.json") else None, monkeypatch)
    assert world.watch() == {"ok": len(IDS)}


def test_no_more_are_under_way(world: SideBySide, monkeypatch: pytest.MonkeyPatch) -> None:
    publish = world.monitor._publisher.publish  # noqa: SLF001 - all calls of a source
    free = threading.Semaphore(4)

    def counted(*arguments: Any) -> Any:
        assert free.acquire(blocking=False), "a fifth"
        try:
            return publish(*arguments)
        finally:
            free.release()

    monkeypatch.setattr(world.monitor._publisher, "publish", counted)  # noqa: SLF001
    assert world.watch() == {"ok": len(IDS)}


def test_readers_see_what_they_would_of_one_after_the_other(world: SideBySide) -> None:
    alone = Watched(*IDS)
    alone.tick()
    for each in (world, alone):
        each.watch()
        for source in IDS[::3]:
            each.sites[source] = page_of([Notice("3", "셋"), Notice("2", "둘")])
        each.tick()
        each.watch()
    seen, expected = world.bucket.bodies(), alone.bucket.bodies()
    shown = {key for key in expected if key.startswith("data/")}
    assert {key for key in seen if key.startswith("data/")} == shown
    assert {key: seen[key] for key in shown} == {key: expected[key] for key in shown}


def test_an_answer_that_does_not_come_ends_the_run_and_the_next_makes_up_for_it(
    world: SideBySide, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(key: str) -> None:
        if key == "data/d3/health.json":
            raise Unavailable("no answer")

    with monkeypatch.context() as patch:
        on_get(world, refuse, patch)
        with pytest.raises(Unavailable):
            world.watch()
        assert "data/index.json" not in world.bucket.bodies()
    assert world.watch() == {"ok": len(IDS)}
    assert world.index().keys() == {*IDS}


def test_no_source_is_begun_behind_an_error(
    world: SideBySide, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are under way wait until it is known, and end."""
    began: list[str] = []
    errors: list[threading.Event] = []

    class Known(threading.Event):
        def __init__(self) -> None:
            super().__init__()
            errors.append(self)

    def before(key: str) -> None:
        if key.endswith("/health.json"):
            began.append(key)
            if key == "data/d1/health.json":
                raise Unavailable("no answer")
            assert errors[-1].wait(TOGETHER_SECONDS)

    monkeypatch.setattr("uring.watch.due.Event", Known)
    on_get(world, before, monkeypatch)
    with pytest.raises(Unavailable):
        world.watch()
    assert len(began) <= SideBySide.at_once


def test_what_there_is_no_time_for_is_left(world: SideBySide) -> None:
    seconds = chain([60.0] * 5, repeat(20.0))
    world.monitor.run(lambda: next(seconds))
    bodies = world.bucket.bodies()
    assert sum(f"data/{source}/health.json" in bodies for source in IDS) == 5
    assert "data/index.json" not in bodies
    world.watch()
    assert world.index().keys() == {*IDS}


def test_a_change_costs_one_write_of_the_hints(world: SideBySide) -> None:
    """However the sources took turns, the same hints are the same bytes."""
    hints = hints_key("notices")
    world.watch()
    world.sites["d7"] = page_of([Notice("3", "셋"), Notice("2", "둘")])
    world.tick()
    assert hints in world.written()
    assert hints not in world.written()
