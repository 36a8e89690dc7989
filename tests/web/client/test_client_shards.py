"""An index with shards: what the client reads of it, and what a missing one costs."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from kept import keep_favourites
from notices_published import Opened, titles
from playwright.sync_api import BrowserContext, Page, Route, expect
from shards_published import SHARDS, asked, entry, publish, put
from site_of_client import Site

from uring.changes.shard import shards_between

FAILED: Final = "사이트가 응답하지 않습니다."
IDS: Final = ["a", "f_z", "g", "g-x", "g_x", "ga", "G", "l", "m", "m-1", "m.1", "m_1", "z", "9"]


@pytest.fixture
def followed(site: Site, opened: Opened) -> Callable[..., Page]:
    """Open the list of followed boards, with the three published."""

    def open_list(*ids: str) -> Page:
        publish(site)
        page = opened("#/kept")
        keep_favourites(page, ids)
        page.goto("about:blank")
        page.goto(f"{site.url}#/")
        page.wait_for_selector(".notice")
        return page

    return open_list


def kept(page: Page) -> list[str]:
    """Return which parts of the index the device has."""
    found: list[str] = page.evaluate(
        """async () => {
             const {open} = await import(new URL("./app/store.js", document.baseURI).href);
             return [...(await (await open()).entries("objects")).keys()]
               .filter((key) => key.startsWith("index.")).sort();
           }"""
    )
    return found


def test_an_id_is_in_the_shard_that_the_monitor_gives_it(site: Site, opened: Opened) -> None:
    """The order is that of stored keys, with the dot behind the id."""
    publish(site)
    paths = opened("#/kept").evaluate(
        """async ([shards, ids]) => {
             const {pathsOf} = await import(new URL("./app/shards.js", document.baseURI).href);
             const index = {families: {departments: {shards}}, departments: []};
             return ids.map((id) => pathsOf(index, [id]));
           }""",
        [SHARDS, IDS],
    )
    of_the_engine = shards_between(["g", "m"])
    expected = [
        [each.key("index.json") for each in of_the_engine if each.has(id_) and each.begin]
        for id_ in IDS
    ]
    assert paths == expected


def test_only_the_shards_of_followed_boards_are_read(
    site: Site, followed: Callable[..., Page]
) -> None:
    """They give what the index gives: here that a board does not answer. The device keeps them."""
    page = followed("cse", "nursing")
    expect(page.locator(".health.bad")).to_contain_text(FAILED)
    assert asked(site) == ["index.json", "index.m.json"]
    assert kept(page) == ["index.json", "index.m.json"]


def test_a_look_again_reads_the_shard_again(site: Site, followed: Callable[..., Page]) -> None:
    """Past the browser's own copy, as the index itself."""
    page = followed("nursing")
    expect(page.locator(".health.bad")).to_contain_text(FAILED)
    put(site, "index.m.json", entry("nursing"))
    page.get_by_role("button", name="새로 고침").click()
    expect(page.locator(".health.bad")).to_have_count(0)


@pytest.mark.parametrize("body", [None, b'{"departments": 7}'])
def test_a_shard_that_does_not_come_costs_its_own_boards_alone(
    site: Site, followed: Callable[..., Page], body: bytes | None
) -> None:
    """Their notices and names stay; the board of the other shard says that it is in trouble."""
    publish(site)
    page = followed("law", "nursing")
    expect(page.locator(".health.bad")).to_contain_text(FAILED)
    site.data.pop("index.g.json")
    if body is not None:
        site.data["index.g.json"] = body
    page.reload()
    expect(page.locator(".health.bad")).to_contain_text("누리솔대 간호학과")
    assert titles(page) == ["공지 3", "공지 2"]
    expect(page.locator("main")).to_contain_text("누리솔대 법학과")


def test_without_an_answer_the_device_has_the_shard(
    site: Site, followed: Callable[..., Page]
) -> None:
    """A server in trouble is no index without the board."""
    page = followed("nursing")
    expect(page.locator(".health.bad")).to_contain_text(FAILED)
    site.answers["/data/index.m.json"] = (503, b"")
    page.get_by_role("button", name="새로 고침").click()
    expect(page.locator("#said")).to_have_text("새로 고쳤습니다.")
    expect(page.locator(".health.bad")).to_contain_text(FAILED)


def test_a_board_that_is_opened_by_its_address_is_found(site: Site, opened: Opened) -> None:
    """Its shard is read, and no other; its name is in the title."""
    publish(site)
    page = opened("#/source/nursing")
    expect(page.locator(".health.bad")).to_contain_text(FAILED)
    expect(page).to_have_title("누리솔대 간호학과 · uRing")
    assert asked(site) == ["index.json", "index.m.json"]


def test_choosing_reads_the_other_lists_and_says_how_many(
    site: Site, opened: Opened, context: BrowserContext
) -> None:
    """It can be used meanwhile, and a search says what it does not know yet."""
    publish(site)
    held: list[Route] = []
    context.route("**/data/index.m.json", lambda route: held.append(route))  # noqa: PLW0108
    page = opened("#/sources")
    expect(page.locator("[data-lists]")).to_have_text("목록 3개 중 2개를 읽었습니다.")
    expect(page.locator(".choice .title")).to_have_text(
        ["누리솔대 컴퓨터공학과", "누리솔대 법학과"]
    )
    page.get_by_role("searchbox").fill("간호")
    expect(page.locator(".empty")).to_contain_text("목록을 다 읽지 못했습니다")
    expect(page.locator("[data-lists]")).to_contain_text("아직 읽지 않은 목록에서는 찾지 않습니다.")
    expect(page.locator("#said")).to_contain_text("0곳. 아직 읽지 않은")
    held[0].continue_()
    expect(page.locator(".choice .title")).to_have_text(["누리솔대 간호학과"])
    expect(page.locator("[data-lists]")).to_have_count(0)
    expect(page.locator("#said")).to_have_text("학과 목록을 모두 읽었습니다.")
    # What is only looked through fills no device.
    assert kept(page) == ["index.json"]


def test_a_list_that_does_not_come_is_told_and_asked_for_again(site: Site, opened: Opened) -> None:
    """In both languages."""
    publish(site)
    body = site.data.pop("index.g.json")
    page = opened("#/sources")
    expect(page.locator("[data-lists]")).to_contain_text("목록 1개를 받지 못했습니다.")
    expect(page.locator(".choice")).to_have_count(2)
    site.data["index.g.json"] = body
    page.get_by_role("button", name="다시 시도").click()
    expect(page.locator(".choice")).to_have_count(3)
    expect(page.locator("[data-lists]")).to_have_count(0)


def test_a_long_list_is_drawn_in_steps(site: Site, opened: Opened) -> None:
    """A hundred rows at first; a name narrows them, a button shows more."""
    publish(site)
    put(
        site, "index.m.json", *(entry(f"n{number}", name=f"학과 {number}") for number in range(250))
    )
    page = opened("#/sources")
    left = page.locator("[data-left]")
    expect(left).to_have_text("152곳 더 있습니다. 이름을 입력하면 좁혀집니다.")
    assert page.locator(".choice").count() == 100
    page.get_by_role("button", name="더 보기").click()
    expect(page.locator(".choice")).to_have_count(200)
    page.get_by_role("searchbox").fill("학과 1")
    expect(left).to_have_text("33곳 더 있습니다. 이름을 입력하면 좁혀집니다.")
    page.get_by_role("searchbox").fill("학과 249")
    expect(page.locator(".choice .title")).to_have_text(["학과 249"])
    assert left.count() == 0
    page.get_by_role("searchbox").fill("")
    expect(left).to_contain_text("152곳")


def test_the_first_choice_leads_to_the_notices_while_lists_come(
    site: Site, opened: Opened, context: BrowserContext
) -> None:
    """A list that comes later does not draw the choice over the notices."""
    publish(site)
    held: list[Route] = []
    context.route("**/data/index.m.json", lambda route: held.append(route))  # noqa: PLW0108
    page = opened("#/")
    page.locator(".choice", has_text="법학과").get_by_role("button").click()
    page.locator(".dock button").click()
    page.wait_for_selector(".notice")
    with page.expect_response("**/data/index.m.json"):
        held[0].continue_()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert titles(page) == ["공지 2"]
    assert page.locator(".choice").count() == 0


HOSTILE: Final[list[Any]] = [
    None,
    7,
    {"from": 7, "path": "index.g.json"},
    {"from": "g"},
    {"from": "", "path": "index.g.json"},
    {"from": "g", "path": "../secret.json"},
    {"from": "g", "path": "index.json"},
    {"from": "g", "path": "https://evil.example/x.json"},
]


def test_shards_that_cannot_be_are_as_if_there_were_none(site: Site, opened: Opened) -> None:
    """Nothing but names of objects beside the index is asked for."""
    publish(site)
    families = {"departments": {"view": "notices", "shards": HOSTILE}, "weather": {"shards": 7}}
    site.put("index.json", {"families": families, "departments": [entry("cse")]})
    page = opened("#/sources")
    expect(page.locator(".choice .title")).to_have_text(["누리솔대 컴퓨터공학과"])
    assert page.locator("[data-lists]").count() == 0
    assert {path for _, path, _, _ in site.log if "/data/" in path} == {"/data/index.json"}
