"""A guard whose removal nobody notices is a hole: each has a test that falls without it."""

from pathlib import Path

import pytest
from guards import GUARDS, Guard
from removal import StaleGuardError, falls


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_its_test_falls_without_it(guard: Guard, tmp_path: Path) -> None:
    assert falls(guard, tmp_path), f"{guard.test} passes without: {guard.name}"


def test_an_edit_that_changes_nothing_is_noticed(tmp_path: Path) -> None:
    guard = Guard("nothing", "clock.py", "def timestamp(", "def timestamp(", GUARDS[0].test)
    assert not falls(guard, tmp_path)


@pytest.mark.parametrize(
    ("old", "test"), [("no such text", GUARDS[0].test), ("def timestamp(", "unit/test_no.py")]
)
def test_a_guard_that_is_described_wrongly_is_no_success(
    tmp_path: Path, old: str, test: str
) -> None:
    with pytest.raises(StaleGuardError):
        falls(Guard("wrong", "clock.py", old, old, test), tmp_path)
