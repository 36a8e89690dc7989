"""A source that no check ever reached is down after a while, a new one too (N25)."""

import json

import pytest
from fakes.watched_world import DOWN, Watched

from uring.watch.memory import memory_key

MEMORY = memory_key("notices")


class Both(Watched):
    """Departments and the weather."""

    families = ("notices", "weather")


def watched(world: Watched, minutes: int) -> list[str]:
    """Run the monitor every ten minutes; return what people were told meanwhile."""
    before = len(world.mail.lines)
    for _ in range(minutes // 10):
        world.watch()
        world.clock.advance(600)
    return world.mail.lines[before:]


def test_a_new_source_whose_checks_all_fail_by_an_exception_is_down_after_three_hours() -> None:
    """No state is ever written: the monitor alone knows since when."""
    world = Watched("cs")
    first = world.clock.now
    assert watched(world, 190) == []
    (line,) = watched(world, 24 * 60)
    assert line.startswith(f"DOWN cs (cs 학과): unchecked since {first:%Y-%m-%dT%H:%M:%SZ}")
    assert "dead-letter queue" in line
    assert world.index()["cs"]["status"] == "unchecked"
    world.tick()
    world.watch()
    assert world.index()["cs"]["status"] == "ok"
    assert world.mail.lines[-1].startswith("UP cs")
    assert world.document(MEMORY)["pending"] == {}


def test_a_daily_one_after_three_days() -> None:
    class Daily(Watched):
        def entry(self, source: str) -> dict[str, object]:
            return {**super().entry(source), "interval_minutes": 1440}

    world = Daily("cs")
    assert watched(world, 3 * 1440) == []
    assert len(watched(world, 60)) == 1


def test_each_is_counted_from_its_own_first_sight() -> None:
    world = Watched("cs")
    watched(world, 120)
    world.ids = ("cs", "ee")
    world.sites["ee"] = world.sites["cs"]
    world.upload()
    assert [line[:7] for line in watched(world, 120)] == ["DOWN cs"]
    assert [line[:7] for line in watched(world, 120)] == ["DOWN ee"]


def test_one_that_was_taken_out_and_put_back_is_new() -> None:
    world = Watched()
    watched(world, 120)
    world.ids = ("ee",)
    world.upload()
    watched(world, 60)
    world.ids = ("cs", "ee")
    world.upload()
    assert [line[:7] for line in watched(world, 120)] == ["DOWN ee"]


def test_one_whose_first_checks_fail_at_the_site_is_told_by_their_number() -> None:
    world = Watched("cs")
    watched(world, 170)
    world.sites["cs"] = DOWN
    world.tick()
    assert watched(world, 30) == []
    world.tick(2)
    (line,) = watched(world, 10)
    assert "timeout (transient)" in line


def test_a_state_that_was_deleted_is_pending_from_then_on() -> None:
    world = Watched("cs")
    world.tick()
    watched(world, 60)
    world.bucket.remove("state/notices/cs.json")
    assert watched(world, 180) == []
    assert [line[:7] for line in watched(world, 30)] == ["DOWN cs"]


def test_a_product_as_well() -> None:
    world = Both("cs")
    world.tick()
    told = watched(world, 200)
    assert sorted(line.split()[1] for line in told) == ["metar", "taf", "warning"]
    # A department that is well is written daily: three hours count from there.
    assert watched(world, 26 * 60 - 200) == []
    assert [line[:7] for line in watched(world, 90)] == ["DOWN cs"]


def test_a_memory_of_a_release_that_did_not_count_begins_now() -> None:
    world = Watched("cs")
    watched(world, 120)
    memory = world.document(MEMORY)
    del memory["pending"]
    world.bucket.plant(MEMORY, json.dumps(memory).encode())
    assert watched(world, 180) == []
    assert len(watched(world, 30)) == 1


@pytest.mark.parametrize("seconds", [0, 21])
def test_a_state_that_there_was_no_time_to_read_is_not_pending(seconds: float) -> None:
    world = Watched("cs")
    world.tick()
    for _ in range(30):
        world.monitor.run(lambda: seconds)
        world.tick()
    assert world.mail.lines == []


def test_a_stack_that_comes_back_after_days_waits_for_the_first_checks() -> None:
    """Each source was unchecked for a mail; ten minutes later each was up."""
    world = Watched("cs", "ee")
    world.tick()
    watched(world, 60)
    world.clock.advance(days=14)
    world.watch()
    assert world.mail.lines == []
    assert world.telemetry.named("watched")[-1]["down"] == 0
    world.tick()
    assert watched(world, 60) == []


def test_but_says_after_an_interval_which_source_no_check_has_reached() -> None:
    world = Watched("cs", "ee")
    world.tick()
    watched(world, 60)
    world.clock.advance(days=14)
    assert watched(world, 20) == []
    assert sorted(line[:7] for line in watched(world, 10)) == ["DOWN cs", "DOWN ee"]


def test_one_that_was_reported_before_is_not_up_meanwhile() -> None:
    world = Watched("cs")
    world.tick()
    watched(world, 28 * 60)
    assert [line[:7] for line in world.mail.lines] == ["DOWN cs"]
    world.clock.advance(days=3)
    assert watched(world, 60) == []
    world.tick()
    assert [line[:5] for line in watched(world, 10)] == ["UP cs"]


def test_a_memory_of_the_release_before_is_no_pause() -> None:
    world = Watched("cs")
    world.tick()
    world.watch()
    stored = world.bucket.get(MEMORY)
    assert stored is not None
    old = {k: v for k, v in world.document(MEMORY).items() if k not in ("ran_at", "resumed_at")}
    world.bucket.put(
        MEMORY, json.dumps(old).encode(), if_match=stored.etag, content_type="application/json"
    )
    world.clock.advance(days=2)
    assert [line[:7] for line in watched(world, 10)] == ["DOWN cs"]


def test_a_quiet_stack_writes_its_memory_once_an_hour() -> None:
    world = Watched("cs")
    world.tick()
    watched(world, 10)
    before = len(world.bucket.versions[MEMORY])
    watched(world, 180)
    assert len(world.bucket.versions[MEMORY]) - before == 3
