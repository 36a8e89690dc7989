"""`uring add` of a list that the sitemap has: named, and not written a second time."""

import json
from pathlib import Path

import pytest
from test_add import URL, add, table

from uring_local.cli import main
from uring_local.loopback import Answer, LoopbackServer, Request

HTML = table('<tr><td>{number}</td><td><a href="v?no={id}">{title}</a></td><td>{date}</td></tr>')
HEAD = {"name": "가", "preset": "k2web"}


def sitemap(tmp_path: Path, *entries: object) -> Path:
    config = tmp_path / "sitemap.json"
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    config.write_text(f'{{"sources": [\n{lines}\n]}}', encoding="utf-8")
    return config


@pytest.mark.parametrize(
    "known",
    [
        URL,
        "http://www.teal.example.ac.kr/board/noticeList.do?b=7",
        "https://WWW.teal.example.ac.kr:443/board/noticeList.do?b=7#list",
        "https://www.teal.example.ac.kr/board/noticeList.do?page=1&b=7",
        "https://www.teal.example.ac.kr/board/noticeList.do/?b=7",
        "https://www.teal.example.ac.kr/board/noticeList.do;jsessionid=1F?b=7",
    ],
)
def test_it_is_refused_with_the_entry_that_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], known: str
) -> None:
    other = {**HEAD, "id": "grebe", "url": "https://grebe.example.ac.kr/"}
    config = sitemap(tmp_path, other, {**HEAD, "id": "teal", "url": known})
    before = config.read_bytes()
    code, answer = add(tmp_path, capsys, HTML, "--write")
    assert code == 1
    assert "not written" in answer["refused"]
    assert "teal (line 3) watches this list already" in answer["refused"]
    assert config.read_bytes() == before


def test_without_writing_it_is_named_and_no_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sitemap(tmp_path, {**HEAD, "id": "teal", "url": URL})
    code, answer = add(tmp_path, capsys, HTML)
    assert code == 0
    assert "teal (line 2) watches this list already" in answer["reasons"]


def test_an_entry_that_is_refused_for_something_else_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once it is corrected, both would be watched."""
    sitemap(tmp_path, {**HEAD, "id": "teal", "url": URL, "zone": "Mars"})
    code, answer = add(tmp_path, capsys, HTML, "--write")
    assert (code, answer["written"]) == (1, None)
    assert "teal (line 2) watches this list already" in answer["refused"]


def test_a_form_says_which_board_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = URL.partition("?")[0]
    request = {"method": "POST", "form": {"b": "7", "pageIndex": "1"}}
    sitemap(tmp_path, {**HEAD, "id": "teal", "url": address, "request": request})
    assert add(tmp_path, capsys, HTML, "--write")[0] == 1
    request["form"] = {"b": "8"}
    sitemap(tmp_path, {**HEAD, "id": "teal", "url": address, "request": request})
    assert add(tmp_path, capsys, HTML, "--write")[0] == 0


@pytest.mark.parametrize(
    "known",
    [
        "https://www.teal.example.ac.kr/board/noticeList.do?b=71",
        "https://www.teal.example.ac.kr/board/noticeList.do?b=7&page=jobs",
        "https://teal.example.ac.kr/board/noticeList.do?b=7",
        "https://www.teal.example.ac.kr:8443/board/noticeList.do?b=7",
        "ftp://www.teal.example.ac.kr/board/noticeList.do?b=7",
    ],
)
def test_another_list_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], known: str
) -> None:
    sitemap(tmp_path, {**HEAD, "id": "teal", "url": known}, 5, {"url": 5})
    assert add(tmp_path, capsys, HTML, "--write")[0] == 0


def test_where_it_redirects_to_is_the_same_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def respond(request: Request) -> Answer:
        if request.path == "/old":
            return Answer(302, b"", {"Location": "/list"})
        return Answer(200, HTML.encode(), {"Content-Type": "text/html; charset=utf-8"})

    with LoopbackServer(respond) as server:
        config = sitemap(tmp_path, {**HEAD, "id": "teal", "url": f"http://{server.host}/list"})
        url = f"http://{server.host}/old"
        assert main(["add", url, "--config", str(config), "--again", "0", "--json", "--write"]) == 1
    refused = json.loads(capsys.readouterr().out)["refused"]
    assert "teal (line 2) watches this list already" in refused


def test_after_writing_it_says_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(HTML, encoding="utf-8")
    (tmp_path / "config").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["add", URL, "--page", str(page), "--write"]) == 0
    assert capsys.readouterr().out.endswith(
        "written to config/sitemap.json; next:\n"
        "  uring try example_teal  # as often as you change the entry\n"
        "  uring config check\n"
        "  uring config upload --stack NAME\n"
    )
    assert main(["try", "example_teal", "--page", str(page)]) == 0
    assert main(["config", "check"]) == 0
    capsys.readouterr()
    mine = ["--config", "mine.json", "--write"]
    assert main(["add", URL, "--page", str(page), *mine]) == 0
    assert "uring config upload mine.json --stack NAME" in capsys.readouterr().out


def test_outside_the_project_it_says_where_to_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(HTML, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["add", URL, "--page", str(page), "--write"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "there is no directory config here; change to the directory of the project" in said
