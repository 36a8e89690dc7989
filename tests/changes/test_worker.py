"""The lines and counters of a check that operators see (N13), and when a refused one comes back."""

from typing import Any

import pytest
from fakes import ENTRY, Died, Notice, page_of
from fakes.worlds import NoticeWorld, WeatherWorld

from uring.changes.state import event_id
from uring.errors import FetchFailed, Misconfigured, Unavailable

NAMES = {"family": "notices", "source": "cs", "department_id": "cs"}
COUNTED = {"rows": 0, "skipped_rows": 0, "new_items_count": 0, "revision": 0}


class World(NoticeWorld):
    """A department whose jobs go through the real worker."""

    def tick(self, *, age: float = 0, **entry: Any) -> list[str]:
        """Send a job and poll; return the names of the lines that came of it."""
        interval = entry.get("interval_minutes", 10)
        whole = {**ENTRY, **entry}
        self.work_queue.dispatch([self.job("cs", age=age, interval_minutes=interval, entry=whole)])
        return self.again()

    def again(self) -> list[str]:
        """Poll; return the names of the lines that came of it."""
        seen = (self.telemetry.events, self.telemetry.warnings, self.telemetry.problems)
        for lines in seen:
            lines.clear()
        self.poll()
        return [name for lines in seen for name, _ in lines]

    def line(self, name: str) -> dict[str, Any]:
        (fields,) = self.telemetry.named(name)
        return fields


def started() -> World:
    """After its baseline."""
    world = World()
    assert world.tick() == ["checked"]
    world.clock.advance(600)
    world.telemetry.counts.clear()
    return world


def test_a_change_is_a_line_and_what_is_pushed_another() -> None:
    world = started()
    world.show(Notice("2", "둘!"), Notice("1", "하나", is_pinned=True))
    assert world.tick() == ["changed", "changed", "published", "checked"]
    known = world.state.known
    fields = [
        {
            **NAMES,
            "record": record,
            "kind": kind,
            "revision": 2,
            "event_id": event_id("cs", record, 2, known[record].hash, world.state.history),
        }
        for record, kind in (("1", "pinned"), ("2", "edited"))
    ]
    assert world.telemetry.named("changed") == fields
    assert world.telemetry.named("published") == fields[1:]
    assert world.line("checked") == {
        **NAMES,
        "outcome": "changed",
        "reason": "",
        "rows": 2,
        "skipped_rows": 0,
        "new_items_count": 0,
        "revision": 2,
        "recovered": 0,
        "http_requests": 1,
    }
    assert world.telemetry.counts == {"Checks": 1, "ChecksChanged": 1, "Changes": 2}


@pytest.mark.parametrize("field", ["new_items_count", "recovered"])
def test_a_baseline_is_one_line_with_its_number(field: str) -> None:
    """A board of 25 notices would be 25 lines that say nothing happened."""
    world = World()
    world.show(*(Notice(str(number), f"{number}번") for number in range(25)))
    if field == "new_items_count":
        assert world.tick() == ["checked"]
        assert world.telemetry.counts == {"Checks": 1, "ChecksBaseline": 1}, "none is a change"
    else:
        _die_behind_the_commit(world)
        world.clock.advance(361)
        assert world.again() == ["checked"]
    assert world.line("checked")[field] == 25


def _die_behind_the_commit(world: World) -> None:
    put = world.bucket.put

    def dying(key: str, body: bytes, **more: Any) -> str:
        if "/archive/" in key:
            raise Died
        return put(key, body, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.bucket, "put", dying)
        with pytest.raises(Died):
            world.tick()


@pytest.mark.parametrize(
    ("site", "outcome", "reason"),
    [
        (FetchFailed("timeout", "no answer"), "failed", "timeout"),
        (page_of([]), "suspect", "no_rows"),
    ],
)
def test_trouble_is_a_line_of_its_own(site: Any, outcome: str, reason: str) -> None:
    world = started()
    world.site = site
    assert world.tick() == [outcome, "checked"]
    line = world.line(outcome)
    assert line.pop("detail")
    assert line == {**NAMES, "reason": reason}
    assert (world.line("checked")["outcome"], world.line("checked")["reason"]) == (outcome, reason)
    name = f"Checks{outcome.capitalize()}"
    assert world.telemetry.counts == {"Checks": 1, name: 1, "SourcesFailing": 1}


def test_an_unchanged_source_is_no_line() -> None:
    """Nearly all checks end so; their number is in the batch's one line."""
    world = started()
    assert world.tick() == ["checked"]
    assert world.telemetry.details == [world.line("checked")]
    assert world.telemetry.counts == {"Checks": 1, "ChecksUnchanged": 1}


def test_a_change_is_of_note() -> None:
    world = started()
    world.show(Notice("2", "둘!"))
    world.tick()
    assert world.telemetry.details == []


def test_a_job_that_came_too_late_says_so() -> None:
    world = started()
    assert world.tick(age=601) == ["checked", "dropped"]
    assert world.line("dropped")["reason"] == "overdue"
    assert world.line("checked") | NAMES | COUNTED == world.line("checked")
    assert world.telemetry.counts == {"ChecksDropped": 1}, "a dropped job is no check"


def test_a_job_that_another_run_has_done_is_neither_a_check_nor_missing_work() -> None:
    """A redriven letter, or a job that came again: the alarm on dropped jobs leaves it out."""
    world = started()
    world.clock.advance(599)
    world.show(Notice("2", "둘!"))
    world.tick()
    world.telemetry.counts.clear()
    assert world.tick(age=300) == ["checked", "dropped"]
    assert world.line("dropped")["reason"] == "superseded"
    assert world.telemetry.counts == {"ChecksSuperseded": 1}


def test_a_source_that_is_left_alone_is_no_failure() -> None:
    world = started()
    world.site = FetchFailed("timeout", "no answer")
    for _ in range(3):
        world.tick()
        world.clock.advance(600)
    world.telemetry.counts.clear()
    assert world.tick() == ["checked"]
    assert world.line("checked")["outcome"] == "waiting"
    assert world.line("checked") | NAMES | COUNTED == world.line("checked")
    assert world.telemetry.counts == {"Checks": 1, "ChecksWaiting": 1}


class TestRefused:
    @pytest.mark.parametrize(("interval", "seconds"), [(10, 200), (60, 300)])
    @pytest.mark.parametrize(
        "error",
        [Unavailable("s3 is away"), Misconfigured("no such bucket"), ZeroDivisionError("a bug")],
        ids=lambda error: type(error).__name__,
    )
    def test_it_comes_back_in_good_time(
        self, interval: int, seconds: int, error: Exception
    ) -> None:
        """The queue's own time-out would bring it back when the next job is due."""
        world = started()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(world.bucket, "get", _raising(error))
            assert world.tick(interval_minutes=interval) == ["deferred", "check_failed"]
        reason = str(error)
        assert world.line("check_failed") == {
            **NAMES,
            "error": type(error).__name__,
            "reason": reason,
            "trace": isinstance(error, ZeroDivisionError),
        }
        assert world.line("deferred") == {"group": "cs", "seconds": seconds, "reason": reason}
        assert world.telemetry.counts == {"SourcesFailing": 1, "RecordsFailed": 1}
        world.clock.advance(seconds - 1)
        assert world.work.receive() == []
        world.clock.advance(1)
        assert world.again() == ["checked"]
        assert world.dead.messages == []


def _raising(error: Exception) -> Any:
    def get(_: str) -> None:
        raise error

    return get


def test_a_newer_releases_job_is_given_back_and_is_no_dead_letter() -> None:
    world = started()
    job = world.job("cs", entry=ENTRY)
    newer = job.body().replace('"version":2', '"version":3')
    world.work.send("cs", "newer", newer)
    world.work_queue.dispatch([job])
    assert world.again() == ["record_failed"]
    assert world.line("record_failed")["error"] == "NewerRelease"
    assert [message.body for message in world.work.messages] == [newer, job.body()]
    assert world.dead.messages == []


def test_a_family_without_names_of_its_own_says_family_and_source() -> None:
    world = WeatherWorld()
    world.reports = {"RKSI": {"header": {"observation_time": "2026-03-02T01:00:00Z"}, "raw": None}}
    world.work_queue.dispatch([world.job("metar")])
    world.poll()
    lines = [*world.telemetry.events, *world.telemetry.warnings]
    assert {"checked", "report_changed", "airports_failed"} <= {name for name, _ in lines}
    for _, fields in lines:
        assert (fields["family"], fields["source"]) == ("weather", "metar")
        assert "department_id" not in fields
    assert world.telemetry.counts["SourcesFailing"] == 1, "two of three airports did not answer"
