"""Reports of invented airports, with the TAC that each of them stands for."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.tree import parse_tree

CASES = sorted((Path(__file__).parents[1] / "fixtures" / "reports").glob("*.xml"))


def raws(value: Any) -> Iterator[str]:
    """All groups that the JSON gives as in TAC."""
    if isinstance(value, dict):
        yield from (each for name, each in value.items() if name == "raw" and each)
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from raws(each)


def test_there_are_cases() -> None:
    assert len(CASES) == 17


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_report_is_read_as_its_tac_says(case: Path) -> None:
    report, _ = read_report(parse_tree(case.read_text("utf-8")))
    found = report.model_dump(mode="json")
    assert found == json.loads(case.with_suffix(".json").read_text("utf-8"))
    tac = case.with_suffix(".tac").read_text("utf-8")
    assert (report.raw or "").strip("=") == tac.strip().strip("=")
    assert [raw for raw in raws(found) if raw.strip("=") not in tac] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_stored_json_loads_as_the_same_report(case: Path) -> None:
    report, _ = read_report(parse_tree(case.read_text("utf-8")))
    assert type(report).model_validate_json(report.model_dump_json()) == report


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_prefixes_and_envelopes_do_not_matter(case: Path) -> None:
    text = case.read_text("utf-8").split("?>", 1)[1]
    for prefix in ("iwxxm", "gml", "aixm", "om"):
        text = text.replace(f"<{prefix}:", f"<q{prefix}:").replace(f"</{prefix}:", f"</q{prefix}:")
    bare, _ = read_report(parse_tree(case.read_text("utf-8")))
    wrapped = f"<response><body><item><metarMsg>\r\n{text}</metarMsg></item></body></response>"
    assert read_report(parse_tree(wrapped), expected=bare.header.icao).report == bare
