"""A guard whose removal nobody notices is a hole: each has a test that falls without it."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from guard import Guard
from guards import GUARDS
from removal import LIBRARY, StaleGuardError, falls, without

DOOR = '''
class Door:
    def open(self, key):
        """Open the door."""
        if self.is_shut and (
            key.fits  # the lock
        ):
            self.turn(key, "left")
            self.is_shut = False
        return self

    def close(self, key):
        self.turn(key, "right")
        return self
'''
FAST = "test_clock.py"
FITS = Guard("a key fits", "door.py", "Door.open", "self.is_shut and key.fits", "self.is_shut", "")


# A process and two seconds each: the suite takes every fortieth, `make guards` all of them.
SOME = GUARDS[::40]


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_its_code_is_there_once(guard: Guard) -> None:
    source = (LIBRARY / guard.file).read_text(encoding="utf-8")
    assert without(guard, source) != ast.unparse(ast.parse(source)) + "\n"


@pytest.mark.parametrize("guard", SOME, ids=lambda guard: guard.name)
def test_its_test_falls_without_it(guard: Guard, tmp_path: Path) -> None:
    assert falls(guard, tmp_path), f"{guard.test} passes without: {guard.name}"


def test_no_two_have_one_name() -> None:
    assert len({guard.name for guard in GUARDS}) == len(GUARDS)


@pytest.mark.parametrize(
    ("where", "old", "new", "line"),
    [
        ("Door.open", "self.is_shut and key.fits", "True", "        if True:"),
        ("Door.open", "(self . is_shut\n    and key.fits)", "True", "        if True:"),
        ("Door.open", "return  self # and no other", "return None", "        return None"),
        ("Door.open", "self.turn(key, 'left')\nself.is_shut=False", "", "            pass"),
        ("", "'right'", "'left'", "        self.turn(key, 'left')"),
    ],
)
def test_neither_layout_nor_comments_matter(where: str, old: str, new: str, line: str) -> None:
    edited = without(replace(FITS, where=where, old=old, new=new), DOOR)
    assert line in edited.splitlines()
    assert line not in ast.unparse(ast.parse(DOOR)).splitlines()


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"old": "key.breaks"}, id="not there"),
        pytest.param({"where": "Door.close"}, id="elsewhere"),
        pytest.param({"where": "Door.knock"}, id="in nothing"),
        pytest.param({"where": "Door", "old": "return self", "new": "return None"}, id="twice"),
        pytest.param({"old": "key"}, id="twice in one function"),
    ],
)
def test_code_that_is_not_there_once_is_named_with_its_place(wrong: dict[str, str]) -> None:
    guard = replace(FITS, **wrong)
    with pytest.raises(StaleGuardError, match=f"^a key fits: door.py, {guard.where}: .* times"):
        without(guard, DOOR)


def test_an_edit_that_changes_nothing_is_noticed(tmp_path: Path) -> None:
    plain = "plain.isoformat()"
    assert not falls(Guard("nothing", "clock.py", "timestamp", plain, plain, FAST), tmp_path)


@pytest.mark.parametrize(
    ("old", "test"), [("no_such.code()", FAST), ("plain.isoformat()", "test_no.py")]
)
def test_a_guard_that_is_described_wrongly_is_no_success(
    tmp_path: Path, old: str, test: str
) -> None:
    with pytest.raises(StaleGuardError):
        falls(Guard("wrong", "clock.py", "timestamp", old, old, test), tmp_path)
