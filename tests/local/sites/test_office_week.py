"""The office's week: the same for a seed, full of stories, and gone on with after a kill."""

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from uring_local.sites.office.actions import Edit, Remove, Submit, Upload
from uring_local.sites.office.clock import OfficeClock
from uring_local.sites.office.diary import DamagedDiary, Diary
from uring_local.sites.office.papers import SUFFIXES, Version
from uring_local.sites.office.script import SINGLE, Script

WEEK = 28
OPENED = datetime(2026, 3, 2, tzinfo=UTC)
REAL = datetime(2026, 11, 22, 12, tzinfo=UTC)


_PLAYED = """
import json
from dataclasses import asdict
from uring_local.sites.office.script import Script
script = Script(7)
actions = [each for tick in range(1, 13) for each in script.actions(tick)]
print(json.dumps([[type(each).__name__, asdict(each)] for each in actions], default=sorted))
"""


def test_a_week_is_the_same_in_every_process() -> None:
    """A run that was killed goes on with it: sets have another order in each."""
    first, second = (
        subprocess.run(
            [sys.executable, "-c", _PLAYED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert "Edit" in first
    assert first == second


def test_a_seed_has_one_week_and_another_seed_another() -> None:
    weeks = [
        [[*script.actions(tick)] for tick in range(1, WEEK + 1)]
        for script in (Script(7), Script(7), Script(8))
    ]
    assert weeks[0] == weeks[1]
    assert weeks[0] != weeks[2]


@pytest.mark.parametrize("seed", [1, 7, 2026])
def test_a_page_changes_once_a_tick_and_the_week_has_every_story(seed: int) -> None:
    script = Script(seed)
    kinds: Counter[str] = Counter()
    for tick in range(1, WEEK + 1):
        actions = script.actions(tick)
        kinds.update(type(each).__name__ for each in actions)
        kinds.update(each.operation for each in actions if isinstance(each, Submit))
        kinds.update(each.version.shape for each in actions if isinstance(each, Upload))
        kinds["at once"] += sum(
            each.times > 1 if isinstance(each, Submit) else len(each.values) > 1
            for each in actions
            if isinstance(each, (Submit, Edit))
        )
        changed = Counter(
            each.page
            for each in actions
            if isinstance(each, (Upload, Remove)) and tick > 4 and each.page != "page-07"
        )
        assert not [page for page, count in changed.items() if count > 1]
    stories = {
        "Upload",
        "Remove",
        "Stray",
        "Edit",
        "Refused",
        "Read",
        "clear",
        "issues",
        "policies",
    }
    assert {*stories, "at once", "zeros", "scan", "empty", "disguised"} <= kinds.keys()


def test_the_only_attachment_of_a_page_is_removed_and_comes_back() -> None:
    script = Script(7)
    (removed,) = (each for each in script.actions(10) if isinstance(each, Remove))
    (back,) = (
        each for each in script.actions(11) if isinstance(each, Upload) and each.page == SINGLE
    )
    assert (removed.page, removed.source) == (SINGLE, back.source)
    assert back.version.marks


@pytest.mark.parametrize("shape", [shape for shape in SUFFIXES if shape != "zeros"])
def test_a_version_is_the_same_bytes_every_time(shape: str) -> None:
    one, same, other = (Version(shape, "ko", number) for number in (1, 1, 2))  # type: ignore[arg-type]
    assert one.body == same.body
    assert (one.body == other.body) == (shape == "empty")
    assert bool(one.letters) == one.has_text


def test_a_diary_outlives_a_kill_that_tears_its_last_line(tmp_path: Path) -> None:
    path = tmp_path / "diary"
    diary = Diary(path)
    diary.note(done="1/0", came={"jobs": ["a"]})
    diary.complain("something")
    diary.close()
    path.write_bytes(path.read_bytes() + b'{"done": "1/')
    again = Diary(path)
    assert again.process == 2
    assert again.done == {"1/0": {"jobs": ["a"]}}
    assert again.wrong == ["something"]
    again.close()
    path.write_text(f"{json.dumps({'what': 1})}\n")
    with pytest.raises(DamagedDiary, match="line 1"):
        Diary(path)


def test_objects_have_times_on_the_office_s_clock() -> None:
    real = REAL

    def now() -> datetime:
        return real

    diary = Diary()
    clock = OfficeClock(OPENED, diary, real=now)
    clock.move(1, OPENED)
    real += timedelta(seconds=10)
    clock.move(2, OPENED + timedelta(hours=6))
    assert clock.translated(REAL + timedelta(seconds=4)) == OPENED + timedelta(seconds=5)
    late = clock.translated(REAL + timedelta(seconds=12))
    assert late == OPENED + timedelta(hours=6, seconds=3)
    # The store's second began before the move: it is not an object of the tick before.
    assert clock.translated(REAL + timedelta(seconds=9)) == OPENED + timedelta(hours=6)


def test_a_tick_that_is_begun_again_is_later_than_all_that_was_done_in_it() -> None:
    diary = Diary()
    OfficeClock(OPENED, diary).move(1, OPENED)
    resumed = OfficeClock(OPENED, diary)
    resumed.move(1, OPENED)
    assert resumed() >= OPENED + timedelta(minutes=10)
