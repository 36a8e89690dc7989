"""`uring regulations parse` on saved pages."""

import json
from pathlib import Path

import pytest
from fakes.registry import REGISTRY, Rule, registry_page

from uring_local.cli import main
from uring_local.sites.files.paper import Paper
from uring_local.sites.files.pdf import pdf

PAGE = registry_page([Rule("학칙", "868"), Rule("직제 규정", "869")])


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "registries.json"
    path.write_text(json.dumps({"registries": [REGISTRY]}), "utf-8")
    return path


def parse(tmp_path: Path, config: Path, page: bytes, *more: str) -> int:
    path = tmp_path / "page.html"
    path.write_bytes(page)
    return main(["regulations", "parse", str(path), "--config", str(config), *more])


def test_a_page_is_shown_with_the_tables_keys(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert parse(tmp_path, config, PAGE.encode(), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [entry["fileNo"] for entry in document["entries"]] == ["868", "869"]
    assert document["entries"][0]["previewUrl"].startswith("https://rules.example.ac.kr/www/")
    assert document["skipped"] == []


def test_a_skipped_row_is_named_and_the_exit_code_tells(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = registry_page([Rule("학칙", "868"), Rule("직제 규정", "X")])
    assert parse(tmp_path, config, page.encode()) == 1
    out = capsys.readouterr().out
    assert "skipped  row 2: file_no: 'X' is not a number" in out
    assert "1 regulation in 2 rows, 1 skipped" in out


def test_a_page_that_is_not_believed_is_named(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert parse(tmp_path, config, b"<html><body>nothing</body></html>") == 1
    error = capsys.readouterr().err
    assert error.startswith(f"uring: no_rows: {tmp_path / 'page.html'}: ")


def test_a_file_is_no_page_and_what_reads_it_is_named(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert parse(tmp_path, config, pdf(Paper("학칙", ("제1조(목적) 목적이다.",)))) == 1
    assert "`uring regulations extract" in capsys.readouterr().err


def test_a_list_of_boards_has_no_registry(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text('{"sources": []}', "utf-8")
    assert parse(tmp_path, config, PAGE.encode()) == 1
    assert "lists no registry" in capsys.readouterr().err
