"""`uring add`: a list page and its address are enough for an entry that reads it."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from uring.notices.source import Source
from uring_local.cli import main
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.propose.names import guess_id, guess_name
from uring_local.sites.campus import Campus

FIXTURES = Path(__file__).parents[2] / "fixtures"
PRESETS = sorted(FIXTURES.glob("preset_*"))
URL = "https://www.teal.example.ac.kr/board/noticeList.do?b=7"

ROWS = [
    ("공지", "901", "오리 관찰 수칙 안내", "2026-01-05"),
    ("31", "977", "갈대밭 산책로 보수 공사", "2026-02-20"),
    ("30", "963", "겨울 철새 사진 공모전", "2026-02-11"),
    ("29", "950", "호수 수위 조절 예고", "2026-02-02"),
]


def page(body: str, title: str = "공지사항 | 쇠오리학과") -> str:
    menu = "".join(f'<li><a href="/menu/{n}">학과 소개와 연혁 {n}</a></li>' for n in range(9))
    return f"<html><head><title>{title}</title></head><body><ul>{menu}</ul>{body}</body></html>"


def table(row: str, rows: list[tuple[str, str, str, str]] = ROWS) -> str:
    heads = "<thead><tr><th>번호</th><th>제목</th><th>작성일</th></tr></thead>"
    body = "".join(row.format(number=a, id=b, title=c, date=d) for a, b, c, d in rows)
    return page(f'<table class="list">{heads}<tbody>{body}</tbody></table>')


def add(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str, *more: str, url: str = URL
) -> tuple[int, dict[str, Any]]:
    """What ``uring add --json`` answers for a saved page."""
    saved = tmp_path / "page.html"
    saved.write_text(html, encoding="utf-8")
    config = str(tmp_path / "sitemap.json")
    code = main(["add", url, "--page", str(saved), "--config", config, "--json", *more])
    out = capsys.readouterr()
    return code, json.loads(out.out) if out.out else {"error": out.err}


def seen(answer: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    return [
        (item["id"], item["title"], item["date"], item["is_pinned"]) for item in answer["items"]
    ]


WANTED = [(key, title, day, number == "공지") for number, key, title, day in ROWS]


@pytest.mark.parametrize("folder", PRESETS, ids=lambda folder: folder.name)
def test_a_known_system_is_recognised_and_its_preset_reads_the_page(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = json.loads((folder / "entry.json").read_text("utf-8"))
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    html = (folder / "input.html").read_text("utf-8")
    code, answer = add(tmp_path, capsys, html, url=entry["url"])
    assert code == 0
    assert answer["entry"]["preset"] == entry["preset"]
    assert answer["entry"].keys() <= {"id", "name", "url", "preset", "fields"}
    keys = [(item["id"], item["title"], item["link"]) for item in expected["items"]]
    assert [(item["id"], item["title"], item["link"]) for item in answer["items"]] == keys
    assert [item["is_pinned"] for item in answer["items"]] == [
        item["is_pinned"] for item in expected["items"]
    ]


def test_a_page_comes_from_the_standard_input_as_from_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in ``curl … | uring add URL --page - --write``."""
    html = table(
        '<tr><td>{number}</td><td><a href="/v?no={id}">{title}</a></td><td>{date}</td></tr>'
    )
    code, saved = add(tmp_path, capsys, html)
    config = tmp_path / "sitemap.json"
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(html.encode())))
    given = ["add", URL, "--page", "-", "--config", str(config), "--json", "--write"]
    assert main(given) == code == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["items"], answer["entry"]) == (saved["items"], saved["entry"])
    assert seen(answer) == WANTED
    (written,) = json.loads(config.read_text("utf-8"))["sources"]
    assert written["id"] == answer["entry"]["id"]


def test_a_column_that_is_called_a_date_wins_over_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = table(
        '<tr><td>{number}</td><td><a href="view.do?b=7&no={id}">{title}</a></td>'
        "<td>2031.12.31</td><td>{date}</td></tr>"
    ).replace("<th>작성일</th>", "<th>마감일</th><th>등록일</th>")
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (0, WANTED)
    assert answer["entry"]["fields"]["id"]["parameter"] == "no"
    assert answer["items"][1]["link"] == "https://www.teal.example.ac.kr/board/view.do?b=7&no=977"


def test_badges_file_names_and_truncation_stay_out_of_the_title(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = table(
        '<tr class="r"><td>{number}</td><td class="subject">'
        '<a href="/v?seq={id}"><em class="cat">새글</em> {title}</a>'
        '<div class="files"><a href="/f?{id}">2026_아주_긴_이름의_붙임_파일_최종본.hwp</a></div>'
        "</td><td>{date}</td></tr>"
    )
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (0, WANTED)
    cut = table(
        '<tr><td>{number}</td><td><a href="/v?seq={id}" title="{title}">{title:.6}...</a></td>'
        "<td>{date}</td></tr>"
    )
    code, answer = add(tmp_path, capsys, cut)
    assert (code, seen(answer)) == (0, WANTED)


def test_a_list_without_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(
        f'<li class="{"fix-top" if number == "공지" else "plain"}">'
        f'<a href="/news/{key}/view"><strong>{title}</strong><span>조회 4</span></a>'
        f'<span class="day">{day[2:].replace("-", ".")}</span></li>'
        for number, key, title, day in ROWS
    )
    html = page(f'<div class="wrap"><ul class="news">{rows}</ul></div>')
    code, answer = add(tmp_path, capsys, html, url="https://teal.example.ac.kr/news")
    assert (code, seen(answer)) == (0, WANTED)
    assert answer["entry"]["rows"] == "ul.news li"


def test_elements_of_a_damaged_page_need_no_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(
        f'<li><a href="/v?no={key}">{title}</a> <i>{day}</i></li>' for _, key, title, day in ROWS
    )
    code, answer = add(tmp_path, capsys, page(f'<di"v><ul>{rows}</ul></di"v>'))
    assert code == 0
    assert [item["id"] for item in answer["items"]] == [key for _, key, _, _ in ROWS]


def test_links_made_by_a_function_of_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = table(
        "<tr><td>{number}</td><td><a href=\"#\" onclick=\"go('b7', '{id}')\">{title}</a></td>"
        "<td>{date}</td></tr>"
    )
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (1, WANTED)
    assert any("guess" in reason for reason in answer["reasons"])
    assert answer["entry"]["fields"]["link"]["template"].startswith("noticeView.do?b=7&")
    script = "<script>function fnView(no) { location.href = '/board/read.do?no=' + no; }</script>"
    html = table(
        '<tr><td>{number}</td><td><a href="#" onclick="fnView({id});">{title}</a></td>'
        "<td>{date}</td></tr>"
    ).replace("</body>", f"{script}</body>")
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (0, WANTED)
    assert not any("guess" in reason for reason in answer["reasons"])
    assert answer["items"][0]["link"] == "https://www.teal.example.ac.kr/board/read.do?no=901"


def test_the_display_number_is_never_the_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbered = [(str(number), *row[1:]) for number, row in zip((33, 32, 31, 30), ROWS, strict=True)]
    html = table(
        '<tr><td>{number}</td><td><a href="v?idx={number}&key={id}">{title}</a></td>'
        "<td>{date}</td></tr>",
        numbered,
    )
    code, answer = add(tmp_path, capsys, html)
    assert code == 0
    assert [item["id"] for item in answer["items"]] == ["901", "977", "963", "950"]
    assert "idx is the number that the list shows" in answer["reasons"]


def test_pinned_copies_are_one_notice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    html = table(
        '<tr><td>{number}</td><td><a href="v?fid={id}7&ntcId={id}">{title}</a></td>'
        "<td>{date}</td></tr>",
        [*ROWS, ("12", *ROWS[0][1:])],
    )
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (0, WANTED)
    assert answer["entry"]["fields"]["id"]["parameter"] == "ntcId"


def test_it_asks_the_site_itself_when_no_page_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A private address too: whoever types it may look at it."""
    config = str(tmp_path / "sitemap.json")
    with Campus(11, misbehave=False) as campus:
        campus.advance(1)
        board = campus.sitemap()["sources"][0]
        assert main(["add", board["url"], "--config", config, "--again", "0", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["entry"]["preset"], answer["entry"]["url"]) == ("k2web", board["url"])
    assert len(answer["items"]) >= 15


@pytest.mark.parametrize(
    ("status", "robots", "word"),
    [
        (200, "User-agent: *\nDisallow: /board/", "robots.txt forbids this address"),
        (503, "", "robots.txt: "),
        (404, "", None),
    ],
)
def test_what_robots_txt_has_against_it_is_said(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    status: int,
    robots: str,
    word: str | None,
) -> None:
    """The worker would heed it: better known now than from a source that never starts."""
    html = table(
        '<tr><td>{number}</td><td><a href="v?no={id}">{title}</a></td><td>{date}</td></tr>'
    )

    def respond(request: Request) -> Answer:
        if request.path == "/robots.txt":
            return Answer(status, robots.encode(), {"Content-Type": "text/plain"})
        return Answer(200, html.encode(), {"Content-Type": "text/html; charset=utf-8"})

    with LoopbackServer(respond) as server:
        url = f"http://{server.host}/board/list"
        assert main(["add", url, "--config", str(tmp_path / "none"), "--again", "0", "--json"]) == 0
    reasons = json.loads(capsys.readouterr().out)["reasons"]
    assert any("robots.txt" in reason for reason in reasons) is (word is not None)
    assert word is None or any(word in reason for reason in reasons)


def test_the_robots_txt_of_a_redirect_is_said_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = table(
        '<tr><td>{number}</td><td><a href="v?no={id}">{title}</a></td><td>{date}</td></tr>'
    )

    def respond(request: Request) -> Answer:
        if request.path == "/robots.txt":
            rules = b"User-agent: *\nDisallow: /inner/"
            return Answer(200, rules, {"Content-Type": "text/plain"})
        if request.path == "/list":
            return Answer(302, b"", {"Location": "/inner/list"})
        return Answer(200, html.encode(), {"Content-Type": "text/html; charset=utf-8"})

    with LoopbackServer(respond) as server:
        url = f"http://{server.host}/list"
        main(["add", url, "--config", str(tmp_path / "none"), "--again", "0", "--json"])
    reasons = json.loads(capsys.readouterr().out)["reasons"]
    assert any("/inner/list, to which the list redirects" in reason for reason in reasons)


def test_a_feed_is_known_by_its_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its links tell the notices apart where nothing else does; a guid of its own is kept."""
    item = "<item><title>소식 {n}</title><link>https://a.ac.kr/v?b=1&amp;no={n}</link>{g}</item>"
    feed = "<rss version='2.0'><channel><title>RSS - 갈매기과</title>{}</channel></rss>"
    bare = feed.format("".join(item.format(n=n, g="") for n in (5, 4, 3)))
    code, answer = add(tmp_path, capsys, bare)
    assert (code, answer["entry"]["name"]) == (0, "갈매기과")
    assert answer["entry"]["fields"] == {"id": {"select": "link", "parameter": "no"}}
    assert [item["id"] for item in answer["items"]] == ["5", "4", "3"]
    own = feed.format("".join(item.format(n=n, g=f"<guid>g-{n}</guid>") for n in (5, 4, 3)))
    code, answer = add(tmp_path, capsys, own)
    assert (code, answer["entry"].keys()) == (0, {"id", "name", "url", "preset"})
    assert [item["id"] for item in answer["items"]] == ["g-5", "g-4", "g-3"]


@pytest.mark.parametrize(
    ("html", "says"),
    [
        ("<html><body><p>점검</p></body></html>", "give the address of the list itself"),
        ('{"data": [{"id": 1}]}', '"kind": "json"'),
        ('<div id="root"></div><script src="/app.js"></script>', "scripts fill it in"),
        (page("")[:600] + "<input type=password>", "asks for a password"),
    ],
)
def test_a_page_without_a_list_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str, says: str
) -> None:
    code, answer = add(tmp_path, capsys, html)
    assert code == 1
    assert says in answer["error"]


def test_it_writes_the_entry_when_told_and_tries_it_from_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = table(
        '<tr><td>{number}</td><td><a href="v?no={id}">{title}</a></td><td>{date}</td></tr>'
    )
    config = tmp_path / "sitemap.json"
    code, answer = add(tmp_path, capsys, html)
    assert (code, answer["written"], config.exists()) == (0, None, False)
    code, answer = add(tmp_path, capsys, html, "--write")
    assert (code, answer["written"]) == (0, str(config))
    (source,) = NOTICE_ENTRIES.load(config.read_bytes()).sources
    assert source == Source.model_validate(answer["entry"])
    assert (source.id, source.name) == ("example_teal", "쇠오리학과")
    saved = str(tmp_path / "page.html")
    assert main(["try", source.id, "--config", str(config), "--page", saved]) == 0
    capsys.readouterr()
    before = config.read_bytes()
    code, answer = add(tmp_path, capsys, html, "--write", "--id", "example_teal")
    assert code == 1
    assert "has a source 'example_teal' already" in answer["error"]
    assert config.read_bytes() == before


def test_a_bad_id_or_address_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    html = table(
        '<tr><td>{number}</td><td><a href="v?no={id}">{title}</a></td><td>{date}</td></tr>'
    )
    code, answer = add(tmp_path, capsys, html, "--id", "쇠오리")
    assert code == 1
    assert "is not an id" in answer["error"]
    code, answer = add(tmp_path, capsys, html, url="teal.example.ac.kr/list")
    assert code == 1
    assert "neither http nor https" in answer["error"]


def test_for_people_the_table_the_reasons_and_the_entry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "page.html"
    saved.write_text(
        table('<tr><td>{number}</td><td><a href="v?no={id}">{title}</a></td><td>{date}</td></tr>'),
        encoding="utf-8",
    )
    config = str(tmp_path / "sitemap.json")
    assert main(["add", URL, "--page", str(saved), "--config", config]) == 0
    shown = capsys.readouterr().out
    assert "4 rows, 4 notices, 0 skipped" in shown
    assert "- the id is no: it differs from notice to notice" in shown
    assert '  "id": "example_teal",\n' in shown
    assert f"--write puts it into {config}" in shown


@pytest.mark.parametrize(
    ("url", "taken", "wanted"),
    [
        ("https://cse.heron.ac.kr/bbs/cse/775/artclList.do", set(), "heron_cse"),
        ("https://www.heron.ac.kr/www/selectBbsNttList.do?bbsNo=25&key=8", set(), "heron_25"),
        ("https://www.heron.ac.kr/dorm/notice/list.do", set(), "heron_dorm"),
        ("https://cse.heron.ac.kr/", {"heron_cse", "heron_cse_2"}, "heron_cse_3"),
        ("http://127.0.0.1:8080/", set(), "127_0_0_1"),
        ("http://127.0.0.1:8080/notice/list", set(), "127_0_0_1"),
        ("https://heron.ac.kr/category/notice/", set(), "heron"),
        ("https://heron.ac.kr/dorm/category/notices/", {"heron_dorm"}, "heron_dorm_2"),
        ("https://heron.ac.kr/bbs/board.php?bo_table=notice", set(), "heron"),
        ("https://heron.ac.kr/bbs/board.php?bo_table=physics", set(), "heron_physics"),
        ("http://localhost/source", set(), "localhost"),
        ("https://heron.ac.kr/%EA%B3%B5%EC%A7%80/", set(), "heron"),
        ("https://" + "a" * 63 + ".b-c.ac.kr/", set(), "b-c_" + "a" * 56),
    ],
)
def test_ids_come_from_the_address(url: str, taken: set[str], wanted: str) -> None:
    assert guess_id(url, taken) == wanted


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("공지사항 게시판목록 | 왜가리대학교", "왜가리대학교"),
        ("공지사항 1 페이지 | 왜가리대학교 부동산학과", "왜가리대학교 부동산학과"),
        ("대학소식 | 왜가리대학교", "왜가리대학교 대학소식"),
        ("", "cse.heron.ac.kr"),
        ("공지사항", "cse.heron.ac.kr"),
    ],
)
def test_names_come_from_the_title(title: str, wanted: str) -> None:
    assert guess_name(title, "https://cse.heron.ac.kr/list") == wanted
