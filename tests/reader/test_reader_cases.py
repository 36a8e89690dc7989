"""web/uring.js and its Python twin do what the files in cases/ say."""

import json
from pathlib import Path
from typing import Any

import pytest
from javascript import JavaScript
from twin import FUNCTIONS, call, canonical

CASES = {
    f"{file.stem}: {case['claim']}": case
    for file in sorted((Path(__file__).parent / "cases").glob("*.json"))
    for case in json.loads(file.read_text("utf-8"))
}


@pytest.mark.parametrize("name", CASES)
def test_both_languages_say_what_the_case_says(name: str, uring_js: JavaScript) -> None:
    case: dict[str, Any] = CASES[name]
    expected = canonical(case["expected"])
    assert canonical(call(*case["call"])) == expected
    assert canonical(uring_js.call(*case["call"])) == expected


def test_every_function_has_cases() -> None:
    assert {case["call"][0] for case in CASES.values()} >= FUNCTIONS.keys() - {"isRecord"}
