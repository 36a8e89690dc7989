"""The second look at a robots.txt an hour later: its job waits in the queue, and is not lost."""

from datetime import timedelta
from typing import Any

import pytest
from fakes.watched_domains import OUTAGE, SOURCE, WatchWorld, robots, sitemap

from uring.errors import Unavailable

ROBOTS = ("robots_changed", "mom.gov.sg/robots.txt")
CLOSED = b"User-agent: *\nDisallow: /\n"
GONE = robots("unavailable_4xx", 404)


class QueuedWorld(WatchWorld):
    """A shard whose jobs come from its queue."""

    def __init__(self, **seams: Any) -> None:
        super().__init__(**seams)
        self.send()
        self.poll()
        assert not self.work.messages
        self.clock.advance(86_400)

    def send(self, minutes: int = 1440) -> None:
        """Send the job of a tick."""
        job = self.job(SOURCE, interval_minutes=minutes, entry=self.entry())
        self.work.send(job.group, job.job_id, job.body())

    def wait(self) -> float:
        """Let the time pass until the job is visible again; return the seconds."""
        (message,) = self.work.messages
        assert message.visible_at is not None
        seconds = (message.visible_at - self.clock()).total_seconds()
        self.clock.advance(seconds)
        return seconds


@pytest.fixture
def world() -> QueuedWorld:
    world = QueuedWorld()
    world.site.robots = CLOSED
    world.send()
    world.poll()
    return world


def test_the_job_comes_back_an_hour_later_and_asks_that_robots_txt_alone(
    world: QueuedWorld,
) -> None:
    assert world.pushes() == []
    world.web.asked.clear()
    assert world.wait() == 3_600
    world.poll()
    assert world.web.asked == ["mom.gov.sg"]
    assert world.pushes() == [ROBOTS]
    assert not world.work.messages
    assert len(world.items()) == 4
    (push,) = world.messages()
    assert push.content["since"] == "2026-03-03T01:00:00Z"


def test_what_the_second_look_does_not_find_is_no_change(world: QueuedWorld) -> None:
    world.site.robots = b"User-agent: *\nAllow: /\n"
    world.wait()
    world.poll()
    assert not world.work.messages
    assert world.pushes() == []


@pytest.mark.parametrize("second", [OUTAGE, GONE, b"User-agent: *\nDisallow: /x\n"])
def test_what_a_second_look_cannot_settle_the_next_check_does(
    world: QueuedWorld, second: Any
) -> None:
    """There is one second look a check: a file that is another one each time ends it, too."""
    world.site.robots = second
    world.wait()
    world.poll()
    assert not world.work.messages
    assert world.pushes() == []
    assert world.state.health.status == "ok"
    world.clock.advance(86_400)
    world.site.robots = CLOSED
    for _ in range(2):
        world.send()
        world.poll()
        if world.work.messages:
            world.wait()
            world.poll()
        world.clock.advance(86_400)
    assert world.pushes() == [ROBOTS]


def test_a_worker_that_dies_after_its_commit_leaves_the_second_look_in_the_queue() -> None:
    world = QueuedWorld()
    world.site.robots = CLOSED
    world.send()
    (message,) = world.work.receive(1)
    job = world.job(SOURCE, interval_minutes=1440, entry=world.entry())
    world.checker.check(job)
    # It dies here: nothing is deferred, and the message becomes visible by itself.
    assert message.visible_at is not None
    world.clock.advance((message.visible_at - world.clock()).total_seconds())
    gone = world.clock() - job.scheduled_at
    world.restart()
    world.web.asked.clear()
    world.poll()
    assert world.web.asked == []
    assert world.wait() == 3_600 - gone.total_seconds()
    world.poll()
    assert world.pushes() == [ROBOTS]


def test_a_job_that_is_delivered_twice_looks_once(world: QueuedWorld) -> None:
    world.wait()
    (message,) = world.work.receive(1)
    world.poll()
    body = message.body
    world.clock.advance(1_000)
    world.poll()
    assert world.pushes() == [ROBOTS]
    world.web.asked.clear()
    world.work.send(SOURCE, "again", body)
    world.poll()
    assert world.web.asked == []
    assert world.pushes() == [ROBOTS]
    assert not world.work.messages


def test_an_outage_of_the_bucket_puts_the_second_look_off(world: QueuedWorld) -> None:
    world.wait()
    read, world.bucket.get = world.bucket.get, failing  # type: ignore[method-assign]
    world.poll()
    world.bucket.get = read  # type: ignore[method-assign]
    assert world.pushes() == []
    world.wait()
    world.poll()
    assert world.pushes() == [ROBOTS]


def failing(key: str) -> None:
    raise Unavailable(key)


def test_a_domain_that_one_list_lacks_is_not_counted_again_by_a_second_look() -> None:
    world = QueuedWorld()
    world.domains.remove("nus.edu.sg")
    world.site.robots = CLOSED
    world.send()
    world.poll()
    world.wait()
    world.poll()
    assert len(world.items()) == 4
    assert world.pushes() == [ROBOTS]
    assert sorted(world.state.missing) == ["nus.edu.sg"]


def test_a_first_look_at_a_sitemap_waits_for_the_next_check() -> None:
    world = QueuedWorld()
    world.site.sitemap = sitemap(url_count=900)
    world.send()
    world.poll()
    assert not world.work.messages


@pytest.mark.parametrize(
    "body", [GONE, b"Access denied", b"", b"User-agent: *\nDisa", b"User-agent: *\nDisallow: /"]
)
def test_what_looks_like_a_fault_of_a_day_waits_for_the_next_check(body: Any) -> None:
    """A 404, a text, a file without rules, and one that is shorter and ends within a line."""
    world = QueuedWorld()
    world.site.robots = b"User-agent: *\nAllow: /\nDisallow: /private\n"
    world.check()
    world.check()
    world.site.robots = body
    pushes = len(world.pushes())
    world.send()
    world.poll()
    assert not world.work.messages
    world.clock.advance(86_400)
    world.send()
    world.poll()
    assert len(world.pushes()) == pushes + 1


def test_the_next_check_of_an_hourly_watch_is_the_second_look() -> None:
    world = QueuedWorld()
    world.site.robots = CLOSED
    world.send(60)
    world.poll()
    assert not world.work.messages
    world.clock.advance(timedelta(minutes=55).total_seconds())
    world.send(60)
    world.poll()
    assert world.pushes() == [ROBOTS]


def test_an_hourly_watch_takes_a_sitemap_that_lasts_a_day() -> None:
    world = QueuedWorld()
    world.site.sitemap = sitemap(url_count=900)
    for hour in range(24):
        world.send(60)
        world.poll()
        assert bool(world.pushes()) == (hour >= 20)
        world.clock.advance(3_600)
    assert len(world.pushes()) == 1
