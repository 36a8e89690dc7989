"""`uring add` follows a page without a list to its frame, refresh, feed or JSON, within limits."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_add import add, table
from test_fifty_boards import API, NOTICES, dumped, html

from uring_local.add.follow import MOST_REQUESTS
from uring_local.cli import main
from uring_local.loopback import Answer, LoopbackServer, Request

LIST = table('<tr><td>{number}</td><td><a href="v?no={id}">{title}</a></td><td>{date}</td></tr>')
ITEMS = "".join(
    f"<item><title>{title}</title><link>https://reed.example.ac.kr/v?no={key}</link>"
    f"<pubDate>Fri, 20 Feb 2026 09:00:00 +0900</pubDate></item>"
    for key, title, _, _ in NOTICES
)
FEED = f"<rss version='2.0'><channel><title>갈대</title>{ITEMS}</channel></rss>"
ALTERNATE = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'


def follow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], start: str, robots: str = "", **pages: str
) -> tuple[int, dict[str, Any], list[str]]:
    """What the command answers for a site, and the paths that it asked for."""
    asked: list[str] = []

    def respond(request: Request) -> Answer:
        asked.append(request.path)
        known = {"/start": start, "/robots.txt": robots, **{f"/{k}": v for k, v in pages.items()}}
        body = known.get(request.path.partition(".")[0]) or known.get(request.path)
        kind = "text/plain" if request.path == "/robots.txt" else "text/html; charset=utf-8"
        return Answer(404 if body is None else 200, (body or "").encode(), {"Content-Type": kind})

    with LoopbackServer(respond) as server:
        url = f"http://{server.host}/start"
        code = main(["add", url, "--config", str(tmp_path / "none"), "--again", "0", "--json"])
    out = capsys.readouterr()
    return code, json.loads(out.out) if out.out else {"error": out.err}, asked


@pytest.mark.parametrize(
    ("start", "way"),
    [
        ('<html><frameset><frame src="/top"><frame src="/list"></frameset></html>', "its frame"),
        (html('<iframe title="x" src="/list?a=1"></iframe>'), "its iframe"),
        ('<meta http-equiv="Refresh" content="0; URL=\'/list\'">', "its refresh"),
        ('<meta http-equiv=refresh content="0;url=list">', "its refresh"),
        ("<script>location.href = '/list';</script>", "its script"),
        (html("<div id=a></div><script>$('#a').load('/list');</script>"), "its script"),
        (html('<iframe src="/frame"></iframe>'), "its iframe"),
    ],
)
def test_the_list_behind_a_page_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], start: str, way: str
) -> None:
    code, answer, _ = follow(
        tmp_path, capsys, start, list=LIST, frame='<iframe src="/list">', top=html("<p>위</p>")
    )
    assert (code, len(answer["items"])) == (0, 4), answer
    assert "/list" in answer["entry"]["url"]
    assert any(way in reason or "its iframe" in reason for reason in answer["reasons"])


@pytest.mark.parametrize(
    "script",
    [
        "fetch('/api').then(r => r.json())",
        '$.ajax({ type: "get", url : "/api", success: show })',
        "axios.get(`/api`)",
        "$.getJSON('/api', show)",
    ],
)
def test_the_json_that_a_page_asks_for_is_proposed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str
) -> None:
    start = html(f"<div id=app></div><script>{script}</script>")
    code, answer, _ = follow(tmp_path, capsys, start, api=dumped(API))
    assert (code, answer["entry"]["kind"]) == (0, "json")
    assert [item["id"] for item in answer["items"]] == [key for key, *_ in NOTICES]


def test_a_feed_is_followed_without_a_list_and_named_beside_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer, _ = follow(tmp_path, capsys, html("<p>", ALTERNATE), feed=FEED)
    assert (code, answer["entry"]["preset"]) == (0, "rss")
    beside = LIST.replace("</head>", f"{ALTERNATE}</head>")
    code, answer, asked = follow(tmp_path, capsys, beside, feed=FEED)
    assert (code, answer["entry"]["url"][-6:], "/feed.xml" in asked) == (0, "/start", False)
    assert any("names a feed" in reason for reason in answer["reasons"])


def test_robots_txt_holds_for_the_addresses_that_are_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robots = "User-agent: *\nDisallow: /list"
    code, answer, asked = follow(tmp_path, capsys, '<iframe src="/list">', robots, list=LIST)
    assert (code, "/list" in asked) == (1, False)
    assert "its iframe leads to" in answer["error"]
    assert "robots.txt forbids this address" in answer["error"]


def test_a_frame_of_a_private_host_is_not_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def inside(request: Request) -> Answer:
        asked.append(request.path)
        return Answer(200, LIST.encode())

    with LoopbackServer(inside) as other:
        start = f'<iframe src="http://{other.host}/list"><iframe src="file:///etc/passwd">'
        code, answer, _ = follow(tmp_path, capsys, start)
    assert (code, asked) == (1, [])
    assert "test site is allowed by naming" in answer["error"]


def test_a_page_of_many_frames_is_not_followed_for_ever(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = "".join(f'<iframe src="/start?{n}"></iframe>' for n in range(99))
    code, _, asked = follow(tmp_path, capsys, start)
    assert code == 1
    assert asked.count("/start") <= 1 + MOST_REQUESTS


def test_a_saved_page_names_its_frame(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = add(tmp_path, capsys, html('<iframe src="board/list.do"></iframe>'))
    assert code == 1
    assert "leads to https://www.teal.example.ac.kr/board/board/list.do" in answer["error"]
