"""Who makes hints and who hands them out: the monitor, and the orchestrator's list (rule 7)."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fakes import Notice
from hinted_world import HINTS, ONE, STATE, THREE, TWO, HintedWorld

from uring.changes.hinting import CurrentHints, within
from uring.errors import Misconfigured, Unavailable
from uring.objects import Listed


def begun(*ids: str) -> HintedWorld:
    world = HintedWorld(*ids)
    world.begin()
    return world


def hints_of(world: HintedWorld) -> list[dict[str, Any] | None]:
    """Return the hints of the next tick's jobs."""
    world.dispatch()
    return [job.hint for job in world.waiting()]


class TestWithout:
    """A tick without hints is never one without jobs."""

    def unhinted(self, world: HintedWorld) -> None:
        assert hints_of(world) == [None]
        assert [line["outcome"] for line in world.run()] == ["unchanged"]
        assert world.seen_by["worker"].calls == {"get": 1}

    @pytest.mark.parametrize(
        "error", [Misconfigured("no permission"), Unavailable("x"), KeyError()]
    )
    def test_where_the_list_is_refused(
        self, error: Exception, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = begun()

        def refuse(*_: str) -> Iterator[Listed]:
            raise error

        monkeypatch.setattr(world.listing, "list", refuse)
        self.unhinted(world)
        (line,) = world.telemetry.named("no_hints")
        assert (line["family"], line["error"]) == ("notices", type(error).__name__)

    def test_where_the_list_takes_too_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        world = begun()
        released = threading.Event()

        def slow(*_: str) -> Iterator[Listed]:
            released.wait()
            return iter(())

        monkeypatch.setattr(world.listing, "list", slow)
        world.hints = CurrentHints(world.listing, "notices", seconds=0.01)
        self.unhinted(world)
        released.set()
        assert world.telemetry.named("no_hints")[0]["error"] == "Unavailable"

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"[]",
            b'{"hints": []}',
            b'{"hints": {"cs": 1}}',
            b'{"version": 2, "hints": {}}',
            b"[" * 100_000,
        ],
    )
    def test_where_they_are_damaged_or_of_a_newer_release(self, body: bytes) -> None:
        """They are made again by the next run of the monitor."""
        world = begun()
        world.bucket.plant(HINTS, body)
        self.unhinted(world)
        world.watch()
        assert [line["key"] for line in world.telemetry.named("memory_damaged")] == [HINTS]
        assert hints_of(world)[0] is not None

    def test_where_there_are_none_yet(self) -> None:
        world = begun()
        world.bucket.remove(HINTS)
        self.unhinted(world)
        assert world.telemetry.named("no_hints") == []
        world.watch()
        assert hints_of(world)[0] is not None

    def test_of_a_state_that_was_written_since(self) -> None:
        world = begun()
        world.show(THREE, TWO, ONE)
        world.tick()
        assert hints_of(world) == [None]

    def test_of_a_state_that_was_deleted(self) -> None:
        """Its last version is stored again, at the tick."""
        world = begun()
        world.bucket.remove(STATE)
        assert hints_of(world) == [None]
        world.run()
        assert STATE in world.bucket.bodies()
        assert [name for name, _ in world.telemetry.warnings] == ["state_restored"]
        assert world.telemetry.counts["StatesRestored"] == 1

    def test_of_a_state_that_was_restored(self) -> None:
        """What an operator put back has a hint again once the monitor has seen it."""
        world = begun()
        old = world.bucket.get(STATE)
        assert old is not None
        world.show(THREE, TWO, ONE)
        world.tick()
        world.watch()
        world.bucket.restore(STATE, old)
        assert hints_of(world) == [None]
        world.work.messages.clear()
        world.watch()
        (hint,) = hints_of(world)
        assert hint is not None
        assert hint["etag"] == old.etag
        world.run()
        assert world.state.known.keys() == {"1", "2", "3"}


class TestKept:
    def test_a_calm_state_is_not_read_again_for_its_hint(self) -> None:
        world = begun()
        world.watch()
        assert world.seen_by["monitor"].calls == {"get": 3, "list": 1}

    def test_one_that_has_none_is_not_either(self) -> None:
        world = begun()
        world.bucket.plant(STATE, b"{")
        world.watch()
        world.forget()
        world.watch()
        assert world.seen_by["monitor"].calls == {"get": 3, "list": 1}

    def test_lost_hints_are_made_again_without_a_write_of_anything_else(self) -> None:
        world = begun("cs", "ee")
        world.bucket.remove(HINTS)
        world.watch()
        assert world.seen_by["monitor"].calls["put"] == 1
        assert world.stored_hints().hints.keys() == {"cs", "ee"}

    def test_hints_that_there_is_no_time_for_keep_the_index_from_nobody(self) -> None:
        world = begun("cs", "ee")
        world.bucket.remove(HINTS)
        world.bucket.remove("data/index.json")
        world.monitor.run(lambda: 5)
        assert world.document("data/index.json")["departments"]
        assert world.stored_hints().hints == {}
        world.watch()
        assert world.stored_hints().hints.keys() == {"cs", "ee"}

    def test_a_source_that_is_no_longer_listed_loses_its_hint(self) -> None:
        world = begun("cs", "ee")
        world.ids = ("cs",)
        world.watch()
        assert world.stored_hints().hints.keys() == {"cs"}

    def test_a_hint_is_made_of_the_body_that_came_with_its_etag(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not with the one that was listed: the state may have been written in between."""
        world = begun()
        world.show(THREE, TWO, ONE)
        world.tick()
        monitor = world.seen_by["monitor"]
        listed = monitor.list

        def then_written(prefix: str, after: str) -> Iterator[Listed]:
            found = [*listed(prefix, after)]
            if prefix == "state/notices/":
                world.show(Notice("4", "넷"), THREE, TWO)
                world.checker.check(world.job("cs", entry=world.entry_of("cs")))
            return iter(found)

        monkeypatch.setattr(monitor, "list", then_written)
        world.watch()
        stored = world.bucket.get(STATE)
        assert stored is not None
        hint = world.stored_hints().hints["cs"]
        assert (hint.etag, hint.known and hint.known["fingerprint"]) == (
            stored.etag,
            world.state.fingerprint,
        )

    def test_two_runs_at_once_leave_the_hints_of_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        world = begun()
        world.show(THREE, TWO, ONE)
        world.tick()
        monitor = world.seen_by["monitor"]
        put = monitor.put

        def later(key: str, body: bytes, **more: Any) -> str:
            if key == HINTS:
                monkeypatch.setattr(monitor, "put", put)
                world.watch()
            return put(key, body, **more)

        monkeypatch.setattr(monitor, "put", later)
        world.watch()
        assert hints_of(world)[0] is not None


def test_what_takes_too_long_is_left_alone() -> None:
    started, released = threading.Event(), threading.Event()

    def work() -> int:
        started.set()
        released.wait()
        return 7

    with pytest.raises(Unavailable, match="no answer within"):
        within(0.01, work)
    started.wait()
    released.set()
    assert within(60, lambda: 8) == 8


def test_an_unhinted_job_looks_as_it_always_did() -> None:
    world = begun()
    world.bucket.remove(HINTS)
    world.dispatch()
    assert "hint" not in json.loads(world.work.messages[0].body)
