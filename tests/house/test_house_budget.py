"""The house does not grow without a reason: lines, files, floors, and the way of a notice.

Each limit is near what it measures. Who exceeds one simplifies, or raises it here and writes the
reason into docs/decisions/house.md, under "The budget of the house".
"""

import ast
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "layers" / "core" / "uring"
LOCAL = ROOT / "local" / "uring_local"
REMEDY = "simplify, or raise the limit with its reason in docs/decisions/house.md"


def sizes(place: Path) -> dict[str, int]:
    """The lines of each module."""
    return {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in place.rglob("*.py")
    }


@pytest.mark.parametrize(
    ("place", "lines", "files"),
    [(LIBRARY, 62_900, 447), (LOCAL, 43_780, 365)],
    ids=["library", "local"],
)
def test_its_size_is_within_the_budget(place: Path, lines: int, files: int) -> None:
    found = sizes(place)
    assert sum(found.values()) <= lines, REMEDY
    assert len(found) <= files, REMEDY


def test_the_longest_file_is_within_the_budget() -> None:
    found = sizes(LIBRARY) | sizes(LOCAL)
    longest = max(found, key=lambda path: found[path])
    assert found[longest] <= 400, f"{longest}: {REMEDY}"


def test_the_template_is_within_the_budget() -> None:
    lines = (ROOT / "template.yaml").read_text("utf-8").splitlines()
    assert len(lines) <= 3_960, REMEDY


@cache
def below(package: str) -> frozenset[str]:
    """The packages that a package of the library imports."""
    place = LIBRARY / package
    files = place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    found = set()
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("uring."):
                found.add(str(node.module).split(".")[1])
            elif isinstance(node, ast.ImportFrom) and node.module == "uring":
                found |= {alias.name for alias in node.names}
    return frozenset(found - {package})


def floor(package: str, above: tuple[str, ...] = ()) -> int:
    """The floor of a package: one above the highest that it imports."""
    assert package not in above, f"{' -> '.join([*above, package])}: packages import in a circle"
    return 1 + max((floor(each, (*above, package)) for each in below(package)), default=0)


def test_the_library_has_six_floors_and_no_circle() -> None:
    packages = {path.stem for path in LIBRARY.glob("[a-z]*")}
    assert max(map(floor, packages)) <= 6, REMEDY


def test_a_notice_enters_few_modules_from_its_job_to_its_push() -> None:
    """Real handlers over moto, over four ticks of the played boards: worker and notifier."""
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("walk.py")],
        env={name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    entered = json.loads(done.stdout)
    modules = {*entered["NoticeWorker"], *entered["Notifier"]}
    assert {"notices/family.py", "push/notifier.py"} <= modules
    assert len(modules) <= 88, REMEDY
