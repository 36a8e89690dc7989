"""The stacks of the runs that go on here, by name: a command of a second terminal finds them.

    .uring/run-<pid>/stacks.json   {"uring-weather": {"AWS_ENDPOINT_URL": "http://127.0.0.1:…", …}}

The folder is of one run, and is useless once that process has ended.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from uring.errors import Misconfigured
from uring_local.project import SCRATCH

_STACKS: Final = "stacks.json"
_ADDRESS: Final = "AWS_ENDPOINT_URL"


@contextmanager
def folder_of_run(scratch: Path = SCRATCH) -> Iterator[Path]:
    """Yield a folder of this process for a block; folders of killed runs are removed."""
    for old in scratch.glob("run-*"):
        if not is_owned(old):
            shutil.rmtree(old, ignore_errors=True)
    folder = scratch / f"run-{os.getpid()}"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def announce(folder: Path, stacks: Mapping[str, Mapping[str, str]]) -> None:
    """Write the variables of each stack, by its name, into the folder of a run."""
    (folder / _STACKS).write_text(json.dumps({name: dict(stacks[name]) for name in stacks}))


def nearby(stack: str, scratch: Path = SCRATCH) -> Mapping[str, str] | None:
    """Return the variables that direct an SDK to a stack of a run here; None without such a run.

    Raises:
        Misconfigured: two runs have a stack of that name.
    """
    found = [
        stacks[stack]
        for folder in sorted(scratch.glob("run-*"))
        if is_owned(folder) and stack in (stacks := _stacks(folder))
    ]
    if len(found) > 1:
        addresses = " or ".join(variables.get(_ADDRESS, "?") for variables in found)
        raise Misconfigured(
            f"two runs here have a stack {stack}: set {_ADDRESS} to {addresses}, or end one run"
        )
    return found[0] if found else None


def is_owned(folder: Path) -> bool:
    """Return whether the process lives that a folder, such as ``run-<pid>``, is named after."""
    owner = folder.name.split("-")[1]
    if not owner.isdigit():
        return True
    try:
        os.kill(int(owner), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _stacks(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """Return the announced stacks; none while the run begins or ends."""
    try:
        stacks: dict[str, dict[str, str]] = json.loads((folder / _STACKS).read_text())
    except (OSError, ValueError):
        return {}
    return stacks
