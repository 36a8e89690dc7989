"""The commands take the list of watches as they take the others, but for what needs a page."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from uring_local.cli import main

CONFIG = Path(__file__).parents[3] / "config"
WATCH: dict[str, Any] = {"id": "kr-news", "name": "뉴스", "country": "kr", "category": "news"}


def written(tmp_path: Path, *watches: dict[str, Any]) -> str:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"watches": watches}), encoding="utf-8")
    return str(path)


def test_the_bundled_file_is_fine_and_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "check", str(CONFIG / "watches.json")]) == 0
    assert "1 source is fine" in capsys.readouterr().out
    schema = json.loads((CONFIG / "watches.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    document = json.loads((CONFIG / "watches.json").read_text("utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(document)) == []


def test_the_bundled_schema_is_the_one_of_the_models(capsys: pytest.CaptureFixture[str]) -> None:
    """`uring config schema config/watches.json > config/watches.schema.json` renews it."""
    assert main(["config", "schema", str(CONFIG / "watches.json")]) == 0
    out = capsys.readouterr().out
    assert out == (CONFIG / "watches.schema.json").read_text("utf-8")


@pytest.mark.parametrize(
    "change", [{"country": "KR"}, {"shards": 0}, {"push": ["gone"]}, {"interval_minutes": 10}]
)
def test_the_schema_refuses_what_the_model_refuses(change: dict[str, Any], tmp_path: Path) -> None:
    schema = json.loads((CONFIG / "watches.schema.json").read_text("utf-8"))
    document = {"watches": [{**WATCH, **change}]}
    assert list(Draft202012Validator(schema).iter_errors(document))
    assert main(["config", "check", written(tmp_path, *document["watches"])]) == 1


def test_a_partition_that_is_watched_twice_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "check", written(tmp_path, WATCH, {**WATCH, "id": "again"})]) == 1
    out = capsys.readouterr().out
    assert "again: category: 'kr-news' watches this partition already" in out


def test_an_empty_list_says_how_to_write_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "check", written(tmp_path)]) == 1
    assert "write a watch into it" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        ["try", "kr-news"],
        ["diff", "kr-news", "--before", "x", "--after", "y"],
        ["add", "https://example.com/"],
    ],
)
def test_what_needs_a_page_says_that_there_is_none(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--config", written(tmp_path, WATCH)]) == 1
    assert "its entries have no page to read" in capsys.readouterr().err


def test_a_file_that_is_not_there_yet_is_known_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["add", "https://example.com/", "--config", str(tmp_path / "watches.json")]) == 1
    assert "no page to read" in capsys.readouterr().err
