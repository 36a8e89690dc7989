"""docs/operations.md has every parameter with its default, and every alarm."""

import re
from typing import Any

from expanded import ROOT

DOCS = ROOT / "docs"


def rows(page: str, heading: str) -> list[tuple[list[str], str]]:
    """The rows of a table: the words of the first cell, and the second cell."""
    _, _, table = (DOCS / page).read_text("utf-8").partition(f"| {heading} |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [(re.findall("`([^`]+)`", first), second) for first, second, *_ in cells]


def test_every_alarm_has_its_remedy(template: dict[str, Any]) -> None:
    alarms = [name for names, _ in rows("operations.md", "alarm") for name in names]
    kind = "AWS::CloudWatch::Alarm"
    there = [name for name, each in template["Resources"].items() if each["Type"] == kind]
    assert sorted(alarms) == sorted(there)


def test_every_parameter_is_there(template: dict[str, Any]) -> None:
    pages = ("operations.md", "weather.md")
    named = [name for page in pages for names, _ in rows(page, "parameter") for name in names]
    assert sorted(named) == sorted(template["Parameters"])


def test_the_defaults_are_those_of_the_template(template: dict[str, Any]) -> None:
    for (name,), cell in rows("operations.md", "parameter"):
        default = template["Parameters"][name].get("Default")
        shown = "to be given" if default is None else f"`{default}`" if default != "" else ""
        assert cell == shown, name
