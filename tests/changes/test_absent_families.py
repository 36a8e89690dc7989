"""A deleted state of each family but notices: what came since is pushed once."""

from typing import Any

import pytest
from fakes.registry import Rule
from fakes.worlds import RegulationWorld, WeatherWorld


def speci(minute: int) -> dict[str, Any]:
    when = f"2026-03-02T01:{minute:02}:00Z"
    header = {"report_type": "SPECI", "report_status": "NORMAL", "observation_time": when}
    return {"header": {**header, "issue_time": when}, "raw": f"SPECI {minute}"}


def lose(world: Any, *, versions: bool = True) -> None:
    for listed in [*world.bucket.list("state/")]:
        world.bucket.remove(listed.key)
        if not versions:
            world.bucket.versions.pop(listed.key)


@pytest.mark.parametrize("versions", [True, False])
def test_a_product_needs_no_version_for_latest_json_has_it_all(versions: bool) -> None:  # noqa: FBT001
    world = WeatherWorld(airports=("RKAA",))
    for minute in (0, 10, 20):
        if minute == 20:
            lose(world, versions=versions)
        world.clock.advance(600)
        world.reports = {"RKAA": speci(minute)}
        check = world.check()
    assert check.lines[0].name == "state_restored"
    assert [change.kind for change in world.messages()] == ["speci", "speci"]


def test_a_registry_and_its_texts_go_on_with_their_ids() -> None:
    world = RegulationWorld()
    world.day(Rule("학칙", "1"))
    texts = world.state_of("rules").texts
    lose(world)
    world.day(Rule("학칙", "2"), Rule("장학 규정", "5"))
    assert texts.items() <= world.state_of("rules").texts.items()
    kinds = [kind for kind, _ in world.pushes()]
    assert kinds.count("new") == 1
    assert kinds.count("edited") == 1
    assert len(kinds) == len(set(world.pushes()))


def test_a_registry_without_a_version_is_lost_and_announces_nothing() -> None:
    world = RegulationWorld()
    world.day(Rule("학칙", "1"))
    lose(world, versions=False)
    check = world.day(Rule("학칙", "1"), Rule("장학 규정", "5"))
    assert (check.outcome, check.reason) == ("failed", "state_lost")
    assert world.pushes() == []
