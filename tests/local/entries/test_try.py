"""`uring try`: what it shows of pages and addresses that are not as they should be."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from fakes import ENTRY, Notice, page_of

from uring_local.cli import main


@pytest.fixture
def sitemap(tmp_path: Path) -> Path:
    path = tmp_path / "sitemap.json"
    path.write_text(json.dumps({"sources": [ENTRY]}), encoding="utf-8")
    return path


def test_brackets_of_a_page_are_shown_as_they_are(
    sitemap: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(page_of([Notice("a[/b]", "[공지] [red]둘[/red]")]), encoding="utf-8")
    assert main(["try", "cs", "--config", str(sitemap), "--page", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "a[/b]" in shown
    assert "[공지] [red]둘[/red]" in shown


@pytest.mark.parametrize("url", ["http://[::1", "http://x:99999/", "", "ftp://x/"])
def test_an_address_that_is_none_is_named(
    sitemap: Path, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    assert main(["try", "cs", "--config", str(sitemap), "--url", url]) == 1
    assert "bad_address" in capsys.readouterr().err


def test_a_page_comes_from_the_standard_input(
    sitemap: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in ``curl … | uring try cs --page -``."""
    page = page_of([Notice("7", "둘")]).encode()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(page)))
    assert main(["try", "cs", "--config", str(sitemap), "--page", "-"]) == 0
    assert "둘" in capsys.readouterr().out
