"""A second family's file has every command: one subclass, one line in the table of families."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fakes.tides import ENTRY, HEAD, KEY, WHAT, TideTable

from uring.functions import families
from uring.reading.extract import required
from uring.reading.lists.rows import RowNode
from uring.records.model import Event, Revision
from uring.sources.guards import Nouns
from uring.sources.rows import Links, Page, Row, read_rows
from uring_local.cli import main
from uring_local.entries import families as files
from uring_local.entries.family import Comparison, FileFamily
from uring_local.propose.guess import Guess

URL = HEAD["url"]
ROW = '<tr class="tide"><td>{hour}</td><td><a href="/chart?page={page}">해도</a></td></tr>'


@dataclass(frozen=True)
class Tide:
    title: str
    chart: str


class TideEntries(FileFamily[TideTable, Tide]):
    """The commands' side of the tide tables."""

    name = "tides"
    what = WHAT
    path = Path("config/tides.json")
    title = "The harbours"
    interval = {"const": 1440}  # noqa: RUF012
    noun = "tide"
    nouns = Nouns("tides", "table")
    columns = ("hour", "chart")
    fields = ("hour", "chart")
    compared = ("chart",)
    model = TideTable

    def read(self, source: TideTable, text: str, url: str, today: date) -> Page[Tide]:  # noqa: ARG002
        def tide(row: RowNode, links: Links) -> Tide:
            hour = required(row, "hour", source.fields.hour)
            href = row.first("a").attribute("href") or ""
            return Tide(hour, links.resolve(href, "chart"))

        return read_rows(source, text, url, tide, lambda item: item.title)

    def cells(self, item: Tide, row: Row[Tide]) -> Sequence[str]:  # noqa: ARG002
        return item.title, item.chart

    def document(self, item: Tide) -> dict[str, Any]:
        return {"hour": item.title}

    def compare(self, source: TideTable, before: bytes, after: bytes) -> Comparison:
        was, now = (
            {item.title for item in self.read(source, body.decode(), URL, date.max).items}
            for body in (before, after)
        )
        (gone,) = was - now
        event = Event(
            event_id="0" * 40,
            kind="ebbed",
            id=gone,
            revision=1,
            push=True,
            detected_at="2026-03-01T00:00:00Z",
            hash="0",
            is_marked=False,
            first_seen="2026-03-01T00:00:00Z",
            content={"chart": None},
        )
        return Comparison({}, (event,), None)

    def content(self, record: Revision) -> dict[str, Any]:
        return dict(record.content)

    def guess(self, page: BeautifulSoup, url: str, today: date) -> Guess:  # noqa: ARG002
        if page.find("tr") is None:
            return Guess({}, ("no tide",))
        fields = {"hour": "td", "chart": "a"}
        return Guess({"rows": "tr.tide", "fields": fields}, ("the sea is seen",))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    tides = SimpleNamespace(name="tides", config=KEY, folders=frozenset({"moon"}))
    monkeypatch.setattr(families, "FAMILIES", (*families.FAMILIES, tides))
    monkeypatch.setattr(files, "FAMILIES", (*files.FAMILIES, TideEntries()))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({KEY: [ENTRY]}), encoding="utf-8")
    return path


def saved(tmp_path: Path, *hours: str, name: str = "page.html") -> str:
    path = tmp_path / name
    rows = "".join(ROW.format(hour=hour, page=page) for page, hour in enumerate(hours))
    path.write_text(f"<title>목포항 물때</title><table>{rows}</table>", encoding="utf-8")
    return str(path)


def test_try_shows_the_familys_rows_in_its_columns(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["try", "mokpo", "--config", str(config), "--page"]
    assert main([*words, saved(tmp_path, "03:10", "09:40")]) == 0
    shown = capsys.readouterr().out
    assert shown.split()[0:5:2] == ["row", "hour", "chart"]
    assert "https://harbour.example.kr/chart?page=1" in shown
    assert "2 rows, 2 tides, 0 skipped" in shown
    assert main([*words, saved(tmp_path, "03:10"), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["items"] == [{"hour": "03:10"}]
    assert answer["suspect"]["detail"].startswith("1 tides, at least 2 expected; ")


def test_advice_is_given_on_the_familys_fields(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = {**ENTRY["fields"], "hour": "td.hour"}
    config.write_text(json.dumps({KEY: [{**ENTRY, "fields": fields}]}), encoding="utf-8")
    page = saved(tmp_path, "03:10", "09:40", "15:20")
    assert main(["try", "mokpo", "--config", str(config), "--page", page, "--json"]) == 1
    (advice,) = json.loads(capsys.readouterr().out)["advice"]
    assert advice.startswith("hour: 'td.hour' matches in none of 3 rows; their tides are linked at")


def test_diff_asks_the_family(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = ("--before", saved(tmp_path, "03:10", "09:40"))
    pages += ("--after", saved(tmp_path, "03:10", name="later.html"))
    words = ["diff", "mokpo", "--config", str(config), *pages]
    assert main(words) == 0
    assert "ebbed │ 09:40" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    (event,) = json.loads(capsys.readouterr().out)["events"]
    assert (event["kind"], event["before"], event["after"]) == ("ebbed", None, {"chart": None})


def test_check_reads_the_familys_list(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = [ENTRY, {**ENTRY, "id": "busan"}, {**ENTRY, "id": "moon", "url": "http://10.0.0.1/"}]
    config.write_text(json.dumps({KEY: entries}), encoding="utf-8")
    assert main(["config", "check", str(config)]) == 1
    twice, inward, last = sorted(capsys.readouterr().out.splitlines(), key=len, reverse=True)
    assert "busan: url: 'mokpo' watches this list already" in twice + inward
    assert "moon: url: a deployed worker refuses it" in twice + inward
    assert last == f"{config}: 1 source is fine, 2 problems"


def test_a_folder_of_the_second_family_is_no_department(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "sitemap.json"
    entry = {**HEAD, "id": "moon", "preset": "gnuboard"}
    config.write_text(json.dumps({"sources": [entry]}), encoding="utf-8")
    assert main(["config", "check", str(config)]) == 1
    assert "'moon' is a folder of the family tides in data/" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["mine.json", "tides.json"])
def test_the_schema_is_the_familys_by_its_list_or_the_files_name(
    config: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "schema", str(config.with_name(name))]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert (schema["title"], schema["required"]) == ("The harbours", [KEY])
    table = schema["$defs"]["TideTable"]
    assert table["properties"]["preset"]["enum"] == ["harbour", None]
    assert table["properties"]["interval_minutes"]["const"] == 1440
    assert list(table["properties"]) == list(TideTable.model_fields)


@pytest.mark.parametrize("body", ["", "[", "[]", "{}", '{"ports": []}'])
def test_a_file_that_says_nothing_is_told_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    config = tmp_path / "tides.json"
    config.write_text(body)
    assert main(["config", "check", str(config)]) == 1
    assert capsys.readouterr().err.startswith(f"uring: {config}: {WHAT} is not ")
    config = config.rename(tmp_path / "other.json")
    assert main(["config", "check", str(config)]) == 1
    assert capsys.readouterr().err.startswith(f"uring: {config}: the sitemap is not ")


def test_a_missing_file_is_asked_for_in_the_familys_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["try", "mokpo", "--config", "config/tides.json"]) == 1
    assert capsys.readouterr().err.endswith(f", or name {WHAT}\n")


def test_add_proposes_by_the_familys_guess_and_writes_into_its_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "tides.json"
    page = saved(tmp_path, "03:10", "09:40")
    words = ["add", URL, "--config", str(config), "--page", page]
    assert main([*words, "--write", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["reasons"] == ["the sea is seen"]
    assert json.loads(config.read_text("utf-8")) == {KEY: [answer["entry"]]}
    assert main([*words, "--id", "other"]) == 0
    assert "harbour (line 3) watches this list already" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<p>물때가 없습니다", "no tide"),
        ("<rss><channel><title>물때</title></channel></rss>", "the answer is a feed, rss; give"),
    ],
)
def test_add_names_what_the_family_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, told: str
) -> None:
    page = tmp_path / "page.html"
    page.write_text(body, encoding="utf-8")
    config = str(tmp_path / "tides.json")
    assert main(["add", URL, "--config", config, "--page", str(page)]) == 1
    assert told in capsys.readouterr().err


def test_a_boards_preset_is_none_of_the_second_familys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    rows = "".join(
        f'<tr class="tide"><td>0{n}:10<td><a href="?bo_table=a&wr_id={n}">x</a>' for n in range(3)
    )
    page.write_text(f"<table>{rows}</table>", encoding="utf-8")
    config = str(tmp_path / "tides.json")
    assert main(["add", URL, "--config", config, "--page", str(page), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reasons"] == ["the sea is seen"]


def test_each_family_with_a_file_has_its_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with_file = {each.name: each.config for each in families.FAMILIES if each.config}
    assert {family.name: family.key for family in files.FAMILIES} == with_file
