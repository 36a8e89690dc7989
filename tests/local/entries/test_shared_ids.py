"""One id for several notices: `uring try` names the part that tells them apart, `add` takes it."""

import json
from pathlib import Path
from typing import Any

import pytest

from uring_local.cli import main

URL = "https://reed.example.ac.kr/board/list"
TITLES = ("갈대밭 산책로", "겨울 철새", "호수 수위", "오리 관찰", "물가 쉼터", "생태 해설사")


def tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, **entry: Any
) -> tuple[int, dict[str, Any]]:
    page, config = tmp_path / "page", tmp_path / "sitemap.json"
    page.write_text(text, "utf-8")
    source = {"id": "x", "name": "갈대", "url": URL, **entry}
    config.write_text(json.dumps({"sources": [source]}), "utf-8")
    code = main(["try", "x", "--config", str(config), "--page", str(page), "--json"])
    return code, json.loads(capsys.readouterr().out)


def table(link: str) -> str:
    rows = "".join(
        f"<tr><td class=c>{'가나'[at % 2]}</td><td class=s><a href='{href}'>{title}</a></td></tr>"
        for at, title in enumerate(TITLES)
        for href in [link.format(at=at, half=at // 2)]
    )
    return f"<table class=b><tbody>{rows}</tbody></table>"


ROWS = {"rows": "table.b tr"}
FIELDS = {"title": "td.s a", "link": "td.s a"}


def test_a_constant_parameter_is_refused_and_the_one_that_differs_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {"select": "td.s a", "attribute": "href", "parameter": "bo"}
    fields = {**FIELDS, "id": own}
    code, answer = tried(tmp_path, capsys, table("v?bo=notice&no=7{at}"), **ROWS, fields=fields)
    assert (code, answer["suspect"]["reason"]) == (1, "same_ids")
    better = json.dumps({**own, "parameter": "no"})
    assert any(f'write "id": {better}' in each for each in answer["advice"])


def test_sections_that_number_their_own_get_a_further_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = {
        "title": "td.s a",
        "id": {"select": "td.s a", "attribute": "href", "parameter": "no"},
        "category": "td.c",
        "link": {"template": "v?no={id}"},
    }
    code, answer = tried(tmp_path, capsys, table("v?no={half}"), **ROWS, fields=fields)
    assert (code, answer["suspect"]["reason"]) == (1, "same_ids")
    assert any('"further": [{"select": "td.c"}]' in each for each in answer["advice"])


def test_what_nothing_tells_apart_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = {
        **FIELDS,
        "id": {"select": "td.s a", "attribute": "href", "parameter": "bo"},
    }
    code, answer = tried(tmp_path, capsys, table("v?bo=notice"), **ROWS, fields=fields)
    assert code == 1
    assert any("no part of their links" in each for each in answer["advice"])


def feed(guid: str, link: str = "https://reed.example.ac.kr/v?no=7{at}") -> str:
    items = "".join(
        f"<item><title>{title}</title><link>{link.format(at=at)}</link>{guid.format(at=at)}"
        f"<pubDate>Fri, 20 Feb 2026 09:00:0{at} +0900</pubDate></item>"
        for at, title in enumerate(TITLES)
    )
    return f"<rss version='2.0'><channel><title>갈대</title>{items}</channel></rss>"


@pytest.mark.parametrize(
    ("guid", "link"),
    [
        ("<guid>feed</guid>", "https://reed.example.ac.kr/v?no=7{at}"),
        ("<guid>feed</guid>", "https://reed.example.ac.kr/n/7{at}"),
        ("<guid>https://reed.example.ac.kr/</guid>", "https://reed.example.ac.kr/n/7{at}"),
    ],
)
def test_add_reads_the_id_of_a_feed_from_its_links_where_one_guid_stands_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], guid: str, link: str
) -> None:
    page = tmp_path / "feed.xml"
    page.write_text(feed(guid, link), "utf-8")
    words = ["add", URL, "--page", str(page), "--config", str(tmp_path / "none"), "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len({item["id"] for item in answer["items"]}) == len(TITLES)
    assert any("share a guid" in reason for reason in answer["reasons"])


def test_a_feed_with_one_guid_and_one_link_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer = tried(
        tmp_path, capsys, feed("<guid>feed</guid>", "https://reed.example.ac.kr/"), preset="rss"
    )
    assert (code, answer["suspect"]["reason"]) == (1, "same_ids")
