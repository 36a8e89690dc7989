"""One notice: its history, and nothing of what it says is executed."""

from typing import Any

from notices_published import Opened, campus, line, notice, publish
from playwright.sync_api import expect
from site_of_client import Site

MARKUP = '<img src=x onerror="document.title=`executed`"><script>alert(1)</script>'


def test_revisions_are_told_with_before_and_after(site: Site, opened: Opened) -> None:
    """The newest first, over a month without a line; a field of a later release is left out."""
    old = notice(1, "접수 안내", date="2026-01-05", first_seen="2026-01-05T00:00:00Z", moons=1)
    now = {**old, "title": "접수 안내 (연장)", "date": "2026-03-19", "revision": 2, "moons": 2}
    campus(site)
    publish(site, "cse", [now])
    site.put("cse/archive/202603.jsonl", [line(now, "edited", "2026-03-19T03:00:00Z")])
    site.put("cse/archive/202601.jsonl", [line(old)])
    page = opened("#/item/cse/1")
    expect(page.locator("h1")).to_have_text("접수 안내 (연장)")
    expect(page.locator(".event strong")).to_have_text(["수정되었습니다", "새로 올라왔습니다"])
    assert page.locator("del").all_inner_texts() == ["접수 안내", "2026-01-05"]
    assert page.locator("ins").all_inner_texts() == ["접수 안내 (연장)", "2026-03-19"]
    expect(page.get_by_role("link", name="게시판에서 보기")).to_have_attribute(
        "href", "https://board.example/1"
    )


def test_markup_is_text_and_a_script_is_no_link(site: Site, opened: Opened) -> None:
    """In lists, in the notice, in its history; the title leads to the notice's own page."""
    hostile = notice(1, MARKUP, link="javascript:document.title=`executed`", category=MARKUP)
    before = {**hostile, "title": "<b>before</b>", "first_seen": hostile["first_seen"]}
    now = {**hostile, "revision": 2}
    campus(site)
    publish(site, "cse", [now], dept_name=MARKUP)
    lines = [line(before), line(now, "edited", "2026-03-19T03:00:00Z")]
    site.put("cse/archive/202603.jsonl", lines)
    page = opened("#/source/cse")
    page.locator(".title").click()
    expect(page.locator("h1")).to_have_text(MARKUP)
    expect(page.locator("del")).to_have_text(["<b>before</b>"])
    expect(page.locator(".health.warn")).to_contain_text("안전하지 않아")
    assert page.locator("main img, main script, main b").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0
    assert "executed" not in page.title()


def test_hostile_items_cost_themselves_alone(site: Site, opened: Opened) -> None:
    """Of eight that are broken or monstrous the readable ones are shown, the others counted."""
    campus(site)
    items: list[Any] = [
        None,
        7,
        {"title": "no id"},
        {**notice(2), "revision": "many"},
        notice(3, "가" * 1_000_000, link=["x"], date={"a": 1}, category=7, first_seen=3),
        {**notice(4), "id": "__proto__", "title": "proto"},
        {**notice(5), "id": "constructor", "title": None},
        notice(6, "\u202e거꾸로\u0000\n글"),
    ]
    publish(site, "cse", items)
    page = opened("#/")
    page.locator(".choice button").first.click()
    page.locator(".dock button").click()
    expect(page.locator(".notice")).to_have_count(4)
    expect(page.locator(".health")).to_contain_text("읽을 수 없는 공지 4건이 빠졌습니다.")
    texts = page.locator(".notice .title").all_text_contents()
    assert any("(제목 없음)" in text for text in texts)
    assert any(text.startswith("거꾸로 글") for text in texts)
    assert max(map(len, texts)) < 600
    for star in page.locator(".star").all():
        star.click()
        expect(star).to_have_attribute("aria-pressed", "true")
    page.goto(site.url + "#/kept")
    expect(page.locator(".notice")).to_have_count(4)


def test_a_notice_that_is_nowhere_is_said(site: Site, opened: Opened) -> None:
    """With the way to its department."""
    campus(site)
    page = opened("#/item/cse/404")
    expect(page.locator(".empty")).to_have_text("이 공지를 찾지 못했습니다.")
    assert page.locator("main a").get_attribute("href") == "#/source/cse"


def test_a_history_whose_beginning_is_lost_is_partial(site: Site, opened: Opened) -> None:
    """What is there is shown, and that there is more."""
    now = notice(1, revision=3)
    campus(site)
    publish(site, "cse", [now])
    site.put("cse/archive/202603.jsonl", [line(now, "pinned", "2026-03-19T03:00:00Z")])
    page = opened("#/item/cse/1")
    expect(page.locator(".event strong")).to_have_text(["고정되었습니다"])
    expect(page.locator("main")).to_contain_text("더 오래된 이력은 찾지 못했습니다.")
