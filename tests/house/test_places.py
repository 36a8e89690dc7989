"""The tests of a room are in the folder of its name; CONTRIBUTING.md lists the other folders."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
LIBRARY = ROOT / "layers" / "core" / "uring"
LOCAL = ROOT / "local" / "uring_local"


def folders(place: Path) -> set[str]:
    """The folders with code at any depth, by their names."""
    return {path.relative_to(place).parts[0] for path in place.glob("*/**/*.py")}


def rooms(place: Path) -> set[str]:
    return {path.parent.name for path in place.glob("*/__init__.py")}


ROOMS = sorted(folders(TESTS) & rooms(LIBRARY))


def test_a_folder_is_that_of_a_room_or_is_listed() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    _, _, table = page.partition("| folder of `tests/` |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    listed = [name for line in lines for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(listed) == sorted({*folders(TESTS), "fixtures"} - rooms(LIBRARY))


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_of_a_room_is_that_of_a_room_below_it(room: str) -> None:
    assert folders(TESTS / room) <= rooms(LIBRARY / room)


def test_a_folder_of_local_is_that_of_a_room() -> None:
    assert folders(TESTS / "local") <= rooms(LOCAL)


def test_a_test_file_outside_rooms_is_of_a_module_outside_rooms() -> None:
    files = {path.stem.removeprefix("test_") for path in TESTS.glob("test_*.py")}
    assert files
    assert files <= {path.stem for path in LIBRARY.glob("*.py")}
