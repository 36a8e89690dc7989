"""Bodies over a megabyte share the memory of a process, and nobody's result is worse for it."""

import gzip
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes.seeds import SeedWeb, SeedWorld, record, sitemap_of

from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import LARGE_BYTES, Request
from uring.seeds.domains.room import Room, RoomyFetches

ROBOTS = b"User-agent: *\n"
MEGABYTE = 1_000_000
# Five times its size while it is parsed.
OF_ONE = 10 * MEGABYTE
LARGE = sitemap_of(7) + b" " * (2 * MEGABYTE - len(sitemap_of(7)))


class MeasuringRoom(Room):
    """Notes the most that was taken."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(most_bytes)
        self.taken = self.most_taken = 0

    def take(self, size: int, seconds: float) -> bool:
        is_free = super().take(size, seconds)
        if is_free:
            self.taken += size
            self.most_taken = max(self.most_taken, self.taken)
        return is_free

    def give(self, size: int) -> None:
        self.taken -= size
        super().give(size)


class WaitingWeb(SeedWeb):
    """Answers for sitemaps only when so many threads ask for one, or when they do so again."""

    def __init__(self, together: int) -> None:
        super().__init__()
        self._barrier = threading.Barrier(together)

    def fetch(self, request: Request) -> Response:
        if request.url.endswith("/sitemap.xml") and request.url not in self.asked:
            self._barrier.wait(10)
        return super().fetch(request)


def name(number: int) -> str:
    return f"site{number}.com"


def world_of(domains: int, sitemap: bytes, *, ranges: bool, room: Room) -> SeedWorld:
    """A world in which all sitemaps of a range are read at the same moment."""
    world = SeedWorld(ranges=ranges, sockets=domains, room=room)
    world.web = WaitingWeb(domains if ranges else 1)
    for number in range(domains):
        world.web.put(name(number), ROBOTS, sitemap)
    world.put(record(f"https://{name(number)}/") for number in range(domains))
    world.orchestrate()
    world.read_files()
    return world


@pytest.mark.parametrize("ranges", [False, True])
@pytest.mark.parametrize("sitemap", [LARGE, gzip.compress(LARGE)], ids=["plain", "gzip"])
def test_many_large_bodies_at_once_stay_within_the_room(sitemap: bytes, *, ranges: bool) -> None:
    room = MeasuringRoom(2 * OF_ONE)
    world = world_of(12, sitemap, ranges=ranges, room=room)
    world.collect()
    assert world.status().counts["collected"] == 12
    # None is the worse for having waited.
    found = {name(number): world.metadata(name(number))["sitemap"] for number in range(12)}
    assert {each["url_count"] for each in found.values()} == {7}
    assert all(each["exists"] and each["is_complete"] for each in found.values())
    assert OF_ONE <= room.most_taken <= 2 * OF_ONE
    assert room.taken == 0
    assert not world.domain_letters.messages
    # robots.txt once: its copy is there.
    assert sum(url.endswith("/robots.txt") for url in world.web.asked) == 12


def test_small_bodies_need_no_room() -> None:
    room = MeasuringRoom(OF_ONE)
    world = world_of(12, sitemap_of(100), ranges=True, room=room)
    world.collect()
    assert (world.status().counts["collected"], room.most_taken) == (12, 0)


@pytest.mark.parametrize("ranges", [False, True])
def test_without_time_for_room_a_domain_waits_and_uses_up_no_try(*, ranges: bool) -> None:
    room = Room(OF_ONE)
    world = world_of(1, LARGE, ranges=ranges, room=room)
    assert room.take(OF_ONE, 0)
    for _ in range(20):
        # Time for a domain, and none for a wait.
        world.collect(time_left=lambda: 55.0)
        world.clock.advance(minutes=5)
    assert world.status().counts.get("unreachable", 0) == 0
    assert not world.domain_letters.messages
    assert len(world.waiting()) == 1
    room.give(OF_ONE)
    world.clock.advance(minutes=5)
    world.collect()
    assert world.metadata(name(0))["sitemap"]["url_count"] == 7


class FreeingWeb(SeedWeb):
    """Others give their room back while a domain's first sitemap is read."""

    def __init__(self, room: Room, then: Callable[[], None]) -> None:
        super().__init__()
        self._room = room
        self._then = then

    def fetch(self, request: Request) -> Response:
        is_first = request.url.endswith("/sitemap.xml") and request.url not in self.asked
        try:
            return super().fetch(request)
        finally:
            if is_first:
                self._room.give(OF_ONE)
                self._then()


@pytest.mark.parametrize("ranges", [False, True])
def test_a_domain_is_not_collected_again_without_time_for_it(*, ranges: bool) -> None:
    room, left = MeasuringRoom(OF_ONE), [56.0]
    assert room.take(OF_ONE, 0)
    world = world_of(1, LARGE, ranges=ranges, room=room)
    answers = world.web.answers
    # It is refused after most of its time: there is room again, and no time.
    world.web = FreeingWeb(room, lambda: left.__setitem__(0, 12.0))
    world.web.answers = answers
    world.collect(time_left=lambda: left[0], most=1)
    assert world.status().counts == {}
    assert len(world.waiting()) == 1
    assert room.taken == 0
    world.clock.advance(minutes=5)
    world.collect()
    assert world.metadata(name(0))["sitemap"]["url_count"] == 7


@pytest.mark.parametrize("ranges", [False, True])
def test_a_domain_that_is_silent_the_second_time_keeps_no_room(*, ranges: bool) -> None:
    room = MeasuringRoom(OF_ONE)
    assert room.take(OF_ONE, 0)
    world = world_of(1, LARGE, ranges=ranges, room=room)
    answers = world.web.answers

    def fall_silent() -> None:
        # Another collection has replaced the copy of its robots.txt.
        world.table.put(f"robots/{name(0)}", "copy", {"copy": ""})
        world.web.put(name(0), FetchFailed("timeout", "no answer"))

    world.web = FreeingWeb(room, fall_silent)
    world.web.answers = answers
    world.collect(most=1)
    assert len(world.waiting()) == 1
    assert room.taken == 0


def test_an_outage_gives_the_room_back(monkeypatch: pytest.MonkeyPatch) -> None:
    room = MeasuringRoom(3 * OF_ONE)
    world = world_of(3, LARGE, ranges=True, room=room)

    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as broken:
        broken.setattr(world.bucket, "write", fail)
        world.collect(most=1)
    assert room.taken == 0


def test_a_domain_keeps_once_its_largest_body_while_others_are_read() -> None:
    room = MeasuringRoom(100 * MEGABYTE)
    web = SeedWeb()
    web.answers |= {"https://a.com/1": LARGE, "https://a.com/2": b"x" * (3 * MEGABYTE)}
    web.answers["https://a.com/3"] = b"small"
    fetches = RoomyFetches(web, room)
    taken = []
    with room.visit() as share:
        for number in (1, 2, 3):
            fetches.fetch(Request(f"https://a.com/{number}"))
            taken.append(room.taken)
        share.release()
    assert taken == [OF_ONE, 15 * MEGABYTE, 3 * MEGABYTE]
    assert room.taken == 0


def test_nobody_waits_within_a_request_and_nothing_large_is_asked_behind_a_refusal() -> None:
    room = Room(OF_ONE // 2)
    web = SeedWeb()
    web.answers |= {"https://a.com/1": LARGE, "https://a.com/2": b"small"}
    fetches = RoomyFetches(web, room)
    with room.visit() as share:
        for number in (1, 2):
            with pytest.raises(FetchFailed, match="no_room"):
                fetches.fetch(Request(f"https://a.com/{number}"))
        # A robots.txt is read: another host's rules are remembered for ten minutes.
        assert fetches.fetch(Request("https://a.com/2", max_bytes=LARGE_BYTES)).body == b"small"
        assert share.is_refused
        assert share.reserve(0)
    assert web.asked == ["https://a.com/1", "https://a.com/2"]


def test_threads_that_wait_take_turns() -> None:
    room = MeasuringRoom(OF_ONE)

    def work(_: int) -> bool:
        with room.visit() as share:
            is_free = share.reserve(10)
            share.release()
            return is_free

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(40)))
    assert (room.most_taken, room.taken) == (OF_ONE, 0)


def test_an_error_gives_the_share_back() -> None:
    room = MeasuringRoom(OF_ONE)

    def fail() -> None:
        with room.visit() as share:
            assert share.reserve(0)
            raise RuntimeError("a bug")

    with pytest.raises(RuntimeError):
        fail()
    assert (room.taken, room.share) == (0, None)
