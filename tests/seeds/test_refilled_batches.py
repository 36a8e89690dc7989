"""A worker that refills its batch: no domain waits for another one, and none is lost or doubled."""

import threading
from typing import Any

import pytest
from fakes.queues import lambda_event
from fakes.seeds import PARTITION, PLENTY, SeedWeb, SeedWorld, record

from uring.errors import FetchFailed, MalformedMessage, Unavailable
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.seeds.progress import PAUSED

ROBOTS = b"User-agent: *\n"


def name(number: int) -> str:
    return f"site{number}.com"


def world_of(domains: int, web: SeedWeb | None = None, **more: Any) -> SeedWorld:
    world = SeedWorld(**{"at_once": 20, **more})
    world.web = web or world.web
    for number in range(domains):
        world.web.put(name(number), ROBOTS)
    world.put(record(f"https://{name(number)}/") for number in range(domains))
    world.orchestrate()
    world.read_files()
    return world


def visits(world: SeedWorld) -> dict[str, int]:
    urls = [url.removeprefix("https://") for url in world.web.asked if url[:5] == "https"]
    asked = [url.partition("/")[0] for url in urls if url.endswith("/robots.txt")]
    return {domain: asked.count(domain) for domain in asked}


class SlowWeb(SeedWeb):
    """One domain answers only when all others have been asked."""

    def __init__(self, others: int) -> None:
        super().__init__()
        self._left = others
        self._lock = threading.Lock()
        self._done = threading.Event()

    def fetch(self, request: Request) -> Response:
        if request.url.endswith("/robots.txt"):
            if "//site0.com" in request.url:
                assert self._done.wait(30), "it waits for domains that are not taken"
            else:
                with self._lock:
                    self._left -= 1
                    if not self._left:
                        self._done.set()
        return super().fetch(request)


def test_the_others_of_a_queue_do_not_wait_for_the_slowest_of_a_batch() -> None:
    world = world_of(150, SlowWeb(149))
    assert world.collect(most=1) == 1
    assert world.status().counts["collected"] == 150
    assert visits(world) == {name(number): 1 for number in range(150)}
    assert not world.domains.messages
    # Those of the batch itself are Lambda's to delete.
    assert world.pulls.deleted == 140
    assert world.pulls.calls <= 150 // 5 + 1


def test_it_takes_no_more_when_its_time_ends() -> None:
    world = world_of(60)
    times = iter([PLENTY] * 15)
    world.collect(most=1, time_left=lambda: next(times, 54.0))
    assert world.status().counts["collected"] < 60
    # Those beyond the batch itself were not even received.
    assert sum(message.receive_count == 0 for message in world.domains.messages) > 20
    for _ in range(3):
        world.collect()
        world.clock.advance(minutes=6)
    assert world.status().counts["collected"] == 60
    assert visits(world) == {name(number): 1 for number in range(60)}


def test_what_fails_goes_back_to_its_queue() -> None:
    world = world_of(40)
    for number in range(20, 40):
        world.web.put(name(number), FetchFailed("timeout", "no answer"))
    world.collect(most=1)
    assert world.status().counts["collected"] == 20
    assert len(world.waiting()) == 20
    for _ in range(4):
        world.collect()
        world.clock.advance(minutes=16)
    assert world.status().counts["unreachable"] == 20
    assert {visits(world)[name(number)] for number in range(20, 40)} == {3}
    assert len(world.domain_letters.messages) == 20


def test_a_pause_lets_all_of_it_wait() -> None:
    world = world_of(60)
    world.progress.hold(PARTITION, PAUSED)
    for _ in range(24 * 12):
        world.collect()
        world.clock.advance(hours=1)
    assert (len(world.waiting()), visits(world)) == (60, {})
    world.progress.hold(PARTITION, "")
    world.clock.advance(hours=1)
    world.collect()
    assert world.status().counts["collected"] == 60


@pytest.mark.parametrize("broken", ["receive", "delete"])
def test_without_a_queue_that_answers_the_batch_itself_is_done(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = world_of(30)

    def fail(_: object) -> None:
        raise Unavailable("no answer")

    with monkeypatch.context() as patch:
        patch.setattr(world.pulls, broken, fail)
        world.collect(most=1)
    assert world.status().counts["collected"] == (10 if broken == "receive" else 30)
    assert world.telemetry.named(f"{broken}_failed")
    world.clock.advance(minutes=6)
    world.collect()
    assert world.status().counts["collected"] == 30
    assert visits(world) == {name(number): 1 for number in range(30)}
    assert not world.domains.messages


def test_a_batch_of_ranges_is_not_refilled() -> None:
    """Its sockets are full."""
    world = world_of(60, ranges=True, stride=10)
    world.collect(most=1, size=2)
    assert world.pulls.calls == 0
    assert world.status().counts["collected"] == 20


def test_a_range_among_what_is_received_is_the_last() -> None:
    world = world_of(60)
    world.ranges = True
    world.stride = 10
    world.put((record(f"https://other{number}.com/") for number in range(30)), 2)
    for number in range(30):
        world.web.put(f"other{number}.com", ROBOTS)
    world.orchestrate(name="second")
    world.read_files()
    for _ in range(3):
        world.collect(size=10)
        world.clock.advance(minutes=6)
    assert world.status().counts["collected"] == 90
    assert set(visits(world).values()) == {1}


def test_an_event_that_is_no_batch_is_refused() -> None:
    worker = world_of(1).domain_worker
    for event in ({}, {"Records": None}, {"Records": [{"body": "{}"}]}):
        with pytest.raises(MalformedMessage):
            worker.run(event, lambda: PLENTY)


def test_messages_of_one_group_are_one_after_the_other() -> None:
    world = world_of(1)
    world.put([record("https://site0.com/", source_type="org")], 2)
    world.orchestrate(name="second")
    world.read_files()
    batch = world.domains.receive()
    assert len(batch) == 2
    answer = world.domain_worker.run(lambda_event(batch), lambda: PLENTY)
    assert answer == {"batchItemFailures": []}
    assert visits(world) == {name(0): 1}
    assert (world.status().counts["collected"], world.status().counts["duplicates"]) == (1, 1)
