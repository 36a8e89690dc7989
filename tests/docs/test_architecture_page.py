"""docs/architecture.md has every function."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_the_functions_of_the_graphs_are_those_that_are_deployed() -> None:
    graphs = "".join(re.findall(r"```mermaid\n(.*?)```", PAGE, re.DOTALL))
    named = set(re.findall(r"\[(\w+)(?:,[^\]]*)?\]", graphs))
    deployed = {app.parent.name for app in ROOT.glob("functions/*/app.py")}
    assert deployed <= named
    assert {name for name in named if "_" in name} <= deployed
