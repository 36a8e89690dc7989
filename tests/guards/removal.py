"""Takes one guard out of a copy of the library and runs the test that must fall."""

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Final

from guard import Guard

PROJECT: Final = Path(__file__).parents[2]
LIBRARY: Final = PROJECT / "layers" / "core" / "uring"
_PYTEST_FAILED: Final = 1


class StaleGuardError(Exception):
    """The guard is described wrongly: its code is not there once, or its test does not run."""


def falls(guard: Guard, folder: Path) -> bool:
    """Return whether the guard's test fails without it.

    The library without it is made in ``folder``, which is empty.

    Raises:
        StaleGuardError: nothing was tested.
    """
    source = (LIBRARY / guard.file).read_text(encoding="utf-8")
    _link(guard.file, without(guard, source), folder / "uring")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-x"]
    done = subprocess.run(
        [*command, f"tests/{guard.test}"],
        cwd=PROJECT,
        env=os.environ
        | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "EVERY_CASE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, _PYTEST_FAILED) or "error" in done.stdout.splitlines()[-1]:
        raise StaleGuardError(f"{guard.name}: {guard.test} did not run:\n{done.stdout[-2000:]}")
    return done.returncode == _PYTEST_FAILED


def _link(edited: str, source: str, library: Path) -> None:
    """Make a library of links, bytecode included, but for one file and the folders above it."""
    *folders, name = Path(edited).parts
    original = LIBRARY
    for folder in [*folders, ""]:
        library.mkdir()
        for path in original.iterdir():
            if path.name not in (folder or name, "__pycache__"):
                (library / path.name).symlink_to(path)
        # As the edited file has no bytecode of its own, nothing can take the original's for it.
        _link_bytecode(original / "__pycache__", library / "__pycache__", Path(name).stem)
        if folder:
            original, library = original / folder, library / folder
    (library / name).write_text(source, encoding="utf-8")


def _link_bytecode(original: Path, links: Path, edited: str) -> None:
    links.mkdir()
    for path in original.glob("*.pyc"):
        if path.name.partition(".")[0] != edited:
            (links / path.name).symlink_to(path)


def without(guard: Guard, source: str) -> str:
    """Return a module without the guard. Its comments go, its meaning is else the same.

    Raises:
        StaleGuardError: the guard's code is not in its place, or more than once.
    """
    module = ast.parse(source)
    old, new = _parsed(guard)
    places = [
        replace
        for scope in _scopes([module], guard.where)
        for replace in _places(scope, [ast.dump(node) for node in old])
    ]
    if len(places) != 1:
        where = f"{guard.file}, {guard.where or 'the module'}"
        raise StaleGuardError(f"{guard.name}: {where}: its code is there {len(places)} times")
    places[0](new)
    return ast.unparse(ast.fix_missing_locations(module)) + "\n"


def _parsed(guard: Guard) -> tuple[Sequence[ast.AST], Sequence[ast.AST]]:
    """Return both codes as expressions if both are, else as statements."""
    codes = dedent(guard.old), dedent(guard.new)
    try:
        old, new = ([ast.parse(code, mode="eval").body] for code in codes)
    except SyntaxError:
        old, new = (ast.parse(code).body for code in codes)
    return old, new


def _scopes(scopes: Sequence[ast.AST], where: str) -> Sequence[ast.AST]:
    for name in filter(None, where.split(".")):
        scopes = [
            node
            for scope in scopes
            for node in ast.iter_child_nodes(scope)
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name
        ]
    return scopes


def _places(scope: ast.AST, old: Sequence[str]) -> Iterator[Callable[[Sequence[ast.AST]], None]]:
    """Yield for each place where ``old`` stands what puts other code there."""
    for node in ast.walk(scope):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                dumps = [ast.dump(item) if isinstance(item, ast.AST) else "" for item in value]
                for start in range(len(dumps)):
                    if dumps[start : start + len(old)] == old:
                        yield _in_list(value, slice(start, start + len(old)))
            elif isinstance(value, ast.AST) and [ast.dump(value)] == old:
                yield _in_field(node, field)


def _in_list(items: list[ast.AST], place: slice) -> Callable[[Sequence[ast.AST]], None]:
    def replace(new: Sequence[ast.AST]) -> None:
        items[place] = new or [ast.Pass()]

    return replace


def _in_field(node: ast.AST, field: str) -> Callable[[Sequence[ast.AST]], None]:
    def replace(new: Sequence[ast.AST]) -> None:
        (value,) = new
        setattr(node, field, value)

    return replace
