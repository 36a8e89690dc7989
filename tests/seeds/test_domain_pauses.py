"""How long a domain's message waits: as the site asks, or until its crowded address has a turn."""

import pytest
from fakes.seeds import PARTITION, SeedWorld, sitemap_of
from test_domain_worker import MOM, ROBOTS, counts, send

from uring.errors import FetchFailed


@pytest.fixture
def world() -> SeedWorld:
    world = SeedWorld()
    world.progress.start(PARTITION, None, 1, world.clock())
    world.web.put(MOM, ROBOTS, sitemap_of(150))
    return world


def asked(world: SeedWorld) -> int:
    return world.web.asked.count(f"https://{MOM}/robots.txt")


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [(None, 900), (60.0, 900), (7_200.0, 7_200), (1e300, 42_900)],
)
def test_a_domain_is_asked_again_when_it_wants_to_be(
    world: SeedWorld, status: int, retry_after: float | None, seconds: int
) -> None:
    """SQS hides a message for twelve hours at most."""
    world.web.put(MOM, FetchFailed("http_status", "", status=status, retry_after=retry_after))
    send(world)
    world.collect()
    world.web.put(MOM, ROBOTS, sitemap_of(3))
    world.clock.advance(seconds=seconds - 2)
    world.collect()
    assert asked(world) == 1
    world.clock.advance(seconds=4)
    world.collect()
    assert world.is_marked(MOM)


def test_a_domain_without_a_turn_waits_and_is_never_unreachable(world: SeedWorld) -> None:
    crowded = FetchFailed("busy_host", "other requests to the host took all of the time")
    world.web.put(MOM, crowded)
    send(world)
    for _ in range(20):
        world.collect()
        world.clock.advance(minutes=5)
    assert asked(world) > 8
    assert not world.domain_letters.messages
    assert counts(world) == {}
    assert "processing/robots/mom.gov.sg.json" not in world.bucket.bodies()
    world.web.put(MOM, ROBOTS, sitemap_of(3))
    world.collect()
    assert world.is_marked(MOM)
    assert counts(world)["collected"] == 1
