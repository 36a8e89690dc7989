"""Notices as a stack publishes them: an index, `latest.json` and months of archives."""

from collections.abc import Callable
from typing import Any, Final

from playwright.sync_api import Page, expect
from site_of_client import Site

Opened = Callable[[str], Page]
Record = dict[str, Any]

NAMES: Final = {
    "cse": "누리솔대 컴퓨터공학과",
    "law": "누리솔대 법학과",
    "art": "누리솔대 미술학과",
}
# A fixed past: what is asserted of it depends on no clock.
UPDATED: Final = "2026-03-20T01:00:00Z"


def notice(number: int, title: str = "", **fields: Any) -> Record:
    """Return an item of `latest.json`, found on a day of March 2026 by its number."""
    day = number % 28 + 1
    return {
        "id": str(number),
        "title": title or f"공지 {number}",
        "date": f"2026-03-{day:02}",
        "category": None,
        "link": f"https://board.example/{number}",
        "is_pinned": False,
        "revision": 1,
        "hash": f"{number:040x}",
        "first_seen": f"2026-03-{day:02}T00:00:00Z",
        **fields,
    }


def line(item: Record, kind: str = "new", at: str | None = None) -> Record:
    """Return the line of an archive that an item had when it was found."""
    return {
        "event_id": f"{item['id']}-{item['revision']}".ljust(40, "0"),
        "kind": kind,
        "detected_at": at or item["first_seen"],
        "push": kind == "new",
        **item,
    }


def department(source: str, **fields: Any) -> Record:
    """Return a healthy entry of the index."""
    return {
        "id": source,
        "name": NAMES.get(source, source),
        "status": "ok",
        "class": "ok",
        "last_success": UPDATED,
        "base_url": "https://board.example",
        "topic": source,
        **fields,
    }


def publish(site: Site, source: str, items: list[Record], **meta: Any) -> None:
    """Publish the newest notices of a department."""
    head = {"dept_name": NAMES.get(source, source), "base_url": "https://board.example"}
    meta = {**head, "last_updated": UPDATED, "seq": 1, **meta}
    site.put(f"{source}/latest.json", {"meta": meta, "items": items})


def campus(site: Site) -> None:
    """Publish three departments with two notices each."""
    site.put("index.json", {"departments": [department(source) for source in NAMES]})
    for position, source in enumerate(NAMES):
        first = 10 * position + 1
        publish(site, source, [notice(first), notice(first + 1)])


def choose(page: Page, source: str) -> None:
    """Follow a department at the first run, and stay there; it is on the device afterwards."""
    button = page.locator(".choice", has_text=NAMES[source]).get_by_role("button")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def follow(page: Page, *sources: str, shown: str = ".notice") -> Page:
    """Choose departments at the first run, and go to their notices; wait for what is shown."""
    for source in sources:
        choose(page, source)
    page.locator(".dock button").click()
    page.wait_for_selector(".tools")
    page.wait_for_selector(shown, state="attached")
    return page


def keep(page: Page, *names: str) -> None:
    """Keep notices; each is on the device afterwards."""
    for name in names:
        star = page.get_by_role("button", name=f"보관: {name}")
        star.click()
        expect(star).to_have_attribute("aria-pressed", "true")


def titles(page: Page) -> list[str]:
    """Return the titles of the rows, in order, without what is there for screen readers."""
    texts = page.locator(".notice .title").all_text_contents()
    return [text.removesuffix(" (새 창)").strip() for text in texts]
