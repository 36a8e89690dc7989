"""Takes one guard out of a copy of the library and runs the test that must fall."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from guards import Guard

PROJECT: Final = Path(__file__).parents[2]
LIBRARY: Final = PROJECT / "layers" / "core" / "uring"
_PYTEST_FAILED: Final = 1


class StaleGuardError(Exception):
    """The guard is described wrongly: its text is not there once, or its test does not run."""


def falls(guard: Guard, folder: Path) -> bool:
    """Whether the guard's test fails without it.

    The copy is made in ``folder``, which is empty.

    Raises:
        StaleGuardError: nothing was tested.
    """
    shutil.copytree(LIBRARY, folder / "uring", ignore=shutil.ignore_patterns("__pycache__"))
    edited = folder / "uring" / guard.file
    text = edited.read_text(encoding="utf-8")
    if text.count(guard.old) != 1:
        raise StaleGuardError(
            f"{guard.name}: {guard.file} has its text {text.count(guard.old)} times, not once"
        )
    edited.write_text(text.replace(guard.old, guard.new), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-x"]
    done = subprocess.run(
        [*command, f"tests/{guard.test}"],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, _PYTEST_FAILED) or "error" in done.stdout.splitlines()[-1]:
        raise StaleGuardError(f"{guard.name}: {guard.test} did not run:\n{done.stdout[-2000:]}")
    return done.returncode == _PYTEST_FAILED
