"""A registry has the commands of a board: tried, compared, checked, described, proposed for."""

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.registry import REGISTRY, Rule, registry_page

from uring_local.cli import main
from uring_local.entries.registries import REGISTRY_ENTRIES
from uring_local.entries.schema import schema_text

CONFIG = Path(__file__).parents[3] / "config"
RULES = tuple(Rule(f"{name} 규정", str(860 + at)) for at, name in enumerate("가나다라마바"))
URL = "https://statutes.heron.example.ac.kr/rules.do?menu=12"
MENU = "".join(f'<li><a href="/contents.do?key={n}">대학 소개 {n}</a></li>' for n in range(30))


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"registries": [REGISTRY]}), encoding="utf-8")
    return str(path)


def saved(tmp_path: Path, html: str, name: str = "page.html") -> str:
    path = tmp_path / name
    path.write_text(html, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_try_shows_title_number_and_both_addresses(
    config: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    bad = Rule("사 규정", "x9")
    page = saved(tmp_path, registry_page([*RULES, RULES[0], bad]))
    assert main(["try", "rules", "--config", config, "--page", page]) == 0
    shown = capsys.readouterr().out
    assert "가 규정" in shown
    assert "/downloadContentsFile.do?key=7&fileNo=860" in shown
    assert "as row 1" in shown
    assert "row 8 skipped: file_no: 'x9' is not a number" in shown
    assert "8 rows, 6 regulations, 1 skipped" in shown


def test_an_address_may_be_made_of_the_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A template was taken and read as a link that no row has."""
    entry = {**REGISTRY, "fields": {"preview": {"template": "/text.do?no={id}"}}}
    config = tmp_path / "registries.json"
    config.write_text(json.dumps({"registries": [entry]}), encoding="utf-8")
    page = saved(tmp_path, registry_page(RULES))
    assert main(["try", "rules", "--config", str(config), "--page", page, "--json"]) == 0
    addresses = [item["previewUrl"] for item in answer(capsys)["items"]]
    assert addresses == [f"https://rules.example.ac.kr/text.do?no={rule.file_no}" for rule in RULES]


def test_try_names_the_field_that_no_row_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {**REGISTRY, "fields": {"title": "td.name"}}
    config = tmp_path / "registries.json"
    config.write_text(json.dumps({"registries": [entry]}), encoding="utf-8")
    page = saved(tmp_path, registry_page(RULES))
    assert main(["try", "rules", "--config", str(config), "--page", page, "--json"]) == 1
    (advice,) = answer(capsys)["advice"]
    assert advice.startswith("title: 'td.name' matches in none of 6 rows; their regulations are ")


def test_diff_has_revisions_renames_and_deletions(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = [
        Rule("가 규정", "900"),
        Rule("나의 새 규정", RULES[1].file_no),
        *RULES[2:5],
        Rule("아 규정", "901"),
    ]
    pages = ["--before", saved(tmp_path, registry_page(RULES))]
    pages += ["--after", saved(tmp_path, registry_page(later), "later.html")]
    words = ["diff", "rules", "--config", config, *pages]
    assert main([*words, "--json"]) == 0
    events = {event["id"]: event for event in answer(capsys)["events"]}
    assert {key: event["kind"] for key, event in events.items()} == {
        "가 규정": "edited",
        "나의 새 규정": "renamed",
        "아 규정": "new",
        RULES[5].title: "deleted",
    }
    assert events["가 규정"]["before"]["fileNo"] == "860"
    assert events[RULES[5].title]["after"]["status"] == "archived"
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "fileNo: 860 → 900" in shown
    assert "4 changes, 4 pushes" in shown


def test_diff_does_not_believe_a_cut_page(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = ["--before", saved(tmp_path, registry_page(RULES))]
    pages += ["--after", saved(tmp_path, registry_page(RULES[:3]), "later.html")]
    assert main(["diff", "rules", "--config", config, *pages, "--json"]) == 1
    assert answer(capsys)["suspect"]["reason"] == "too_few_rows"
    (before, *_) = pages[1:]
    empty = saved(tmp_path, registry_page([]), "empty.html")
    assert main(["diff", "rules", "--config", config, "--before", empty, "--after", before]) == 1
    assert "no_rows" in capsys.readouterr().err


def test_check_speaks_of_registries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "mine.json"
    entry = {**REGISTRY, "interval_minutes": 60}
    config.write_text(json.dumps({"registries": [REGISTRY, entry]}), encoding="utf-8")
    assert main(["config", "check", str(config)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{config}: line 1: rules: interval_minutes: 60 is not 1440; leave")
    assert last == f"{config}: 0 sources are fine, 1 problem"


def test_the_bundled_file_is_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "check", str(CONFIG / "registries.json")]) == 0
    assert "1 source is fine" in capsys.readouterr().out


def test_the_bundled_schema_is_the_one_of_the_models(capsys: pytest.CaptureFixture[str]) -> None:
    """`uring config schema config/registries.json > config/registries.schema.json` renews it."""
    bundled = (CONFIG / "registries.schema.json").read_text(encoding="utf-8")
    assert bundled == schema_text(REGISTRY_ENTRIES)
    assert main(["config", "schema", str(CONFIG / "registries.json")]) == 0
    assert capsys.readouterr().out == bundled


def chapters(row: str, rules: tuple[Rule, ...] = RULES) -> str:
    """A page with a table a chapter, three rules each."""
    tables = "".join(
        "<table><thead><tr><th>장</th><th>보기</th></tr></thead><tbody>"
        + "".join(row.format(title=rule.title, no=rule.file_no) for rule in rules[at : at + 3])
        + "</tbody></table>"
        for at in range(0, len(rules), 3)
    )
    return f"<title>왜가리대학교 규정집</title><ul>{MENU}</ul>{tables}"


def add(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str, *more: str
) -> tuple[int, Any]:
    config = str(tmp_path / "registries.json")
    code = main(["add", URL, "--config", config, "--page", saved(tmp_path, html), "--json", *more])
    out = capsys.readouterr()
    return code, json.loads(out.out) if out.out else out.err


def test_add_recognises_the_system_and_writes_a_registry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, proposed = add(tmp_path, capsys, registry_page(RULES), "--write")
    assert code == 0
    assert proposed["entry"].keys() == {"id", "name", "url", "preset"}
    assert proposed["entry"]["preset"] == "egov_files"
    written = json.loads((tmp_path / "registries.json").read_text("utf-8"))
    assert written == {"registries": [proposed["entry"]]}


BY_TEXT = (
    '<tr><td>1</td><td><p>{title}</p></td><td><a href="/law/view.do?m=3&seq={no}">보기</a></td>'
    '<td><a href="/law/get.do?m=3&seq={no}" title="다른 규정">내려받기</a></td></tr>'
)
BY_ADDRESS = (
    '<tr><td><b>{title}</b></td><td><a href="/a/fileDown.do?seq={no}">PDF</a> '
    '<a href="/a/show.do?seq={no}">본문</a></td></tr>'
)
IN_A_BLOCK = (
    "<tr><td><div>{title}</div></td>"
    '<td><ul><li><a href="/down.do?f={no}">내려받기</a></li></ul></td></tr>'
)
ONE_LINK = (
    '<tr><td class="s"><a href="?menu=12&x={no}0"></a>{title}</td>'
    '<td><a href="./down.do?seq={no}">파일</a></td></tr>'
)


@pytest.mark.parametrize(
    ("row", "preview", "download"),
    [
        (BY_TEXT, "/law/view.do?m=3&seq=860", "/law/get.do?m=3&seq=860"),
        (BY_ADDRESS, "/a/show.do?seq=860", "/a/fileDown.do?seq=860"),
        (ONE_LINK, "/down.do?seq=860", "/down.do?seq=860"),
        (IN_A_BLOCK, "/down.do?f=860", "/down.do?f=860"),
    ],
)
def test_add_reads_rows_with_a_title_and_numbered_links_of_several_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, preview: str, download: str
) -> None:
    code, proposed = add(tmp_path, capsys, chapters(row))
    assert code == 0, proposed
    assert [(item["title"], item["fileNo"]) for item in proposed["items"]] == [
        (rule.title, rule.file_no) for rule in RULES
    ]
    first = proposed["items"][0]
    assert first["previewUrl"] == f"https://statutes.heron.example.ac.kr{preview}"
    assert first["downloadUrl"] == f"https://statutes.heron.example.ac.kr{download}"


@pytest.mark.parametrize("around", ["<ul>{}</ul>", "<table><tr><td><ul>{}</ul></td></tr></table>"])
def test_add_reads_titles_that_are_the_links(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], around: str
) -> None:
    row = '<li><a href="/get.do?no={no}">{title}</a></li>'
    html = "".join(row.format(title=rule.title, no=rule.file_no) for rule in RULES)
    code, proposed = add(tmp_path, capsys, around.format(html))
    assert code == 0, proposed
    assert [item["title"] for item in proposed["items"]] == [rule.title for rule in RULES]


HISTORY = (
    "<tr><td>{title}</td><td>{day}</td>"
    '<td><a href="/lmx/view.do?SEQ={no}&SEQ_HISTORY={history}">보기</a></td></tr>'
)
DATED = (
    "<tr><td>{no}</td><td>{title}</td><td>1998. 3. 1.</td><td>{day}</td>"
    '<td><a href="/law/view.do?SEQ={no}">보기</a></td></tr>'
)
PLAIN = '<tr><td>{title}</td><td><a href="/law/view.do?SEQ={no}">보기</a></td></tr>'


def lasting(row: str, *, first: int = 1) -> str:
    """A page whose numbers count the regulations from ``first``."""
    rows = "".join(
        row.format(title=rule.title, no=at, history=900 + at * 7, day=f"2024. {at % 12 + 1}. 1.")
        for at, rule in enumerate(RULES, first)
    )
    return f"<ul>{MENU}</ul><table><tbody>{rows}</tbody></table>"


@pytest.mark.parametrize(
    ("row", "revision", "first"),
    [
        (
            HISTORY,
            {"select": "a[href*='view.do']", "attribute": "href", "parameter": "SEQ_HISTORY"},
            "914",
        ),
        (DATED, "td:nth-child(4)", "2024-02-01"),
    ],
    ids=["a parameter", "a date"],
)
def test_add_proposes_a_revision_beside_numbers_that_last_and_try_asks_for_it(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    row: str,
    revision: Any,
    first: str,
) -> None:
    page = lasting(row, first=2 if row is HISTORY else 1)
    code, proposed = add(tmp_path, capsys, page)
    assert code == 0, proposed
    assert proposed["entry"]["fields"]["revision"] == revision
    assert proposed["items"][0]["fileRevision"] == first
    entry = {**proposed["entry"], "fields": {**proposed["entry"]["fields"]}}
    del entry["fields"]["revision"]
    config = tmp_path / "without.json"
    config.write_text(json.dumps({"registries": [entry]}), encoding="utf-8")
    words = ["try", entry["id"], "--config", str(config), "--page", saved(tmp_path, page)]
    assert main([*words, "--json"]) == 1
    (advice,) = answer(capsys)["advice"]
    assert advice.startswith("file_no: its numbers may last")
    assert json.dumps(revision, ensure_ascii=False) in advice


def test_add_says_that_no_field_looks_like_a_revision(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, proposed = add(tmp_path, capsys, lasting(PLAIN))
    assert code == 0
    assert "revision" not in proposed["entry"]["fields"]
    assert any("recheck_days alone" in reason for reason in proposed["reasons"])
    code, proposed = add(tmp_path, capsys, lasting(PLAIN, first=860))
    assert not any("recheck_days" in reason for reason in proposed["reasons"])


def test_check_refuses_a_registry_whose_texts_may_change_unnoticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "mine.json"
    entry: dict[str, Any] = {**REGISTRY, "recheck_days": 0}
    config.write_text(json.dumps({"registries": [entry]}), encoding="utf-8")
    assert main(["config", "check", str(config)]) == 1
    assert "recheck_days: is 0 without fields.revision" in capsys.readouterr().out
    entry["fields"] = {"revision": "td:nth-child(1)"}
    config.write_text(json.dumps({"registries": [entry]}), encoding="utf-8")
    assert main(["config", "check", str(config)]) == 0


def test_add_says_why_it_proposes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = add(tmp_path, capsys, "<p>규정이 없습니다.</p>")
    assert code == 1
    assert "no links in the page have a number that differs row by row" in told
