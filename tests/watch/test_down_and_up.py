"""One alert when a source goes down, one when it is back, none lost (N25)."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fakes import Notice, page_of
from fakes.watched_world import DOWN, ENVIRONMENT, Watched

from uring.errors import Unavailable
from uring.functions.families import family
from uring.watch.alerts import lines_for
from uring.watch.memory import memory_key
from uring.watch.status import assess

MEMORY = memory_key("notices")


class TestAlerts:
    def test_one_down_after_three_in_a_row_and_one_up(self) -> None:
        world = Watched()
        world.tick()
        good, world.sites["cs"] = world.sites["cs"], DOWN
        for _ in range(2):
            world.tick()
            world.watch()
        assert world.mail.sent == []
        for _ in range(6):
            world.tick()
            world.watch()
        (line,) = world.mail.lines
        assert line.startswith("DOWN cs (cs 학과): timeout (transient) since 2026-03-02T01:15:00Z")
        assert world.mail.sent[0][0] == "uRing: 1 source down, 0 up"
        world.sites["cs"] = good
        for _ in range(8):
            world.tick()
            world.watch()
        assert len(world.mail.lines) == 2
        assert world.mail.lines[1].startswith("UP cs (cs 학과): up again, was transient")

    def test_what_falls_together_is_told_together(self) -> None:
        world = Watched(*(f"d{number}" for number in range(60)))
        world.tick()
        world.sites = dict.fromkeys(world.ids, DOWN)
        world.tick(3)
        world.watch()
        assert len(world.mail.sent) == 1
        assert len(world.mail.lines) == 60

    def test_another_reason_is_no_other_alert(self) -> None:
        world = Watched()
        world.tick()
        world.sites["cs"] = DOWN
        world.tick(3)
        world.watch()
        world.sites["cs"] = page_of([])
        world.tick(8)
        world.watch()
        assert len(world.mail.lines) == 1

    def test_a_state_that_cannot_be_read_is_down(self) -> None:
        world = Watched()
        world.tick()
        world.watch()
        good = world.bucket.body("state/notices/cs.json")
        world.bucket.plant("state/notices/cs.json", good[:-9])
        assert world.watch() == {"corrupt": 1, "ok": 1}
        assert "uring state show cs" in world.mail.lines[0]
        world.bucket.plant("state/notices/cs.json", good)
        assert world.watch() == {"ok": 2}
        assert world.mail.lines[1].startswith("UP cs")

    def test_a_source_that_nobody_checks_is_down(self) -> None:
        world = Watched()
        world.tick()
        world.watch()
        unwatched(world, 28)
        assert world.watch() == {"unchecked": 2}
        assert world.document("data/cs/health.json")["status"] == "unchecked"
        world.tick()
        assert world.watch() == {"ok": 2}
        assert [line[:5] for line in world.mail.lines] == ["DOWN ", "DOWN ", "UP cs", "UP ee"]

    def test_a_source_that_failed_and_is_checked_no_more_is_down(self) -> None:
        world = Watched("cs")
        world.tick()
        good, world.sites["cs"] = world.sites["cs"], DOWN
        world.tick(2)
        assert world.watch() == {"failed": 1}
        assert world.mail.sent == []
        unwatched(world, 28)
        assert world.watch() == {"unchecked": 1}
        world.sites["cs"] = good
        world.tick()
        assert world.watch() == {"ok": 1}
        assert [line[:7] for line in world.mail.lines] == ["DOWN cs", "UP cs ("]

    def test_a_failure_is_no_recovery(self) -> None:
        world = Watched("cs")
        world.tick()
        world.watch()
        unwatched(world, 28)
        world.watch()
        good, world.sites["cs"] = world.sites["cs"], DOWN
        world.tick()
        assert world.watch() == {"failed": 1}
        assert [line[:7] for line in world.mail.lines] == ["DOWN cs"]
        world.sites["cs"] = good
        world.tick()
        world.watch()
        assert [line[:7] for line in world.mail.lines] == ["DOWN cs", "UP cs ("]

    def test_a_board_that_fell_silent_is_stale(self) -> None:
        world = Watched("cs")
        days = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=3 * n) for n in range(12)]
        world.sites["cs"] = page_of(
            [Notice(str(n), f"{n}번", date=f"{day:%Y-%m-%d}") for n, day in enumerate(days)]
        )
        world.clock.now = datetime(2026, 4, 18, tzinfo=UTC)
        world.tick()
        world.watch()
        assert world.document("data/cs/health.json")["stale_since"] is None
        world.clock.advance(86_400)
        world.tick()
        world.watch()
        assert world.document("data/cs/health.json")["stale_since"] == "2026-04-19"
        assert "check whether it has moved" in world.mail.lines[0]

    def test_what_could_not_be_sent_is_sent_by_the_next_run(self) -> None:
        world = Watched()
        world.tick()
        world.sites["cs"] = DOWN
        world.tick(3)
        world.mail.refuses = True
        with pytest.raises(Unavailable):
            world.watch()
        world.mail.refuses = False
        world.watch()
        world.watch()
        assert len(world.mail.sent) == 1

    def test_a_death_before_it_is_remembered_tells_again_and_loses_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = Watched()
        world.tick()
        world.sites["cs"] = DOWN
        world.tick(3)
        _dying_at(world, MEMORY, monkeypatch)
        with pytest.raises(SystemExit):
            world.watch()
        monkeypatch.undo()
        world.watch()
        world.watch()
        assert len(world.mail.sent) == 2

    @pytest.mark.parametrize("body", [b"{", b"[]", b'{"facts": 3}'])
    def test_a_damaged_memory_is_made_again(self, body: bytes) -> None:
        world = Watched()
        world.tick()
        world.watch()
        world.bucket.plant(MEMORY, body)
        assert world.watch() == {"ok": 2}
        assert world.telemetry.named("memory_damaged")
        assert json.loads(world.bucket.body(MEMORY))["facts"].keys() == {"cs", "ee"}


def test_what_another_release_remembers_in_its_own_words_is_read_again() -> None:
    """And what people were told is not told again."""
    world = Watched()
    world.tick()
    world.sites["cs"] = DOWN
    world.tick(3)
    world.watch()
    memory = world.document(MEMORY)
    memory["facts"]["cs"]["status"] = "a word of the next release"
    world.bucket.plant(MEMORY, json.dumps(memory).encode())
    assert world.watch() == {"failed": 1, "ok": 1}
    assert len(world.mail.lines) == 1
    assert not world.telemetry.named("memory_damaged")


def unwatched(world: Watched, hours: int) -> None:
    """Let the monitor alone run, every two hours, but for the last of them."""
    for _ in range(hours // 2 - 1):
        world.clock.advance(hours=2)
        world.watch()
    world.clock.advance(hours=2)


def _dying_at(world: Watched, key: str, patch: pytest.MonkeyPatch) -> None:
    put = world.bucket.put

    def dying(at: str, body: bytes, **more: Any) -> str:
        if at == key:
            raise SystemExit
        return put(at, body, **more)

    patch.setattr(world.bucket, "put", dying)


def test_what_is_down_is_gone_through_once_however_many_sources_there_are() -> None:
    """All of ten thousand down took the monitor longer than it has."""

    class Counted(dict[str, str]):
        times = 0

        def items(self) -> Any:
            self.times += 1
            return super().items()

        __iter__ = None  # type: ignore[assignment]

    world = Watched("cs", "ee", "me")
    sources = family("notices").watched(ENVIRONMENT, world.bucket, {})
    statuses = {source.id: assess(source, None, world.clock(), None) for source in sources}
    down = Counted({"cs": "transient", "gone/RKSI": "timeout", "ee/RKSS": "timeout"})
    _, after = lines_for(sources, statuses, down)
    assert down.times == 1
    assert after.keys() >= {"cs", "ee/RKSS"}
