"""`uring config check` names what can never work, by entry and line."""

import json
from pathlib import Path
from typing import Any

import pytest

from uring.fetch.address import AddressGuard
from uring.fetch.url import parse_url
from uring_local.cli import main
from uring_local.entries.files import open_config
from uring_local.entries.vain import examine
from uring_local.words import counted

LIST = "https://plover.example.ac.kr/bbs/list.do?b=3&c=1"


def entry(name: str, url: str = LIST, **keys: Any) -> dict[str, Any]:
    return {"id": name, "name": name, "url": url, "preset": "gnuboard", **keys}


def written(tmp_path: Path, *entries: Any) -> Path:
    config = tmp_path / "sitemap.json"
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in entries)
    config.write_text(f'{{"sources": [\n{lines}\n]}}', encoding="utf-8")
    return config


def told(tmp_path: Path, *entries: Any, hosts: tuple[str, ...] = ()) -> list[str]:
    return [
        str(problem)
        for problem in examine(open_config(written(tmp_path, *entries)), hosts).problems
    ]


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/",
        "http://127.0.0.1/bbs/list.do",
        "http://0x7f.1/bbs/list.do",
        "http://2130706433/",
        "http://[::1]/list",
        "http://[::ffff:10.0.0.1]/list",
        "https://192.168.0.7/list",
        "http://localhost/list",
        "http://board.localhost./list",
        "http://intranet/list",
        "https://board.campus.internal/list",
        "http://printer.local/",
        "http://plover.example.ac.kr:22/",
        "https://plover.example.ac.kr:8443/list",
    ],
)
def test_an_address_that_a_deployed_worker_refuses_is_named(tmp_path: Path, url: str) -> None:
    (line,) = told(tmp_path, entry("gull", "https://gull.example.ac.kr/"), entry("crane", url))
    assert line.startswith("line 3: crane: url: a deployed worker refuses it: ")
    authority = parse_url(url).authority
    assert line.endswith(f"--allow-host {authority}")
    assert told(tmp_path, entry("crane", url), hosts=(authority,)) == []


@pytest.mark.parametrize(
    "url",
    ["http://8.8.8.8/", "https://plover.example.ac.kr:443/", "http://test.example.ac.kr:80/x"],
)
def test_a_public_address_is_not(tmp_path: Path, url: str) -> None:
    assert told(tmp_path, entry("crane", url)) == []
    assert AddressGuard((), lambda *_: ["8.8.8.8"]).addresses(parse_url(url), 1)


@pytest.mark.parametrize(
    "other",
    [
        LIST,
        "https://plover.example.ac.kr/bbs/list.do?c=1&b=3",
        "http://plover.example.ac.kr/bbs/list.do?b=3&c=1",
        "https://PLOVER.example.ac.kr:443/bbs/list.do?b=3&c=1#top",
        "https://plover.example.ac.kr/bbs/list.do;jsessionid=0A1B?b=3&c=1",
        "https://plover.example.ac.kr/bbs/list.do?b=3&c=1&page=1",
        "https://plover.example.ac.kr/%62bs/list.do?b=%33&c=1&utm_source=x",
    ],
)
def test_two_entries_of_one_list_are_named_with_the_first_ones_line(
    tmp_path: Path, other: str
) -> None:
    (line,) = told(tmp_path, entry("gull"), entry("crane", other))
    assert line.startswith("line 3: crane: url: 'gull' watches this list already (line 2); ")


@pytest.mark.parametrize(
    "keys",
    [
        {"url": "https://plover.example.ac.kr/bbs/list.do?b=3&c=2"},
        {"url": "https://plover.example.ac.kr/bbs/list.do?b=3"},
        {"url": "https://plover.example.ac.kr:8443/bbs/list.do?b=3&c=1"},
        {"url": "https://www.plover.example.ac.kr/bbs/list.do?b=3&c=1"},
        {"url": f"{LIST}&page=jobs"},
        {"rows": "#second tbody tr"},
        {"request": {"method": "POST", "form": {"board": "2"}}},
    ],
)
def test_other_lists_are_not(tmp_path: Path, keys: dict[str, Any]) -> None:
    lines = told(tmp_path, entry("gull"), {**entry("crane"), **keys})
    assert [line for line in lines if "already" in line] == []


def test_one_board_in_a_form_and_in_the_address_is_one(tmp_path: Path) -> None:
    url = "https://plover.example.ac.kr/list.do"
    form = {"method": "POST", "form": {"b": "3"}}
    assert told(tmp_path, entry("gull", f"{url}?b=3"), entry("crane", url, request=form))


def test_an_empty_list_watches_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = written(tmp_path)
    assert main(["config", "check", str(config)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{config}: line 1: sources: is empty: nothing is watched; `uring add")
    assert last == f"{config}: 0 sources are fine, 1 problem"


def test_the_last_line_counts_what_is_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(written(tmp_path, entry("gull")))
    assert main(["config", "check", config]) == 0
    assert capsys.readouterr().out == f"{config}: 1 source is fine\n"
    written(tmp_path, entry("gull"), entry("crane"), entry("teal", "http://10.0.0.1/"), 5)
    assert main(["config", "check", config, "--allow-host", "10.0.0.1:80"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"{config}: 2 sources are fine, 2 problems"


def test_machines_get_entry_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = str(written(tmp_path, entry("gull"), entry("teal", "http://10.0.0.1/")))
    assert main(["config", "check", config, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    (problem,) = answer["problems"]
    assert (answer["sources"], problem["entry"], problem["line"]) == (1, "teal", 3)
    assert problem["path"] == "sources[1].url"


@pytest.mark.parametrize("body", ["", '{"sources": [', "[]", '{"sources": {}}'])
@pytest.mark.parametrize(
    "words",
    [["config", "check", "FILE"], ["try", "gull", "--config", "FILE"]],
    ids=["check", "try"],
)
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], body: str
) -> None:
    config = tmp_path / "mine.json"
    config.write_text(body)
    assert main([str(config) if word == "FILE" else word for word in words]) == 1
    assert capsys.readouterr().err.startswith(f"uring: {config}: the sitemap is not ")


@pytest.mark.parametrize("words", [["try", "x"], ["config", "check"]], ids=["try", "check"])
def test_outside_the_project_it_says_where_to_go(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "config/sitemap.json: no such file; change to the directory" in said
    assert "or name the sitemap" in said


def test_a_mistyped_id_is_corrected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = str(written(tmp_path, entry("plover_design")))
    assert main(["try", "plover_desgin", "--config", config]) == 1
    assert "did you mean 'plover_design'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (1, "push", "1 push"),
        (2, "push", "2 pushes"),
        (0, "change", "0 changes"),
        (1_000, "source", "1,000 sources"),
    ],
)
def test_plurals_agree(number: int, noun: str, told: str) -> None:
    assert counted(number, noun) == told
