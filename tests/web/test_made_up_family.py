"""A family that nothing here names: from the index to a view, a message and the operator's page."""

import re
from collections.abc import Callable

import pytest
from fakes.toy_family import NAME
from playwright.sync_api import Page, expect
from site_of_client import WEB, Site
from toy_shop import SAW, Shelf, Shop

from uring.errors import FetchFailed

Opened = Callable[[str], Page]
Status = Callable[[], Page]


def play(site: Site, *shelves: Shelf) -> Shop:
    """Let the engine and the monitor publish the toy family, whole, for readers."""
    shop = Shop(shelves) if shelves else Shop()
    shop.run()
    shop.monitor.run(lambda: 100)
    for key, body in shop.objects.bodies().items():
        if key.startswith("data/"):
            site.data[key.removeprefix("data/")] = body
    return shop


def test_nothing_of_the_client_names_it() -> None:
    """Else what follows would say nothing of a family that nobody thought of."""
    texts = [path.read_text() for path in WEB.rglob("*") if path.suffix in {".js", ".html"}]
    assert len(texts) > 80
    assert not any(re.search(rf"{NAME}|리콜", text) for text in texts)


def test_a_reader_comes_from_the_menu_to_its_records(site: Site, opened: Opened) -> None:
    """Its word is in the menu, its sources in a list, its records with titles, dates and links."""
    play(site)
    page = opened("#/")
    page.locator(f"#nav a[data-name={NAME}]").click()
    expect(page.locator("h1")).to_have_text("리콜")
    expect(page).to_have_title("리콜 · uRing")
    expect(page.locator(f"#nav a[data-name={NAME}]")).to_have_attribute("aria-current", "page")
    expect(page.locator("main .list")).to_contain_text("정상")
    page.get_by_role("link", name="A shop").click()
    expect(page.locator("h1")).to_have_text("A shop")
    expect(page.locator(f"#nav a[data-name={NAME}]")).to_have_attribute("aria-current", "true")
    rows = page.locator(".items li")
    expect(rows).to_have_count(3)
    titles = [text.split("\n")[0] for text in rows.all_inner_texts()]
    assert titles == ["kettle ↗", "chain saw ↗", "lamp ↗"]
    assert all("2026" in text for text in rows.all_inner_texts())
    assert rows.first.locator("a").get_attribute("href") == "https://shop.example/k"


def test_a_message_of_it_opens_its_source(site: Site, opened: Opened) -> None:
    """Its topic is found, too: the index has both."""
    shop = play(site)
    page = opened("#/")
    message = shop.fcm.accepted[0].data
    route, topics = page.evaluate(
        """async (data) => {
             const index = await (await fetch("./data/index.json")).json();
             const {routeOf} = await import("/app/families.js");
             const {sourceOf} = await import("/app/index.js");
             const {wantedTopics} = await import("/app/push/topics.js");
             const topics = [...wantedTopics(index, [data.dept], {}).keys()];
             return [routeOf(data, sourceOf(index, data.dept)), topics];
           }""",
        message,
    )
    assert (route, topics) == (f"#/family/{NAME}/shop", ["shop"])
    expect(opened(route).locator(".items li")).to_have_count(3)


def test_an_operator_sees_it_by_its_name_with_what_to_do(site: Site, status: Status) -> None:
    """In both languages; its page of the docs is the one of its name."""
    play(site, [SAW], FetchFailed("timeout", "closed"))
    page = status()
    expect(page.locator(f"[data-family={NAME}]")).to_contain_text("리콜")
    row = page.locator(f"[data-source='{NAME}/shop']")
    expect(row).to_have_attribute("data-kind", "soon")
    told = " ".join((row.text_content() or "").split())
    assert "shop · 리콜" in told
    assert "uring state show shop --stack NAME" in told
    assert f"docs/{NAME}.md" in told
    page.locator("#language").click()
    expect(page.locator(f"[data-family={NAME}]")).to_contain_text("Recalls")


@pytest.mark.parametrize(
    "families",
    [
        None,
        [],
        "x",
        {NAME: None},
        {NAME: {"family": "<b>", "view": "constructor", "word": {"ko": ["x"]}}},
        {NAME: {"family": 7, "view": {}, "word": "x"}},
        {"__proto__": {"view": "weather"}},
    ],
    ids=str,
)
def test_a_list_that_the_index_says_nothing_of_goes_by_its_key(
    site: Site, opened: Opened, status: Status, families: object
) -> None:
    """What cannot be read of a list's description costs its word, never its sources."""
    site.put("index.json", {"families": families, NAME: [{"id": "shop", "name": "A shop"}]})
    page = opened(f"#/family/{NAME}")
    expect(page.locator("h1")).to_have_text(NAME)
    expect(page.locator("main .list li")).to_have_count(1)
    assert page.locator(f"#nav a[data-name={NAME}]").inner_text() == NAME
    operators = status()
    assert NAME in operators.locator(f"[data-family={NAME}]").inner_text()
    assert "docs/operations.md" in (operators.locator("main").text_content() or "")
