"""`uring domains robots` and `sitemap`: saved files of any content are shown, none is an error."""

import gzip
import json
from pathlib import Path

import pytest

from uring_local.cli import main

FILES = {
    "plain.txt": b"User-agent: *\nCrawl-delay: 3\nSitemap: /a.xml\nSitemap: /b.xml\n",
    "page.txt": b"<!DOCTYPE html><p>x",
    "wide.txt": "Sitemap: /é.xml\n".encode("utf-16"),
    "empty.txt": b"",
    "noise.txt": bytes(range(256)) * 40,
    "[red].xml": b"<urlset><url><loc>https://a.sg/</loc></url></urlset>",
    "sub/packed.xml": gzip.compress(b"<sitemapindex><sitemap><loc>https://a.sg/</loc></sitemap>"),
    "sub/broken.xml": b"<urlset><url><loc>https://a.sg/?a&b</loc></url></urlset>",
    "sub/escape\x1b[31m.xml": b"<rss><item/></rss>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    return tmp_path


def lines_of(out: str) -> dict[str, dict[str, object]]:
    documents = [json.loads(line) for line in out.splitlines()]
    return {Path(document["file"]).name: document for document in documents}


def test_robots_are_shown_for_machines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "robots", "--json", str(folder)]) == 0
    shown = lines_of(capsys.readouterr().out)
    assert len(shown) == len(FILES)
    assert shown["plain.txt"]["sitemaps"] == ["/a.xml", "/b.xml"]
    assert shown["plain.txt"]["crawl_delay"] == 3.0
    assert shown["page.txt"]["outcome"] == "html"
    assert shown["wide.txt"]["encoding"] == "utf-16-le"


def test_sitemaps_are_shown_for_machines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "sitemap", "--json", str(folder)]) == 0
    shown = lines_of(capsys.readouterr().out)
    assert {name: line["kind"] for name, line in shown.items() if line["kind"]} == {
        "[red].xml": "urlset",
        "packed.xml": "sitemapindex",
        "broken.xml": "urlset",
        "escape\x1b[31m.xml": "rss",
    }
    assert shown["broken.xml"]["parse_mode"] == "recovered"
    assert shown["packed.xml"]["layers"] == 1
    assert shown["page.txt"]["reason"] == "html"


@pytest.mark.parametrize("command", ["robots", "sitemap"])
def test_people_see_a_table(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["domains", command, str(folder)]) == 0
    out = capsys.readouterr().out
    assert "[red].xml" in out
    assert "\x1b" not in out
    assert "9 files" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", ["robots", "sitemap"])
def test_a_file_that_cannot_be_read_is_the_only_failure(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["domains", command, str(folder), str(folder / "none.txt")]) == 1
    assert "none.txt" in capsys.readouterr().err
    assert main(["domains", command, str(folder / "sub")]) == 0


def test_a_large_file_is_read_as_far_as_a_collected_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "robots.txt"
    file.write_bytes(b"#" * 2_000_000)
    assert main(["domains", "robots", "--json", str(file)]) == 0
    shown = lines_of(capsys.readouterr().out)
    assert (shown["robots.txt"]["bytes"], shown["robots.txt"]["cut"]) == (1024 * 1024, True)
