"""A registry's state that was put back takes from what is published the regulations it lacks."""

from fakes.registry import Rule
from fakes.worlds import RegulationWorld

SOURCE = "rules"


def test_it_pushes_what_came_since_and_keeps_the_ids_of_texts() -> None:
    world = RegulationWorld()
    key = f"state/regulations/{SOURCE}.json"
    world.site.show(Rule("학칙", "1"))
    next_day(world)
    old = world.bucket.get(key)
    assert old is not None
    world.site.show(Rule("학칙", "2"), Rule("장학 규정", "5"))
    next_day(world)
    texts = world.state_of(SOURCE).texts
    pushed = len(world.messages())
    world.clock.advance(60)
    world.bucket.restore(key, old)
    world.site.show(Rule("학칙", "2"), Rule("장학 규정", "5"), Rule("여비 규정", "9"))
    next_day(world)
    state = world.state_of(SOURCE)
    assert texts.items() <= state.texts.items()
    events = {change.event_id: change.id for change in world.messages()}
    assert len(events) == pushed + 1
    assert [*events.values()][-1] == "여비 규정"


def next_day(world: RegulationWorld) -> None:
    world.clock.advance(86_400)
    world.check()
