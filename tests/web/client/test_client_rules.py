"""Registries of regulations: the list, its search, what changed, and a regulation's own page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from rules_of_client import DIFFERENCE, REGISTRY, item, line, publish, route, text, text_line
from site_of_client import Site

Opened = Callable[[str], Page]
MARCH = "2026-03-08T16:00:00Z"
JANUARY = "2026-01-05T16:00:00Z"


def test_registries_are_listed_with_their_health(site: Site, opened: Opened) -> None:
    """The name leads to the registry; the status is a word, a later one as it is."""
    publish(site, [], status="half_read", last_change=MARCH)
    page = opened("#/rules")
    row = page.locator("main .list li")
    assert "하늘대학교 규정" in row.inner_text()
    assert "half_read" in row.inner_text()
    assert row.locator("a").get_attribute("href") == f"#/rules/{REGISTRY}"


def test_regulations_are_found_by_the_initials_of_their_title(site: Site, opened: Opened) -> None:
    """ㅎㅊ finds 학칙, and nothing else."""
    publish(site, [item("학칙"), item("장학금 지급 규정"), item("도서관 규정")])
    page = opened(f"#/rules/{REGISTRY}")
    assert "현행 규정 3개" in page.locator("main").inner_text()
    page.locator("input[type=search]").fill("ㅎㅊ")
    assert page.locator("#regulations a").all_inner_texts() == ["학칙"]
    page.locator("input[type=search]").fill("없는 규정")
    assert page.locator(".empty").inner_text() == "찾는 규정이 없습니다."


def test_what_changed_last_stands_first_and_the_first_sight_is_no_change(
    site: Site, opened: Opened
) -> None:
    """Renamed, revised, gone, text changed: a word each, the newest first."""
    lines = [
        line("도서관 규정", "baseline", JANUARY),
        line("장학 규정", "renamed", "2026-03-02T16:00:00Z", renamed_from="장학금 규정"),
        line("주차 규정", "deleted", "2026-03-05T16:00:00Z"),
        text_line("학칙", MARCH),
    ]
    publish(site, [item("학칙"), item("장학 규정"), item("도서관 규정")], {"202603": lines})
    page = opened(f"#/rules/{REGISTRY}")
    page.wait_for_selector("#changes li")
    told = [one.replace("\n", " ") for one in page.locator("#changes li").all_inner_texts()]
    assert ["본문 바뀜 학칙" in told[0], "폐지 주차 규정" in told[1]] == [True, True]
    assert "이름 바뀜 장학 규정" in told[2]
    assert "이전 이름: 장학금 규정" in told[2]
    assert len(told) == 3


def test_a_broken_line_is_told_and_costs_no_other(site: Site, opened: Opened) -> None:
    """A line that was cut is counted; the whole one is shown."""
    publish(site, [item("학칙")], {"202603": [line("학칙", "edited", MARCH)]})
    site.data[f"{REGISTRY}/archive/202603.jsonl"] += b'{"event_id": "cut'
    page = opened(f"#/rules/{REGISTRY}")
    page.wait_for_selector("#changes li")
    assert page.locator("#changes li").count() == 1
    assert "기록 1줄을 건너뛰었습니다" in page.locator(".lack").inner_text()


def test_the_history_reaches_to_the_first_sight_over_missing_months_and_former_names(
    site: Site, opened: Opened
) -> None:
    """February has no file; what happened under another name is of the same regulation."""
    months = {
        "202603": [
            line("장학 규정", "renamed", MARCH, revision=3, renamed_from="장학금 규정"),
            text_line("장학금 규정", "2026-03-01T16:00:00Z"),
        ],
        "202601": [
            line("장학금 규정", "baseline", JANUARY),
            line("장학금 규정", "edited", "2026-01-20T16:00:00Z", revision=2),
            line("도서관 규정", "new", "2026-01-21T16:00:00Z"),
        ],
    }
    publish(site, [item("장학 규정", revision=3)], months)
    page = opened(route("장학 규정"))
    page.wait_for_selector("#history li")
    kinds = page.locator("#history .tag").all_inner_texts()
    assert kinds == ["이름 바뀜", "본문 바뀜", "개정", "처음 확인"]
    assert site.requests(f"{REGISTRY}/archive/202602.jsonl") == [403]
    assert site.requests(f"{REGISTRY}/archive/202512.jsonl") == []


def test_changed_articles_are_told_by_line_gone_and_new(site: Site, opened: Opened) -> None:
    """A sign and a word beside each, so that no colour has to be seen; markup stays text."""
    articles = [
        {
            "key": "제4조",
            "previous_key": "제3조",
            "title": "점검",
            "change": "renumbered",
            "diff": ["@2", " 같은 줄", "-<b>이전</b> 줄", "+새 줄"],
        },
        {"key": None, "change": "constructor", "diff": "no list"},
        None,
    ]
    path = DIFFERENCE.removeprefix("/data/").replace(".html", ".json")
    files = {"previousFileNo": "11", "fileNo": "12"}
    site.put(path, {**files, "before": 9, "after": 9, "articles": articles})
    publish(site, [item("학칙", "12")], {"202603": [text_line("학칙", MARCH)]})
    page = opened(route("학칙"))
    page.locator("#history button").click()
    page.wait_for_selector(".difference")
    told = page.locator(".article").first.inner_text()
    assert "제3조 → 제4조(점검)" in told
    assert "… 2개 항목은 같음" in told
    assert page.locator("del").inner_text() == "<b>이전</b> 줄"
    assert page.locator("ins").inner_text() == "새 줄"
    signs = page.locator(".article p b").all_inner_texts()
    assert [sign.strip() for sign in signs] == ["\N{MINUS SIGN}", "+"]
    assert page.locator(".heard").all_inner_texts() == ["이전:", "이후:"]
    page.locator("#history button").click()
    page.wait_for_selector(".difference", state="detached")


def test_a_difference_leads_to_its_page(site: Site, opened: Opened) -> None:
    """The page has old and new side by side."""
    site.put(DIFFERENCE.removeprefix("/data/").replace(".html", ".json"), {"articles": []})
    publish(site, [item("학칙", "12")], {"202603": [text_line("학칙", MARCH)]})
    page = opened(route("학칙"))
    page.locator("#history button").click()
    link = page.locator(".difference a")
    assert link.get_attribute("href") == f".{DIFFERENCE}"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"effective": "2026-03-01", "effective_text": None}, "· 시행 2026. 3. 1. ·"),
        (
            {"effective": "2026-03-01", "effective_text": "다만"},
            "시행 2026. 3. 1. (일부 조문은 다름)",
        ),
        ({"effective": None, "effective_text": "1학기부터 시행한다."}, "1학기부터 시행한다."),
        ({"cause": "silently_replaced"}, "· 번호를 바꾸지 않고 파일을 바꿈 ·"),
    ],
)
def test_history_says_when_a_change_comes_into_force_and_how(
    site: Site, opened: Opened, fields: dict[str, Any], told: str
) -> None:
    """The date in the reader's spelling, else the regulation's words; a file that was replaced."""
    publish(site, [item("학칙", "12")], {"202603": [text_line("학칙", MARCH, **fields)]})
    page = opened(route("학칙"))
    assert told in page.locator("#history li").first.inner_text()


@pytest.mark.parametrize("value", [7, {"a": 1}, "2026-03-01<b>", "x" * 5_000])
def test_a_date_that_is_none_is_not_shown(site: Site, opened: Opened, value: Any) -> None:
    """Neither in the history nor beside the text."""
    publish(site, [item("학칙", "12")], {"202603": [text_line("학칙", MARCH, effective=value)]})
    page = opened(route("학칙"))
    page.wait_for_selector("#history li")
    assert "시행" not in page.locator("main").inner_text()


@pytest.mark.parametrize(
    "address",
    [
        "/data/other_rules/differences/11-12.0a1b2c3d.2.html",
        f"/data/{REGISTRY}/differences/../../index.json",
        "https://evil.example/data/x/differences/11-12.0a1b2c3d.2.html",
        7,
    ],
)
def test_only_a_difference_of_this_registry_is_offered(
    site: Site, opened: Opened, address: Any
) -> None:
    """Another registry's, a path upwards, another host, no text: no button."""
    publish(site, [item("학칙")], {"202603": [text_line("학칙", MARCH, difference=address)]})
    page = opened(route("학칙"))
    page.wait_for_selector("#history li")
    assert page.locator("#history button").count() == 0


def test_links_lead_only_to_http(site: Site, opened: Opened) -> None:
    """A script's address is no link, the other one stays."""
    publish(site, [item("학칙", previewUrl="javascript:alert(1)")])
    page = opened(route("학칙"))
    links = page.locator("a.button")
    assert [one.get_attribute("href") for one in links.all()] == [
        "https://rules.example.ac.kr/download?fileNo=11"
    ]
    assert links.get_attribute("rel") == "noopener noreferrer"


def test_a_regulation_that_is_gone_keeps_its_record_and_text(site: Site, opened: Opened) -> None:
    """It is not in the list any more: said so; text and history are those of the archive."""
    lines = [
        line("주차 규정", "baseline", JANUARY, "31"),
        line("주차 규정", "deleted", MARCH, "31", revision=2),
    ]
    publish(site, [item("학칙")], {"202603": lines})
    text(site, "31", "제1조(목적) 주차를 정한다.")
    page = opened(route("주차 규정"))
    page.wait_for_selector("#text p")
    assert "지금 목록에 없는 규정입니다" in page.locator("main").inner_text()
    assert page.locator("#history .tag").all_inner_texts() == ["폐지", "처음 확인"]
    assert "주차를 정한다" in page.locator("#text").inner_text()


HOSTILE: list[Any] = [
    None,
    "item",
    {"id": "학칙"},
    {"id": 7, "title": {}},
    item("학칙", title=None, fileNo={"a": 1}, lastUpdated=7, previewUrl=[], downloadUrl=None),
    item("학칙", "../../index", title="<img src=x onerror=alert(1)>" * 40, later={"a": [1]}),
]


@pytest.mark.parametrize("bad", HOSTILE, ids=range(len(HOSTILE)))
def test_an_item_of_any_shape_costs_no_other_and_makes_no_markup(
    site: Site, opened: Opened, bad: Any
) -> None:
    """The list has the good one; the page of the bad one says what is missing."""
    publish(site, [bad, item("도서관 규정")], {"202603": [{"event_id": 1}, bad]})
    page = opened(f"#/rules/{REGISTRY}")
    page.wait_for_selector("#regulations :text('도서관 규정')")
    assert page.locator("main img").count() == 0
    page = opened(route("학칙"))
    page.wait_for_selector("text=읽어 둔 본문이 없습니다")
    assert page.locator("main img").count() == 0
    # `../../index` as a file's number leads nowhere.
    assert site.requests("index.md") == []
