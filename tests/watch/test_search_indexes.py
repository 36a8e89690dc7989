"""Search indexes: made once a month of closed months, bounded, and again of the same bytes."""

import json
from typing import Any

import pytest
from fakes import Notice, page_of
from fakes.watched_world import Watched

from uring.errors import Unavailable
from uring.watch import search
from uring.watch.memory import memory_key
from uring.watch.search import closed_month

MEMORY = memory_key("notices")
BOOK = "state/monitor/search/notices.json"
INDEX = "data/cs/search/2026.json"


def a_month_later() -> Watched:
    """Return a board that was watched through March, on a day of April."""
    world = Watched("cs")
    world.tick()
    world.watch()
    world.clock.advance(days=32)
    return world


def index(world: Watched, key: str = INDEX) -> dict[str, Any]:
    """Return an index."""
    return world.document(key)


class TestMonths:
    def test_a_month_is_indexed_once_it_is_over(self) -> None:
        world = Watched("cs")
        world.tick()
        world.watch()
        assert INDEX not in world.bucket.bodies()
        world.clock.advance(days=32)
        world.watch()
        assert index(world)["titles"] == ["둘", "하나 <&>"]
        assert (index(world)["months"], index(world)["since"]) == (["202603"], "202603")

    def test_a_month_is_closed_a_day_after_its_end(self) -> None:
        world = Watched("cs")
        moment = world.clock().replace(month=4, day=1, hour=23)
        assert closed_month(moment) == "202602"
        assert closed_month(moment.replace(day=2)) == "202603"
        assert closed_month(moment.replace(month=1, day=5)) == "202512"

    def test_an_edit_of_a_later_month_replaces_the_row(self) -> None:
        world = a_month_later()
        world.sites["cs"] = page_of([Notice("2", "고친 둘"), Notice("1", "하나 <&>")])
        world.tick()
        world.watch()
        assert "고친 둘" not in index(world)["titles"]
        world.clock.advance(days=31)
        world.watch()
        assert index(world)["titles"] == ["고친 둘", "하나 <&>"]
        assert index(world)["months"] == ["202603", "202604"]

    def test_what_came_late_into_a_closed_month_is_seen_at_the_next_one(self) -> None:
        world = a_month_later()
        world.watch()
        key = "data/cs/archive/202603.jsonl"
        late = json.loads(world.bucket.body(key).splitlines()[0])
        late |= {"id": "77", "event_id": "f" * 40, "title": "늦은 글"}
        world.bucket.plant(key, world.bucket.body(key) + json.dumps(late).encode() + b"\n")
        world.clock.advance(days=30)
        world.watch()
        assert "늦은 글" in index(world)["titles"]


class TestCost:
    def test_a_month_costs_a_board_one_write(self) -> None:
        world = a_month_later()
        world.watch()
        world.tick()
        world.watch()
        world.clock.advance(days=30)
        world.tick()
        written = {key for key in world.written() if "search" in key}
        assert written == {BOOK}
        world.clock.advance(600)
        assert not [key for key in world.written() if "search" in key]

    def test_the_book_is_read_once_a_month(self, monkeypatch: pytest.MonkeyPatch) -> None:
        world = a_month_later()
        world.watch()
        asked: list[str] = []
        get = world.bucket.get
        monkeypatch.setattr(world.bucket, "get", lambda key: asked.append(key) or get(key))
        world.clock.advance(600)
        world.watch()
        assert BOOK not in asked
        assert world.document(MEMORY)["indexed"] == "202603"

    def test_a_year_that_did_not_change_is_not_read_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = a_month_later()
        world.watch()
        asked: list[str] = []
        get = world.bucket.get
        monkeypatch.setattr(world.bucket, "get", lambda key: asked.append(key) or get(key))
        world.clock.advance(days=30)
        world.watch()
        assert not [key for key in asked if "/archive/" in key or "/search/2" in key]


class TestBackfill:
    def old(self, years: int = 5) -> Watched:
        """Return a board whose archive existed before the release that makes indexes."""
        world = Watched("cs")
        world.tick()
        for year in range(2026 - years, 2026):
            for month in range(1, 13):
                line = json.loads(world.bucket.body("data/cs/archive/202603.jsonl").split(b"\n")[0])
                seen = f"{year}-{month:02}-05T00:00:00Z"
                name = f"{year}{month:02}"
                line |= {"id": name, "title": f"{name} 글", "first_seen": seen, "detected_at": seen}
                body = json.dumps(line | {"event_id": name.zfill(40)}).encode() + b"\n"
                world.bucket.plant(f"data/cs/archive/{name}.jsonl", body)
        return world

    def test_archives_of_before_are_indexed_back_to_their_first_month(self) -> None:
        world = self.old()
        world.watch()
        titles = index(world, "data/cs/search/2021.json")["titles"]
        assert titles == [f"2021{month:02} 글" for month in range(12, 0, -1)]
        assert index(world, "data/cs/search/2025.json")["since"] == "202101"

    def test_a_run_reads_a_bounded_number_of_files_the_newest_year_first(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(search, "MOST_FILES", 20)
        world = self.old()
        world.watch()
        years = [key for key in world.bucket.bodies() if "/search/2" in key]
        assert sorted(years) == ["data/cs/search/2024.json", "data/cs/search/2025.json"]
        assert world.document(MEMORY)["indexed"] == ""
        world.watch()
        world.watch()
        assert "data/cs/search/2021.json" in world.bucket.bodies()
        assert world.document(MEMORY)["indexed"] == "202602"

    def test_it_ends_in_time(self) -> None:
        world = self.old()
        world.monitor.run(lambda: 20)
        assert not [key for key in world.bucket.bodies() if "search" in key]

    def test_a_lost_book_writes_no_index_again(self) -> None:
        world = self.old()
        world.watch()
        world.bucket.remove(BOOK)
        world.bucket.remove(MEMORY)
        assert {key for key in world.written() if "search" in key} == {BOOK}

    def test_a_damaged_book_is_made_again(self) -> None:
        world = self.old()
        world.watch()
        world.bucket.plant(BOOK, b'{"sources": 3')
        world.bucket.remove(MEMORY)
        world.watch()
        assert world.document(BOOK)["sources"]["cs"]["until"] == "202602"
        world.telemetry.problems.clear()

    def test_damaged_lines_and_files_cost_themselves_alone(self) -> None:
        world = self.old(1)
        key = "data/cs/archive/202503.jsonl"
        world.bucket.plant(key, b'{"cut\n[1]\n\xff\xfe\n' + world.bucket.body(key))
        world.watch()
        assert "202503 글" in index(world, "data/cs/search/2025.json")["titles"]

    def test_a_month_of_too_many_files_is_left_to_the_archive(self) -> None:
        world = self.old(1)
        folder = "data/cs/archive/"
        body = world.bucket.body(f"{folder}202503.jsonl")
        for number in range(6):
            line = json.loads(body.split(b"\n")[0]) | {"event_id": f"{number:040x}"}
            link = {"file": f"202503.{number:032x}.jsonl", "until": "2025-03-05T00:00:00Z"}
            world.bucket.plant(f"{folder}{link['file']}", body)
            body = json.dumps(line | {"earlier": link}).encode() + b"\n"
        world.bucket.plant(f"{folder}202503.jsonl", body)
        world.watch()
        found = index(world, "data/cs/search/2025.json")
        assert (len(found["months"]), found["unindexed"]) == (11, ["202503"])


class TestTrouble:
    def test_a_failure_stops_nothing_else_and_is_made_up_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = a_month_later()
        listing = world.bucket.list

        def refuse(prefix: str, after: str = "") -> Any:
            if "/archive/" in prefix:
                raise Unavailable("no answer")
            return listing(prefix, after)

        monkeypatch.setattr(world.bucket, "list", refuse)
        world.tick()
        assert world.watch() == {"ok": 1}
        assert [name for name, _ in world.telemetry.problems] == ["search_not_indexed"]
        world.telemetry.problems.clear()
        monkeypatch.undo()
        world.watch()
        assert index(world)["titles"] == ["둘", "하나 <&>"]

    def test_another_run_that_was_quicker_is_not_overwritten(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world = a_month_later()
        listing = world.bucket.list

        def between(prefix: str, after: str = "") -> Any:
            found = list(listing(prefix, after))
            if "/archive/" in prefix:
                monkeypatch.undo()
                world.watch()
            return iter(found)

        monkeypatch.setattr(world.bucket, "list", between)
        world.watch()
        assert len(world.bucket.versions[INDEX]) == 1
        assert index(world)["months"] == ["202603"]
