"""Watched lists of domains: the health of shards, and their files when they are asked for."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page
from site_of_client import Site

Opened = Callable[[str], Page]
CHANGED = "2026-03-09T16:00:00Z"


def shard(number: int, status: str = "ok", **fields: Any) -> dict[str, Any]:
    """Return a shard of two as the index lists it."""
    source = {"id": f"sg-news.{number}of2", "name": "Singapore: news", "status": status}
    return {**source, "last_success": CHANGED, "last_change": CHANGED, **fields}


def file(domain: str, kind: str = "robots", outcome: str = "ok", **fields: Any) -> dict[str, Any]:
    """Return an item of a shard."""
    return {
        "id": f"{domain}/{kind}",
        "title": f"{domain} {kind}",
        "domain": domain,
        "file": kind,
        "outcome": outcome,
        "link": f"https://{domain}/robots.txt",
        "revision": 1,
        "first_seen": CHANGED,
        **fields,
    }


def event(domain: str, kind: str, at: str = CHANGED) -> dict[str, Any]:
    """Return a line of a shard's archive."""
    return {**file(domain), "event_id": f"{domain}-{kind}", "kind": kind, "detected_at": at}


def publish(site: Site, items: list[Any], lines: list[Any]) -> None:
    """Publish a watch of two shards, the second of which fails."""
    site.put("index.json", {"watches": [shard(2, "failed"), shard(1)]})
    meta = {"name": "Singapore: news", "last_updated": CHANGED, "seq": 1}
    site.put("sg-news.1of2/latest.json", {"meta": meta, "items": items})
    site.put("sg-news.1of2/archive/202603.jsonl", lines)


def opened_shard(page: Page) -> str:
    """Open the first shard; return what it says when its record has been read."""
    page.locator("[data-shard='sg-news.1of2'] button").first.click()
    page.wait_for_selector(".files, .events, main .quiet:text('바뀐 것이 없습니다')")
    page.wait_for_selector("[aria-busy]", state="detached")
    return page.locator("[data-shard='sg-news.1of2']").inner_text()


def test_shards_stand_by_their_watch_with_their_health_and_load_nothing(
    site: Site, opened: Opened
) -> None:
    """In the order of their numbers; a shard's file may have a megabyte."""
    publish(site, [file("a.example")], [])
    page = opened("#/lists")
    told = page.locator("[data-shard]").all_inner_texts()
    assert "조각 1 / 2 정상" in told[0].replace("\n", " ")
    assert "조각 2 / 2 응답 없음" in told[1].replace("\n", " ")
    assert "조각 2개 가운데 정상 1개" in page.locator("[data-watch=sg-news]").inner_text()
    assert site.requests("sg-news.1of2/latest.json") == []


def test_an_opened_shard_says_what_there_is_and_what_changed(site: Site, opened: Opened) -> None:
    """Domains and files counted, changes in words, the first sight is none; a second click ends."""
    items = [
        file("a.example", bytes="86", sitemaps="2"),
        file("a.example", "sitemap", format="urlset", urls="26", truncated="true"),
        file("b.example", "sitemap", "none"),
    ]
    lines = [event("c.example", "baseline"), event("a.example", "robots_vanished")]
    publish(site, items, lines)
    page = opened("#/lists")
    told = opened_shard(page)
    assert "도메인 2개 · robots.txt 1개 · 사이트맵 1개" in told
    assert "86바이트 · Sitemap 줄 2개" in told
    assert "urlset · URL 26개 · 일부만 읽음" in told
    assert [one.split("\n")[0] for one in page.locator(".events li").all_inner_texts()] == [
        "robots.txt 사라짐"
    ]
    page.locator("[data-shard='sg-news.1of2'] button").first.click()
    page.wait_for_selector(".files", state="detached")


def test_domains_are_found_and_the_others_come_by_more(site: Site, opened: Opened) -> None:
    """120 domains: fifty at once, all by clicks, one by its name."""
    publish(site, [file(f"site-{number:03}.example") for number in range(120)], [])
    page = opened("#/lists")
    opened_shard(page)
    assert page.locator(".files li").count() == 50
    page.locator("button:text('더 보기')").click()
    page.locator("button:text('더 보기')").click()
    assert page.locator(".files li").count() == 120
    page.locator("input[type=search]").fill("site-119")
    assert page.locator(".files li").count() == 1


def test_files_of_any_shape_make_no_markup_and_no_link_to_a_script(
    site: Site, opened: Opened
) -> None:
    """Broken items cost no other; a later kind of event is said as it is."""
    bad = file("<img src=x>", outcome="constructor", link="javascript:alert(1)", bytes="9" * 400)
    untitled: list[Any] = [None, 7, {"title": {}}, {"id": 1, "title": "a title", "link": 7}]
    lines = [event("d.example", "feeds_moved"), {"event_id": "x"}, 5]
    publish(site, [*untitled, bad, file("good.example")], lines)
    page = opened("#/lists")
    told = opened_shard(page)
    assert "<img src=x>" in told
    assert "feeds_moved" in told
    assert page.locator("main img").count() == 0
    links = [one.get_attribute("href") for one in page.locator(".files a").all()]
    assert links == ["https://good.example/robots.txt"]


def test_a_shard_without_a_file_says_so(site: Site, opened: Opened) -> None:
    """The index names it before its first check has ended."""
    site.put("index.json", {"watches": [shard(1, "pending"), {"id": "../index"}, "watch"]})
    page = opened("#/lists")
    assert page.locator("[data-shard]").count() == 1
    assert "아직 공개된 자료가 없습니다" in opened_shard(page)


def test_without_a_watch_the_page_says_so(site: Site, opened: Opened) -> None:
    """A stack without watches has a sentence there."""
    site.put("index.json", {"watches": {"later": "form"}})
    assert opened("#/lists").locator(".empty").inner_text() == "지켜보는 목록이 없습니다."
