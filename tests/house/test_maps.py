"""The docstring of a package is the map of what is in it."""

import ast
import re
from pathlib import Path

import pytest

LIBRARY = Path(__file__).parents[2] / "layers" / "core" / "uring"
ROOMS = (
    ".",
    "documents/work",
    "extract",
    "extract/page",
    "extract/readers",
    "extract/readers/hancom",
    "extract/readers/page",
    "extract/readers/word",
    "locks",
    "notices",
    "push",
    "reading",
    "regulations",
    "regulations/texts",
    "runtime",
    "seeds",
    "seeds/collect",
    "seeds/domains",
    "seeds/files",
    "seeds/known",
    "seeds/reports",
    "seeds/watch",
    "sources",
    "subscriptions",
    "watch",
)


@pytest.mark.parametrize("room", ROOMS)
def test_the_map_of_a_room_names_each_module(room: str) -> None:
    folder = LIBRARY / room
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    parts = {path.stem for path in folder.glob("[a-z]*.py")}
    parts |= {path.parent.name for path in folder.glob("*/__init__.py")}
    entry = r"^    (\w+)  " if room == "." else r"`(\w+)`"
    assert set(re.findall(entry, text, re.MULTILINE)) == parts
