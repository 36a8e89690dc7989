"""`uring regulations extract` and `diff`: what is shown, and the exit code."""

import json
from pathlib import Path

import pytest

from uring_local.cli import main
from uring_local.sites.files.html import html
from uring_local.sites.files.hwpx import hwpx
from uring_local.sites.files.paper import Paper
from uring_local.sites.files.pdf import pdf

OLD = Paper("누리대학교 규정", ("제1조(목적) 목적을 정한다.", "제2조(정의) 뜻은 다음과 같다."))
NEW = Paper(
    "누리대학교 규정", ("제1조(목적) 목적을 정한다.", "제2조(정의) 뜻은 [bold]따로 정한다.")
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "old.pdf").write_bytes(pdf(OLD))
    (tmp_path / "new.hwpx").write_bytes(hwpx(NEW))
    (tmp_path / "same.html").write_bytes(html(OLD))
    (tmp_path / "scan.pdf").write_bytes(pdf(OLD, scanned=True))
    (tmp_path / "stored.md").write_text("제1조(목적) 목적을 정한다.\n", "utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    code = main(["regulations", *map(str, arguments)])
    taken = capsys.readouterr()
    return code, taken.out + taken.err


def test_files_are_extracted_into_a_table(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = run(capsys, "extract", files / "old.pdf", files / "scan.pdf")
    assert code == 1
    assert "no_text" in shown
    assert run(capsys, "extract", files / "old.pdf", files / "new.hwpx")[0] == 0


def test_json_has_the_text_and_every_field(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = run(capsys, "extract", "--json", files / "old.pdf")
    document = json.loads(shown)
    assert code == 0
    assert (document["outcome"], document["pages"], document["format"]) == ("text", 1, "pdf")
    assert "제1조(목적)" in document["text"]


def test_the_text_alone_is_markdown(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "extract", "--text", files / "new.hwpx")[1].startswith("누리대학교 규정\n")


def test_a_difference_is_shown_by_article(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = run(capsys, "diff", files / "old.pdf", files / "new.hwpx")
    assert code == 0
    assert "제2조 (정의): changed" in shown
    assert "+제2조(정의) 뜻은 [bold]따로 정한다." in shown
    assert "1 article changed; 3 before, 3 after" in shown


def test_a_difference_is_json_or_a_page(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = (files / "old.pdf", files / "new.hwpx")
    assert json.loads(run(capsys, "diff", "--json", *pair)[1])["articles"][0]["key"] == "제2조"
    assert run(capsys, "diff", "--html", *pair)[1].startswith("<!doctype html>")


def test_a_difference_says_when_it_comes_into_force(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = files / "stored.md", files / "dated.md"
    text = old.read_text("utf-8")
    new.write_text(f"{text}부칙\n이 규정은 2026년 3월 1일부터 시행한다.\n", "utf-8")
    assert run(capsys, "diff", old, new)[1].splitlines()[-1] == "in force from 2026-03-01"
    assert "in force" not in run(capsys, "diff", new, old)[1]
    assert ">2026. 3. 1.</time>" in run(capsys, "diff", "--html", old, new)[1]


def test_formats_and_stored_texts_are_compared_with_each_other(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "0 articles changed" in run(capsys, "diff", files / "old.pdf", files / "same.html")[1]
    assert "제2조 (정의): added" in run(capsys, "diff", files / "stored.md", files / "new.hwpx")[1]


def test_a_file_without_text_is_named_with_the_remedy(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = run(capsys, "diff", files / "old.pdf", files / "scan.pdf")
    assert code == 1
    assert "scan.pdf: no_text: its pages are images (a scan); ask for" in shown
    assert run(capsys, "diff", files / "old.pdf", files / "none.pdf")[0] == 1
