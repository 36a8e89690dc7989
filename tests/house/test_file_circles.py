"""No file of the library needs itself by way of others, imports inside functions included."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import uring

LIBRARY = Path(uring.__file__).parent


def needs(folder: Path) -> dict[Path, set[Path]]:
    """Return the files of a package that each of its files imports from, without __init__.py."""
    files = {path for path in folder.rglob("*.py") if path.name != "__init__.py"}
    return {path: {*_imported(path, folder)} & files - {path} for path in files}


def _imported(path: Path, folder: Path) -> list[Path]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            names += [each.name for each in node.names]
    return [(folder.parent / name.replace(".", "/")).with_suffix(".py") for name in names]


def circle(folder: Path) -> list[str]:
    """Return the names of a circle; none without one."""
    try:
        TopologicalSorter(needs(folder)).prepare()
    except CycleError as error:
        return [str(path.relative_to(folder)) for path in error.args[1]]
    return []


def test_no_file_of_the_library_needs_itself() -> None:
    assert circle(LIBRARY) == []


@pytest.mark.parametrize("lazily", [False, True])
def test_a_circle_is_found(tmp_path: Path, *, lazily: bool) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "one.py").write_text("from made.other import b\n")
    late = "def a():\n    from made import one\n" if lazily else "import made.one\n"
    (folder / "other.py").write_text(late)
    assert {*circle(folder)} == {"one.py", "other.py"}
