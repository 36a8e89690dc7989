"""A watch's or a registry's state, made from what readers see: what came since is pushed."""

from fakes.registry import Rule
from fakes.watched_domains import SOURCE, WatchWorld
from fakes.worlds import FamilyWorld, RegulationWorld

from uring.changes.register import StateVersion
from uring.records.model import RecordState
from uring_local.operate.made_state import made_of_published


def make_again(world: FamilyWorld[RecordState], source: str) -> RecordState:
    """Lose a state and its versions, and store what `uring state repair` makes."""
    key = f"state/{world.name}/{source}.json"
    was = world.state_of(source)
    world.bucket.remove(key)
    world.bucket.versions.pop(key)
    made = made_of_published(world.bucket, world.model, source)
    assert isinstance(made, RecordState)
    world.register.write(StateVersion(made, None), made)
    assert {name: each.hash for name, each in made.known.items()} == {
        name: each.hash for name, each in was.known.items()
    }
    assert (made.history, made.hot) == (was.history, was.hot)
    return made


def test_a_registry_keeps_the_ids_of_its_texts() -> None:
    world = RegulationWorld()
    world.day(Rule("학칙", "1"), Rule("여비 규정", "9"))
    texts = world.state_of("rules").texts
    pushes = world.pushes()
    make_again(world, "rules")  # type: ignore[arg-type]
    world.day(Rule("학칙", "2"), Rule("여비 규정", "9"), Rule("장학 규정", "5"))
    assert texts.items() <= world.state_of("rules").texts.items()
    new = [each for each in world.pushes() if each not in pushes]
    assert ("new", "장학 규정") in new
    assert ("edited", "학칙") in new


def test_a_watch_tells_a_change_of_its_very_next_round() -> None:
    world = WatchWorld()
    world.check()
    make_again(world, SOURCE)  # type: ignore[arg-type]
    world.site.robots = b"User-agent: *\nDisallow: /\n"
    world.check()
    world.check()
    assert world.pushes() == [("robots_changed", "mom.gov.sg/robots.txt")]
