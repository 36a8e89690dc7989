"""docs/family.md names what is there: modules, classes, the protocol's members, files."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from uring.changes.family import Family

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "family.md").read_text("utf-8")
WORDS = sorted({word for word in re.findall("`([^`]+)`", PAGE) if " " not in word})
DOTTED = [word for word in WORDS if re.fullmatch(r"uring(_local)?(\.\w+)+", word)]
FILES = [
    word
    for word in WORDS
    if "/" in word
    and word.partition("/")[0] in {"layers", "local", "tests", "functions", "web", "events"}
    and "<" not in word
]


@pytest.mark.parametrize("name", DOTTED)
def test_a_name_is_that_of_a_module_or_of_something_in_it(name: str) -> None:
    try:
        import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute)


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_names_and_files_are_found_on_the_page() -> None:
    assert len(DOTTED) > 20
    assert len(FILES) > 15


def test_the_members_of_the_protocol_are_all_there_and_no_others() -> None:
    _, _, table = PAGE.partition("| member | |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    told = [line.split("`")[1] for line in lines]
    defined = {name for name in vars(Family) if not name.startswith("_")}
    assert told == [*Family.__annotations__, *(name for name in vars(Family) if name in told)]
    assert set(told) == {*Family.__annotations__, *defined}
