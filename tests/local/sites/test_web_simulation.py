"""The seeds in a run: what comes with a day, what a kill leaves, what is expected to fail."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import accumulate
from pathlib import Path

import pytest

from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import World
from uring_local.sites.web.simulation import OPENED, SeedSimulation

WORLD = World(7, date(2026, 3, 2), domains=40)


class Keys(Published):
    """A bucket of which only the names matter."""

    def __init__(self, *keys: str) -> None:
        super().__init__(None, "")
        self._keys = keys

    def keys(self, prefix: str) -> list[str]:
        return [key for key in self._keys if key.startswith(prefix)]


@pytest.fixture
def first() -> Iterator[SeedSimulation]:
    with SeedSimulation(WORLD) as simulation:
        simulation.advance(1, OPENED)
        yield simulation


def test_a_day_comes_with_its_raw_files_and_from_the_second_on_with_a_watch(
    first: SeedSimulation,
) -> None:
    config = "config/watches.json"
    day = first.arriving(1)
    assert "datasets/country=sg/category=news/date=2026-03-02/raw_0001.json" in day
    assert config not in day
    assert json.loads(first.objects[config]) == {"watches": []}
    first.advance(2, OPENED)
    assert json.loads(first.arriving(2)[config])["watches"][0]["id"] == "sg-news"


def test_a_resumed_web_stands_at_its_day_before_any_function_is_there() -> None:
    with SeedSimulation(replace(WORLD, tick=3)) as resumed, SeedSimulation(WORLD) as again:
        assert resumed.injected["SeedFileWorker"]["clock"]() == OPENED.replace(day=4)
        for tick in (1, 2, 3):
            again.advance(tick, OPENED)
        assert resumed.arriving(3) == again.arriving(3)


def test_marks_that_an_earlier_process_left_are_noted_before_anything_is_asked(
    tmp_path: Path,
) -> None:
    folder = "processing/country=sg/category=news/date=2026-03-02"
    left = Keys(
        f"{folder}/a.com/domain_metadata.json.success",
        f"{folder}/b.com/domain_metadata.json",
        "processing/robots/b.com.json",
    )
    path = tmp_path / "requests"
    for found in (None, left):
        with SeedSimulation(replace(WORLD, journal=path)) as simulation:
            simulation.begin(found)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["collected"] for line in lines] == [[], ["2026-03-02/a.com"]]


def test_only_a_file_without_records_is_expected_to_fail(first: SeedSimulation) -> None:
    assert first.is_expected({"group": "sg/news/2026-03-02/5"})
    assert not first.is_expected({"group": "sg/news/2026-03-02/2"})
    assert not first.is_expected({"group": "amber-bay-1.com.sg"})


def test_a_raw_file_is_a_line_and_a_domain_is_none(first: SeedSimulation) -> None:
    path = "datasets/country=sg/category=news/date=2026-03-02/raw_0002.json"
    figures = {"records": 9, "domains": 7, "duplicates": 1, "refused": 1}
    line = first.describe(
        {"event": "file_processing_complete", "file_path": path, "status": "partial", **figures}
    )
    assert line == (
        "  partial  sg/news/2026-03-02/2: 9 records, 7 domains, 1 duplicates, 1 refused"
    )
    assert first.describe({"event": "domain_processing_complete"}) == ""
    assert first.describe({"event": "pushed"}) is None


def test_the_dead_letters_that_a_day_causes_are_known_before_they_come() -> None:
    """Its unreachable domains, and its file without records: each day once more while listed."""
    with SeedSimulation(replace(WORLD, domains=60)) as simulation:
        known = []
        for day in (1, 2, 3):
            simulation.advance(day, OPENED)
            known.append(simulation.letters)
        due = [len([*_due(simulation, day)]) for day in (1, 2, 3)]
    assert [letters["DomainDeadLetterQueue"] for letters in known] == [*accumulate(due)]
    assert due[0] > 0
    # The first two files are listed twice, and the third once so far.
    assert [letters["SeedDeadLetterQueue"] for letters in known] == [1, 2 + 1, 2 + 2 + 1]


def _due(simulation: SeedSimulation, day: int) -> Iterator[tuple[str, str]]:
    files, domains = simulation._days[day]  # noqa: SLF001 - what the day's judge takes
    for name, (_, found) in domains.items():
        if not found.is_reachable:
            yield from ((name, path) for path in files.domains[name])
