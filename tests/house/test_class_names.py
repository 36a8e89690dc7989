"""One word means one thing: a class name is unique in the library, and nearly so in local."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "layers" / "core" / "uring"
LOCAL = ROOT / "local" / "uring_local"
# Names with more than one meaning in the library, each with its reason.
REPEATED = {"Settings": "each Lambda function's module has its own, which `EntryPoint` reads"}
# In library and local together: sites say page, row and push of what they play.
MOST_REPEATED = 20


def classes(*places: Path) -> Mapping[str, list[str]]:
    """The modules that define each public class of the places."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for place in places for path in place.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return found


def repeated(*places: Path) -> dict[str, list[str]]:
    return {name: paths for name, paths in classes(*places).items() if len(paths) > 1}


def test_a_class_name_means_one_thing_in_the_library() -> None:
    again = {name: paths for name, paths in repeated(LIBRARY).items() if name not in REPEATED}
    assert again == {}, "put the owner's word before the newer one, or give a reason in REPEATED"


def test_a_reason_is_of_a_name_that_is_repeated() -> None:
    assert REPEATED.keys() <= repeated(LIBRARY).keys()


def test_few_class_names_of_local_mean_something_else_in_the_library() -> None:
    again = repeated(LIBRARY, LOCAL)
    assert len(again) <= MOST_REPEATED, f"rename the newest of {again}"
