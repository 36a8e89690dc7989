"""Measurements are run by hand: what they import of the program exists all the same."""

import ast
import importlib
import importlib.util
from pathlib import Path

import pytest

BENCH = sorted((Path(__file__).parents[2] / "bench").glob("*.py"))


def taken(path: Path) -> list[tuple[str, str]]:
    """The modules of the program that a measurement imports, and the names that it takes."""
    return [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("uring")
        for alias in node.names
    ]


def exists(module: str, name: str) -> bool:
    if hasattr(importlib.import_module(module), name):
        return True
    return importlib.util.find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("path", BENCH, ids=lambda path: path.stem)
def test_what_it_imports_of_the_program_exists(path: Path) -> None:
    assert [f"{module}.{name}" for module, name in taken(path) if not exists(module, name)] == []
